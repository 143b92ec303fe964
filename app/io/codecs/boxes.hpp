#pragma once
// Boxes of ISO/IEC 14496-12, of which JPEG 2000 and AVIF files consist.

#include "app/io/codecs/bytes.hpp"

#include <string_view>
#include <vector>

namespace kg::io {

struct Box {
    std::string_view type; ///< four characters
    std::string_view data;
};

/// All boxes of a file, or of a box. Throws Error if one of them is longer than the bytes.
inline std::vector<Box> boxes_of(std::string_view bytes) {
    std::vector<Box> boxes;
    while (!bytes.empty()) {
        std::uint64_t length = big_endian(bytes, 0, 4), head = 8;
        const auto type = bytes.substr(4, 4);
        if (length == 0) length = bytes.size(); // up to the end
        else if (length == 1) {
            head = 16;
            length = std::uint64_t{big_endian(bytes, 8, 4)} << 32 | big_endian(bytes, 12, 4);
        }
        if (length < head) throw Error("damaged-file", "it is damaged: the length of a box");
        if (length > bytes.size()) throw Error("truncated-file", "it ends early");
        boxes.push_back({type, bytes.substr(head, length - head)});
        bytes.remove_prefix(length);
    }
    return boxes;
}

} // namespace kg::io
