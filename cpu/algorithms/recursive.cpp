// A Gaussian at a cost independent of sigma. Over its window it is nearly a constant plus a few cosines of
// whole periods, and the sum of each under a sliding window follows from the sums of the two windows before
// it.
//
// Fastest from a sigma of about 16 on; runs only if the request allows an error. The window is the kernel's
// own, so borders and reach are exact and only the weights are approximate. The bound is the sum of their
// errors, computed from the weights, in units of the largest sample (full scale for integers); an adversarial
// image nearly attains it. Five cosines give 7e-5 for the usual radius of 4 sigma, a fiftieth of an 8-bit
// level.
//
// Recursions restart at positions counted from the corner of the image, so that any region of an image has
// the bytes of the whole. A line that contains NaN or Inf is summed with zeros in their places, and the
// outputs they reach are marked (semantics 10).

#include "core/request/step.hpp"
#include "core/support/stop.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/line_sums.hpp"
#include "cpu/kernels/lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

namespace kg::cpu {

namespace {

/// The error of f32 between and after the passes, added to the bound.
constexpr double kRounding = 4 * 0x1p-24;

/// The best fit of the profile by `terms` cosines of whole periods (its Fourier sum).
CosineWindow cosines(const std::vector<double>& profile, int terms) {
    const auto size = static_cast<double>(profile.size());
    CosineWindow window{static_cast<std::int64_t>(profile.size()), 1 / size, {}};
    for (int k = 1; k <= terms; ++k) {
        const double phi = 2 * std::numbers::pi * k / size;
        double weight = 0;
        for (std::size_t i = 0; i < profile.size(); ++i)
            weight += profile[i] * std::cos(phi * (static_cast<double>(i) - (size - 1) / 2));
        window.terms.push_back({2 * std::cos(phi), 2 * weight / size * std::cos(phi * (size - 1) / 2)});
    }
    return window;
}

/// Sum of |profile - window|, where window is the impulse response of the recursion.
double error_of(const CosineWindow& window, const std::vector<double>& profile) {
    std::array<double, kMostCosines> now{}, before{};
    double error = 0;
    for (std::size_t i = 0; i < profile.size(); ++i) {
        double value = window.constant;
        for (std::size_t t = 0; t < window.terms.size(); ++t) {
            const auto& [twice_cosine, edge] = window.terms[t];
            // The first two samples of a cosine in the window are edge and edge (twice_cosine - 1).
            const double next = i == 0 ? edge : twice_cosine * now[t] - (i == 1 ? edge : before[t]);
            before[t] = now[t];
            now[t] = next;
            value += next;
        }
        error += std::fabs(profile[i] - value);
    }
    return error;
}

struct Fit {
    CosineWindow down, along;
    double bound = 0;
    bool good = false;
};
Fit worked_out(double sigma, const Kernel& kernel, double tolerance) {
    const auto column = gaussian_profile(sigma, kernel.height), row = gaussian_profile(sigma, kernel.width);
    Fit best;
    best.bound = std::numeric_limits<double>::infinity();
    for (int terms = 1; terms <= kMostCosines; ++terms) {
        Fit one{cosines(column, std::min(terms, (kernel.height - 1) / 2)),
                cosines(row, std::min(terms, (kernel.width - 1) / 2))};
        const double down = error_of(one.down, column), along = error_of(one.along, row);
        one.bound = (down + along + down * along + kRounding) /
                    std::fabs(static_cast<double>(kernel.divisor));
        one.good = one.bound <= tolerance;
        if (one.good) return one;
        if (one.bound < best.bound) best = std::move(one);
    }
    return best;
}

/// The fewest cosines whose error is below `tolerance`, or the best fit if none reaches it. The last result
/// is cached, because the query whether the algorithm applies is followed by the request for the plan.
const Fit& fit(const Stage& stage, double tolerance) {
    const auto& kernel = stage.kernels.front();
    const double sigma = std::get<GaussianGenerator>(stage.generator).sigma;
    thread_local struct {
        std::tuple<double, int, int, float, double> question;
        Fit answer;
    } last;
    const std::tuple question(sigma, kernel.width, kernel.height, kernel.divisor, tolerance);
    if (last.question != question) last = {question, worked_out(sigma, kernel, tolerance)};
    return last.answer;
}

class RecursiveFilter final : public LineFilter {
public:
    RecursiveFilter(CosineWindow window, const std::vector<double>& profile, int before)
        : window_(std::move(window)), before_(before) {
        const auto is_tap = [](double weight) { return weight != 0.0; };
        taps_.begin = std::ranges::find_if(profile, is_tap) - profile.begin();
        taps_.end = window_.size - taps_.begin; // a profile is symmetric
    }

    /// Outputs between two restarts of the recursion. Longer blocks spend less time on their first window.
    static std::int64_t block(std::int64_t size) { return std::max<std::int64_t>(1024, 4 * size); }

    Span reads(Span outputs, std::int64_t length) const override {
        const auto whole = blocks(outputs, length);
        return {whole.begin - before_, whole.end - before_ + window_.size - 1};
    }

    std::int64_t segment() const override {
        constexpr std::int64_t kPlaces = 8192;
        const auto size = block(window_.size);
        return (kPlaces + size - 1) / size * size;
    }

    void run(const float* in, Span outputs, std::int64_t length, float* out,
             const std::stop_token& stop) const override {
        const auto whole = blocks(outputs, length);
        for (auto begin = whole.begin; begin < whole.end; begin += block(window_.size)) {
            const auto count = std::min(block(window_.size), whole.end - begin);
            const Span wanted{std::max(outputs.begin - begin, std::int64_t{0}),
                              std::min(outputs.end - begin, count)};
            const float* from = in + (begin - whole.begin) * kLanes;
            float* to = out + (begin + wanted.begin - outputs.begin) * kLanes;
            double sums[kLanes];
            cosine_sums(window_, from, count, wanted.begin, wanted.end, to, sums, stop);
            const auto touched = [](double sum) { return !std::isfinite(sum); };
            if (std::ranges::none_of(sums, touched)) continue;
            const auto finite = finite_samples(from, (count + window_.size - 1) * kLanes, stop);
            double finite_sums[kLanes];
            cosine_sums(window_, finite.get(), count, wanted.begin, wanted.end, to, finite_sums, stop);
            for (std::int64_t lane = 0; lane < kLanes; ++lane)
                if (touched(sums[lane])) mark_touched(from + lane, wanted, to + lane, stop);
        }
    }

private:
    Span blocks(Span outputs, std::int64_t length) const {
        const auto size = block(window_.size);
        return {outputs.begin / size * size, std::min(length, (outputs.end + size - 1) / size * size)};
    }

    /// The samples with zeros in place of NaN and Inf.
    static std::unique_ptr<float[]> finite_samples(const float* from, std::int64_t count,
                                                   const std::stop_token& stop) {
        constexpr std::int64_t kAtOnce = 65536;
        auto finite = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(count));
        for (std::int64_t begin = 0; begin < count; begin += kAtOnce) {
            throw_if_stopped(stop);
            for (auto i = begin; i < std::min(count, begin + kAtOnce); ++i)
                finite[static_cast<std::size_t>(i)] = std::isfinite(from[i]) ? from[i] : 0.0f;
        }
        return finite;
    }

    /// Marks outputs with a tap on a non-finite sample. Weights are positive, so the result is the sum of
    /// those samples.
    void mark_touched(const float* lane, Span wanted, float* out, const std::stop_token& stop) const {
        throw_if_stopped(stop);
        constexpr float kInfinity = std::numeric_limits<float>::infinity(),
                        kNaN = std::numeric_limits<float>::quiet_NaN();
        std::int64_t nans = 0, positive = 0, negative = 0; // under the taps
        const auto count = [&](std::int64_t place, std::int64_t change) {
            const float sample = lane[place * kLanes];
            if (std::isfinite(sample)) return;
            (std::isnan(sample) ? nans : sample > 0 ? positive : negative) += change;
        };
        for (auto p = wanted.begin + taps_.begin; p < wanted.begin + taps_.end; ++p) count(p, 1);
        for (auto p = wanted.begin; p < wanted.end; ++p, out += kLanes) {
            if (nans > 0 || (positive > 0 && negative > 0)) *out = kNaN;
            else if (positive > 0) *out = kInfinity;
            else if (negative > 0) *out = -kInfinity;
            if (p + 1 == wanted.end) break;
            count(p + taps_.begin, -1);
            count(p + taps_.end, 1);
        }
    }

    CosineWindow window_;
    Span taps_; ///< taps of the window; weights beyond them have vanished
    std::int64_t before_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& r = std::get<ImageStep>(request);
    if (auto why = why_not_one_stage(r); !why.empty()) return why;
    if (!std::holds_alternative<GaussianGenerator>(r.stages.front().generator) ||
        r.stages.front().combine != Combine::single)
        return "it is for Gaussians alone";
    if (r.tolerance == 0) return "it is not exact, and no tolerance was given";
    // Residues that should both be 0 would be divided by each other and give an arbitrary colour.
    if (r.in.premultiplied && r.in.alpha >= 0)
        return "colour is divided by alpha afterwards, and a small alpha would amplify its error without "
               "bound";
    const auto& best = fit(r.stages.front(), r.tolerance);
    if (best.good) return {};
    char bound[32];
    std::snprintf(bound, sizeof bound, "%.1e", best.bound);
    return std::string("its error of up to ") + bound + " of full scale is above the tolerance";
}

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto& r = std::get<ImageStep>(request);
    const auto& kernel = r.stages.front().kernels.front();
    const auto width = static_cast<double>(r.size.width), height = static_cast<double>(r.size.height);
    constexpr double kSamplesPerMicrosecond = 120;       // per core, both passes and the plane between them
    const auto longer = [](double size, double length) { // the first window of every block
        const auto block = static_cast<double>(RecursiveFilter::block(static_cast<std::int64_t>(size)));
        return 1 + std::ceil(length / block) * size / length;
    };
    return {width * height * r.in.channels * (longer(kernel.width, width) + longer(kernel.height, height)) /
            2 / kSamplesPerMicrosecond / threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    const auto& stage = step.stages.front();
    const auto t = taps(stage.kernels.front());
    const double sigma = std::get<GaussianGenerator>(stage.generator).sigma;
    const auto& best = fit(stage, step.tolerance);
    return std::make_shared<LinePlan>(
        step, std::make_shared<RecursiveFilter>(best.down, gaussian_profile(sigma, t.height), t.anchor_y),
        std::make_shared<RecursiveFilter>(best.along, gaussian_profile(sigma, t.width), t.anchor_x), 1.0f,
        RecursiveFilter::block(t.height));
}

double error(const PlanStep& request) {
    const auto& step = std::get<ImageStep>(request);
    const auto& stage = step.stages.front();
    if (!std::holds_alternative<GaussianGenerator>(stage.generator)) return 0; // a step of another algorithm
    return fit(stage, step.tolerance).bound;
}

} // namespace

extern const Algorithm kRecursive{
    "recursive",
    "Recursive Gaussian",
    "Sliding sums of a few cosines: the same time for any sigma, to a stated error",
    "Sugimoto and Kamata: Fast Gaussian filter with second-order shift property of DCT-5, 2013",
    why_not,
    cost,
    plan,
    false,
    error};

} // namespace kg::cpu
