#pragma once
// A session in words, for who has a line or two to say it in.

#include "app/batch/session/session.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace kg::batch {

struct SessionWords {
    std::string verdict;              ///< a few words
    std::string detail;               ///< a sentence; may be empty
    std::optional<double> progress{}; ///< 0 to 1; empty where nothing goes on
    bool warns = false;               ///< something failed, or cannot be done
    std::string whole{};              ///< all that there is to say, where the detail is short of it
};
SessionWords words_of(const Session& session);

/// What is chosen, in a line: "photos", "12 files"; empty where nothing is.
std::string inputs_text(const Order& order);
/// "1 failed, 2 outliers": what there is, and what makes an outlier.
std::string findings_text(std::span<const Finding> findings, const Usual& usual);
/// A line a finding, in the order of these places, to be kept or sent.
std::string list_text(std::span<const Finding> findings, std::span<const std::size_t> places);

} // namespace kg::batch
