#pragma once
// The readers and writers behind signal_file.hpp, one file each.

#include "app/io/signals/signal_file.hpp"

namespace kg::io {

bool is_wav_file(std::string_view bytes);
/// As integers where `type` is one.
SignalData read_wav(std::string_view bytes, const std::string& what, std::optional<Element> type);
WrittenSignals write_wav(const SignalData& data, WavSample stored);

SignalData read_npy(std::string_view bytes, const std::string& what);
std::string write_npy(const SignalData& data);

/// As 64-bit integers where `type` is an integer, so that they stay exact; otherwise as f64.
SignalData read_csv(std::string_view bytes, const std::string& what, std::optional<Element> type);
std::string write_csv(const SignalData& data);

} // namespace kg::io
