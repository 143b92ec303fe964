// AVIF: the header is parsed here, the pixels of the primary image are decoded by OpenCV.

#include "app/io/codecs/boxes.hpp"
#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/opencv/opencv.hpp"

#include <algorithm>
#include <map>

namespace kg::io {

namespace {

constexpr std::size_t kFull = 4; ///< version and flags of a full box

/// The `meta` box of ISO/IEC 23008-12: items, their properties and their relations.
struct Items {
    std::uint32_t primary = 0;
    std::vector<Box> properties;                               ///< number 1 is the first
    std::map<std::uint32_t, std::vector<std::uint32_t>> owned; ///< numbers of the properties of each item
    std::vector<std::uint32_t> auxiliary;                      ///< items that belong to the primary one
    bool has_data = false;                                     ///< the box has coded data itself

    std::vector<Box> of(std::uint32_t item) const {
        std::vector<Box> found;
        if (const auto entry = owned.find(item); entry != owned.end())
            for (const auto number : entry->second)
                if (number >= 1 && number <= properties.size()) found.push_back(properties[number - 1]);
        return found;
    }
};

/// Numbers one after the other.
class Numbers {
public:
    explicit Numbers(std::string_view bytes) : bytes_(bytes) {}
    std::uint32_t next(std::size_t count) {
        at_ += count;
        return big_endian(bytes_, at_ - count, count);
    }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

void read_associations(std::string_view box, Items& items) {
    Numbers numbers(box);
    const auto version = numbers.next(1), flags = numbers.next(3);
    for (auto entries = numbers.next(4); entries > 0; --entries) {
        auto& owned = items.owned[numbers.next(version < 1 ? 2 : 4)];
        for (auto count = numbers.next(1); count > 0; --count)
            owned.push_back(flags & 1 ? numbers.next(2) & 0x7fff : numbers.next(1) & 0x7f);
    }
}

void read_references(std::string_view box, Items& items) {
    const auto version = big_endian(box, 0, kFull) >> 24;
    const std::size_t width = version == 0 ? 2 : 4; // bytes of an item's number
    for (const auto& reference : boxes_of(box.substr(kFull))) {
        if (reference.type != "auxl") continue;
        Numbers numbers(reference.data);
        const auto from = numbers.next(width);
        for (auto count = numbers.next(2); count > 0; --count)
            if (numbers.next(width) == items.primary) items.auxiliary.push_back(from);
    }
}

Items items_of(std::string_view meta) {
    Items items;
    big_endian(meta, 0, kFull);
    const auto boxes = boxes_of(meta.substr(kFull));
    for (const auto& box : boxes) {
        if (box.type == "pitm")
            items.primary = big_endian(box.data, kFull, big_endian(box.data, 0, 1) ? 4 : 2);
        if (box.type == "idat") items.has_data = true;
        if (box.type != "iprp") continue;
        for (const auto& part : boxes_of(box.data)) {
            if (part.type == "ipco") items.properties = boxes_of(part.data);
            if (part.type == "ipma") read_associations(part.data, items);
        }
    }
    for (const auto& box : boxes) // after the primary item is known
        if (box.type == "iref") read_references(box.data, items);
    return items;
}

bool has_alpha(const Items& items) {
    return std::ranges::any_of(items.auxiliary, [&](std::uint32_t item) {
        return std::ranges::any_of(items.of(item), [](const Box& property) {
            return property.type == "auxC" && property.data.find(":auxiliary:alpha") != property.data.npos;
        });
    });
}

/// The orientation of EXIF for a rotation by quarter turns to the left, and then a mirroring.
int orientation_of(std::uint32_t quarters, int mirror) {
    constexpr int kTopToBottom = 0;
    constexpr int kRotated[] = {1, 8, 3, 6}, kTopBottom[] = {4, 5, 2, 7}, kLeftRight[] = {2, 7, 4, 5};
    if (mirror < 0) return kRotated[quarters];
    return mirror == kTopToBottom ? kTopBottom[quarters] : kLeftRight[quarters];
}

void read_colours(std::string_view box, Header& header) {
    constexpr std::uint32_t kBt709 = 1, kUnspecified = 2, kSrgbCurve = 13, kBt601 = 6;
    const auto kind = box.substr(0, 4);
    if (kind == "prof" || kind == "rICC") header.metadata.icc = box.substr(4);
    if (kind != "nclx") return;
    const auto primaries = big_endian(box, 4, 2), curve = big_endian(box, 6, 2);
    const bool usual = (primaries == kBt709 || primaries == kUnspecified) &&
                       (curve == kBt709 || curve == kUnspecified || curve == kBt601 || curve == kSrgbCurve);
    if (!usual)
        header.notes.push_back("its colours (CICP: primaries " + std::to_string(primaries) + ", curve " +
                               std::to_string(curve) + ") are treated as sRGB");
}

struct Avif {
    Header header;
    int bits = 8;
};

Avif parse(std::string_view bytes) {
    std::string_view meta;
    bool has_data = false;
    for (const auto& box : boxes_of(bytes)) {
        if (box.type == "meta" && meta.empty()) meta = box.data;
        has_data = has_data || box.type == "mdat";
    }
    const auto items = items_of(meta);
    if (!has_data && !items.has_data) throw Error("truncated-file", "it ends early");
    Avif avif;
    auto& header = avif.header;
    bool grey = false, has_depth = false;
    std::uint32_t quarters = 0;
    int mirror = -1;
    for (const auto& [type, data] : items.of(items.primary)) {
        if (type == "ispe") header.size = {big_endian(data, kFull, 4), big_endian(data, kFull + 4, 4)};
        else if (type == "pixi") {
            grey = big_endian(data, kFull, 1) == 1;
            avif.bits = static_cast<int>(big_endian(data, kFull + 1, 1));
            has_depth = true;
        } else if (type == "av1C") {
            const auto flags = big_endian(data, 2, 1);
            grey = flags & 0x10;
            avif.bits = flags & 0x40 ? (flags & 0x20 ? 12 : 10) : 8;
            has_depth = true;
        } else if (type == "colr") read_colours(data, header);
        else if (type == "irot") quarters = big_endian(data, 0, 1) & 3;
        else if (type == "imir") mirror = static_cast<int>(big_endian(data, 0, 1) & 1);
        else if (type == "clap") header.notes.emplace_back("its crop (clap) is not applied");
    }
    if (!has_depth || header.size.width < 1 || header.size.height < 1)
        throw Error("damaged-file", "it is damaged: its header lacks the size or the depth");
    if (avif.bits != 8 && avif.bits != 10 && avif.bits != 12)
        throw Error("damaged-file", "it is damaged: it has {} bits a sample", avif.bits);
    const bool alpha = has_alpha(items);
    if (grey && alpha)
        throw Error("unsupported-channels", "it is grey with alpha, which OpenCV does not read from AVIF");
    header.stored = avif.bits > 8 ? Depth::u16 : Depth::u8;
    header.pixels = {header.stored, grey ? 1 : alpha ? 4 : 3, alpha ? 3 : -1};
    if (avif.bits > 8) header.original = std::to_string(avif.bits) + "-bit samples";
    header.orientation = orientation_of(quarters, mirror);
    if (bytes.substr(8, 4) == "avis") header.notes.emplace_back("several images: the first only");
    return avif;
}

Header header(const Source& source) { return parse(source.bytes).header; }

Decoded decode(const Source& source, const Header& header) {
    require_opencv_reader(".avif", "AVIF");
    return {opencv_decode(source, header, {.bits = parse(source.bytes).bits})};
}

} // namespace

extern const Codec kAvifCodec;
const Codec kAvifCodec{"avif", header, decode};

} // namespace kg::io
