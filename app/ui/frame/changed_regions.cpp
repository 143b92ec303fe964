#include "app/ui/frame/changed_regions.hpp"

#include "app/ui/frame/texture_content.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

namespace kg::ui {

namespace {

constexpr std::int64_t kTile = 32; ///< framebuffer pixels
/// Pixels that take as long to draw as another pass over the draw lists. Regions are joined where that adds
/// fewer.
constexpr std::int64_t kPassPixels = 12000;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u; // 2^64 divided by the golden ratio
    return hash ^ hash >> 32;
}

std::uint64_t hash_of(std::uint64_t hash, std::span<const std::byte> bytes) {
    std::uint64_t word = 0;
    for (; bytes.size() >= sizeof word; bytes = bytes.subspan(sizeof word)) {
        std::memcpy(&word, bytes.data(), sizeof word);
        hash = mixed(hash, word);
    }
    word = bytes.size();
    if (!bytes.empty()) std::memcpy(&word, bytes.data(), bytes.size());
    return mixed(hash, word);
}

/// Framebuffer pixels of a place of the draw lists.
class ToPixels {
public:
    explicit ToPixels(const ImDrawData& data) : origin_(data.DisplayPos), scale_(data.FramebufferScale) {}
    float x(float at) const { return (at - origin_.x) * scale_.x; }
    float y(float at) const { return (at - origin_.y) * scale_.y; }

private:
    ImVec2 origin_, scale_;
};

/// A framebuffer's tiles.
class Tiles {
public:
    struct Tile {
        std::uint64_t hash = 0;
        DrawStart start;
    };
    Tiles(Extent framebuffer, ImU32 background)
        : framebuffer_(framebuffer), columns_((framebuffer.width + kTile - 1) / kTile),
          rows_((framebuffer.height + kTile - 1) / kTile),
          tiles_(static_cast<std::size_t>(columns_ * rows_), Tile{background, {0, 0, 0, background}}) {}

    Rect rect(std::size_t i) const {
        const auto at = static_cast<std::int64_t>(i);
        return intersect({at % columns_ * kTile, at / columns_ * kTile, kTile, kTile}, whole(framebuffer_));
    }
    const std::vector<Tile>& all() const { return tiles_; }
    /// Something is drawn in a rectangle within the framebuffer.
    void add(float left, float top, float right, float bottom, std::uint64_t hash) {
        each(left, top, right, bottom,
             [hash](std::size_t, Tile& tile) { tile.hash = mixed(tile.hash, hash); });
    }
    /// It covers all that lies below it.
    void cover(float left, float top, float right, float bottom, std::uint64_t hash, const DrawStart& start) {
        each(left, top, right, bottom, [&](std::size_t i, Tile& tile) {
            const auto place = rect(i);
            const bool is_covered = left <= static_cast<float>(place.x) &&
                                    top <= static_cast<float>(place.y) &&
                                    right >= static_cast<float>(place.right()) &&
                                    bottom >= static_cast<float>(place.bottom());
            if (is_covered) tile = {hash, start};
            else tile.hash = mixed(tile.hash, hash);
        });
    }

private:
    template <typename Body>
    void each(float left, float top, float right, float bottom, const Body& body) {
        const auto tile = [](float at) { return static_cast<std::int64_t>(at) / kTile; };
        for (auto y = tile(top), last = std::min(tile(bottom), rows_ - 1); y <= last; ++y)
            for (auto x = tile(left), end = std::min(tile(right), columns_ - 1); x <= end; ++x) {
                const auto i = static_cast<std::size_t>(y * columns_ + x);
                body(i, tiles_[i]);
            }
    }

    Extent framebuffer_;
    std::int64_t columns_, rows_;
    std::vector<Tile> tiles_;
};

/// Whether six indices are those of an opaque rectangle of one colour (ImDrawList::AddRectFilled()).
bool is_background(const ImDrawVert* vertices, const ImDrawIdx* indices, ImVec2 white) {
    const auto first = indices[0];
    const int order[]{0, 1, 2, 0, 2, 3};
    for (int i = 1; i < 6; ++i)
        if (indices[i] != first + order[i]) return false;
    const auto *corner = vertices + first, *end = corner + 2;
    for (int i = 0; i < 4; ++i) {
        const auto& [place, uv, colour] = corner[i];
        if (colour != corner->col || uv.x != white.x || uv.y != white.y) return false;
        if (place.x != (i == 0 || i == 3 ? corner : end)->pos.x) return false;
        if (place.y != (i < 2 ? corner : end)->pos.y) return false;
    }
    return (corner->col & IM_COL32_A_MASK) == IM_COL32_A_MASK;
}

void add_command(Tiles& tiles, const ImDrawData& data, Extent framebuffer, int list_index,
                 int command_index) {
    const auto& list = *data.CmdLists[list_index];
    const auto& command = list.CmdBuffer[command_index];
    const auto scissor = intersect(scissor_of(command, data, framebuffer), whole(framebuffer));
    if (scissor.empty()) return;
    const auto left = static_cast<float>(scissor.x), top = static_cast<float>(scissor.y),
               right = static_cast<float>(scissor.right()), bottom = static_cast<float>(scissor.bottom());
    const auto seed = hash_of(command.GetTexID(), std::as_bytes(std::span(&command.ClipRect, 1)));
    if (command.UserCallback) {
        const auto* bytes = static_cast<const std::byte*>(command.UserCallbackData);
        const auto hash = hash_of(
            seed, {bytes, static_cast<std::size_t>(std::max(command.UserCallbackDataSize, 0))});
        if (command.UserCallback == draws_nothing) tiles.add(left, top, right, bottom, hash);
        else tiles.cover(left, top, right, bottom, hash, {list_index, command_index, 0, IM_COL32_BLACK});
        return;
    }
    const ToPixels to(data);
    const auto white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    const auto* vertices = list.VtxBuffer.Data + command.VtxOffset;
    const auto* indices = list.IdxBuffer.Data + command.IdxOffset;
    for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
        const ImDrawVert triangle[]{vertices[indices[i]], vertices[indices[i + 1]], vertices[indices[i + 2]]};
        const auto& [a, b, c] = triangle;
        const float x0 = std::max(to.x(std::min({a.pos.x, b.pos.x, c.pos.x})), left),
                    x1 = std::min(to.x(std::max({a.pos.x, b.pos.x, c.pos.x})), right),
                    y0 = std::max(to.y(std::min({a.pos.y, b.pos.y, c.pos.y})), top),
                    y1 = std::min(to.y(std::max({a.pos.y, b.pos.y, c.pos.y})), bottom);
        if (!(x0 <= x1 && y0 <= y1)) continue; // NaN, too
        const auto hash = hash_of(seed, std::as_bytes(std::span(triangle)));
        const bool is_large = x1 - x0 >= kTile && y1 - y0 >= kTile;
        if (is_large && i + 5 < command.ElemCount && is_background(vertices, indices + i, white)) {
            i += 3; // its other triangle
            tiles.cover(x0, y0, x1, y1, hash, {list_index, command_index, i + 3, a.col});
        } else {
            tiles.add(x0, y0, x1, y1, hash);
        }
    }
}

std::int64_t pixels(const Rect& rect) { return rect.width * rect.height; }

Rect joined(const Rect& a, const Rect& b) {
    const auto x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

/// Adds a region, joined with others of the same start where that saves time.
void add(std::vector<DrawRegion>& regions, DrawRegion region) {
    for (std::size_t i = 0; i < regions.size();) {
        const auto& [rect, start] = regions[i];
        const auto both = joined(rect, region.rect);
        if (start != region.start || pixels(both) > pixels(rect) + pixels(region.rect) + kPassPixels) {
            ++i;
            continue;
        }
        region.rect = both;
        regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(i));
        i = 0; // it may now be joined with earlier ones
    }
    regions.push_back(region);
}

} // namespace

std::vector<DrawRegion> ChangedRegions::update(const ImDrawData& data, Extent framebuffer, ImU32 background) {
    const std::vector all{DrawRegion{whole(framebuffer), {0, 0, 0, background}}};
    const auto is_current = [](const ImTextureData* texture) {
        return texture->Status == ImTextureStatus_OK;
    };
    if (data.Textures && !std::ranges::all_of(*data.Textures, is_current)) {
        forget(); // glyphs were added, or all are elsewhere now
        return all;
    }
    Tiles tiles(framebuffer, background);
    for (int i = 0; i < data.CmdLists.Size; ++i)
        for (int j = 0; j < data.CmdLists[i]->CmdBuffer.Size; ++j)
            add_command(tiles, data, framebuffer, i, j);
    const bool is_comparable = size_ == framebuffer && tiles_.size() == tiles.all().size();
    size_ = framebuffer;
    tiles_.resize(tiles.all().size());
    std::vector<DrawRegion> regions;
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
        const auto& [hash, start] = tiles.all()[i];
        if (std::exchange(tiles_[i], hash) != hash || !is_comparable) add(regions, {tiles.rect(i), start});
    }
    return regions;
}

} // namespace kg::ui
