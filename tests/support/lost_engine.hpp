#pragma once
// An engine whose device fails for good on request: work in flight fails, and so does every later call.

#include "core/plan/engine.hpp"

#include <memory>

namespace kg::testing {

class LosableEngine : public Engine {
public:
    /// `after_runs` more runs succeed, then the device is lost during the next one.
    virtual void lose(int after_runs = 0) = 0;
};

/// Computes like the CPU engine. Its id is "cuda", so that it is preferred like a GPU.
std::shared_ptr<LosableEngine> make_losable_engine();

inline constexpr const char* kLostWords = "the device of this test has failed for good";

} // namespace kg::testing
