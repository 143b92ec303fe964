#include "measure/volume_work.hpp"

#include "core/plan/volume_verification.hpp"

#include <cstring>
#include <random>

namespace kg::measure {

namespace {

class VolumeWork final : public TensorWork {
public:
    explicit VolumeWork(VolumeCase of) : TensorWork(of.request), case_(std::move(of)) {}

    std::string_view kind() const override { return "volume"; }
    std::span<const Algorithm* const> algorithms(const Engine& engine) const override {
        return engine.volume_algorithms();
    }
    std::span<const Algorithm* const> algorithms(const peers::Peer&) const override { return {}; }

    std::size_t source_bytes() const override { return sizeof(float) * static_cast<std::size_t>(samples()); }
    std::size_t result_bytes() const override { return source_bytes(); }
    void fill(std::byte* to) const override {
        std::mt19937 random(1);
        for (std::int64_t i = 0; i < samples(); ++i, to += sizeof(float)) {
            const float number = static_cast<float>(random()) * 0x1p-31f - 1;
            std::memcpy(to, &number, sizeof number);
        }
    }
    ConstTensorView source(const std::byte* all, std::int64_t) const override {
        const auto row = static_cast<std::size_t>(r().size.width) * sizeof(float);
        return {all,
                {Element::f32, tensor_slices(r()), sizeof(float),
                 row * static_cast<std::size_t>(r().size.height)},
                row,
                {r().size.width, r().size.height}};
    }
    ConstTensorView result(const std::byte* all, std::int64_t item) const override {
        return source(all, item);
    }
    TensorVerifier verifier(const std::byte* sources, const std::stop_token& stop) const override {
        return [this, reference = reference_volume(r(), source(sources, 0), stop)](
                   const std::byte* results, const Algorithm*, const std::stop_token&) {
            return compare_with_reference(r(), reference, result(results, 0));
        };
    }

    ReportRow row() const override {
        const auto &volume = r().size, &kernel = r().kernel.size;
        ReportRow row;
        const auto taps = static_cast<std::int64_t>(placed_taps(r()).size());
        const bool sparse = !has_factors(r().kernel) && taps < kernel.width * kernel.height * kernel.depth;
        row.name = extents(volume) + "/" + (has_factors(r().kernel) ? "separable" : "dense") + "/k" +
                   extents(kernel) + (sparse ? "/taps" + std::to_string(taps) : "") + "/steps" +
                   std::to_string(r().steps) + (r().second_order ? "/wave" : "") + "/" +
                   std::string(name(r().border));
        row.filter = case_.title;
        row.width = volume.width;
        row.height = volume.height;
        row.kernel_width = static_cast<int>(kernel.width);
        row.kernel_height = static_cast<int>(kernel.height);
        row.depth = "f32";
        row.border = name(r().border);
        row.channels = static_cast<int>(tensor_slices(r()));
        row.separable = has_factors(r().kernel);
        row.outputs = samples();
        return row;
    }
    double products() const override {
        const auto& kernel = r().kernel.size;
        return products_of(has_factors(r().kernel)
                               ? static_cast<double>(kernel.width + kernel.height + kernel.depth)
                               : static_cast<double>(placed_taps(r()).size()));
    }
    /// It sums every tap, also those of a product of factors.
    ReferenceProducts reference_products() const override {
        const auto& kernel = r().kernel.size;
        return {has_factors(r().kernel)
                    ? products_of(static_cast<double>(kernel.width * kernel.height * kernel.depth))
                    : products(),
                0};
    }

private:
    const VolumeRequest& r() const { return case_.request; }
    double products_of(double taps) const {
        const auto& volume = r().size;
        return taps * static_cast<double>(volume.width * volume.height * volume.depth) *
               static_cast<double>(r().steps);
    }
    std::int64_t samples() const { return r().size.width * r().size.height * tensor_slices(r()); }
    static std::string extents(const VolumeExtent& e) {
        return std::to_string(e.width) + "x" + std::to_string(e.height) + "x" + std::to_string(e.depth);
    }

    VolumeCase case_;
};

} // namespace

std::shared_ptr<const TensorWork> tensor_work(VolumeCase of) {
    validate(of.request);
    return std::make_shared<VolumeWork>(std::move(of));
}

} // namespace kg::measure
