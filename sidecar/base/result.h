// Result<T>: a value or an Error, for everything that can fail.
//
// No exception crosses a room's border (docs/adr/0003-result-not-exceptions.md): a function that
// can fail returns Result<T>, and the compiler refuses to let the caller drop it. Thread safety:
// as of the held value.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace fss {

enum class ErrorCode {
  kInvalidArgument,  // a flag or an argument that cannot be used
  kMalformed,        // bytes that are not what they should be: bad JSON, a cut file
  kNotFound,         // 404, or a file that is not there
  kUnreachable,      // no connection, a name that does not resolve, a TLS failure
  kTimeout,          // no answer within the request time-out
  kTooLarge,         // an answer or a file above its limit
  kHttpStatus,       // an answer with a status other than 2xx and 404
  kIo,               // the file system said no
};

// Short lower-case name of a code, for logs: "timeout", "not-found".
const char* ErrorCodeName(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kMalformed;
  std::string message;  // what went wrong, one line, no trailing full stop
  std::string context;  // what it went wrong with: a file, a URL path, a flag; may be empty

  // "context: message", or the message alone. Always one line: line breaks become spaces.
  std::string ToString() const;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : held_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // The value; only when ok().
  T& value() & {
    assert(ok());
    return *std::get_if<0>(&held_);
  }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&held_);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&held_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // The error; only when not ok().
  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&held_);
  }

 private:
  std::variant<T, Error> held_;
};

// For what yields nothing but may fail: return Status(), or an Error.
using Status = Result<std::monostate>;
inline Status OkStatus() { return std::monostate{}; }

}  // namespace fss
