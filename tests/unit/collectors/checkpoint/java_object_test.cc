#include "collectors/checkpoint/java_object.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/unit/collectors/checkpoint/java_bytes.h"

namespace fss {
namespace {

constexpr std::int32_t kFirstHandle = 0x7E0000;

JavaBytes Stream() { return JavaBytes().U16(0xACED).U16(5); }

// A class' description up to its annotation; fields as "I", "J" or "Lname;".
std::string ClassBegin(const std::string& name, std::uint8_t flags,
                       const std::vector<std::string>& fields) {
  JavaBytes bytes;
  bytes.U8(0x72).Text(name).I64(42).U8(flags).U16(static_cast<std::uint16_t>(fields.size()));
  for (const std::string& type : fields) {
    bytes.U8(static_cast<std::uint8_t>(type[0])).Text("field");
    if (type.size() > 1) bytes.U8(0x74).Text(type);
  }
  return bytes.bytes();
}

// … whole, without a superclass.
std::string Class(const std::string& name, std::uint8_t flags,
                  const std::vector<std::string>& fields) {
  return ClassBegin(name, flags, fields) + "\x78\x70";
}

struct Walked {
  bool ok = false;
  std::string rest;
  std::vector<std::string> classes;
};

Walked Walk(const std::string& bytes) {
  Walked walked;
  ByteReader in(bytes);
  SkipJavaObject(&in, [&](std::string_view name) { walked.classes.emplace_back(name); });
  walked.ok = in.ok();
  if (in.ok()) walked.rest = in.rest();
  return walked;
}

TEST(JavaObject, EndsWhereTheObjectEnds) {
  const Walked null = Walk(Stream().U8(0x70).Raw("rest").bytes());
  EXPECT_TRUE(null.ok);
  EXPECT_EQ(null.rest, "rest");

  const Walked object = Walk(Stream()
                                 .U8(0x73)
                                 .Raw(Class("a.B", 2, {"I", "J", "La.C;", "Z"}))
                                 .I32(1)
                                 .I64(2)
                                 .U8(0x70)
                                 .U8(1)
                                 .Raw("rest")
                                 .bytes());
  EXPECT_TRUE(object.ok);
  EXPECT_EQ(object.rest, "rest");
  EXPECT_EQ(object.classes, std::vector<std::string>{"a.B"});
}

TEST(JavaObject, ReadsSuperclassesFirst) {
  // B has an int, its superclass A a long and data of its own.
  const std::string classes = ClassBegin("B", 2, {"I"}) + "\x78" + Class("A", 3, {"J"});
  const Walked walked = Walk(Stream()
                                 .U8(0x73)
                                 .Raw(classes)
                                 .I64(1)
                                 .U8(0x77)
                                 .U8(3)
                                 .Raw("own")
                                 .U8(0x78)
                                 .I32(2)
                                 .Raw("!")
                                 .bytes());
  EXPECT_TRUE(walked.ok);
  EXPECT_EQ(walked.rest, "!");
}

TEST(JavaObject, ReadsArraysEnumsAndReferences) {
  const std::string longs =
      std::string(1, '\x75') + Class("[J", 2, {}) + JavaBytes().I32(2).I64(1).I64(2).bytes();
  EXPECT_TRUE(Walk(Stream().Raw(longs).bytes()).ok);
  const std::string one = std::string(1, '\x7E') + Class("a.Color", 0x12, {}) +
                          JavaBytes().U8(0x74).Text("RED").bytes();
  const Walked constant = Walk(Stream().Raw(one).bytes());
  EXPECT_TRUE(constant.ok);
  EXPECT_EQ(constant.classes, std::vector<std::string>{"a.Color"});
  // An array of two objects of one class: the second refers to the class of the first. Handles:
  // 0 the array's class, 1 the array, 2 the objects' class.
  const std::string two = std::string(1, '\x75') + Class("[La.B;", 2, {}) +
                          JavaBytes().I32(2).U8(0x73).bytes() + Class("a.B", 2, {"I"}) +
                          JavaBytes().I32(7).U8(0x73).U8(0x71).I32(kFirstHandle + 2).I32(8).bytes();
  const Walked objects = Walk(Stream().Raw(two).Raw("!").bytes());
  EXPECT_TRUE(objects.ok);
  EXPECT_EQ(objects.classes, (std::vector<std::string>{"a.B", "a.B"}));
  EXPECT_EQ(objects.rest, "!");
}

TEST(JavaObject, FailsOnWhatIsNone) {
  const auto refused = [](const JavaBytes& bytes) { return !Walk(bytes.bytes()).ok; };
  EXPECT_TRUE(refused(JavaBytes().Raw("no stream")));
  EXPECT_TRUE(refused(Stream()));
  EXPECT_TRUE(refused(Stream().U8(0x42)));
  EXPECT_TRUE(refused(Stream().U8(0x71).I32(kFirstHandle)));  // of nothing
  EXPECT_TRUE(refused(Stream().U8(0x73).U8(0x70)));           // an object of no class
  EXPECT_TRUE(refused(Stream().U8(0x73).Raw(Class("A", 2, {"Q"}))));
  EXPECT_TRUE(refused(Stream().U8(0x73).Raw(Class("A", 4, {}))));  // externalizable, version 1
  EXPECT_TRUE(refused(Stream().U8(0x75).Raw(Class("[J", 2, {})).I32(0x7FFFFFFF)));
  EXPECT_TRUE(refused(Stream().U8(0x75).Raw(Class("[J", 2, {})).I32(-1)));
  EXPECT_TRUE(refused(Stream().U8(0x7C).I64(-1)));
  // A class that is its own superclass.
  EXPECT_TRUE(
      refused(Stream().U8(0x73).Raw(ClassBegin("A", 2, {})).Raw("\x78\x71").I32(kFirstHandle)));
}

TEST(JavaObject, EveryCutIsTold) {
  const std::string whole = Stream()
                                .U8(0x73)
                                .Raw(Class("a.B", 3, {"I", "La.C;"}))
                                .I32(1)
                                .U8(0x74)
                                .Text("text")
                                .U8(0x77)
                                .U8(2)
                                .Raw("ab")
                                .U8(0x78)
                                .bytes();
  ASSERT_TRUE(Walk(whole).ok);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ByteReader in(std::string_view(whole).substr(0, size));
    SkipJavaObject(&in);
    EXPECT_TRUE(!in.ok() && in.RanOut()) << size;
  }
}

TEST(JavaObject, DepthIsBounded) {
  // Arrays in arrays, each the only element of the one around it.
  JavaBytes bytes = Stream();
  bytes.U8(0x75).Raw(Class("[[", 2, {})).I32(1);
  for (int i = 0; i < 100'000; ++i) bytes.U8(0x75).U8(0x71).I32(kFirstHandle).I32(1);
  bytes.U8(0x70);
  EXPECT_FALSE(Walk(bytes.bytes()).ok);
}

TEST(JavaObject, ManyObjectsOfALongLineOfClassesCostLittle) {
  // 50 classes above the one of 100,000 objects that take six bytes each.
  std::string classes;
  for (int i = 0; i < 50; ++i) classes += ClassBegin("C", 2, {}) + "\x78";
  classes += Class("C", 2, {});
  JavaBytes bytes = Stream();
  bytes.U8(0x75).Raw(Class("[L", 2, {})).I32(100'001).U8(0x73).Raw(classes);
  for (int i = 0; i < 100'000; ++i) bytes.U8(0x73).U8(0x71).I32(kFirstHandle + 2);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(Walk(bytes.bytes()).ok);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  // A line that is longer is refused.
  classes = ClassBegin("C", 2, {}) + "\x78" + classes;
  EXPECT_FALSE(Walk(Stream().U8(0x73).Raw(classes).bytes()).ok);
}

}  // namespace
}  // namespace fss
