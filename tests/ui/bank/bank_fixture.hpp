#pragma once
// The window in its workspace Bank.

#include "app/io/tensors/tensor_file.hpp"
#include "tests/support/safetensors.hpp"
#include "tests/ui/support/own_workspace_fixture.hpp"

#include <string>
#include <vector>

namespace kg::testing {

class BankTest : public OwnWorkspaceTest {
protected:
    BankTest() : OwnWorkspaceTest(Workspace::bank, "bank") {}

    BankDocument& bank() { return playground_->bank().bank(); }

    fs::path array(const std::string& name, const BatchShape& shape) const {
        const auto path = folder_ / name;
        std::vector<float> numbers(static_cast<std::size_t>(shape.count()));
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 11) - 4;
        write_file(path, write_batch({shape, Layout::nchw, std::move(numbers)}));
        return path;
    }
    /// A layer of weights of this shape, "conv1.weight", with its bias.
    fs::path layer(const std::string& name, std::int64_t filters, std::int64_t channels,
                   Extent kernel) const {
        const auto path = folder_ / name;
        NamedTensor weights{"conv1.weight", {filters, channels, kernel.height, kernel.width}, {}};
        for (std::int64_t i = 0; i < filters * channels * kernel.height * kernel.width; ++i)
            weights.numbers.push_back(static_cast<float>(i % 7) - 3);
        NamedTensor bias{"conv1.bias", {filters}, {}};
        for (std::int64_t k = 0; k < filters; ++k) bias.numbers.push_back(static_cast<float>(k));
        write_file(path, safetensors_bytes({weights, bias}));
        return path;
    }
};

} // namespace kg::testing
