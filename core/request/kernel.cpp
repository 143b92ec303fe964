#include "core/request/kernel.hpp"

#include "core/image/weights.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace kg {

Kernel make_kernel(int width, int height, std::vector<float> weights, float divisor) {
    Kernel kernel{width, height, width / 2, height / 2, std::move(weights), divisor};
    validate(kernel);
    return kernel;
}

void validate(const Kernel& k) {
    if (k.width < 1 || k.height < 1 || k.width > kMaxKernelSize || k.height > kMaxKernelSize)
        throw Error("bad-kernel-size", "a kernel of {} x {} cannot be used: width and height must be 1 to {}",
                    k.width, k.height, kMaxKernelSize);
    if (k.weights.size() != static_cast<std::size_t>(k.width) * k.height)
        throw Error("wrong-weight-count", "a kernel of {} x {} needs {} weights, but {} were given", k.width,
                    k.height, static_cast<long>(k.width) * k.height, k.weights.size());
    if (k.anchor_x < 0 || k.anchor_y < 0 || k.anchor_x >= k.width || k.anchor_y >= k.height)
        throw Error("bad-anchor", "the anchor [{}, {}] lies outside the kernel of {} x {}", k.anchor_x,
                    k.anchor_y, k.width, k.height);
    if (!are_finite(k.weights)) throw Error("bad-weight", "a kernel's weights must be finite numbers");
    if (!std::isfinite(k.divisor) || k.divisor == 0)
        throw Error("bad-divisor", "a kernel's divisor must be a finite number other than 0");
    if (!std::isfinite(k.offset)) throw Error("bad-offset", "a kernel's offset must be a finite number");
}

Taps taps(const Kernel& kernel) {
    Taps t{kernel.width, kernel.height, kernel.anchor_x, kernel.anchor_y, kernel.weights, kernel.divisor};
    if (kernel.flip) {
        std::ranges::reverse(t.weights);
        t.anchor_x = kernel.width - 1 - kernel.anchor_x;
        t.anchor_y = kernel.height - 1 - kernel.anchor_y;
    }
    return t;
}

double dc_gain(const Kernel& kernel) {
    return sums_of(kernel.weights).sum / static_cast<double>(kernel.divisor);
}

bool sums_exactly(const Kernel& kernel, double largest_sample) {
    if (kernel.weights.empty()) return false; // only the stage's generator defines them
    double magnitude = 0, unit = common_unit({&kernel.divisor, 1});
    constexpr std::size_t kChunk = 64; // most inexact kernels are detected early
    const std::span weights(kernel.weights);
    for (std::size_t begin = 0; begin < weights.size(); begin += kChunk) {
        const auto chunk = weights.subspan(begin, std::min(kChunk, weights.size() - begin));
        unit = std::min(unit, common_unit(chunk));
        magnitude += sums_of(chunk).magnitude;
        if (magnitude * largest_sample >= 0x1p24 * unit) return false;
    }
    return true;
}

bool sums_by_rows(const Kernel& kernel, Depth samples) {
    if (kernel.width == 1 || kernel.height == 1) return false; // there is only one chain
    return kernel.width * kernel.height > 4 * (kernel.width + kernel.height) ||
           (samples == Depth::u16 && !sums_exactly(kernel, full_scale(samples)));
}

} // namespace kg
