#pragma once
// Material Design Icons (webfont 1.6, as Debian ships it) by name. The font is merged into the body font, so
// an icon is text. Always beside a label, except undo, redo, eye, copy, play, pause and stop.

namespace kg::ui::icon {

inline constexpr const char* kUndo = "\uF54C";
inline constexpr const char* kRedo = "\uF44E";
inline constexpr const char* kEye = "\uF208";
inline constexpr const char* kCopy = "\uF18F";
inline constexpr const char* kPlay = "\uF40A";
inline constexpr const char* kPause = "\uF3E4";
inline constexpr const char* kStop = "\uF4DB";
inline constexpr const char* kPlus = "\uF415";
inline constexpr const char* kClose = "\uF156";
inline constexpr const char* kOpen = "\uF21F";
inline constexpr const char* kFolder = "\uF24B";
inline constexpr const char* kSave = "\uF193";
inline constexpr const char* kDown = "\uF140";
inline constexpr const char* kUp = "\uF143";
inline constexpr const char* kAlert = "\uF026";
inline constexpr const char* kInformation = "\uF2FC";
inline constexpr const char* kCheck = "\uF12C";
inline constexpr const char* kRefresh = "\uF450";
inline constexpr const char* kPaste = "\uF192";
inline constexpr const char* kExpand = "\uF616";
inline constexpr const char* kAnchor = "\uF031";
inline constexpr const char* kSwapHorizontal = "\uF4E1";
inline constexpr const char* kSwapVertical = "\uF4E2";
inline constexpr const char* kRotateRight = "\uF467";
inline constexpr const char* kTable = "\uF4EB";
inline constexpr const char* kMinus = "\uF374";
inline constexpr const char* kDivision = "\uF1D4";
inline constexpr const char* kDots = "\uF1D9";
inline constexpr const char* kGrid = "\uF2C1";
inline constexpr const char* kChart = "\uF12A";
inline constexpr const char* kDifference = "\uF18A";

} // namespace kg::ui::icon
