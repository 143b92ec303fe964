// Images on the clipboard of a real X server, between two connections (ctest's test "window").

#include "app/ui/clipboard/image_clipboard.hpp"
#include "tests/support/eventually.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <X11/Xatom.h> // last: Xlib defines macros such as None
#include <X11/Xlib.h>

namespace kg::testing {
namespace {

using ui::ClipboardAnswer;
using ui::ImageClipboard;

constexpr std::size_t kChunk = std::size_t{1} << 18; ///< larger files are transferred in chunks of it

/// Bytes of that size without a period that a chunk could have.
std::string bytes_of(std::size_t size) {
    std::string bytes(size, '\0');
    std::uint32_t state = 1;
    for (auto& byte : bytes) byte = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    return bytes;
}

/// Another program, in plain Xlib. It answers while a test calls pump().
class OtherProgram {
public:
    OtherProgram() : display_(XOpenDisplay(nullptr)) {
        window_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
        XSelectInput(display_, window_, PropertyChangeMask);
    }
    OtherProgram(const OtherProgram&) = delete;
    OtherProgram& operator=(const OtherProgram&) = delete;
    ~OtherProgram() { end(); }

    void end() {
        if (display_) XCloseDisplay(display_);
        display_ = nullptr;
    }
    Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

    /// Owns the clipboard with these formats.
    void own(std::map<std::string, std::string> formats) {
        formats_ = std::move(formats);
        XSetSelectionOwner(display_, atom("CLIPBOARD"), window_, CurrentTime);
        XSync(display_, False);
    }
    /// Keeps the image of an owner that ends, as a clipboard manager does.
    void manage() {
        XSetSelectionOwner(display_, atom("CLIPBOARD_MANAGER"), window_, CurrentTime);
        XSync(display_, False);
    }
    void pump() {
        while (display_ && XPending(display_) > 0) {
            XEvent event;
            XNextEvent(display_, &event);
            if (event.type == SelectionRequest) serve(event.xselectionrequest);
        }
    }
    bool answers = true;        ///< otherwise requests wait for ever
    bool begins_chunks = false; ///< images are announced in chunks, of which none comes
    int asked = 0;              ///< requests so far

    /// The property that the owner of the clipboard has made for a target; empty where it refuses.
    std::optional<std::vector<Atom>> numbers(const char* target, const std::vector<Atom>& pairs = {}) {
        const auto property = atom("OTHER");
        if (!pairs.empty())
            XChangeProperty(display_, window_, property, atom("ATOM_PAIR"), 32, PropModeReplace,
                            reinterpret_cast<const unsigned char*>(pairs.data()),
                            static_cast<int>(pairs.size()));
        if (!convert(target)) return {};
        return read(property);
    }
    std::vector<Atom> read(Atom property) {
        Atom type = 0;
        int format = 0;
        unsigned long count = 0, left = 0;
        unsigned char* data = nullptr;
        XGetWindowProperty(display_, window_, property, 0, 1 << 20, False, AnyPropertyType, &type, &format,
                           &count, &left, &data);
        std::vector<Atom> found;
        if (format == 8) kept_.assign(reinterpret_cast<char*>(data), count);
        if (format == 32) found.assign(reinterpret_cast<Atom*>(data), reinterpret_cast<Atom*>(data) + count);
        if (data) XFree(data);
        return found;
    }

private:
    /// Has the owner of the clipboard write the property OTHER; false where it refuses.
    bool convert(const char* target) {
        XConvertSelection(display_, atom("CLIPBOARD"), atom(target), atom("OTHER"), window_, CurrentTime);
        XEvent event{};
        const bool came = eventually([&] { return XCheckTypedEvent(display_, SelectionNotify, &event); });
        read(atom("OTHER"));
        return came && event.xselection.property != None;
    }
    void serve(const XSelectionRequestEvent& request) {
        ++asked;
        if (!answers) return;
        if (request.target == atom("SAVE_TARGETS") && convert("image/png")) own({{"image/png", kept_}});
        const auto put = [&](Atom type, int format, const void* data, std::size_t count) {
            XChangeProperty(display_, request.requestor, request.property, type, format, PropModeReplace,
                            static_cast<const unsigned char*>(data), static_cast<int>(count));
        };
        XEvent answer{};
        answer.xselection = {SelectionNotify,
                             0,
                             False,
                             display_,
                             request.requestor,
                             request.selection,
                             request.target,
                             request.property,
                             request.time};
        const auto format = std::ranges::find_if(
            formats_, [&](const auto& entry) { return atom(entry.first.c_str()) == request.target; });
        if (request.target == atom("TARGETS")) {
            std::vector<Atom> targets{atom("TARGETS")};
            for (const auto& [type, bytes] : formats_) targets.push_back(atom(type.c_str()));
            put(XA_ATOM, 32, targets.data(), targets.size());
        } else if (format == formats_.end()) {
            answer.xselection.property = None;
        } else if (begins_chunks) {
            const unsigned long size = format->second.size();
            put(atom("INCR"), 32, &size, 1);
        } else {
            put(request.target, 8, format->second.data(), format->second.size());
        }
        XSendEvent(display_, request.requestor, False, NoEventMask, &answer);
        XFlush(display_);
    }

    Display* display_;
    Window window_ = 0;
    std::map<std::string, std::string> formats_;
    std::string kept_; ///< of the latest property with bytes
};

class WindowClipboard : public ::testing::Test {
protected:
    void SetUp() override {
        if (!std::getenv("DISPLAY")) GTEST_SKIP() << "NO DISPLAY HERE, NO CLIPBOARD WAS TESTED";
        one_ = ui::make_image_clipboard([] {});
        two_ = ui::make_image_clipboard([] {});
        ASSERT_EQ(one_->why_not(), "");
    }
    static ClipboardAnswer answer_of(
        ImageClipboard& clipboard, const std::function<void()>& beside = [] {}) {
        std::optional<ClipboardAnswer> answer;
        EXPECT_TRUE(eventually([&] {
            beside();
            return (answer = clipboard.take()).has_value();
        }));
        return answer.value_or(ClipboardAnswer{});
    }
    static void copy(ImageClipboard& clipboard, const std::string& bytes) {
        clipboard.copy(std::make_shared<const std::string>(bytes));
        const auto answer = answer_of(clipboard);
        EXPECT_EQ(answer.to, ClipboardAnswer::To::copy);
        EXPECT_FALSE(answer.error) << answer.error->what();
    }
    static ClipboardAnswer read(
        ImageClipboard& clipboard, const std::function<void()>& beside = [] {}) {
        clipboard.read();
        auto answer = answer_of(clipboard, beside);
        EXPECT_EQ(answer.to, ClipboardAnswer::To::read);
        return answer;
    }
    static std::string code_of(const ClipboardAnswer& answer) {
        return answer.error ? answer.error->code() : "";
    }

    std::unique_ptr<ImageClipboard> one_, two_;
};

TEST_F(WindowClipboard, ImagesOfAnySizeArriveAtAnotherProgram) {
    for (const auto size :
         {std::size_t{1}, std::size_t{1000}, kChunk, kChunk + 1, 2 * kChunk, std::size_t{7} << 20}) {
        const auto bytes = bytes_of(size);
        copy(*one_, bytes);
        const auto answer = read(*two_);
        EXPECT_EQ(code_of(answer), "");
        EXPECT_EQ(answer.type, "image/png");
        EXPECT_TRUE(answer.bytes == bytes) << answer.bytes.size() << " of " << size;
    }
}

TEST_F(WindowClipboard, TheLatestCopyCountsAndOnesOwnIsReadToo) {
    copy(*one_, "one");
    EXPECT_EQ(read(*one_).bytes, "one");
    copy(*two_, "two");
    EXPECT_EQ(read(*one_).bytes, "two");
    copy(*one_, "three");
    copy(*one_, "four");
    EXPECT_EQ(read(*two_).bytes, "four");
    EXPECT_EQ(read(*one_).bytes, "four");
}

TEST_F(WindowClipboard, WithoutAnOwnerThereIsNothing) {
    for (const bool had_one : {false, true}) {
        if (had_one) copy(*one_, "something"), one_.reset();
        const auto answer = read(*two_);
        EXPECT_EQ(code_of(answer), "");
        EXPECT_EQ(answer.type, "");
        EXPECT_EQ(answer.bytes, "");
    }
}

TEST_F(WindowClipboard, AnOwnerThatDisappearsOrIsSilentEndsTheRead) {
    OtherProgram other;
    other.own({{"image/png", bytes_of(1000)}});
    other.answers = false;
    EXPECT_EQ(code_of(read(*two_)), "clipboard-timeout");
    other.answers = true;
    EXPECT_EQ(read(*two_, [&] { other.pump(); }).bytes, bytes_of(1000)) << "the late answers do not count";
    other.begins_chunks = true;
    const auto asked = other.asked;
    EXPECT_EQ(code_of(read(*two_,
                           [&] {
                               other.pump();
                               if (other.asked == asked + 2) other.end();
                           })),
              "clipboard-timeout");
    copy(*one_, bytes_of(3 * kChunk));
    EXPECT_TRUE(read(*two_).bytes == bytes_of(3 * kChunk));
}

TEST_F(WindowClipboard, AManagerKeepsTheImageOfAProgramThatEnds) {
    OtherProgram manager;
    manager.manage();
    copy(*one_, "an image");
    std::atomic<bool> ended = false;
    std::thread end([&] {
        one_.reset(); // waits for the manager
        ended = true;
    });
    EXPECT_TRUE(eventually([&] {
        manager.pump();
        return ended.load();
    }));
    end.join();
    EXPECT_EQ(manager.asked, 1);
    EXPECT_EQ(read(*two_, [&] { manager.pump(); }).bytes, "an image");
}

TEST_F(WindowClipboard, ARequestorThatDisappearsEndsNothing) {
    const auto bytes = bytes_of(5 * kChunk);
    copy(*one_, bytes);
    for (int i = 0; i < 3; ++i) {
        OtherProgram other; // reads the first number, the size, and is gone
        const auto size = other.numbers("image/png");
        ASSERT_TRUE(size && size->size() == 1);
        EXPECT_EQ(size->front(), bytes.size());
    }
    EXPECT_TRUE(read(*two_).bytes == bytes);
}

TEST_F(WindowClipboard, AnswersTheTargetsThatEveryOwnerHas) {
    copy(*one_, "PNG");
    OtherProgram other;
    const auto targets = other.numbers("TARGETS");
    ASSERT_TRUE(targets);
    for (const auto* target : {"TARGETS", "MULTIPLE", "TIMESTAMP", "image/png"})
        EXPECT_EQ(std::ranges::count(*targets, other.atom(target)), 1) << target;
    const auto time = other.numbers("TIMESTAMP");
    ASSERT_TRUE(time && time->size() == 1);
    EXPECT_NE(time->front(), Atom{0}) << "a time of the server, not CurrentTime";
    EXPECT_FALSE(other.numbers("UTF8_STRING")) << "there is no text";
    const auto pairs = other.numbers("MULTIPLE", {other.atom("TIMESTAMP"), other.atom("FIRST"),
                                                  other.atom("UTF8_STRING"), other.atom("SECOND")});
    ASSERT_TRUE(pairs && pairs->size() == 4);
    EXPECT_EQ((*pairs)[1], other.atom("FIRST"));
    EXPECT_EQ((*pairs)[3], Atom{None});
    EXPECT_EQ(other.read(other.atom("FIRST")), *time);
}

TEST_F(WindowClipboard, TheBestFormatIsReadOrAListOfFiles) {
    OtherProgram other;
    const auto pasted = [&](std::map<std::string, std::string> formats) {
        other.own(std::move(formats));
        const auto answer = read(*one_, [&] { other.pump(); });
        return answer.type + "=" + answer.bytes;
    };
    EXPECT_EQ(pasted({{"image/jpeg", "J"}, {"image/png", "P"}, {"image/bmp", "B"}}), "image/png=P");
    EXPECT_EQ(pasted({{"image/jpeg", "J"}, {"image/bmp", "B"}, {"text/html", "H"}}), "image/bmp=B");
    EXPECT_EQ(pasted({{"image/jpeg", "J"}, {"text/uri-list", "file:///a"}}), "image/jpeg=J");
    EXPECT_EQ(pasted({{"text/uri-list", "file:///a"}}), "text/uri-list=file:///a");
    EXPECT_EQ(pasted({{"UTF8_STRING", "text"}}), "=");
}

} // namespace
} // namespace kg::testing
