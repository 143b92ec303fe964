#include "app/bench/tensor_cases.hpp"

#include "measure/bank_work.hpp"

#include <memory>
#include <random>
#include <utility>

namespace kg {

namespace {

struct BankShape {
    std::int64_t items, channels;
    Extent size;
    std::int64_t filters;
    Extent kernel;
    std::int64_t stride = 1;
};

measure::BankCase bank_case(const BankShape& shape, std::string title) {
    measure::BankCase made{{}, std::move(title)};
    auto& r = made.request;
    r.items = shape.items;
    r.size = shape.size;
    r.channels = shape.channels;
    r.filters = shape.filters;
    r.kernel = shape.kernel;
    r.stride = {shape.stride, shape.stride};
    r.weights.resize(static_cast<std::size_t>(r.filters * term_count(r)));
    std::mt19937 random(7);
    for (auto& weight : r.weights) weight = static_cast<float>(random()) * 0x1p-31f - 1;
    return made;
}

constexpr Extent kSeedSize{768, 512};

measure::BankCase of_channels(std::int64_t channels, Extent size, std::int64_t kernel,
                              std::string title = "the text's sizes") {
    return bank_case({1, channels, size, channels, {kernel, kernel}}, std::move(title));
}

measure::TensorWorks bank_sizes() {
    // The text names the first and the last one.
    constexpr Extent kSizes[] = {kSeedSize,    {1024, 768},  {1280, 960},
                                 {1600, 1200}, {1920, 1440}, {1920, 2400}};
    measure::TensorWorks group{"sizes", {}};
    for (const std::int64_t channels : {3, 6})
        for (const std::int64_t kernel : {3, 6})
            for (const auto size : kSizes)
                if (size != kSeedSize || kernel != 6) // in the first group
                    group.works.push_back(tensor_work(of_channels(channels, size, kernel)));
    return group;
}

measure::TensorWorks bank_kernels() {
    measure::TensorWorks group{"kernels", {}};
    for (const std::int64_t kernel : {5, 7, 9, 11, 15})
        group.works.push_back(tensor_work(of_channels(6, kSeedSize, kernel, "kernel sizes")));
    return group;
}

measure::TensorWorks bank_layouts() {
    measure::TensorWorks group{"layouts", {}};
    for (const auto layout : {Layout::nchw, Layout::nhwc, Layout::chwn}) {
        auto one = bank_case({4, 6, kSeedSize, 6, {3, 3}}, "layouts");
        one.layout = layout;
        group.works.push_back(tensor_work(std::move(one)));
    }
    return group;
}

measure::TensorWorks bank_padding() {
    constexpr std::int64_t kKernel = 5;
    constexpr Extent kPadded{kSeedSize.width + kKernel - 1, kSeedSize.height + kKernel - 1};
    measure::TensorWorks group{"padding", {}};
    for (const auto border : {Border::zero, Border::replicate, Border::reflect101}) {
        auto one = of_channels(6, kSeedSize, kKernel, "as many outputs as numbers");
        one.request.padding = {2, 2, 2, 2};
        one.request.border = border;
        group.works.push_back(tensor_work(std::move(one)));
    }
    group.works.push_back(tensor_work(of_channels(6, kPadded, kKernel, "a tensor with its border")));
    return group;
}

constexpr BankShape kLayers[] = {
    {128, 3, {225, 225}, 32, {3, 3}, 2},   {49, 128, {35, 35}, 384, {3, 3}, 2},
    {16, 128, {105, 105}, 256, {3, 3}, 2}, {128, 3, {230, 230}, 64, {7, 7}, 2},
    {2, 3, {1350, 838}, 64, {7, 7}, 2},    {256, 256, {28, 28}, 256, {2, 2}, 2},
    {128, 3, {225, 225}, 32, {3, 3}, 1},
};

/// Without a stride, as Winograd's algorithms need it.
constexpr BankShape kDenseLayers[] = {
    {49, 128, {35, 35}, 384, {3, 3}},
    {32, 64, {58, 58}, 64, {3, 3}},
    {32, 128, {30, 30}, 128, {3, 3}},
    {32, 256, {16, 16}, 256, {3, 3}},
};

/// Large kernels of several channels, where Fourier transforms may be fastest.
constexpr BankShape kLargeKernels[] = {
    {1, 6, kSeedSize, 6, {6, 6}},      {1, 6, kSeedSize, 6, {15, 15}},    {1, 256, {30, 30}, 256, {3, 3}},
    {1, 64, {112, 112}, 64, {3, 3}},   {1, 64, {112, 112}, 64, {5, 5}},   {1, 64, {112, 112}, 64, {7, 7}},
    {1, 64, {112, 112}, 64, {11, 11}}, {1, 16, {256, 256}, 16, {31, 31}},
};

measure::TensorWorks bank_layers() {
    measure::TensorWorks group{"layers", {}};
    for (const auto& layer : kLayers)
        group.works.push_back(tensor_work(bank_case(layer, "layers of networks")));
    return group;
}

/// A tolerance above the bounds of all algorithms that are not exact.
std::shared_ptr<const measure::TensorWork> tolerant(measure::BankCase one, double tolerance = 1) {
    one.request.tolerance = tolerance;
    return tensor_work(std::move(one));
}

measure::TensorWorks bank_tolerance() {
    measure::TensorWorks group{"tolerance", {}};
    group.works.push_back(tolerant(of_channels(6, kSeedSize, 6, "under a tolerance")));
    for (const auto& layer : kLayers)
        group.works.push_back(tolerant(bank_case(layer, "layers of networks under a tolerance")));
    constexpr double kOfManyChannels = 1000; // F(4 x 4, 3 x 3) adds large numbers that cancel
    for (const auto& layer : kDenseLayers)
        group.works.push_back(
            tolerant(bank_case(layer, "layers of networks under a tolerance"), kOfManyChannels));
    return group;
}

measure::TensorWorks bank_large() {
    constexpr double kOfLargeKernels = 10;
    measure::TensorWorks group{"large", {}};
    for (const auto& large : kLargeKernels)
        group.works.push_back(tolerant(bank_case(large, "large kernels under a tolerance"), kOfLargeKernels));
    return group;
}

} // namespace

std::vector<measure::TensorWorks> bank_cases() {
    measure::TensorWorks seed{"seed", {}};
    for (const std::int64_t channels : {6, 3})
        seed.works.push_back(tensor_work(of_channels(channels, kSeedSize, 6, "the text's experiment")));
    return {seed,           bank_sizes(),  bank_kernels(),   bank_layouts(),
            bank_padding(), bank_layers(), bank_tolerance(), bank_large()};
}

} // namespace kg
