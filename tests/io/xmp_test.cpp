// Our properties in XMP packets of other programs: added, found, replaced and removed, with all other bytes
// unchanged.

#include "app/io/metadata/xmp.hpp"

#include <gtest/gtest.h>

namespace kg::testing {
namespace {

using io::own_properties;
using io::OwnProperties;
using io::with_own_properties;

const OwnProperties kOwn{
    {"Program", "Kernelglass 1"}, {"Recipe", "a <b> & \"c\""}, {"RecipeJson", "{\"x\": [1, 2]}\n"}};

std::string packet(const std::string& descriptions) {
    return "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>\n<x:xmpmeta xmlns:x='adobe:ns:meta/'>\n "
           "<rdf:RDF "
           "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n" +
           descriptions + "\n </rdf:RDF>\n</x:xmpmeta>\n" + std::string(200, ' ') + "<?xpacket end='w'?>";
}

/// Like those of a camera or a photo program: attributes, elements, lists, other languages, a comment.
const std::string kOthers =
    "  <rdf:Description rdf:about='uuid:1 &amp; 2' xmlns:tiff='http://ns.adobe.com/tiff/1.0/' "
    "tiff:Make='Gl\xc3\xa4ser'/>\n"
    "  <!-- </rdf:RDF> -->\n"
    "  <rdf:Description rdf:about='uuid:1 &amp; 2' xmlns:dc='http://purl.org/dc/elements/1.1/'>\n"
    "   "
    "<dc:subject><rdf:Bag><rdf:li>one</rdf:li><rdf:li><![CDATA[</rdf:RDF>]]></rdf:li></rdf:Bag></"
    "dc:subject>\n"
    "  </rdf:Description>";

TEST(Xmp, AnEmptyPacketBecomesAWholeOneAndEmptyAgain) {
    const auto with = with_own_properties("", kOwn);
    ASSERT_TRUE(with);
    EXPECT_EQ(own_properties(*with), kOwn);
    EXPECT_EQ(with_own_properties(*with, {}), "");
    EXPECT_EQ(with_own_properties("", {}), "");
    EXPECT_EQ(with_own_properties(*with, kOwn), with) << "unchanged";
}

TEST(Xmp, PropertiesOfOthersAreKeptByteForByte) {
    const auto others = packet(kOthers);
    EXPECT_TRUE(own_properties(others).empty());
    const auto with = with_own_properties(others, kOwn);
    ASSERT_TRUE(with);
    EXPECT_EQ(own_properties(*with), kOwn);
    EXPECT_NE(with->find("rdf:about=\"uuid:1 &amp; 2\""), std::string::npos)
        << "all descriptions of a packet have the same subject";
    EXPECT_EQ(with_own_properties(*with, {}), others);
    const OwnProperties next{{"RecipeJson", "{}"}};
    const auto replaced = with_own_properties(*with, next);
    ASSERT_TRUE(replaced);
    EXPECT_EQ(own_properties(*replaced), next);
    EXPECT_EQ(replaced, with_own_properties(others, next)) << "no trace of the first";
}

TEST(Xmp, OursAreFoundHoweverAnotherProgramWritesThem) {
    const std::string ours = " xmlns:k='kernelglass:ns:made/1.0/'", about = " rdf:about=''";
    const std::string dc = " xmlns:dc='http://purl.org/dc/elements/1.1/'";
    struct Case {
        std::string with, without;
    };
    const Case cases[] = {
        {"<rdf:Description" + about + dc + ours +
             " dc:format='a'\n k:Recipe=\"x > 1\" dc:title=' k:Recipe=\"no\"'/>",
         "<rdf:Description" + about + dc + ours + " dc:format='a' dc:title=' k:Recipe=\"no\"'/>"},
        {"<rdf:Description k:Recipe='x &gt; 1'" + about + dc + ours +
             "><dc:format>a</dc:format></rdf:Description>",
         "<rdf:Description" + about + dc + ours + "><dc:format>a</dc:format></rdf:Description>"},
        {"<rdf:Description" + about + dc + ours +
             "><dc:format>a</dc:format>\n <k:Recipe>x <![CDATA[> 1]]></k:Recipe>\n</rdf:Description>",
         "<rdf:Description" + about + dc + ours + "><dc:format>a</dc:format>\n</rdf:Description>"},
        {"<rdf:Description" + about + dc + " dc:format='a'/><rdf:Description" + about + ours +
             " k:Recipe='x > 1'/>",
         "<rdf:Description" + about + dc + " dc:format='a'/>"},
    };
    for (const auto& [with, without] : cases) {
        EXPECT_EQ(own_properties(packet(with)), (OwnProperties{{"Recipe", "x > 1"}})) << with;
        EXPECT_EQ(with_own_properties(packet(with), {}), packet(without));
        const auto replaced = with_own_properties(packet(with), kOwn);
        ASSERT_TRUE(replaced) << with;
        EXPECT_EQ(own_properties(*replaced), kOwn);
    }
    const auto structure = packet(
        "<rdf:Description" + about + ours +
        "><k:Recipe><rdf:Bag><rdf:li>x</rdf:li></rdf:Bag></k:Recipe></rdf:Description>");
    EXPECT_TRUE(own_properties(structure).empty()) << "not a text";
    EXPECT_EQ(with_own_properties(structure, {}), packet(""));
}

TEST(Xmp, AnEmptyListOfDescriptionsAndPaddingOfZerosAreUnderstood) {
    const std::string empty = "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' />";
    for (const auto& text : {empty, empty + std::string(9, '\0'), "\xef\xbb\xbf" + empty}) {
        const auto with = with_own_properties(text, kOwn);
        ASSERT_TRUE(with);
        EXPECT_EQ(own_properties(*with), kOwn) << *with;
        EXPECT_EQ(own_properties(*with_own_properties(*with, kOwn)), kOwn);
    }
}

TEST(Xmp, WhatIsNoPacketIsNotTouched) {
    const std::string entity =
        "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>";
    const std::string wide("<\0x\0/\0>\0", 8);
    std::string deep = packet("");
    for (int i = 0; i < 100'000; ++i) deep.insert(deep.find(" </rdf:RDF>"), "<a>");
    for (const auto& bad : {std::string("no XMP"), std::string("<x:xmpmeta"), packet("<open>"),
                            std::string("<x/>"), wide, entity + packet(kOthers), packet("<a>&b;</a>"),
                            packet("<un:bound/>"), deep, packet(std::string(std::size_t{16} << 20, ' '))}) {
        EXPECT_FALSE(with_own_properties(bad, kOwn)) << bad.substr(0, 60);
        EXPECT_TRUE(own_properties(bad + "kernelglass:ns:made/1.0/").empty());
    }
}

/// A packet that is truncated or has one byte changed is refused, or gives a packet that can be read again.
TEST(Xmp, DamageDoesNoHarm) {
    const auto whole = *with_own_properties(packet(kOthers), kOwn);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        with_own_properties(whole.substr(0, i), {});
        for (const char c : {'<', '>', '"', '\'', '\0', 'k', '\xff'}) {
            auto damaged = whole;
            damaged[i] = c;
            if (const auto with = with_own_properties(damaged, kOwn)) {
                EXPECT_EQ(own_properties(*with).at("RecipeJson"), kOwn.at("RecipeJson")) << i << " " << c;
            }
        }
    }
}

} // namespace
} // namespace kg::testing
