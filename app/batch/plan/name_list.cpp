#include "app/batch/plan/name_list.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <climits>
#include <utility>

namespace kg::batch {

namespace {

constexpr auto kInParts = "; give it in parts, or name the folders of the images";

} // namespace

void NameList::add_to_name(std::string_view bytes) {
    constexpr std::size_t kLongest = PATH_MAX - 1; // a zero byte follows
    if (names_.size() - begin_ + bytes.size() > kLongest) {
        const auto start = (names_.substr(begin_) + std::string(bytes)).substr(0, kLongest);
        throw Error("name-too-long",
                    "name {} in the list of names, {}, is longer than the {} bytes that the system allows{}",
                    count_ + 1, in_quotes(start), kLongest,
                    zero_bytes_ ? "; -0 is for lists whose names end in zero bytes" : "");
    }
    if (names_.size() + bytes.size() >= kMostBytes)
        throw Error("list-too-long", "the list of names is longer than {} MiB, which is the limit{}",
                    kMostBytes >> 20, kInParts);
    names_ += bytes;
}

void NameList::end_name() {
    if (++count_ > most_names_)
        throw Error("too-many-names", "the list has more than {} names, which is the limit{}", most_names_,
                    kInParts);
    if (names_.size() == begin_) return;
    names_ += '\0';
    begin_ = names_.size();
}

void NameList::add(std::string_view bytes) {
    if (!zero_bytes_ && bytes.find('\0') != std::string_view::npos)
        throw Error("zero-bytes-in-list", "the list of names has zero bytes in it; -0 reads such lists");
    const char separator = zero_bytes_ ? '\0' : '\n';
    while (!bytes.empty()) {
        const auto end = bytes.find(separator);
        add_to_name(bytes.substr(0, end));
        if (end == std::string_view::npos) return;
        end_name();
        bytes.remove_prefix(end + 1);
    }
}

std::string NameList::take() && {
    if (names_.size() > begin_) end_name(); // the last name needs no separator
    return std::move(names_);
}

} // namespace kg::batch
