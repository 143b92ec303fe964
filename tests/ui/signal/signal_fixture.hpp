#pragma once
// The window in its workspace Signal.

#include "app/io/signals/signal_file.hpp"
#include "app/process/sample_signal.hpp"
#include "tests/ui/support/own_workspace_fixture.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace kg::testing {

class SignalTest : public OwnWorkspaceTest {
protected:
    SignalTest() : OwnWorkspaceTest(Workspace::signal, "signal") {}

    SignalDocument& signal() { return playground_->signal().signal(); }
    SignalPlots& plots() { return playground_->signal().plots(); }

    /// Tones in stereo, as a file.
    fs::path wav(const std::string& name = "it's a \"voice\" $x [1].wav", int channels = 2) const {
        std::vector<float> numbers;
        for (int channel = 0; channel < channels; ++channel)
            for (int i = 0; i < 8000; ++i)
                numbers.push_back(0.5f * static_cast<float>(
                                             std::sin(2 * std::numbers::pi * 0.125 * (channel + 1) * i / 2)));
        return written(name, {std::move(numbers), channels, 8000, {}});
    }
    fs::path written(const std::string& name, const SignalData& data) const {
        const auto path = folder_ / name;
        write_file(path, write_signals(data, signal_format(path.extension().string())).bytes);
        return path;
    }
};

} // namespace kg::testing
