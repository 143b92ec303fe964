#include "measure/signal_work.hpp"

#include "measure/signal_verifier.hpp"

#include <algorithm>
#include <cstring>
#include <random>

namespace kg::measure {

namespace {

std::string size_text(const SignalRequest& r) {
    return std::to_string(r.samples) + "x" + std::to_string(r.signals) + "/m" + std::to_string(tap_count(r)) +
           (r.dilation > 1 ? "/d" + std::to_string(r.dilation) : "") +
           (r.stride > 1 ? "/u" + std::to_string(r.stride) : "");
}

template <typename T>
void fill_signals(const SignalCase& of, std::byte* to) {
    std::mt19937_64 random(1);
    for (std::int64_t y = 0; y < of.request.signals; ++y)
        for (std::int64_t x = 0; x < of.request.samples; ++x, to += sizeof(T)) {
            T number{};
            if (of.sample) number = static_cast<T>(of.sample(x));
            else if constexpr (std::is_integral_v<T>) number = static_cast<T>(random());
            else number = static_cast<T>(static_cast<double>(random() >> 11) * 0x1p-52 - 1);
            std::memcpy(to, &number, sizeof number);
        }
}

class SignalWork final : public TensorWork {
public:
    explicit SignalWork(SignalCase of) : TensorWork(of.request), case_(std::move(of)) {}

    std::string_view kind() const override { return "signal"; }
    std::span<const Algorithm* const> algorithms(const Engine& engine) const override {
        return engine.signal_algorithms();
    }
    std::span<const Algorithm* const> algorithms(const peers::Peer& peer) const override {
        return peer.signals;
    }

    std::size_t source_bytes() const override { return bytes_of(r().samples); }
    std::size_t result_bytes() const override { return bytes_of(output_count(r())); }
    void fill(std::byte* to) const override {
        std::visit([&]<typename T>(const std::vector<T>&) { fill_signals<T>(case_, to); }, r().taps);
    }
    ConstTensorView source(const std::byte* all, std::int64_t) const override {
        return view(all, r().samples);
    }
    ConstTensorView result(const std::byte* all, std::int64_t) const override {
        return view(all, output_count(r()));
    }
    TensorVerifier verifier(const std::byte* sources, const std::stop_token&) const override {
        return [this, verifier = SignalVerifier(r(), source(sources, 0))](
                   const std::byte* results, const Algorithm* algorithm, const std::stop_token& stop) {
            return verifier.verify(result(results, 0), algorithm, stop);
        };
    }

    ReportRow row() const override {
        ReportRow row;
        row.name = std::string(name(element(r()))) + "/" + size_text(r()) + "/" +
                   std::string(name(r().mode)) + "/" + std::string(name(r().border));
        row.filter = case_.title;
        row.width = r().samples;
        row.height = r().signals;
        row.kernel_width = static_cast<int>(tap_count(r()));
        row.kernel_height = 1;
        row.depth = name(element(r()));
        row.border = name(r().border);
        row.channels = 1;
        row.outputs = output_count(r()) * r().signals;
        return row;
    }
    double products() const override { return element(r()) == Element::f32 ? all_products() : 0; }
    ReferenceProducts reference_products() const override {
        return {0, std::min(all_products(), kMostSignalProducts)};
    }

private:
    double all_products() const {
        return static_cast<double>(output_count(r())) * static_cast<double>(r().signals) *
               static_cast<double>(tap_count(r()));
    }
    const SignalRequest& r() const { return case_.request; }
    std::size_t bytes_of(std::int64_t samples) const {
        return static_cast<std::size_t>(samples * r().signals) * bytes(element(r()));
    }
    ConstTensorView view(const std::byte* at, std::int64_t samples) const {
        const auto number = bytes(element(r()));
        return {at,
                {element(r()), 1, number, number},
                static_cast<std::size_t>(samples) * number,
                {samples, r().signals}};
    }

    SignalCase case_;
};

} // namespace

std::shared_ptr<const TensorWork> tensor_work(SignalCase of) {
    return std::make_shared<SignalWork>(std::move(of));
}

} // namespace kg::measure
