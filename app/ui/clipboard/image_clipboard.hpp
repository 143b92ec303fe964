#pragma once
// Images on the clipboard, which GLFW serves with text alone. An interface, so that tests need no display.

#include "core/support/error.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kg::ui {

/// The outcome of a copy() or a read().
struct ClipboardAnswer {
    enum class To { copy, read };
    To to = To::read;
    /// What was read: a MIME type of an image, or "text/uri-list". Empty: the clipboard holds neither.
    std::string type{};
    std::string bytes{}; ///< in this format
    std::optional<Error> error{};
};

/// All functions are called on the window's thread, and none waits for another program.
class ImageClipboard {
public:
    virtual ~ImageClipboard() = default;
    /// Why images can be neither copied nor read; empty = they can.
    virtual std::string why_not() const = 0;
    /// Offers a PNG file to other programs, until one of them copies something. take() tells the outcome.
    virtual void copy(std::shared_ptr<const std::string> png) = 0;
    /// Asks for the image, or the list of files, on the clipboard. take() returns it, or why there is none.
    virtual void read() = 0;
    /// The next outcome, once.
    virtual std::optional<ClipboardAnswer> take() = 0;
};

/// A clipboard without images, for this reason.
class NoImageClipboard final : public ImageClipboard {
public:
    explicit NoImageClipboard(std::string why) : why_(std::move(why)) {}
    std::string why_not() const override { return why_; }
    void copy(std::shared_ptr<const std::string>) override {}
    void read() override {}
    std::optional<ClipboardAnswer> take() override { return {}; }

private:
    std::string why_;
};

/// The selection CLIPBOARD of the X server that DISPLAY names, with a connection and a thread of its own. A
/// NoImageClipboard without DISPLAY, and in builds without Xlib. `wake` is called from that thread when
/// take() has an outcome.
std::unique_ptr<ImageClipboard> make_image_clipboard(std::function<void()> wake);

} // namespace kg::ui
