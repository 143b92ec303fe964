#include "gpu/runtime/guard.hpp"

#include "gpu/runtime/error.hpp"
#include "gpu/runtime/memory.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace kg::gpu {

namespace {

/// NaN as f32 and as either half as f16; its bytes differ, so that it cannot be confused with a white pixel.
constexpr std::uint32_t kMark = 0xffc5ffa7;
/// Fresh memory: NaN as f16 and f32.
constexpr int kPoison = 0xff;

using Zone = std::array<std::byte, RedZones::kBytes>;

const Zone& untouched() {
    static const auto zone = [] {
        auto marks = std::make_unique<Zone>();
        for (std::size_t i = 0; i < marks->size(); i += sizeof kMark)
            std::memcpy(marks->data() + i, &kMark, sizeof kMark);
        return marks;
    }();
    return *zone;
}

std::string name_of(const std::byte* content, const BufferNames& names) {
    for (const auto& [buffer, name] : names)
        if (auto* own = dynamic_cast<CudaBuffer*>(buffer); own && own->device_address() == content)
            return name;
    return "a buffer that the work since the last fence was not given";
}

} // namespace

void RedZones::mark(void* zone) {
    kg::gpu::check(cudaMemcpyAsync(zone, untouched().data(), kBytes, cudaMemcpyHostToDevice, stream_));
}

void* RedZones::put_around(void* memory, std::size_t bytes) {
    auto* content = static_cast<std::byte*>(memory) + kBytes;
    kg::gpu::check(cudaMemsetAsync(content, kPoison, bytes, stream_));
    mark(memory);
    mark(content + bytes);
    std::lock_guard lock(mutex_);
    contents_[content] = bytes;
    return content;
}

void* RedZones::take_away(void* content) noexcept {
    std::lock_guard lock(mutex_);
    contents_.erase(content);
    return static_cast<std::byte*>(content) - kBytes;
}

/// Describes writes beside a content; empty = none. Restores the zones.
std::string RedZones::damage(std::byte* content, std::size_t bytes) {
    const auto now = std::make_unique<Zone>();
    const auto written = [&](std::byte* zone) {
        kg::gpu::check(cudaMemcpyAsync(now->data(), zone, kBytes, cudaMemcpyDeviceToHost, stream_));
        kg::gpu::check(cudaStreamSynchronize(stream_));
        if (*now == untouched()) return false;
        mark(zone);
        return true;
    };
    std::string text;
    if (written(content + bytes)) {
        const auto first = std::ranges::mismatch(*now, untouched()).in1 - now->begin();
        text = std::to_string(first + 1) + (first == 0 ? " byte" : " bytes") + " past its end";
    }
    if (written(content - kBytes)) {
        const auto last = std::mismatch(now->rbegin(), now->rend(), untouched().rbegin()).first -
                          now->rbegin();
        text += (text.empty() ? "" : " and ") + std::to_string(last + 1) + (last == 0 ? " byte" : " bytes") +
                " before its beginning";
    }
    return text;
}

void RedZones::check(const BufferNames& names) {
    std::lock_guard lock(mutex_);
    std::string found;
    for (const auto& [content, bytes] : contents_) {
        auto* begin = static_cast<std::byte*>(content);
        if (const auto text = damage(begin, bytes); !text.empty())
            found += (found.empty() ? "" : "; ") + name_of(begin, names) + ", a buffer of " +
                     std::to_string(bytes) + " bytes: " + text;
    }
    if (!found.empty())
        throw Error("write-beyond-buffer", "the guard found writes beyond a buffer: {}", found);
}

std::unique_ptr<RedZones> make_guard(cudaStream_t stream) {
#ifdef KG_GUARD
    return std::make_unique<RedZones>(stream);
#else
    static_cast<void>(stream);
    return nullptr;
#endif
}

} // namespace kg::gpu
