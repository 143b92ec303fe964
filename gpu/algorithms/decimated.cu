// A Gaussian under a tolerance, on a coarse grid: what a large Gaussian leaves of an image is so smooth that
// a pixel in s x s describes it.
//
//            decimate                 filter_cell_rows, _columns          interpolate_cells
//   image ---------------> cells ----------------------------> cells ----------------------> outputs
//    W x H   B-spline over   W/s x H/s   a Gaussian of sigma / s   B-spline over 4 x 4 cells
//            4s x 4s pixels
//
// Each filter is a column times a row. A pixel is read once and belongs to 4 x 4 cells, an output is summed
// from 4 x 4 cells, and the coarse Gaussian has 1 / s^2 of the outputs and 1 / s of the taps: the time hardly
// depends on sigma. The three filters together are a linear filter whose weights repeat every s pixels, so
// the error of each weight is known, and their sum is the bound of an image's error. The stride s is the
// cheapest power of two whose bound is within the tolerance (gpu/kernels/decimation/decimation.hpp).
//
// Cells beside the image are made from the image continued by its border, as far as the coarse filter
// reaches, so borders are exact. The grid is counted from the image's corner, and so are the tiles in which
// cells are summed: a rectangle has the bytes of the whole. Samples that are not finite count as 0, and the
// outputs that they reach are overwritten (semantics 10). Floats are halved along each axis before they are
// summed: no sum overflows where the result does not (semantics 12).
//
// Predicted for 4096 x 4096 on an H200, tolerance 1e-3, in microseconds; four launches and 3 between them:
//
//                     decimate                    cells        interpolate_cells            all
//   f32 x 1, sigma 10 64 MiB read, 20             2 x 3        64 MiB written, 21           50
//   f32 x 1, sigma 50 64 MiB read, 19             2 x 2        64 MiB written, 21           47
//   u8 x 4,  sigma 50 31 instructions for 128     2 x 2        50 for 128 samples, 35       66
//                     samples, 24
//
// docs/performance.md has the times measured and their limit.
// Where a size is given that cuts the Gaussian's edges, as 81 x 81 at sigma 12.5, smaller strides are needed.
//
// A sample costs 4 multiply-adds down, 4 / s along in the first launch, and 4 and 4 / s in the last.

#include "core/request/step.hpp"
#include "gpu/kernels/decimation/cells.cuh"
#include "gpu/kernels/decimation/interpolation.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <cstdio>

namespace kg::gpu {

namespace {

SplineTables prefilter_of(const DecimatedFit& fit, float scale) {
    SplineTables tables{};
    for (int j = 0; j < kMostStride; ++j)
        for (int piece = 0; piece < kSplineTaps; ++piece) {
            // A row's weight for the cell that it begins is first.
            const auto at = [&](const DecimatedAxis& axis) {
                return j < axis.stride
                           ? scale * axis.prefilter[static_cast<std::size_t>(piece * axis.stride + j)]
                           : 0.0f;
            };
            tables.down[j][piece] = at(fit.down);
            tables.along[j][piece] = at(fit.along);
        }
    return tables;
}

SplineTables interpolation_of(const DecimatedFit& fit) {
    SplineTables tables{};
    const auto copy = [](const DecimatedAxis& axis, float(&to)[kMostStride][kSplineTaps]) {
        for (std::size_t i = 0; i < axis.interpolation.size(); ++i)
            to[i / kSplineTaps][i % kSplineTaps] = axis.interpolation[i];
    };
    copy(fit.down, tables.down);
    copy(fit.along, tables.along);
    return tables;
}

unsigned blocks(std::int64_t tasks, std::int64_t each) {
    return static_cast<unsigned>((tasks + each - 1) / each);
}

class DecimatedPlan final : public StagePlan {
public:
    DecimatedPlan(const ImageStep& step, const DecimatedFit& fit)
        : StagePlan(step, {common_of(step), {}}), fit_(fit),
          prefilter_(prefilter_of(fit, step.in.depth == Depth::f32 ? 0.5f : 1.0f)),
          interpolation_(interpolation_of(fit)) {}

    Needs needs(const Rect& output) const override {
        const auto grid = grid_of(output, nullptr);
        const auto pixels = [&](const DecimatedSpan& span, std::int64_t length) {
            return border_span(step().border, {span.first_pixel, span.end_pixel}, length);
        };
        const auto x = pixels(grid.along, step().size.width), y = pixels(grid.down, step().size.height);
        // Channels that are not computed are read where the outputs are.
        const auto left = std::min(x.begin, output.x), top = std::min(y.begin, output.y);
        return {{left, top, std::max(x.end, output.right()) - left, std::max(y.end, output.bottom()) - top},
                static_cast<std::size_t>(grid.memory.own),
                1};
    }

private:
    DecimatedGrid grid_of(const Rect& output, std::byte* scratch) const {
        const auto& s = step();
        DecimatedGrid grid{};
        grid.down = decimated_span(
            fit_.down, s.border, static_cast<int>(s.size.height), {output.y, output.bottom()},
            tile_blocks_down(fit_.down.stride, s.size.width * s.size.height * s.in.channels));
        grid.along = decimated_span(fit_.along, s.border, static_cast<int>(s.size.width),
                                    {output.x, output.right()},
                                    tile_blocks_along(fit_.along.stride, s.in.channels));
        grid.scale = s.in.depth == Depth::f32 ? 4.0f : 1.0f;
        grid.divisor = s.stages.front().kernels.front().divisor;
        grid.inverse = 0xffffffffu / static_cast<unsigned>(grid.along.tile_blocks) + 1;
        grid.in = s.in.depth, grid.out = s.out.depth;
        std::int64_t bytes = 0;
        const auto place = [&](std::int64_t count) {
            const auto begin = bytes;
            bytes += (count * std::int64_t{sizeof(float)} + 255) / 256 * 256;
            return begin;
        };
        const auto &down = grid.down, &along = grid.along;
        const std::int64_t channels = s.in.channels;
        place(std::int64_t{down.tiles} * grid.share_rows() * along.tiles * grid.share_samples(s.in.channels));
        grid.memory.rows = place(std::int64_t{down.count} * along.out_count * channels);
        grid.memory.cells = place(std::int64_t{down.out_count} * along.out_count * channels);
        grid.memory.flags = place(std::int64_t{down.tiles} * along.tiles);
        grid.memory.own = bytes, grid.memory.base = scratch;
        return grid;
    }

    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte* scratch) const override {
        auto& c = parameters.common;
        auto grid = grid_of({c.dst_x, c.dst_y, c.dst_width, c.dst_height}, scratch);
        auto prefilter = prefilter_;
        void* reading[] = {&c, &grid, &prefilter};
        const auto warp = warp_memory(grid.along, c.channels);
        queue.launch(
            reinterpret_cast<const void*>(&decimate),
            {blocks(grid.along.tiles, kDecimatedWarps) * static_cast<unsigned>(grid.down.tiles), 1, count},
            {kDecimatedThreads}, sizeof(float) * kDecimatedWarps * static_cast<std::size_t>(warp.all),
            reading);
        filter_cells(queue, c, grid, count);
        auto interpolation = interpolation_;
        void* writing[] = {&c, &grid, &interpolation};
        queue.launch(reinterpret_cast<const void*>(&interpolate_cells),
                     {blocks(std::int64_t{c.dst_width} * c.channels, kInterpolatedSamples) *
                          blocks(c.dst_height, kInterpolatedRows),
                      1, count},
                     {kDecimatedThreads}, 0, writing);
    }

    void filter_cells(CudaQueue& queue, StageCommon& c, DecimatedGrid& grid, unsigned count) const {
        CoarseTaps taps{};
        std::ranges::copy(fit_.along.coarse, taps.weights);
        void* rows[] = {&c, &grid, &taps};
        const int most = kCellsOfBlock + (grid.along.taps + 3) / 4 * 4 + 4;
        queue.launch(reinterpret_cast<const void*>(&filter_cell_rows),
                     {blocks(grid.along.out_count, kCellsOfBlock) * static_cast<unsigned>(grid.down.count),
                      static_cast<unsigned>(c.channels), count},
                     {kDecimatedThreads}, sizeof(float) * static_cast<std::size_t>(most), rows);
        taps = {};
        std::ranges::copy(fit_.down.coarse, taps.weights);
        constexpr int kRows = kDecimatedThreads / kColumnBlock;
        queue.launch(reinterpret_cast<const void*>(&filter_cell_columns),
                     {blocks(grid.along.out_count * c.channels, kColumnBlock) *
                          blocks(grid.down.out_count, kRows * kColumnGroup),
                      1, count},
                     {kColumnBlock, kRows}, 0, rows);
    }

    DecimatedFit fit_;
    SplineTables prefilter_, interpolation_;
};

/// Whether weights vanish at the corners, so that they are no taps for NaN.
bool weights_vanish(const Stage& stage) {
    const auto& generator = std::get<GaussianGenerator>(stage.generator);
    const double least = gaussian_profile(generator.sigma, generator.height).front() *
                         gaussian_profile(generator.sigma, generator.width).front();
    return has_weights(stage) ? static_cast<float>(least) == 0.0f : least == 0.0;
}

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    const auto& stage = step.stages.front();
    if (!std::holds_alternative<GaussianGenerator>(stage.generator) || stage.combine != Combine::single)
        return "it is for Gaussians alone";
    if (step.tolerance == 0) return "it is not exact, and no tolerance was given";
    // Residues that should both be 0 would be divided by each other and give an arbitrary colour.
    if (step.in.premultiplied && step.in.alpha >= 0)
        return "colour is divided by alpha afterwards, and a small alpha would amplify its error without "
               "bound";
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (step.in.depth == Depth::f32 && weights_vanish(stage))
        return "its outermost weights vanish, and NaN must not reach outputs through them";
    const auto& fit = decimated_fit(step);
    if (fit.along.stride == 1 && step.size.width > kLongestSide / 2) // CellRow divides by a reciprocal
        return "its stride along the rows is 1, and the image is wider than 2^27 pixels";
    if (fit.good) return {};
    if (fit.down.stride * fit.along.stride == 1) return "its coarse kernel would have over 1024 weights";
    char bound[32];
    std::snprintf(bound, sizeof bound, "%.1e", fit.bound);
    return std::string("its error of at least ") + bound + " of full scale is above the tolerance";
}

Cost cost(const PlanStep& request, const Engine&) {
    return {decimated_fit(std::get<ImageStep>(request)).microseconds};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    return std::make_shared<DecimatedPlan>(step, decimated_fit(step));
}

double error(const PlanStep& request) {
    const auto& step = std::get<ImageStep>(request);
    if (!std::holds_alternative<GaussianGenerator>(step.stages.front().generator)) return 0;
    return decimated_fit(step).bound;
}

} // namespace

extern const Algorithm kDecimated{
    "decimated",
    "Decimated Gaussian",
    "Decimation, a Gaussian on the coarse grid, interpolation: to a stated error",
    "Unser, Aldroubi and Eden: The L2 polynomial spline pyramid, 1993",
    why_not,
    cost,
    plan,
    false,
    error};

} // namespace kg::gpu
