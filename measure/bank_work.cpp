#include "measure/bank_work.hpp"

#include "core/plan/bank_verification.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cstring>
#include <random>

namespace kg::measure {

namespace {

std::string times(std::int64_t a, std::int64_t b) { return std::to_string(a) + "x" + std::to_string(b); }

std::string padding_text(const Padding& p) {
    if (p == Padding{}) return {};
    const bool even = p == Padding{p.top, p.left, p.top, p.left};
    return "/p" + times(p.top, p.left) + (even ? "" : "x" + times(p.bottom, p.right));
}

/// Outputs of one item that are verified.
struct SampledItem {
    std::int64_t item;
    std::vector<BankOutput> outputs;
};

class BankWork final : public TensorWork {
public:
    BankWork(BankCase of, double most_products)
        : TensorWork(of.request), case_(std::move(of)),
          most_products_(most_products), from_{r().items, r().channels, r().size}, to_{r().items, r().filters,
                                                                                       output_size(r())} {}

    std::string_view kind() const override { return "bank"; }
    std::span<const Algorithm* const> algorithms(const Engine& engine) const override {
        return engine.bank_algorithms();
    }
    std::span<const Algorithm* const> algorithms(const peers::Peer& peer) const override {
        return peer.banks;
    }

    std::size_t source_bytes() const override {
        return sizeof(float) * static_cast<std::size_t>(from_.count());
    }
    std::size_t result_bytes() const override {
        return sizeof(float) * static_cast<std::size_t>(to_.count());
    }
    void fill(std::byte* to) const override {
        std::mt19937 random(1);
        for (std::int64_t i = 0; i < from_.count(); ++i, to += sizeof(float)) {
            const float number = static_cast<float>(random()) * 0x1p-31f - 1;
            std::memcpy(to, &number, sizeof number);
        }
    }
    std::int64_t items() const override { return r().items; }
    ConstTensorView source(const std::byte* all, std::int64_t item) const override {
        return batch_item(reinterpret_cast<const float*>(all), from_, case_.layout, item);
    }
    ConstTensorView result(const std::byte* all, std::int64_t item) const override {
        return batch_item(reinterpret_cast<const float*>(all), to_, case_.layout, item);
    }
    TensorVerifier verifier(const std::byte* sources, const std::stop_token& stop) const override {
        if (products() <= most_products_)
            return [this, sources](const std::byte* results, const Algorithm* algorithm,
                                   const std::stop_token& stop_it) {
                Verification all;
                for (std::int64_t n = 0; n < items(); ++n)
                    include(all,
                            compare_with_reference(r(), source(sources, n), result(results, n), algorithm,
                                                   stop_it),
                            "item " + std::to_string(n));
                return all;
            };
        auto samples = sampled_items();
        for (auto& one : samples) expect_outputs(r(), source(sources, one.item), one.outputs, stop);
        return [this, sources, samples = std::move(samples)](
                   const std::byte* results, const Algorithm* algorithm, const std::stop_token&) {
            Verification all;
            for (const auto& [item, outputs] : samples)
                include(all,
                        compare_outputs(r(), result(results, item), outputs,
                                        stated_bank_error(r(), source(sources, item), algorithm)),
                        "item " + std::to_string(item));
            return all;
        };
    }
    ReferenceProducts reference_products() const override {
        if (products() <= most_products_) return {0, products()};
        return {static_cast<double>(sampled_outputs() * term_count(r())), 0};
    }

    ReportRow row() const override {
        ReportRow row;
        row.name =
            std::string(name(case_.layout)) + "/n" + std::to_string(r().items) + "/c" +
            std::to_string(r().channels) + "/" + times(r().size.width, r().size.height) + "/to" +
            std::to_string(r().filters) + "/k" + times(r().kernel.width, r().kernel.height) +
            (r().stride == RowsAndColumns{} ? "" : "/u" + times(r().stride.rows, r().stride.columns)) +
            (r().dilation == RowsAndColumns{} ? "" : "/d" + times(r().dilation.rows, r().dilation.columns)) +
            padding_text(r().padding) + (r().groups > 1 ? "/g" + std::to_string(r().groups) : "") + "/" +
            std::string(name(r().border)) + (r().tolerance > 0 ? "/t" + to_text(r().tolerance) : "");
        row.filter = case_.title;
        row.width = r().size.width;
        row.height = r().size.height;
        row.kernel_width = static_cast<int>(r().kernel.width);
        row.kernel_height = static_cast<int>(r().kernel.height);
        row.depth = "f32";
        row.border = name(r().border);
        row.channels = static_cast<int>(r().channels);
        row.tolerance = r().tolerance;
        row.outputs = to_.count();
        return row;
    }
    double products() const override {
        return static_cast<double>(to_.count()) * static_cast<double>(term_count(r()));
    }

private:
    const BankRequest& r() const { return case_.request; }

    std::int64_t sampled_outputs() const {
        constexpr std::int64_t kFewest = 64;
        return std::max(kFewest,
                        static_cast<std::int64_t>(most_products_ / static_cast<double>(term_count(r()))));
    }

    /// Items in their order, so that the numbers of one are read together.
    std::vector<SampledItem> sampled_items() const {
        constexpr std::int64_t kMostItems = 4;
        const auto outputs = sampled_outputs(), count = std::min(kMostItems, items());
        std::mt19937_64 random(5);
        const auto below = [&](std::int64_t end) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
        };
        std::vector<SampledItem> all;
        for (std::int64_t i = 0; i < count; ++i) {
            auto& one = all.emplace_back(count == 1 ? 0 : i * (items() - 1) / (count - 1));
            for (const auto k : {std::int64_t{0}, r().filters - 1})
                for (const auto p : {std::int64_t{0}, to_.size.height - 1})
                    for (const auto q : {std::int64_t{0}, to_.size.width - 1})
                        one.outputs.push_back({k, p, q});
            while (std::ssize(one.outputs) < outputs / count)
                one.outputs.push_back({below(r().filters), below(to_.size.height), below(to_.size.width)});
        }
        return all;
    }

    BankCase case_;
    double most_products_;
    BatchShape from_, to_;
};

} // namespace

std::shared_ptr<const TensorWork> tensor_work(BankCase of, double most_products) {
    validate(of.request);
    return std::make_shared<BankWork>(std::move(of), most_products);
}

} // namespace kg::measure
