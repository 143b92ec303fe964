#pragma once
// An engine whose device fails for good when a test says so: what is under way fails, and every call after it.

#include "core/plan/engine.hpp"

#include <memory>

namespace kg::testing {

class LosableEngine : public Engine {
public:
    /// `after_runs` more runs succeed, then the device is lost in the middle of the next.
    virtual void lose(int after_runs = 0) = 0;
};

/// Computes as the CPU engine does; its id is "cuda", so that it is preferred as a GPU is.
std::shared_ptr<LosableEngine> make_losable_engine();

inline constexpr const char* kLostWords = "the device of this test has failed for good";

} // namespace kg::testing
