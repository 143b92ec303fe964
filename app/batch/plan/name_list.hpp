#pragma once
// A list of names as another program writes it, read as it comes: it may be long, and a pipe or a device may have no end.

#include <cstddef>
#include <string>
#include <string_view>

namespace kg::batch {

class NameList {
public:
    /// Of names in one list: more are refused. Memory is bounded by this and by kMostBytes.
    static constexpr std::size_t kMostNames = 10'000'000, kMostBytes = std::size_t{512} << 20;

    /// With `zero_bytes` a name ends in a zero byte, otherwise in a line feed. `most_names` is less only in tests.
    explicit NameList(bool zero_bytes, std::size_t most_names = kMostNames)
        : zero_bytes_(zero_bytes), most_names_(most_names) {}

    /// The next bytes of the list. Throws Error as soon as they show that it is no list of names, or too long a one.
    void add(std::string_view bytes);

    /// All names, each followed by a zero byte. Empty ones are left out.
    std::string take() &&;

private:
    void add_to_name(std::string_view bytes);
    void end_name();

    const bool zero_bytes_;
    const std::size_t most_names_;
    std::string names_; ///< the last one may have no end yet
    std::size_t begin_ = 0,
                count_ = 0; ///< where the last one begins; of all that have an end, the empty ones too
};

} // namespace kg::batch
