#include "app/process/bands/band_request.hpp"

#include "core/image/opaque.hpp"
#include "core/plan/step_costs.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace kg::batch {

namespace {

/// The same bytes with coverage and without (core/image/opaque.hpp).
bool is_exact(const ImageRequest& request) {
    return request.in.depth == Depth::u8 && request.out.depth == Depth::u8 &&
           request.light == Light::stored && request.in.linear == request.out.linear &&
           request.sign == SignedMode::clamp && request.stages.size() == 1 &&
           offset(request.stages.front()) == 0 &&
           sums_exactly(request.stages.front(), full_scale(request.in));
}

/// Where bytes do not depend on it, and reading the file once more would take longer than coverage.
bool gains_little(Engine& engine, const ImageRequest& covered, const ImageRequest& plain) {
    constexpr double kBytesReadInMicrosecond = 200;
    if (engine.device().id != "cpu" || !is_exact(covered)) return false;
    const auto bytes = static_cast<double>(covered.size.width) * static_cast<double>(covered.size.height) *
                       static_cast<double>(bytes_per_pixel(covered.in));
    return cost_us(step_costs(engine, covered, {})) - cost_us(step_costs(engine, plain, {})) <
           bytes / kBytesReadInMicrosecond;
}

} // namespace

std::int64_t rows_of_piece(const PictureRows& rows, std::size_t memory) {
    constexpr std::size_t kPiece = std::size_t{1} << 20, kPart = 32;
    const auto row = static_cast<std::size_t>(rows.size().width) * bytes_per_pixel(rows.pixels());
    const auto count = std::min(kPiece, memory / kPart) / row;
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(count), 1, rows.size().height);
}

BandRequest BandRequests::of(Engine& engine) {
    PictureRows rows(in_, wish_.read,
                     wish_.input_name); // closed before the bands open theirs: memory does not hold both
    auto plain = ask(rows, is_integer(rows.pixels().depth));
    if (!plain.file.opaque) return plain;
    auto covered = ask(rows, false);
    did_not_look_ = !opaque_ && !always_look_ && wish_.algorithm.empty() &&
                    gains_little(engine, covered.file.request, plain.file.request);
    if (did_not_look_) return covered;
    if (!opaque_) opaque_ = is_opaque(rows);
    return *opaque_ ? std::move(plain) : std::move(covered);
}

/// A picture of one pixel, so that what is asked of pictures can be asked of it.
BandRequest BandRequests::ask(const PictureRows& rows, bool opaque) const {
    Image pixel({1, 1}, rows.pixels());
    std::memset(pixel.view().data, opaque ? 0xff : 0, bytes_per_pixel(rows.pixels()));
    auto picture = rows.picture(std::move(pixel));
    auto file = file_request(picture, wish_.recipe, wish_.format);
    file.request.size = rows.size();
    return {std::move(file), std::move(picture)};
}

/// What the whole picture would say of itself: reads rows up to the first that is not.
bool BandRequests::is_opaque(PictureRows& rows) {
    const Timed timed(seconds_);
    const auto [width, height] = rows.size();
    const auto piece = rows_of_piece(rows, wish_.memory);
    Image some({width, piece}, rows.pixels());
    for (std::int64_t y = 0; y < height; y += piece) {
        if (stop_.stop_requested()) throw Cancelled();
        const auto next = some.view().crop({0, 0, width, std::min(piece, height - y)});
        rows.read(next);
        if (!kg::is_opaque(next)) return false;
        if (wish_.looked) wish_.looked(y + next.size.height, height);
    }
    return true;
}

} // namespace kg::batch
