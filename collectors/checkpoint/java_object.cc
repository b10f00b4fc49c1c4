#include "collectors/checkpoint/java_object.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fss {
namespace {

constexpr std::int32_t kStreamHeader = static_cast<std::int32_t>(0xACED0005);
constexpr std::uint32_t kFirstHandle = 0x7E0000;
// Flink's own objects nest about 20 deep. Bounds the stack.
constexpr int kMaxObjectDepth = 200;
// Every object walks its whole line of classes: bounds what one byte can cost.
constexpr int kMaxSuperClasses = 50;

enum Tag : std::uint8_t {
  kNull = 0x70,
  kReference = 0x71,
  kClassDesc = 0x72,
  kObject = 0x73,
  kString = 0x74,
  kArray = 0x75,
  kClass = 0x76,
  kBlockData = 0x77,
  kEndBlockData = 0x78,
  kReset = 0x79,
  kBlockDataLong = 0x7A,
  kLongString = 0x7C,
  kProxyClassDesc = 0x7D,
  kEnum = 0x7E,
};

enum Flag : std::uint8_t {
  kWriteMethod = 0x01,
  kSerializable = 0x02,
  kExternalizable = 0x04,
  kBlockDataMode = 0x08,
};

constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

struct ClassDesc {
  std::string_view name;
  std::string fields;           // a type code each, in the order of the data
  std::uint32_t super = kNone;  // index of its superclass
  int supers = 0;
  std::uint8_t flags = 0;
  bool complete = false;  // read to its end: what refers to it before that is broken
};

// Bytes of a field or element of type `code`; 0 for objects and arrays, nullopt for what is none.
std::optional<std::size_t> BytesOf(char code) {
  switch (code) {
    case 'B':
    case 'Z':
      return 1;
    case 'C':
    case 'S':
      return 2;
    case 'F':
    case 'I':
      return 4;
    case 'D':
    case 'J':
      return 8;
    case 'L':
    case '[':
      return 0;
    default:
      return std::nullopt;
  }
}

class Walker {
 public:
  Walker(ByteReader* in, const ClassSeen& seen) : in_(*in), seen_(seen) {}

  void Content(int depth) { Content(in_.U8(), depth); }

 private:
  void Content(std::uint8_t tag, int depth);
  // The next class' index; kNone for null and after a failure.
  std::uint32_t ClassOf(int depth);
  std::uint32_t NewClass(int depth);
  std::uint32_t NewProxyClass(int depth);
  std::uint32_t AddClass(std::string_view name);
  void Fields(std::uint32_t index, int depth);
  // What stands behind a class' fields: its annotation and its superclass.
  void Finish(std::uint32_t index, int depth);
  void AddHandle(std::uint32_t class_index = kNone) { handles_.push_back(class_index); }
  // What an object handle stands for: a class' index, or kNone for any other thing.
  std::uint32_t Referred();

  void Object(int depth);
  void ObjectData(std::uint32_t index, int depth);
  void Array(int depth);
  void Enum(int depth);
  void Value(char code, int depth);
  // Contents up to the mark that ends them.
  void Annotation(int depth);

  ByteReader& in_;
  const ClassSeen& seen_;
  std::vector<ClassDesc> classes_;
  std::vector<std::uint32_t> handles_;
};

std::uint32_t Walker::Referred() {
  const std::uint32_t handle = static_cast<std::uint32_t>(in_.I32()) - kFirstHandle;
  if (handle >= handles_.size()) in_.Fail();
  return in_.ok() ? handles_[handle] : kNone;
}

std::uint32_t Walker::ClassOf(int depth) {
  switch (in_.U8()) {
    case kNull:
      return kNone;
    case kClassDesc:
      return NewClass(depth + 1);
    case kProxyClassDesc:
      return NewProxyClass(depth + 1);
    case kReference:
      if (const std::uint32_t index = Referred(); index != kNone && classes_[index].complete) {
        return index;
      }
      break;
    default:
      break;
  }
  in_.Fail();
  return kNone;
}

std::uint32_t Walker::AddClass(std::string_view name) {
  const auto index = static_cast<std::uint32_t>(classes_.size());
  classes_.emplace_back().name = name;
  AddHandle(index);
  return index;
}

std::uint32_t Walker::NewClass(int depth) {
  if (depth > kMaxObjectDepth) in_.Fail();
  const std::string_view name = in_.Text();
  in_.I64();  // serialVersionUID
  if (!in_.ok()) return kNone;
  const std::uint32_t index = AddClass(name);
  classes_[index].flags = in_.U8();
  Fields(index, depth);
  Finish(index, depth);
  return in_.ok() ? index : kNone;
}

std::uint32_t Walker::NewProxyClass(int depth) {
  if (depth > kMaxObjectDepth) in_.Fail();
  if (!in_.ok()) return kNone;
  const std::uint32_t index = AddClass({});
  classes_[index].flags = kSerializable;
  const std::int32_t interfaces = in_.Count(2);
  for (std::int32_t i = 0; i < interfaces && in_.ok(); ++i) in_.Text();
  Finish(index, depth);
  return in_.ok() ? index : kNone;
}

void Walker::Fields(std::uint32_t index, int depth) {
  std::string fields;
  const std::uint16_t count = in_.U16();
  for (std::uint16_t i = 0; i < count && in_.ok(); ++i) {
    const char code = static_cast<char>(in_.U8());
    in_.Text();  // its name
    const auto bytes = BytesOf(code);
    if (!bytes) in_.Fail();
    if (bytes == std::size_t{0}) Content(depth + 1);  // the class of its value, a string
    fields.push_back(code);
  }
  classes_[index].fields = std::move(fields);
}

void Walker::Finish(std::uint32_t index, int depth) {
  Annotation(depth);
  const std::uint32_t super = ClassOf(depth);
  if (super != kNone) {
    classes_[index].super = super;
    classes_[index].supers = classes_[super].supers + 1;
    if (classes_[index].supers > kMaxSuperClasses) in_.Fail();
  }
  classes_[index].complete = true;
}

void Walker::Annotation(int depth) {
  while (in_.ok()) {
    const std::uint8_t tag = in_.U8();
    if (tag == kEndBlockData) return;
    Content(tag, depth + 1);
  }
}

void Walker::Value(char code, int depth) {
  const std::size_t bytes = BytesOf(code).value_or(0);
  if (bytes > 0) {
    in_.Take(bytes);
  } else {
    Content(depth);
  }
}

void Walker::Object(int depth) {
  const std::uint32_t index = ClassOf(depth);
  if (index == kNone) in_.Fail();
  if (!in_.ok()) return;
  AddHandle();
  if (seen_) seen_(classes_[index].name);
  ObjectData(index, depth);
}

void Walker::ObjectData(std::uint32_t index, int depth) {
  std::vector<std::uint32_t> line;
  for (std::uint32_t at = index; at != kNone; at = classes_[at].super) line.push_back(at);
  for (std::size_t i = line.size(); i-- > 0 && in_.ok();) {
    const std::uint8_t flags = classes_[line[i]].flags;
    if ((flags & kExternalizable) != 0) {
      if ((flags & kBlockDataMode) == 0) in_.Fail();
      Annotation(depth);
    } else if ((flags & kSerializable) != 0) {
      // By index: the classes move when a value brings a new one.
      const std::size_t fields = classes_[line[i]].fields.size();
      for (std::size_t f = 0; f < fields && in_.ok(); ++f) {
        Value(classes_[line[i]].fields[f], depth + 1);
      }
      if ((flags & kWriteMethod) != 0) Annotation(depth);
    }
  }
}

void Walker::Array(int depth) {
  const std::uint32_t index = ClassOf(depth);
  if (index == kNone || classes_[index].name.size() < 2) in_.Fail();
  if (!in_.ok()) return;
  AddHandle();
  const auto bytes = BytesOf(classes_[index].name[1]);
  if (!bytes) in_.Fail();
  const std::int32_t size = in_.Count(std::max<std::size_t>(bytes.value_or(0), 1));
  if (bytes.value_or(0) > 0) {
    in_.Take(static_cast<std::uint64_t>(size) * *bytes);
    return;
  }
  for (std::int32_t i = 0; i < size && in_.ok(); ++i) Content(depth + 1);
}

void Walker::Enum(int depth) {
  const std::uint32_t index = ClassOf(depth);
  if (index == kNone) in_.Fail();
  if (!in_.ok()) return;
  AddHandle();
  if (seen_) seen_(classes_[index].name);
  Content(depth + 1);  // the constant's name
}

void Walker::Content(std::uint8_t tag, int depth) {
  if (depth > kMaxObjectDepth) in_.Fail();
  if (!in_.ok()) return;
  switch (tag) {
    case kNull:
      return;
    case kReference:
      Referred();
      return;
    case kClassDesc:
      NewClass(depth);
      return;
    case kProxyClassDesc:
      NewProxyClass(depth);
      return;
    case kObject:
      Object(depth);
      return;
    case kString:
      AddHandle();
      in_.Text();
      return;
    case kLongString:
      AddHandle();
      in_.Take(static_cast<std::uint64_t>(in_.I64()));
      return;
    case kArray:
      Array(depth);
      return;
    case kClass:
      ClassOf(depth);
      AddHandle();
      return;
    case kEnum:
      Enum(depth);
      return;
    case kBlockData:
      in_.Take(in_.U8());
      return;
    case kBlockDataLong:
      in_.Take(static_cast<std::uint64_t>(in_.Count(1)));
      return;
    case kReset:
      handles_.clear();
      return;
    default:
      in_.Fail();
  }
}

}  // namespace

void SkipJavaObject(ByteReader* in, const ClassSeen& seen) {
  if (in->I32() != kStreamHeader) in->Fail();
  Walker(in, seen).Content(0);
}

}  // namespace fss
