#include "cpu/kernels/lines.hpp"

#include "core/support/stop.hpp"
#include "cpu/kernels/line_sums.hpp"
#include "cpu/kernels/rows.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace kg::cpu {

namespace {

constexpr std::int64_t kGroups = 8;   // groups of lanes per task of a thread
constexpr std::int64_t kTogether = 4; // groups that share their reads, if lines are short enough
constexpr std::int64_t kTogetherPlaces = 65536;

constexpr std::int64_t kChunk = 512; // pixels of a row transposed at a time, so that all stays in cache

std::size_t places(Span span) { return static_cast<std::size_t>((span.end - span.begin) * kLanes); }

/// Transposes the pixels of a row: neighbouring pixels become neighbouring positions, channels become lanes.
template <int Channels>
void place_row(const float* row, std::int64_t pixels, float* lanes) {
    for (std::int64_t i = 0; i < pixels; ++i)
        std::memcpy(lanes + i * kLanes, row + i * Channels, Channels * sizeof(float));
}
template <int Channels>
void take_row(const float* lanes, std::int64_t pixels, float* row) {
    for (std::int64_t i = 0; i < pixels; ++i)
        std::memcpy(row + i * Channels, lanes + i * kLanes, Channels * sizeof(float));
}
constexpr void (*kPlaceRow[])(const float*, std::int64_t, float*) = {place_row<1>, place_row<2>, place_row<3>,
                                                                     place_row<4>};
constexpr void (*kTakeRow[])(const float*, std::int64_t, float*) = {take_row<1>, take_row<2>, take_row<3>,
                                                                    take_row<4>};

/// Calls body(x, pixels, line) for all chunks of a span, all lines of a chunk before the next chunk.
template <typename Body>
void for_each_chunk(Span span, std::int64_t lines, Body body) {
    for (auto x = span.begin; x < span.end; x += kChunk)
        for (std::int64_t l = 0; l < lines; ++l) body(x, std::min(kChunk, span.end - x), l);
}

/// Calls body(outputs) for the segments of a span.
template <typename Body>
void for_each_segment(Span span, std::int64_t segment, Body body) {
    for (auto begin = span.begin; begin < span.end;) {
        const auto end = std::min(span.end, (begin / segment + 1) * segment);
        body(Span{begin, end});
        begin = end;
    }
}

} // namespace

LinePlan::LinePlan(const ImageStep& step, std::shared_ptr<const LineFilter> down,
                   std::shared_ptr<const LineFilter> along, float weight, std::int64_t row_quantum)
    : step_(step), down_(std::move(down)), along_(std::move(along)), weight_(weight),
      row_quantum_(row_quantum) {}

/// The output of the first pass for the second: the rows of the output and the columns of the source.
Rect LinePlan::between(const Rect& output) const {
    const auto x = border_span(step_.border, along_->reads({output.x, output.right()}, step_.size.width),
                               step_.size.width);
    return {x.begin, output.y, x.end - x.begin, output.height};
}

Needs LinePlan::needs(const Rect& output) const {
    const auto plane = between(output);
    const auto y = border_span(step_.border, down_->reads({output.y, output.bottom()}, step_.size.height),
                               step_.size.height);
    auto format = step_.in;
    format.depth = Depth::f32;
    return {{plane.x, y.begin, plane.width, y.end - y.begin},
            buffer_pitch(plane.width, format) * static_cast<std::size_t>(plane.height),
            row_quantum_};
}

void LinePlan::record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const {
    auto& host = static_cast<HostQueue&>(queue);
    const auto self = std::make_shared<LinePlan>(*this); // the task may outlive the caller's plan
    for (const auto& item : items) {
        auto plane = scratch; // items run one after the other, so one plane serves them all
        plane.covers = between(item.dst.covers);
        plane.format = step_.in;
        plane.format.depth = Depth::f32;
        plane.pitch = buffer_pitch(plane.covers.width, plane.format);
        host.enqueue([&host, self, item, plane](const HostQueue::Context& context) {
            const auto from = host.image(item.src);
            const auto pixels = host.image(plane);
            const auto &rows = plane.covers, &to = item.dst.covers;
            for_each_segment({rows.y, rows.bottom()}, self->down_->segment(), [&](Span outputs) {
                self->filter_columns(context, from, item.src.covers, outputs, pixels, plane.covers);
            });
            for_each_segment({to.x, to.right()}, self->along_->segment(), [&](Span outputs) {
                self->filter_rows(context, pixels, plane.covers, from, item.src.covers, outputs,
                                  host.image(item.dst), to);
            });
        });
    }
}

void LinePlan::filter_columns(const HostQueue::Context& context, const ConstImageView& from,
                              const Rect& covers, Span outputs, const ImageView& plane,
                              const Rect& plane_covers) const {
    const SourceRows source{from, covers, step_.size, step_.border};
    const std::int64_t channels = step_.in.channels, strip = kLanes / channels,
                       strips = (plane.size.width + strip - 1) / strip, height = step_.size.height;
    const auto reads = down_->reads(outputs, height);
    const auto together = std::clamp<std::int64_t>(kTogetherPlaces / (reads.end - reads.begin), 1, kTogether);
    parallel_rows(context, strips, kGroups, [&](std::int64_t begin, std::int64_t end) {
        // Rows of an image are far apart in memory, so each row that is read serves several groups of lanes.
        std::vector<float> in(static_cast<std::size_t>(together) * places(reads));
        const auto out = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(together) *
                                                                 places(outputs));
        std::vector<float> row(static_cast<std::size_t>(together * kLanes));
        const auto in_places = static_cast<std::int64_t>(places(reads)),
                   out_places = static_cast<std::int64_t>(places(outputs)), samples = strip * channels;
        for (auto s = begin; s < end; s += together) {
            const auto groups = std::min(together, end - s), x = s * strip,
                       width = std::min(groups * strip, plane.size.width - x);
            for (auto y = reads.begin; y < reads.end; ++y) {
                throw_if_stopped(context.stop);
                source.read(y, plane_covers.x + x, width, row.data());
                for (std::int64_t g = 0; g < groups; ++g)
                    std::copy_n(row.data() + g * samples, samples,
                                in.data() + g * in_places + (y - reads.begin) * kLanes);
            }
            for (std::int64_t g = 0; g < groups; ++g)
                down_->run(in.data() + g * in_places, outputs, height, out.get() + g * out_places,
                           context.stop);
            for (auto y = outputs.begin; y < outputs.end; ++y)
                for (std::int64_t g = 0; g < groups; ++g)
                    std::copy_n(out.get() + g * out_places + (y - outputs.begin) * kLanes,
                                std::min(samples, width * channels - g * samples),
                                plane.row<float>(y - plane_covers.y) + x * channels + g * samples);
        }
    });
}

void LinePlan::filter_rows(const HostQueue::Context& context, const ConstImageView& plane,
                           const Rect& plane_covers, const ConstImageView& from, const Rect& covers,
                           Span outputs, const ImageView& to, const Rect& to_covers) const {
    const SourceRows sums{plane, plane_covers, step_.size, step_.border};
    const SourceRows source{from, covers, step_.size, step_.border};
    const std::int64_t channels = step_.in.channels, lines = kLanes / channels, length = step_.size.width;
    const auto reads = along_->reads(outputs, length);
    const auto computed = computed_channels(step_);
    const float divisor = step_.stages.front().kernels.front().divisor;
    const auto offsets = offset_row(step_, static_cast<std::size_t>(kChunk * channels));
    parallel_rows(
        context, (to.size.height + lines - 1) / lines, kGroups, [&](std::int64_t begin, std::int64_t end) {
            std::vector<float> in(places(reads));
            const auto out = std::make_unique_for_overwrite<float[]>(places(outputs));
            std::vector<float> chunk(offsets.size()), centre(chunk.size());
            for (auto group = begin; group < end; ++group) {
                const auto y0 = group * lines, count = std::min(lines, to.size.height - y0);
                for_each_chunk(reads, count, [&](std::int64_t x, std::int64_t pixels, std::int64_t l) {
                    throw_if_stopped(context.stop);
                    sums.read(to_covers.y + y0 + l, x, pixels, chunk.data());
                    kPlaceRow[channels - 1](chunk.data(), pixels,
                                            in.data() + (x - reads.begin) * kLanes + l * channels);
                });
                along_->run(in.data(), outputs, length, out.get(), context.stop);
                for_each_chunk(outputs, count, [&](std::int64_t x, std::int64_t pixels, std::int64_t l) {
                    kTakeRow[channels - 1](out.get() + (x - outputs.begin) * kLanes + l * channels, pixels,
                                           chunk.data());
                    divide_row(chunk.data(), weight_, divisor, offsets.data(),
                               static_cast<std::size_t>(pixels * channels));
                    if (computed != all_channels(step_.in.channels)) {
                        source.read(to_covers.y + y0 + l, x, pixels, centre.data());
                        pass_through(computed, step_.in.channels, centre.data(), chunk.data(), pixels);
                    }
                    write_row(chunk.data(), to, y0 + l, (x - to_covers.x) * channels, pixels * channels);
                });
            }
        });
}

} // namespace kg::cpu
