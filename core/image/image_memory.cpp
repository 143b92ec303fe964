#include "core/image/image_memory.hpp"

#include "core/support/huge_pages.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

namespace kg {

namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::size_t kLarge = std::size_t{1} << 18; // smaller blocks are recycled by the C library

struct Block {
    std::byte* memory;
    std::size_t bytes;
};

struct Kept {
    std::mutex mutex;
    std::size_t most = 0;
    std::deque<Block> blocks; ///< the most recently returned at the back
    std::unordered_map<const std::byte*, std::shared_ptr<std::byte>> from_sources;

    void shrink_to(std::size_t count) {
        for (; blocks.size() > count; blocks.pop_front())
            ::operator delete[](blocks.front().memory, kAlignment);
    }
};

Kept& kept() {
    static auto* const only = new Kept; // never destroyed: images in static storage would outlive it
    return *only;
}

/// Null where there is no source, or it has no more.
std::byte* take_from_source(ImageMemorySource* source, std::size_t bytes) {
    if (!source) return nullptr;
    auto block = source->take(bytes);
    auto* const memory = block.get();
    if (!memory) return nullptr;
    const std::lock_guard lock(kept().mutex);
    kept().from_sources.emplace(memory, std::move(block));
    return memory;
}

bool give_to_source(const std::byte* memory) {
    std::shared_ptr<std::byte> block; // released after the mutex
    const std::lock_guard lock(kept().mutex);
    const auto found = kept().from_sources.find(memory);
    if (found == kept().from_sources.end()) return false;
    block = std::move(found->second);
    kept().from_sources.erase(found);
    return true;
}

} // namespace

std::byte* take_image_memory(std::size_t bytes, ImageMemorySource* source) {
    if (auto* const memory = take_from_source(source, bytes)) return memory;
    if (bytes >= kLarge) {
        const std::lock_guard lock(kept().mutex);
        auto& blocks = kept().blocks;
        const auto found = std::find_if(blocks.rbegin(), blocks.rend(),
                                        [bytes](const Block& block) { return block.bytes == bytes; });
        if (found != blocks.rend()) {
            auto* const memory = found->memory;
            blocks.erase(std::next(found).base());
            return memory;
        }
    }
    auto* const memory = static_cast<std::byte*>(::operator new[](bytes, kAlignment));
    advise_huge_pages(memory, bytes);
    return memory;
}

void give_image_memory(std::byte* memory, std::size_t bytes) noexcept {
    if (memory && give_to_source(memory)) return;
    if (memory && bytes >= kLarge) try {
            const std::lock_guard lock(kept().mutex);
            if (kept().most > 0) {
                kept().blocks.push_back({memory, bytes});
                return kept().shrink_to(kept().most);
            }
        } catch (const std::bad_alloc&) { // no memory for the entry
        }
    ::operator delete[](memory, kAlignment);
}

KeepImageMemory::KeepImageMemory(std::size_t blocks) : blocks_(blocks) {
    const std::lock_guard lock(kept().mutex);
    kept().most += blocks_;
}

KeepImageMemory::~KeepImageMemory() {
    const std::lock_guard lock(kept().mutex);
    kept().most -= blocks_;
    kept().shrink_to(kept().most);
}

bool is_from_source(const std::byte* memory) {
    const std::lock_guard lock(kept().mutex);
    return kept().from_sources.contains(memory);
}

} // namespace kg
