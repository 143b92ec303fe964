#pragma once
// A signal, what is done with it, and what comes of it.

#include "app/editor/signal/envelope.hpp"
#include "app/editor/signal/signal_edit.hpp"
#include "app/editor/signal/spectrum.hpp"
#include "app/process/signal_job.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace kg {

/// An open file, or the generated sample.
struct SignalSource {
    std::filesystem::path path; ///< empty = the sample
    std::string title;
    std::string bytes;                      ///< of the file: other types are read from them
    std::shared_ptr<const SignalData> data; ///< of the type of the file
};

/// The generated sample.
std::shared_ptr<const SignalSource> sample_source();
/// Throws Error that names the file.
std::shared_ptr<const SignalSource> read_source(const std::filesystem::path& path);
/// The data in the type and at the rate of the edit. Throws Error that names the file.
std::shared_ptr<const SignalData> data_of(const SignalSource& source, const SignalEdit& edit);

/// A channel as it is drawn.
struct SignalChannel {
    Envelope envelope;
    Spectrum spectrum;
};

struct SignalResult {
    std::shared_ptr<const SignalSource> source;
    SignalEdit edit;
    std::shared_ptr<const SignalData> before;
    std::shared_ptr<const SignalOutcome> outcome;
    std::string notice; ///< why another engine computed; may be empty

    std::vector<double> taps; ///< in the order in which they are given
    SignalMode mode = SignalMode::same;
    Border border = Border::zero;
    bool flip = false;
    std::optional<std::int64_t> anchor; ///< of the preset, or of the edit
    double stride = 1;                  ///< samples from an output to the next
    double shift = 0;                   ///< samples from the first one before to the first one after

    std::int64_t channel = 0; ///< the following are of it
    SignalChannel signal, filtered;
    Spectrum gain;

    /// Samples per second; 1 where it is not known.
    double rate() const { return before->rate == 0 ? 1 : before->rate; }
};

struct SignalJob {
    std::shared_ptr<const SignalSource> source;
    SignalEdit edit;
    std::int64_t channel = 0;
    EngineOptions engines;
    std::shared_ptr<const SignalResult> latest; ///< what did not change is taken from it; may be null
};

/// Throws the errors of the recipe and of the engines, and Cancelled.
std::shared_ptr<const SignalResult> compute(const SignalJob& job, const std::stop_token& stop);

} // namespace kg
