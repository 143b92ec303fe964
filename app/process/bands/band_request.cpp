#include "app/process/bands/band_request.hpp"

#include "core/plan/step_costs.hpp"
#include "core/request/opaque.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace kg {

namespace {

/// True if alpha weighting does not change the bytes (core/request/opaque.hpp).
bool is_exact(const ImageRequest& request) {
    return request.in.depth == Depth::u8 && request.out.depth == Depth::u8 &&
           request.light == Light::stored && request.in.linear == request.out.linear &&
           request.sign == SignedMode::clamp && request.stages.size() == 1 &&
           offset(request.stages.front()) == 0 &&
           sums_exactly(request.stages.front(), full_scale(request.in));
}

/// True if the bytes do not depend on alpha weighting, and reading the file once more would take longer than
/// the weighting.
bool gains_little(Engine& engine, const ImageRequest& weighted, const ImageRequest& plain) {
    constexpr double kBytesReadInMicrosecond = 200;
    if (!engine.device().host_memory || !is_exact(weighted)) return false;
    const auto bytes = static_cast<double>(weighted.size.width) * static_cast<double>(weighted.size.height) *
                       static_cast<double>(bytes_per_pixel(weighted.in));
    return cost_us(step_costs(engine, weighted, {})) - cost_us(step_costs(engine, plain, {})) <
           bytes / kBytesReadInMicrosecond;
}

} // namespace

std::int64_t rows_per_chunk(const ImageRows& rows, std::size_t memory) {
    constexpr std::size_t kChunk = std::size_t{1} << 20, kFraction = 32;
    const auto row = static_cast<std::size_t>(rows.size().width) * bytes_per_pixel(rows.pixels());
    const auto count = std::min(kChunk, memory / kFraction) / row;
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(count), 1, rows.size().height);
}

BandRequest BandRequests::of(Engine& engine) {
    // Closed before the bands open theirs, because memory does not hold both.
    ImageRows rows(in_, options_.read, options_.input_name);
    auto plain = ask(rows, is_integer(rows.pixels().depth));
    if (!plain.file.opaque) return plain;
    auto weighted = ask(rows, false);
    skipped_alpha_ = !opaque_ && !always_read_alpha_ && options_.algorithm.empty() &&
                     gains_little(engine, weighted.file.request, plain.file.request);
    if (skipped_alpha_) return weighted;
    if (!opaque_) opaque_ = is_opaque(rows);
    return *opaque_ ? std::move(plain) : std::move(weighted);
}

/// Asks for an image of one pixel, so that functions of images apply.
BandRequest BandRequests::ask(const ImageRows& rows, bool opaque) const {
    Image pixel({1, 1}, rows.pixels());
    std::memset(pixel.view().data, opaque ? 0xff : 0, bytes_per_pixel(rows.pixels()));
    auto image = rows.image(std::move(pixel));
    auto file = file_request(image, options_.recipe, options_.format);
    file.request.size = rows.size();
    return {std::move(file), std::move(image)};
}

/// True if the whole image is opaque: reads rows up to the first one that is not.
bool BandRequests::is_opaque(ImageRows& rows) {
    const Timed timed(seconds_);
    const auto [width, height] = rows.size();
    const auto chunk = rows_per_chunk(rows, options_.memory);
    Image some({width, chunk}, rows.pixels());
    for (std::int64_t y = 0; y < height; y += chunk) {
        if (stop_.stop_requested()) throw Cancelled();
        const auto next = some.view().crop({0, 0, width, std::min(chunk, height - y)});
        rows.read(next);
        if (!kg::is_opaque(next)) return false;
        if (options_.alpha_progress) options_.alpha_progress(y + next.size.height, height);
    }
    return true;
}

} // namespace kg
