#pragma once
// The exceptions of the library. Their message is a sentence a person can act on; who catches it decides where it is shown.

#include <stdexcept>
#include <string>

namespace kg {

/// Something was asked that cannot be done. The message says what and what to do instead.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The thing asked for does not exist on this machine: no device, no display, no driver.
class Unavailable : public Error {
public:
    using Error::Error;
};

/// A device failed for good while it was used: what lay on it is lost, and its engine cannot be used any more.
class DeviceLost : public Unavailable {
public:
    using Unavailable::Unavailable;
};

/// Work was stopped by its stop token before it was finished; its output is undefined.
class Cancelled : public Error {
public:
    Cancelled() : Error("stopped before it was finished") {}
};

} // namespace kg
