#include "app/editor/bank/drawn_bank.hpp"

#include "app/editor/document/kernel_edits.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

BankWeights sobel_pair() {
    return {2, 1, {3, 3}, {-1, 0, 1, -2, 0, 2, -1, 0, 1, -1, -2, -1, 0, 0, 0, 1, 2, 1}};
}

/// The index of the first weight of the k-th kernel.
std::ptrdiff_t begin_of(const BankWeights& bank, std::int64_t k) {
    return static_cast<std::ptrdiff_t>(k * bank.kernel.width * bank.kernel.height);
}

} // namespace

BankWeights kernels_to_draw(const BankRequest* request) {
    if (!request || group_channels(*request) != 1) return sobel_pair();
    const auto filters = group_filters(*request),
               longer = std::max(request->kernel.width, request->kernel.height);
    if (filters > kMostDrawnKernels || longer > kMostDrawnSize) return sobel_pair();
    const auto one = filters * request->kernel.width * request->kernel.height;
    const auto begin = request->weights.begin();
    for (std::int64_t group = 1; group < request->groups; ++group) // the same for every channel
        if (!std::equal(begin, begin + one, begin + group * one)) return sobel_pair();
    return {filters, 1, request->kernel, {begin, begin + one}};
}

Kernel kernel_of(const BankWeights& bank, std::int64_t k) {
    const auto begin = bank.numbers.begin() + begin_of(bank, k);
    return make_kernel(static_cast<int>(bank.kernel.width), static_cast<int>(bank.kernel.height),
                       {begin, begin + begin_of(bank, 1)});
}

BankWeights with_kernel(BankWeights bank, std::int64_t k, const Kernel& kernel) {
    const auto fitting = resized(kernel, static_cast<int>(bank.kernel.width),
                                 static_cast<int>(bank.kernel.height));
    std::ranges::transform(fitting.weights, bank.numbers.begin() + begin_of(bank, k),
                           [&](float weight) { return weight / fitting.divisor; });
    return bank;
}

BankWeights resized(const BankWeights& bank, std::int64_t filters, Extent kernel) {
    const auto within = [](std::int64_t number, std::int64_t most) {
        return std::clamp<std::int64_t>(number, 1, most);
    };
    filters = within(filters, kMostDrawnKernels);
    kernel = {within(kernel.width, kMostDrawnSize), within(kernel.height, kMostDrawnSize)};
    BankWeights made{filters, 1, kernel, {}};
    made.numbers.resize(static_cast<std::size_t>(begin_of(made, filters)));
    for (std::int64_t k = 0; k < std::min(filters, bank.filters); ++k)
        made = with_kernel(std::move(made), k, kernel_of(bank, k));
    return made;
}

} // namespace kg
