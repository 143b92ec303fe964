#pragma once
// The exceptions of the library. Their messages name cause and remedy; the code that catches them decides
// where to show them.

#include <stdexcept>
#include <string>

namespace kg {

/// The request cannot be fulfilled. The message names the cause and the remedy.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A resource does not exist on this machine: no device, no display, no driver.
class Unavailable : public Error {
public:
    using Error::Error;
};

/// A device failed for good during use: its memory is lost, and its engine is unusable from then on.
class DeviceLost : public Unavailable {
public:
    using Unavailable::Unavailable;
};

/// Work was stopped by its stop token before it was finished. Its output is undefined.
class Cancelled : public Error {
public:
    Cancelled() : Error("stopped before it was finished") {}
};

} // namespace kg
