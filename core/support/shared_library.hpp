#pragma once
// A third-party library that is loaded at run time: the program builds and starts without it.

#include <string>
#include <string_view>

namespace kg {

/// The environment variable with additional folders, separated by colons, that are searched first.
inline constexpr const char* kLibraryFolders = "KERNELGLASS_LIBRARIES";

/// Stays loaded until the program ends: GPU libraries keep threads and device state whose code must not be
/// unloaded.
class SharedLibrary {
public:
    /// Searches for `file` (a name with its version, such as libcufft.so.12) in the folders of
    /// kLibraryFolders, then where the loader searches, then in the usual folder of the CUDA toolkit.
    /// `brought_by` names what to install. Never throws.
    SharedLibrary(std::string_view file, std::string_view brought_by);

    /// Empty = loaded; otherwise a message with the file, the loader's error and the product that contains
    /// it.
    const std::string& absent() const { return absent_; }

    /// The function of that name as a Function (a pointer to function), or nullptr if the library is absent
    /// or lacks it.
    template <typename Function>
    Function find(const std::string& name) const {
        return reinterpret_cast<Function>(address_of(name));
    }
    /// The same for a required function. Throws Unavailable.
    template <typename Function>
    Function get(const std::string& name) const {
        return reinterpret_cast<Function>(required(name));
    }

private:
    void* address_of(const std::string& name) const;
    void* required(const std::string& name) const;

    std::string file_, absent_;
    void* handle_ = nullptr;
};

} // namespace kg
