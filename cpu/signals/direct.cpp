// The sum as defined, with a vector of outputs per instruction. A chunk of outputs stays in the first cache
// while the taps pass over it, window by window, so any number of taps, dilation and stride reads its samples
// from memory once per chunk. Fastest up to some hundred taps of floats, and for integers always.

#include "cpu/kernels/signal_sums.hpp"
#include "cpu/kernels/signal_window.hpp"
#include "cpu/runtime/signal_plan.hpp"

#include <limits>
#include <type_traits>

namespace kg::cpu::signals {

namespace {

// Outputs and samples of a window together fill most of a first cache of 32 KB.
constexpr std::int64_t kChunkBytes = 8192, kWindowBytes = 20480;

/// Taps that follow each other and share loads: four vectors of them.
constexpr std::ptrdiff_t kFewestDense = 64;

template <typename T>
class DirectPlan final : public SignalPlan<T> {
public:
    explicit DirectPlan(const SignalRequest& request)
        : SignalPlan<T>(request, kChunkBytes / sizeof(T)),
          windows_(signal_windows(this->taps_, request.stride, std::min(this->chunk(), output_count(request)),
                                  kWindowBytes / sizeof(T))) {
        for (const auto& window : windows_) {
            size_ = std::max(size_, window.size + kSignalSlack);
            parts_.push_back(parts_of(window.taps));
        }
    }

private:
    /// Taps of a window at places that follow each other, or others.
    struct Part {
        std::int64_t place = 0; ///< of the first weight
        std::vector<T> weights; ///< empty for others
        std::span<const PlacedTap<T>> others;
    };

    static std::vector<Part> parts_of(const std::vector<PlacedTap<T>>& taps) {
        // Products of integers take longer than loads.
        constexpr auto kFewest = std::is_integral_v<T> ? std::numeric_limits<std::ptrdiff_t>::max()
                                                       : kFewestDense;
        std::vector<Part> parts;
        auto sparse = taps.begin();
        const auto close = [&](auto end) {
            if (sparse != end) parts.push_back({0, {}, {sparse, end}});
        };
        for (auto begin = taps.begin(); begin != taps.end();) {
            auto end = begin + 1;
            while (end != taps.end() && end->place == (end - 1)->place + 1) ++end;
            if (end - begin >= kFewest) {
                close(begin);
                parts.push_back({begin->place, {}, {}});
                for (auto tap = begin; tap != end; ++tap) parts.back().weights.push_back(tap->weight);
                sparse = end;
            }
            begin = end;
        }
        close(taps.end());
        return parts;
    }

    void compute(const SignalLine<T>& line, Span outputs, T* out) const override {
        const auto count = outputs.end - outputs.begin, stride = this->request_.stride;
        thread_local std::vector<T> buffer;
        if (std::ssize(buffer) < size_) buffer.resize(static_cast<std::size_t>(size_));
        std::fill_n(out, count, T{0});
        for (std::size_t i = 0; i < windows_.size(); ++i) {
            windows_[i].load(line, this->first_ + outputs.begin * stride, count, stride, buffer.data());
            for (const auto& part : parts_[i]) add(buffer.data(), part, count, out);
        }
    }

    static void add(const T* window, const Part& part, std::int64_t count, T* out) {
        if constexpr (std::is_floating_point_v<T>)
            if (!part.weights.empty())
                return add_dense_signal_sums(window + part.place, part.weights, count, out);
        add_signal_sums(window, part.others, count, out);
    }

    std::vector<SignalWindow<T>> windows_;
    std::vector<std::vector<Part>> parts_; ///< of each window
    std::int64_t size_ = 0;                ///< of the largest window
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<SignalRequest>(step);
    const auto outputs = static_cast<double>(output_count(request)) * static_cast<double>(request.signals);
    // By type, on two cores with AVX-512. Fewer taps share no loads.
    constexpr double kProductsPerUs[] = {45000, 26000, 20000, 3700},
                     kOfFewTaps[] = {18000, 10000, 20000, 3700};
    const auto type = request.taps.index();
    const double speed = tap_count(request) < kFewestDense ? kOfFewTaps[type] : kProductsPerUs[type];
    return {(signal_products(request) / speed + outputs / CoreSpeed().samples_per_us) / threads_of(engine)};
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
