#include "gpu/kernels/banks/winograd_bank.hpp"

#include "core/support/parts_of.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

constexpr std::int64_t kFloatsOf16Bytes = 4;
/// Of an item: with those of a few items in flight, the L2 cache of an H200 holds what is transformed.
constexpr std::int64_t kWinogradScratch = (32 << 20) / static_cast<std::int64_t>(sizeof(float));
constexpr std::int64_t kMostWinogradScratch = (std::int64_t{1} << 30) /
                                              static_cast<std::int64_t>(sizeof(float));

} // namespace

WinogradTiles winograd_tiles(const Rect& outputs, int side) {
    const auto x = outputs.x / side, y = outputs.y / side, across = parts_of(outputs.right(), side) - x;
    return {x * side, y * side, across, across * (parts_of(outputs.bottom(), side) - y)};
}

WinogradPart winograd_part(std::int64_t first, std::int64_t of_item, unsigned items) {
    const auto columns = of_item * items;
    return {first, of_item, columns, parts_of(columns, kFloatsOf16Bytes) * kFloatsOf16Bytes};
}

std::int64_t winograd_tiles_at_once(const BankRequest& request, int side, std::int64_t count) {
    const auto most = std::max(kFloatsOf16Bytes, kWinogradScratch / winograd_floats(request, side) /
                                                     kFloatsOf16Bytes * kFloatsOf16Bytes);
    return parts_of(parts_of(count, parts_of(count, most)), kFloatsOf16Bytes) * kFloatsOf16Bytes;
}

std::int64_t winograd_floats(const BankRequest& request, int side) {
    return (side + 2) * (side + 2) * (group_channels(request) + group_filters(request));
}

bool winograd_fits(const BankRequest& request, int side) {
    return kFloatsOf16Bytes * winograd_floats(request, side) <= kMostWinogradScratch;
}

} // namespace kg::gpu
