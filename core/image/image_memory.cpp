#include "core/image/image_memory.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

namespace kg {

namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::size_t kLarge = std::size_t{1} << 18; // smaller ones the C library keeps itself

struct Piece {
    std::byte* memory;
    std::size_t bytes;
};

struct Kept {
    std::mutex mutex;
    std::size_t most = 0;
    std::deque<Piece> pieces; ///< the last given back behind
    std::unordered_map<const std::byte*, std::shared_ptr<std::byte>> from_sources;

    void shrink_to(std::size_t count) {
        for (; pieces.size() > count; pieces.pop_front())
            ::operator delete[](pieces.front().memory, kAlignment);
    }
};

Kept& kept() {
    static auto* const only = new Kept; // never destroyed: pictures in static places outlive everything
    return *only;
}

thread_local ImageMemorySource* source_of_thread = nullptr;

/// Null where there is no source, or it has no more.
std::byte* take_from_source(std::size_t bytes) {
    if (!source_of_thread) return nullptr;
    auto piece = source_of_thread->take(bytes);
    auto* const memory = piece.get();
    if (!memory) return nullptr;
    const std::lock_guard lock(kept().mutex);
    kept().from_sources.emplace(memory, std::move(piece));
    return memory;
}

bool give_to_source(const std::byte* memory) {
    std::shared_ptr<std::byte> piece; // ends without the mutex
    const std::lock_guard lock(kept().mutex);
    const auto found = kept().from_sources.find(memory);
    if (found == kept().from_sources.end()) return false;
    piece = std::move(found->second);
    kept().from_sources.erase(found);
    return true;
}

} // namespace

std::byte* take_image_memory(std::size_t bytes) {
    if (auto* const memory = take_from_source(bytes)) return memory;
    if (bytes >= kLarge) {
        const std::lock_guard lock(kept().mutex);
        auto& pieces = kept().pieces;
        const auto found = std::find_if(pieces.rbegin(), pieces.rend(),
                                        [bytes](const Piece& piece) { return piece.bytes == bytes; });
        if (found != pieces.rend()) {
            auto* const memory = found->memory;
            pieces.erase(std::next(found).base());
            return memory;
        }
    }
    return static_cast<std::byte*>(::operator new[](bytes, kAlignment));
}

void give_image_memory(std::byte* memory, std::size_t bytes) noexcept {
    if (memory && give_to_source(memory)) return;
    if (memory && bytes >= kLarge) try {
            const std::lock_guard lock(kept().mutex);
            if (kept().most > 0) {
                kept().pieces.push_back({memory, bytes});
                return kept().shrink_to(kept().most);
            }
        } catch (const std::bad_alloc&) { // no room to remember it
        }
    ::operator delete[](memory, kAlignment);
}

KeepImageMemory::KeepImageMemory(std::size_t pieces) : pieces_(pieces) {
    const std::lock_guard lock(kept().mutex);
    kept().most += pieces_;
}

KeepImageMemory::~KeepImageMemory() {
    const std::lock_guard lock(kept().mutex);
    kept().most -= pieces_;
    kept().shrink_to(kept().most);
}

ImageMemoryFrom::ImageMemoryFrom(ImageMemorySource* source)
    : before_(std::exchange(source_of_thread, source)) {}

ImageMemoryFrom::~ImageMemoryFrom() { source_of_thread = before_; }

bool is_from_source(const std::byte* memory) {
    const std::lock_guard lock(kept().mutex);
    return kept().from_sources.contains(memory);
}

} // namespace kg
