#pragma once
// Notes of an image that the window shows elsewhere than among its messages.

#include <string_view>

namespace kg {

/// "page 1 of 3", which has a chip of its own.
inline bool is_page_note(std::string_view note) { return note.starts_with("page "); }

} // namespace kg
