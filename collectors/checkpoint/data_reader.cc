#include "collectors/checkpoint/data_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "collectors/checkpoint/java_text.h"

namespace fss {

void DataReader::Fail(const std::string& message) {
  if (error_) return;
  error_ = Error{ErrorCode::kMalformed, "byte " + std::to_string(offset()) + ": " + message, ""};
  // Nothing is left to take: the fast path of every read ends here.
  read_ -= end_ - pos_;
  pos_ = end_ = 0;
}

bool DataReader::Fill(std::size_t bytes, const char* what) {
  if (error_) return false;
  std::memmove(buffer_.data(), buffer_.data() + pos_, end_ - pos_);
  end_ -= pos_;
  pos_ = 0;
  while (end_ < bytes) {
    const Result<std::size_t> got = source_.Read({buffer_.data() + end_, buffer_.size() - end_});
    if (!got.ok()) {
      error_ = got.error();
    } else if (*got == 0) {
      pos_ = end_;  // what is told is where the file ends
      Fail(std::string("the file ends within ") + what);
    } else if (*got > buffer_.size() - end_) {
      Fail("the source gave more than was asked for");
    } else {
      end_ += *got;
      read_ += *got;
      continue;
    }
    pos_ = end_ = 0;
    return false;
  }
  return true;
}

bool DataReader::Fits(std::uint64_t bytes, const char* what) {
  if (error_) return false;
  if (bytes <= left()) return true;
  Fail(std::string(what) + " would take " + std::to_string(bytes) + " bytes, " +
       std::to_string(left()) + " are left");
  return false;
}

std::string_view DataReader::Take(std::size_t bytes, const char* what) {
  if (end_ - pos_ < bytes && !Fill(bytes, what)) return {};
  const std::string_view taken(buffer_.data() + pos_, bytes);
  pos_ += bytes;
  return taken;
}

std::int32_t DataReader::Count(std::uint64_t least_bytes, const char* what) {
  const std::int32_t count = I32(what);
  if (count < 0) {
    Fail(std::string(what) + " is negative: " + std::to_string(count));
    return 0;
  }
  return Fits(static_cast<std::uint64_t>(count) * least_bytes, what) ? count : 0;
}

std::uint64_t DataReader::Length(const char* what) {
  return static_cast<std::uint64_t>(Count(1, what));
}

std::string DataReader::Text(const char* what) {
  const auto bytes = static_cast<std::size_t>(Number<2>(what));
  std::string text;
  if (!Fits(bytes, what)) return text;
  if (!AppendJavaText(Take(bytes, what), &text)) Fail(std::string(what) + " is no text");
  return text;
}

void DataReader::SkipText(const char* what) { Skip(Number<2>(what), what); }

void DataReader::Skip(std::uint64_t bytes, const char* what) {
  if (bytes <= end_ - pos_) {
    pos_ += static_cast<std::size_t>(bytes);
    return;
  }
  if (!Fits(bytes, what)) return;
  while (bytes > 0 && ok()) {
    const std::size_t step = std::min<std::uint64_t>(bytes, kBufferBytes);
    Take(step, what);
    bytes -= step;
  }
}

void DataReader::Append(std::uint64_t bytes, std::string* out, const char* what) {
  if (!Fits(bytes, what)) return;
  while (bytes > 0 && ok()) {
    const std::size_t step = std::min<std::uint64_t>(bytes, kBufferBytes);
    out->append(Take(step, what));
    bytes -= step;
  }
}

bool DataReader::AtEnd() {
  if (error_) return false;
  if (pos_ < end_) return false;
  const Result<std::size_t> got = source_.Read(buffer_);
  if (!got.ok()) {
    error_ = got.error();
    return false;
  }
  pos_ = 0;
  end_ = std::min(*got, buffer_.size());
  read_ += end_;
  return end_ == 0;
}

}  // namespace fss
