#include "app/process/file/hash.hpp"

#include "app/io/files/files.hpp"
#include "core/support/error.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

#define XXH_INLINE_ALL // header-only, so that the program does not depend on the shared library
#include <xxhash.h>

namespace kg {

namespace {

std::string digits(const XXH128_hash_t& hash) {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    return text;
}

} // namespace

std::string hash_of(std::string_view bytes) { return digits(XXH3_128bits(bytes.data(), bytes.size())); }

std::string hash_of_file(const std::filesystem::path& path) {
    constexpr std::size_t kBlock = std::size_t{1} << 20;
    std::ifstream file(path, std::ios::binary);
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    std::vector<char> block(kBlock);
    while (file) {
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        XXH3_128bits_update(&state, block.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.eof()) throw Error("cannot-read", "cannot read {}: {}", quoted(path), std::strerror(errno));
    return digits(XXH3_128bits_digest(&state));
}

std::uint64_t short_hash_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

} // namespace kg
