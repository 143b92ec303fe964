#pragma once
// From a whole request to a plan: cut into steps (core/plan/cut.hpp), find an algorithm for each, chain them strip by strip
// (core/plan/chain.hpp). Knows no device.

#include "core/plan/engine.hpp"
#include "core/support/error.hpp"

#include <string>
#include <vector>

namespace kg {

/// A way of computing that was asked for does not do this. The message also says which ways do; why() stands alone.
class Refused : public Error {
public:
    Refused(const std::string& message, std::string why) : Error(message), why_(std::move(why)) {}
    const std::string& why() const { return why_; }

private:
    std::string why_;
};

/// Nothing on an engine can do a request; the message says of every way why. Another engine may.
class NoWay : public Error {
public:
    using Error::Error;
};

/// Throws NoWay if nothing on the engine can do the request, Refused if `force` names an algorithm that cannot (the
/// sentence lists what would do, and why the forced one does not). `force` is for the filtering steps; conversions
/// between them are always the engine's `convert`.
std::shared_ptr<const Plan> plan(Engine& engine, const Request& request, std::string_view force = {});
/// The same with an algorithm that need not be one of the engine's own: another library's, say.
std::shared_ptr<const Plan> plan(Engine& engine, const Request& request, const Algorithm& forced);

/// For proofs: the way among those of a plan (its `algorithm`) that states an error, nullptr if none does.
const Algorithm* inexact_way(const Engine& engine, const Plan& plan);

/// One algorithm's answer to a request, for lists and chips.
struct Candidate {
    const Algorithm* algorithm = nullptr;
    std::string why_not;     ///< empty = would do
    double microseconds = 0; ///< predicted for the whole request, conversions included
};
std::vector<Candidate> candidates(const Engine& engine, const Request& request);

} // namespace kg
