#include "core/request/compose.hpp"

#include "core/request/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

namespace kg {

namespace {

constexpr double kMostProducts = 1 << 18; // products of weights in all convolutions: some 0.1 ms
/// The error that the rounding of weights may add to a result, in levels of 8 bits.
constexpr double kMostOff = (1 - kShareOfMargin) / 64;
constexpr double kMostSum = 0x1p100;  // sum of the magnitudes of all terms, far below the range of float32
constexpr int kOrdinaryExponent = 40; // largest exponent of divisors that are left as they are

/// Taps before their weights are rounded to float32.
struct Products {
    int width = 1, height = 1, anchor_x = 0, anchor_y = 0;
    std::vector<double> weights{1};
    double divisor = 1;
};

Products convolved(const Products& a, const Taps& b) {
    Products all{a.width + b.width - 1,
                 a.height + b.height - 1,
                 a.anchor_x + b.anchor_x,
                 a.anchor_y + b.anchor_y,
                 {},
                 a.divisor * static_cast<double>(b.divisor)};
    all.weights.assign(static_cast<std::size_t>(all.width) * static_cast<std::size_t>(all.height), 0.0);
    for (int i = 0; i < b.height; ++i)
        for (int j = 0; j < b.width; ++j) {
            const auto weight = static_cast<double>(b.at(i, j));
            for (int y = 0; y < a.height; ++y) {
                const auto* from = a.weights.data() + static_cast<std::ptrdiff_t>(y) * a.width;
                auto* to = all.weights.data() + static_cast<std::ptrdiff_t>(y + i) * all.width + j;
                for (int x = 0; x < a.width; ++x) to[x] += weight * from[x];
            }
        }
    return all;
}

/// The same filter with weights and divisor times a power of two, where products of divisors would leave the
/// range of float32.
void keep_in_range(Products& products) {
    int exponent = 0;
    std::frexp(products.divisor, &exponent);
    if (std::abs(exponent) <= kOrdinaryExponent) return;
    for (auto& weight : products.weights) weight = std::ldexp(weight, -exponent);
    products.divisor = std::ldexp(products.divisor, -exponent);
}

bool is_float(double number) { return static_cast<double>(static_cast<float>(number)) == number; }

/// The kernel with its weights and divisor rounded to float32, as they are if none needs it. Empty if a
/// result could be off by more than kMostOff, or sums could leave the range of float32.
std::optional<Kernel> rounded(Products products) {
    if (!is_float(products.divisor) || !std::ranges::all_of(products.weights, is_float)) {
        for (auto& weight : products.weights) weight /= products.divisor;
        products.divisor = 1;
    }
    Kernel kernel{products.width,
                  products.height,
                  products.anchor_x,
                  products.anchor_y,
                  {products.weights.begin(), products.weights.end()},
                  static_cast<float>(products.divisor)};
    double off = 0, sum = 0;
    for (std::size_t i = 0; i < products.weights.size(); ++i) {
        off += std::fabs(static_cast<double>(kernel.weights[i]) - products.weights[i]);
        sum += std::fabs(products.weights[i]);
    }
    const double white = full_scale(Depth::u8);
    if (!(off * white <= kMostOff * std::fabs(products.divisor) && sum * white <= kMostSum))
        return std::nullopt;
    return kernel;
}

bool is_single_kernel(const Stage& stage) {
    return stage.combine == Combine::single && stage.kernels.size() == 1 && has_weights(stage);
}

/// True for kernels that reflection of rows and columns leaves the same, the anchor in the middle.
bool is_symmetric(const Kernel& k) {
    if (k.width != 2 * k.anchor_x + 1 || k.height != 2 * k.anchor_y + 1) return false;
    const auto at = [&](int y, int x) { return k.weights[static_cast<std::size_t>(y) * k.width + x]; };
    for (int y = 0; y < k.height; ++y)
        for (int x = 0; x < k.width; ++x)
            if (at(y, x) != at(y, k.width - 1 - x) || at(y, x) != at(k.height - 1 - y, x)) return false;
    return true;
}

/// Whether the composed kernel is no larger than kernels may be, and takes little time to compute.
bool is_small(const std::vector<Stage>& stages) {
    double width = 1, height = 1, products = 0;
    for (const auto& stage : stages) {
        const auto& kernel = stage.kernels.front();
        products += width * height * kernel.width * kernel.height;
        width += kernel.width - 1, height += kernel.height - 1;
    }
    return products <= kMostProducts && width <= kMaxKernelSize && height <= kMaxKernelSize;
}

} // namespace

std::optional<ImageRequest> composed(const ImageRequest& request) {
    const auto& stages = request.stages;
    if (stages.size() < 2 || request.in.depth != Depth::u8 || request.out.depth != Depth::u8 ||
        request.border == Border::constant || !filters_stored_numbers(request) ||
        !std::ranges::all_of(stages, is_single_kernel) ||
        std::any_of(stages.begin(), stages.end() - 1, [](const Stage& s) { return offset(s) != 0; }) ||
        !is_small(stages))
        return std::nullopt;
    Products all;
    for (const auto& stage : stages) {
        all = convolved(all, taps(stage.kernels.front()));
        keep_in_range(all);
    }
    auto kernel = rounded(std::move(all));
    if (!kernel) return std::nullopt;
    kernel->offset = offset(stages.back());
    auto one = request;
    one.stages = {Stage{{std::move(*kernel)}}};
    one.tolerance = 0;
    return one;
}

Rect composed_outputs(const ImageRequest& request) {
    const auto& stages = request.stages;
    const bool reflects = request.border == Border::reflect || request.border == Border::reflect101;
    if (request.border == Border::wrap ||
        (reflects && std::all_of(stages.begin(), stages.end() - 1,
                                 [](const Stage& s) { return is_symmetric(s.kernels.front()); })))
        return whole(request.size);
    Reach later;
    for (auto stage = stages.begin() + 1; stage != stages.end(); ++stage) {
        const auto r = reach(*stage);
        later = {later.left + r.left, later.right + r.right, later.up + r.up, later.down + r.down};
    }
    return intersect(whole(request.size),
                     {later.left, later.up, request.size.width - later.left - later.right,
                      request.size.height - later.up - later.down});
}

} // namespace kg
