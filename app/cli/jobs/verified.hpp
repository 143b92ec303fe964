#pragma once
// What the commands on tensors, `signal`, `bank` and `volume`, state of a verified result.

#include "core/plan/verification.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace kg {

/// The value of `verification` in a document: null if nothing was verified.
nlohmann::ordered_json verification_document(const std::optional<Verification>& verification);

/// "; equals the reference within ..." for a line of results; empty if nothing was verified.
std::string verified_text(const std::optional<Verification>& verification);

/// Throws Error, before anything is written, if outputs of the algorithm are wrong.
void expect_right(std::string_view algorithm, const std::optional<Verification>& verification);

} // namespace kg
