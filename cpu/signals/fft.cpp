// Sums by Fourier transforms: the spectrum of a frame of samples times that of the taps. Frames overlap by
// the reach of the taps, and two of them are transformed at once, as real and imaginary part: the taps are
// real, so the parts stay apart. Fastest from some hundred taps on.
//
// The error of an output is relative to the largest sample of its frames (semantics 12). Frames with samples
// that are not finite, or so large that a transform might overflow, are summed tap by tap.

#include "cpu/kernels/fourier.hpp"
#include "cpu/runtime/signal_plan.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace kg::cpu::signals {

namespace {

constexpr std::int64_t kMostSpan = std::int64_t{1} << 23;

/// The size of a frame and the outputs of each.
struct Frames {
    std::int64_t size = 0, outputs = 0;
    double flops = 0; ///< of all transforms
};

Frames frames_of(const SignalRequest& request) {
    constexpr double kBeyondCache = 1.5; // of the time of a transform in a core's second cache
    constexpr std::int64_t kCachedBytes = std::int64_t{1} << 20;
    const auto span = tap_span(request), count = output_count(request);
    const auto number = request.taps.index() == 0 ? sizeof(float) : sizeof(double);
    const auto all = std::min(count - 1, kMostSpan / request.stride) * request.stride + span;
    const auto bits = [](std::int64_t n) { return std::bit_ceil(static_cast<std::uint64_t>(n)); };
    const auto smallest = std::max(bits(span), std::uint64_t{FourierTransform<float>::kSmallest});
    Frames best;
    for (auto size = smallest; size <= std::max(smallest, bits(all)); size *= 2) {
        Frames frames{static_cast<std::int64_t>(size), 0, 0};
        frames.outputs = (frames.size - span) / request.stride + 1;
        const auto pairs = (count - 1) / (2 * frames.outputs) + 1;
        // A transform of N numbers takes about 5 N log2(N) operations; a pair needs two, and the taps one.
        frames.flops = 5.0 * static_cast<double>(size) * std::countr_zero(size) *
                       static_cast<double>(2 * pairs * request.signals + 1);
        if (frames.size * 2 * static_cast<std::int64_t>(number) > kCachedBytes) frames.flops *= kBeyondCache;
        if (best.size == 0 || frames.flops < best.flops) best = frames;
    }
    return best;
}

template <typename T>
class FftPlan final : public SignalPlan<T> {
public:
    explicit FftPlan(const SignalRequest& request) : FftPlan(request, frames_of(request)) {}

private:
    FftPlan(const SignalRequest& request, const Frames& frames)
        : SignalPlan<T>(request, 2 * frames.outputs, true), outputs_(frames.outputs),
          transform_(static_cast<std::size_t>(frames.size)) {
        const auto size = transform_.size();
        std::vector<double> re(size), im(size);
        double absolute = 0;
        for (const auto& tap : this->taps_) {
            re[static_cast<std::size_t>(tap.place)] = static_cast<double>(tap.weight);
            absolute += std::fabs(static_cast<double>(tap.weight));
        }
        FourierTransform<double>(size).forward(re.data(), im.data());
        // The conjugate makes a correlation of the product, and the inverse transform multiplies by `size`.
        for (std::size_t k = 0; k < size; ++k) {
            taps_re_.push_back(static_cast<T>(re[k] / static_cast<double>(size)));
            taps_im_.push_back(static_cast<T>(-im[k] / static_cast<double>(size)));
        }
        // No number of a transform is larger than the sum of those that it begins with.
        constexpr double kLargest = sizeof(T) == sizeof(float) ? 0x1p126 : 0x1p1022;
        // Taps whose sum overflows are not transformed: no sample, not even 0, is at most -1.
        largest_sample_ = std::isfinite(absolute)
                              ? kLargest / (2 * static_cast<double>(size) * std::max(absolute, 1.0))
                              : -1;
    }

    void compute(const SignalLine<T>& line, Span outputs, T* out) const override {
        const auto size = transform_.size();
        const auto pair = this->chunks_around(outputs);
        thread_local std::vector<T> buffer;
        buffer.assign(2 * size, T{0});
        T *re = buffer.data(), *im = re + size;
        const Span first{pair.begin, std::min(pair.begin + outputs_, pair.end)}, second{first.end, pair.end};
        load(line, first, re);
        load(line, second, im);
        if (fits(buffer)) {
            transform_.forward(re, im);
            multiply_spectra(taps_re_, taps_im_, re, im);
            transform_.inverse(re, im);
            store(re, first, outputs, out);
            store(im, second, outputs, out);
        } else {
            sum(re, first, outputs, out);
            sum(im, second, outputs, out);
        }
    }

    void load(const SignalLine<T>& line, Span frame, T* part) const {
        if (frame.begin >= frame.end) return;
        const auto stride = this->request_.stride;
        line.load(this->first_ + frame.begin * stride,
                  (frame.end - frame.begin - 1) * stride + tap_span(this->request_), 1, part);
    }

    bool fits(const std::vector<T>& samples) const {
        return std::ranges::all_of(
            samples, [&](T x) { return std::fabs(static_cast<double>(x)) <= largest_sample_; }); // not NaN
    }

    /// Calls body(index, place) for the wanted outputs of a frame: the index in `out`, the place in the
    /// frame.
    template <typename Body>
    void for_each(Span frame, Span wanted, Body body) const {
        for (auto i = std::max(frame.begin, wanted.begin); i < std::min(frame.end, wanted.end); ++i)
            body(i - wanted.begin, (i - frame.begin) * this->request_.stride);
    }

    void store(const T* part, Span frame, Span wanted, T* out) const {
        for_each(frame, wanted, [&](std::int64_t i, std::int64_t place) { out[i] = part[place]; });
    }

    void sum(const T* part, Span frame, Span wanted, T* out) const {
        for_each(frame, wanted, [&](std::int64_t i, std::int64_t place) {
            T sum = 0;
            for (const auto& tap : this->taps_) sum = add_product(sum, tap.weight, part[place + tap.place]);
            out[i] = sum;
        });
    }

    std::int64_t outputs_; ///< of a frame
    FourierTransform<T> transform_;
    std::vector<T> taps_re_, taps_im_;
    double largest_sample_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<SignalRequest>(step);
    if (element(request) != Element::f32 && element(request) != Element::f64)
        return "a Fourier transform rounds, and sums of integers are exact";
    if (tap_span(request) > kMostSpan) return "the taps reach over more than 2^23 samples";
    return {};
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<SignalRequest>(step);
    if (tap_span(request) > kMostSpan) return {Cost::kOnlyWhenForced};
    constexpr double kFlopsPerUs[] = {12000, 6000};
    const auto outputs = static_cast<double>(output_count(request) * request.signals);
    return {(frames_of(request).flops / kFlopsPerUs[request.taps.index() != 0] +
             outputs / CoreSpeed().samples_per_us) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    const auto& request = std::get<SignalRequest>(step);
    if (element(request) == Element::f32) return std::make_shared<FftPlan<float>>(request);
    return std::make_shared<FftPlan<double>>(request);
}

template <typename T>
double relative_error(const SignalRequest& request) {
    double absolute = 0;
    for (const auto& tap : placed_taps<T>(request)) absolute += std::fabs(static_cast<double>(tap.weight));
    return 8 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
           std::log2(static_cast<double>(frames_of(request).size)) *
           std::min(absolute, static_cast<double>(std::numeric_limits<T>::max()));
}

double error(const PlanStep& step) {
    const auto& request = std::get<SignalRequest>(step);
    return element(request) == Element::f32 ? relative_error<float>(request)
                                            : relative_error<double>(request);
}

} // namespace

extern const Algorithm kFft{"fft",
                            "Fourier transform",
                            "Overlapping frames times the spectrum of the taps, two frames at once",
                            "Stockham 1966, High-speed convolution and correlation (overlap-save)",
                            why_not,
                            cost,
                            plan,
                            false,
                            error};

} // namespace kg::cpu::signals
