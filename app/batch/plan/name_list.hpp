#pragma once
// Parses a list of names from another program incrementally: it may be long, and a pipe or a device may never
// end.

#include <cstddef>
#include <string>
#include <string_view>

namespace kg::batch {

class NameList {
public:
    /// Limits of one list; a longer one is refused. They bound the memory.
    static constexpr std::size_t kMostNames = 10'000'000, kMostBytes = std::size_t{512} << 20;

    /// With `zero_bytes` a name ends with a zero byte, otherwise with a line feed. Only tests lower
    /// `most_names`.
    explicit NameList(bool zero_bytes, std::size_t most_names = kMostNames)
        : zero_bytes_(zero_bytes), most_names_(most_names) {}

    /// Adds the next bytes of the list. Throws Error as soon as they cannot be a list of names, or exceed a
    /// limit.
    void add(std::string_view bytes);

    /// All names, each followed by a zero byte. Empty names are dropped.
    std::string take() &&;

private:
    void add_to_name(std::string_view bytes);
    void end_name();

    const bool zero_bytes_;
    const std::size_t most_names_;
    std::string names_; ///< the last name may be incomplete
    /// Start of the last name; count of complete names, including empty ones.
    std::size_t begin_ = 0, count_ = 0;
};

} // namespace kg::batch
