#pragma once
// The generated signal: something to hear and to see for every preset.

#include <string>

namespace kg {

/// A WAV file of 2 s at 44.1 kHz in 16 bits, mono: a chirp from 100 Hz to 8 kHz, tones of 440 and 6000 Hz,
/// and weak noise.
std::string sample_signal_file();

} // namespace kg
