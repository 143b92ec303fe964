#pragma once
// A library of somebody else, opened while the program runs: the program is built and started without it.

#include <string>
#include <string_view>

namespace kg {

/// The environment variable that names more folders to look in, first of all; they are separated by colons.
inline constexpr const char* kLibraryFolders = "KERNELGLASS_LIBRARIES";

/// Stays loaded until the program ends: GPU libraries keep threads and device state whose code must not go away.
class SharedLibrary {
public:
    /// Looks for `file` (a name with its version, libcufft.so.12) in the folders of kLibraryFolders, then where the loader
    /// looks, then in the CUDA toolkit's usual folder. `brought_by` says what to install, in words. Never throws.
    SharedLibrary(std::string_view file, std::string_view brought_by);

    /// Empty = it is there; otherwise a sentence that names the file, what kept it from loading, and what brings it.
    const std::string& absent() const { return absent_; }

    /// The function of that name as a Function (a pointer to function), or nullptr if the library is absent or lacks it.
    template <typename Function>
    Function find(const std::string& name) const {
        return reinterpret_cast<Function>(address_of(name));
    }
    /// The same, where the library cannot be used without it. Throws Unavailable.
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
