// im2col and a matrix product: the numbers under one tap of many outputs become a row of a matrix, and the
// weights times this matrix are the outputs. The matrix is unrolled for one chain of terms at a time, so that
// it stays in the second cache; rows of outputs follow each other in it without gaps, which serves small
// images. Source: Chellapilla, Puri and Simard, "High performance convolutional neural networks for document
// processing", IWFHR 2006; blocks as in Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 2008.

#include "cpu/kernels/bank_sums.hpp"
#include "cpu/kernels/bank_weights.hpp"
#include "cpu/runtime/bank_plan.hpp"

#include <algorithm>

namespace kg::cpu::banks {

namespace {

constexpr std::int64_t kFilters = 96, kOutputs = 512, kLongestChain = 256;

Extent tile_of(const BankRequest& request) {
    const auto size = output_size(request);
    const auto width = std::min(size.width, kOutputs);
    return {width, std::clamp<std::int64_t>(kOutputs / width, 1, size.height)};
}

class Im2colGemmPlan final : public BankPlan {
public:
    explicit Im2colGemmPlan(const BankRequest& request)
        : BankPlan(request, tile_of(request), kFilters), chains_(bank_chains(request, kLongestChain)),
          weights_(request, kFilters) {}

private:
    void compute(const BankSource& source, const BankTile& tile, const BankTarget& target) const override {
        thread_local std::vector<float> matrix, sums;
        thread_local std::vector<std::int64_t> places;
        const auto& outputs = tile.outputs;
        const auto count = outputs.width * outputs.height, pitch = count + kBankSlack,
                   filters = tile.filters.end - tile.filters.begin;
        sums.resize(static_cast<std::size_t>(filters * pitch));
        for (std::int64_t f = 0; f < filters; ++f)
            std::fill_n(sums.begin() + f * pitch, pitch, bias(tile.filters.begin + f));
        for (const auto chain : chains_) {
            const auto terms = chain.end - chain.begin;
            matrix.resize(static_cast<std::size_t>(terms * count + kBankSlack));
            places.resize(static_cast<std::size_t>(terms));
            for (std::int64_t t = 0; t < terms; ++t) {
                places[static_cast<std::size_t>(t)] = t * count;
                unroll(source, tile, chain.begin + t, matrix.data() + t * count);
            }
            std::fill_n(matrix.begin() + terms * count, kBankSlack, 0.0f);
            weights_.add_sums(matrix.data(), places, tile.filters, chain, count, sums.data(), pitch);
        }
        for (std::int64_t f = 0; f < filters; ++f)
            for (std::int64_t y = 0; y < outputs.height; ++y)
                target.store(tile.filters.begin + f, outputs.x, outputs.y + y,
                             sums.data() + f * pitch + y * outputs.width, outputs.width);
    }

    /// A row of the matrix: what the tap `term` has to multiply for each output.
    void unroll(const BankSource& source, const BankTile& tile, std::int64_t term, float* row) const {
        const auto& r = request_;
        const auto of_channel = r.kernel.width * r.kernel.height;
        const auto channel = tile.filters.begin / group_filters(r) * group_channels(r) + term / of_channel,
                   i = term % of_channel / r.kernel.width, j = term % r.kernel.width;
        for (std::int64_t y = 0; y < tile.outputs.height; ++y, row += tile.outputs.width)
            source.load(channel, (tile.outputs.y + y) * r.stride.rows + i * r.dilation.rows - r.padding.top,
                        tile.outputs.x * r.stride.columns + j * r.dilation.columns - r.padding.left,
                        tile.outputs.width, r.stride.columns, row);
    }

    const std::vector<BankChain> chains_;
    const BankWeights weights_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    return bank_chains(std::get<BankRequest>(step), kLongestChain).empty()
               ? "its sums of so many products would exceed the error of docs/semantics.md 16"
               : "";
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& r = std::get<BankRequest>(step);
    const double block = static_cast<double>(bank_block(group_filters(r)));
    // A number is unrolled once for all filters of a tile.
    const double products = bank_products(r),
                 unrolled = products / static_cast<double>(std::min(group_filters(r), kFilters));
    return {(products / (CoreSpeed().taps_per_us * (block >= 4 ? 1.0 : 0.5)) +
             unrolled / (r.stride.columns == 1 ? 5000 : 1200)) /
            threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return std::make_shared<Im2colGemmPlan>(std::get<BankRequest>(step));
}

} // namespace

extern const Algorithm kIm2colGemm{
    "im2col_gemm",
    "im2col and GEMM",
    "The numbers under each tap become rows of a matrix, which the weights multiply",
    "Chellapilla, Puri and Simard, High performance convolutional neural networks, 2006",
    why_not,
    cost,
    plan};

} // namespace kg::cpu::banks
