#include "app/io/metadata/xmp.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <expat.h>

namespace kg::io {

namespace {

constexpr std::string_view kOurs = "kernelglass:ns:made/1.0/", kPrefix = "kernelglass",
                           kRdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
constexpr std::size_t kMostBytes = std::size_t{16} << 20;

/// An empty packet. Writable ("w"), because every program may add to it.
constexpr std::string_view kBegin = "<?xpacket begin=\"\xef\xbb\xbf\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
                                    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
                                    "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">",
                           kEnd = "</rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>";

struct Span {
    std::size_t begin, end;
};

/// Our properties in a packet, and their locations.
struct Findings {
    OwnProperties properties;
    std::vector<Span> cuts;              ///< spans of all our properties, in order and disjoint
    std::size_t end_of_rdf = 0;          ///< insertion point of another description
    bool rdf = false, rdf_empty = false; ///< <rdf:RDF/>: ends with the two characters before end_of_rdf
    /// the subject of the packet, which all its descriptions must repeat
    std::string about;
};

struct Name {
    std::string_view space, local, prefix;

    /// Parses expat's triplet of namespace, local name and prefix; the first and the last are optional.
    explicit Name(const char* expanded) : local(expanded) {
        const auto first = local.find('\n');
        if (first == local.npos) return;
        space = local.substr(0, first), local.remove_prefix(first + 1);
        if (const auto second = local.find('\n'); second != local.npos)
            prefix = local.substr(second + 1), local = local.substr(0, second);
    }
    bool is(std::string_view in, std::string_view called) const { return space == in && local == called; }
};

/// Locates an attribute in a start tag, with the preceding space. The tag is well formed, because expat has
/// parsed it.
std::optional<Span> attribute_in(std::string_view tag, std::string_view prefix, std::string_view local) {
    constexpr std::string_view kSpaces = " \t\r\n";
    const auto wanted = std::string(prefix) + ":" + std::string(local);
    auto at = std::min(tag.find_first_of(" \t\r\n/>"), tag.size());
    while (true) {
        const auto begin = at;
        at = tag.find_first_not_of(kSpaces, at);
        if (at == tag.npos || tag[at] == '/' || tag[at] == '>') return {};
        const auto name = tag.substr(at, tag.find_first_of(" \t\r\n=", at) - at);
        const auto quote = tag.find_first_of("\"'", at);
        const auto close = quote == tag.npos ? tag.npos : tag.find(tag[quote], quote + 1);
        if (close == tag.npos) return {};
        at = close + 1;
        if (name == wanted) return Span{begin, at};
    }
}

class Scan {
public:
    explicit Scan(std::string_view packet) : packet_(packet) {
        if (!parser_) throw std::bad_alloc();
        XML_SetUserData(parser_.get(), this);
        XML_SetReturnNSTriplet(parser_.get(), XML_TRUE);
        XML_SetElementHandler(
            parser_.get(),
            [](void* self, const char* name, const char** attributes) {
                static_cast<Scan*>(self)->guarded([&](Scan& scan) { scan.start(Name(name), attributes); });
            },
            [](void* self, const char*) {
                static_cast<Scan*>(self)->guarded([](Scan& scan) { scan.end(); });
            });
        XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int length) {
            static_cast<Scan*>(self)->guarded([&](Scan& scan) {
                scan.take({text, static_cast<std::size_t>(length)});
            });
        });
        // Document types are refused: without them there are no entities that could expand.
        XML_SetStartDoctypeDeclHandler(parser_.get(), [](void* self, const char*, const char*, const char*,
                                                         int) { static_cast<Scan*>(self)->stop(); });
    }

    std::optional<Findings> findings() {
        while (!packet_.empty() && (packet_.back() == '\0' || packet_.back() == ' '))
            packet_.remove_suffix(1);
        if (packet_.size() > kMostBytes) return {};
        const auto size = static_cast<int>(packet_.size());
        const auto status = XML_Parse(parser_.get(), packet_.data(), size, 1);
        if (thrown_) std::rethrow_exception(thrown_);
        if (status != XML_STATUS_OK) return {};
        return std::move(found_);
    }

private:
    static constexpr int kDeepest = 200; ///< real packets have about ten

    struct Free {
        void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
    };

    /// Exceptions must not pass through expat.
    template <typename Work>
    void guarded(Work work) noexcept {
        try {
            if (!thrown_) work(*this);
        } catch (...) {
            thrown_ = std::current_exception();
            stop();
        }
    }
    void stop() { XML_StopParser(parser_.get(), XML_FALSE); }
    std::size_t here() const { return static_cast<std::size_t>(XML_GetCurrentByteIndex(parser_.get())); }
    std::size_t length() const { return static_cast<std::size_t>(XML_GetCurrentByteCount(parser_.get())); }

    void start(const Name& name, const char** attributes) {
        if (++depth_ > kDeepest) return stop();
        if (rdf_ == 0 && name.is(kRdf, "RDF") && !found_.rdf) {
            found_.rdf = true;
            rdf_ = depth_;
        } else if (rdf_ > 0 && depth_ == rdf_ + 1) {
            begin_description(name, attributes);
        } else if (rdf_ > 0 && depth_ == rdf_ + 2) {
            ours_ = name.space == kOurs;
            only_ours_ &= ours_;
            property_ = name.local;
            value_.clear();
            begin_ = here();
        } else {
            property_.clear(); // a structure, which none of our properties is
        }
    }

    void begin_description(const Name& name, const char** attributes) {
        description_ = {here(), 0};
        cuts_before_ = found_.cuts.size();
        only_ours_ = name.is(kRdf, "Description");
        const bool first = std::exchange(first_, false);
        const auto tag = packet_.substr(here(), length());
        std::vector<Span> cuts;
        for (; *attributes; attributes += 2) {
            const Name attribute(attributes[0]);
            if (attribute.is(kRdf, "about") || attribute.is("", "about")) {
                if (first) found_.about = attributes[1];
            } else if (attribute.space == kOurs) {
                found_.properties.emplace(attribute.local, attributes[1]);
                if (const auto at = attribute_in(tag, attribute.prefix, attribute.local))
                    cuts.push_back({here() + at->begin, here() + at->end});
            } else {
                only_ours_ = false;
            }
        }
        std::ranges::sort(cuts, {}, &Span::begin);
        found_.cuts.insert(found_.cuts.end(), cuts.begin(), cuts.end());
    }

    void take(std::string_view text) {
        if (rdf_ > 0 && ours_ && depth_ == rdf_ + 2) value_ += text;
    }

    void end() {
        const auto after = here() + length();
        if (rdf_ > 0 && depth_ == rdf_ + 2 && ours_) {
            if (!property_.empty()) found_.properties.emplace(property_, value_);
            auto begin = begin_;
            while (begin > 0 &&
                   std::string_view(" \t\r\n").find(packet_[begin - 1]) != std::string_view::npos)
                --begin;
            found_.cuts.push_back({begin, after});
            ours_ = false;
        } else if (rdf_ > 0 && depth_ == rdf_ + 1) {
            description_.end = after;
            if (only_ours_ && found_.cuts.size() > cuts_before_) {
                found_.cuts.resize(cuts_before_);
                found_.cuts.push_back(description_);
            }
        } else if (depth_ == rdf_) {
            found_.rdf_empty = length() == 0;
            found_.end_of_rdf = here();
            rdf_ = 0;
        }
        --depth_;
    }

    std::string_view packet_;
    std::unique_ptr<XML_ParserStruct, Free> parser_{XML_ParserCreateNS("UTF-8", '\n')};
    Findings found_;
    int depth_ = 0, rdf_ = 0; ///< depth of rdf:RDF while inside it
    bool first_ = true;
    Span description_{};
    std::size_t cuts_before_ = 0;
    bool only_ours_ = false, ours_ = false;
    std::size_t begin_ = 0;
    std::string property_, value_;
    std::exception_ptr thrown_;
};

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '&') safe += "&amp;";
        else if (c == '<') safe += "&lt;";
        else if (c == '>') safe += "&gt;";
        else if (c == '"') safe += "&quot;";
        else safe += c;
    }
    return safe;
}

/// Quotation marks are not escaped inside an element; escaping would make JSON six times as long.
std::string escaped_content(std::string_view text) {
    auto safe = escaped(text);
    for (auto at = safe.find("&quot;"); at != safe.npos; at = safe.find("&quot;", at + 1))
        safe.replace(at, 6, "\"");
    return safe;
}

std::string description_of(const OwnProperties& own, std::string_view about) {
    if (own.empty()) return {};
    const std::string prefix(kPrefix);
    std::string text = "<rdf:Description xmlns:rdf=\"" + std::string(kRdf) + "\" rdf:about=\"" +
                       escaped(about) + "\" xmlns:" + prefix + "=\"" + std::string(kOurs) + "\">";
    for (const auto& [name, value] : own)
        text += "<" + prefix + ":" + name + ">" + escaped_content(value) + "</" + prefix + ":" + name + ">";
    return text + "</rdf:Description>";
}

} // namespace

OwnProperties own_properties(std::string_view packet) {
    if (packet.find(kOurs) == packet.npos) return {};
    auto found = Scan(packet).findings();
    return found ? std::move(found->properties) : OwnProperties();
}

std::optional<std::string> with_own_properties(const std::string& packet, const OwnProperties& own) {
    if (packet.empty())
        return own.empty() ? std::string()
                           : std::string(kBegin) + description_of(own, "") + std::string(kEnd);
    const auto found = Scan(packet).findings();
    if (!found || (!found->rdf && !own.empty())) return {};
    auto changed = packet;
    const auto added = description_of(own, found->about);
    if (!added.empty() && found->rdf_empty) {
        const auto tag = changed.rfind('<', found->end_of_rdf);
        const auto name = changed.substr(tag + 1, changed.find_first_of(" \t\r\n/>", tag) - tag - 1);
        changed.replace(found->end_of_rdf - 2, 2, ">" + added + "</" + name + ">");
    } else if (!added.empty()) {
        changed.insert(found->end_of_rdf, added);
    }
    for (auto cut = found->cuts.rbegin(); cut != found->cuts.rend(); ++cut) // all before the end of RDF
        changed.erase(cut->begin, cut->end - cut->begin);
    return changed == std::string(kBegin) + std::string(kEnd) ? std::string() : changed;
}

} // namespace kg::io
