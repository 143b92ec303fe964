// The sum as defined, with a vector of outputs per instruction. A chunk of outputs stays in the first cache
// while the taps pass over it, window by window, so any number of taps, dilation and stride reads its samples
// from memory once per chunk. Fastest up to some hundred taps of floats, and for integers always.

#include "cpu/kernels/signal_sums.hpp"
#include "cpu/kernels/signal_window.hpp"
#include "cpu/runtime/signal_plan.hpp"

namespace kg::cpu::signals {

namespace {

// Outputs and samples of a window together fill most of a first cache of 32 KB.
constexpr std::int64_t kChunkBytes = 8192, kWindowBytes = 20480;

template <typename T>
class DirectPlan final : public SignalPlan<T> {
public:
    explicit DirectPlan(const SignalRequest& request)
        : SignalPlan<T>(request, kChunkBytes / sizeof(T)),
          windows_(signal_windows(this->taps_, request.stride, std::min(this->chunk(), output_count(request)),
                                  kWindowBytes / sizeof(T))) {
        for (const auto& window : windows_) size_ = std::max(size_, window.size + kSignalSlack);
    }

private:
    void compute(const SignalLine<T>& line, Span outputs, T* out) const override {
        const auto count = outputs.end - outputs.begin, stride = this->request_.stride;
        thread_local std::vector<T> buffer;
        if (std::ssize(buffer) < size_) buffer.resize(static_cast<std::size_t>(size_));
        std::fill_n(out, count, T{0});
        for (const auto& window : windows_) {
            window.load(line, this->first_ + outputs.begin * stride, count, stride, buffer.data());
            add_signal_sums(buffer.data(), window.taps, count, out);
        }
    }

    std::vector<SignalWindow<T>> windows_;
    std::int64_t size_ = 0; ///< of the largest window
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<SignalRequest>(step);
    const auto outputs = static_cast<double>(output_count(request)) * static_cast<double>(request.signals);
    // Relative to f32: a vector holds half as many f64; the product of i32 takes two instructions and that
    // of i64 three or more.
    constexpr double kSlower[] = {1, 2, 2, 8};
    const CoreSpeed speed;
    return {(signal_products(request) * kSlower[request.taps.index()] / speed.taps_per_us +
             outputs / speed.samples_per_us) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return make_signal_plan<DirectPlan>(step);
}

} // namespace

extern const Algorithm kDirect{"direct",
                               "Direct",
                               "Every tap as it is written, a vector of outputs at a time",
                               "the definition (docs/semantics.md 15)",
                               why_not,
                               cost,
                               plan};

} // namespace kg::cpu::signals
