#include "collectors/store/xml_text.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(XmlTextTest, TheTextOfAnElement) {
  const char* xml =
      "<?xml version=\"1.0\"?>\n<Error><Code>NoSuchKey</Code><Message>It &quot;is"
      "&quot; &#39;gone&#39; &amp; lost</Message><Empty></Empty></Error>";
  EXPECT_EQ(XmlText(xml, "Code"), "NoSuchKey");
  EXPECT_EQ(XmlText(xml, "Message"), "It \"is\" 'gone' & lost");
  EXPECT_EQ(XmlText(xml, "Empty"), "");
  EXPECT_EQ(XmlText(xml, "Error"), std::nullopt);  // holds elements
  EXPECT_EQ(XmlText(xml, "Other"), std::nullopt);
}

TEST(XmlTextTest, TheFirstThatHoldsTextAlone) {
  EXPECT_EQ(XmlText("<a><b/></a><a>x</a><a>y</a>", "a"), "x");
}

TEST(XmlTextTest, CutAndBroken) {
  for (const char* xml : {"", "<", "<Code", "<Code>", "<Code>abc", "<Code>abc<", "<Code>abc</Cod",
                          "<Code>abc</Other>", "</Code>", "<html>403</html>"}) {
    EXPECT_EQ(XmlText(xml, "Code"), std::nullopt) << xml;
  }
}

TEST(XmlTextTest, Times) {
  EXPECT_EQ(MillisOfIsoTime("1970-01-01T00:00:01Z"), 1000);
  EXPECT_EQ(MillisOfIsoTime("2026-11-30T10:09:36Z"), 1'796'033'376'000);
  EXPECT_EQ(MillisOfIsoTime("2026-11-30T10:09:36.789Z"), 1'796'033'376'000);
  EXPECT_EQ(MillisOfIsoTime("2028-02-29T00:00:00Z"), 1'835'395'200'000);
  for (const char* text : {"", "2026-11-30", "2026-11-30T10:09:36", "2026-11-30T10:09:36+01:00",
                           "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z",
                           "2026-01-01 00:00:00Z", "2026-01-01T00:00:00.Zx", "-026-01-01T00:00:00Z",
                           "2026-01-01T00:00:00.", "x026-01-01T00:00:00Z"}) {
    EXPECT_EQ(MillisOfIsoTime(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace fss
