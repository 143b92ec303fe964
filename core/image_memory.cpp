#include "core/image_memory.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <new>

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

    void shrink_to(std::size_t count) {
        for (; pieces.size() > count; pieces.pop_front())
            ::operator delete[](pieces.front().memory, kAlignment);
    }
};

Kept& kept() {
    static auto* const only = new Kept; // never destroyed: pictures in static places outlive everything
    return *only;
}

} // namespace

std::byte* take_image_memory(std::size_t bytes) {
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

} // namespace kg
