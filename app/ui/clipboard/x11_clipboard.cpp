// The clipboard's thread: it has the connection to the X server, and sleeps until the window or the server
// has work for it.

#include "app/ui/clipboard/x11_selection.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <new>
#include <stop_token>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace kg::ui {

namespace {

class X11Clipboard final : public ImageClipboard {
public:
    explicit X11Clipboard(std::function<void()> wake) : wake_(std::move(wake)) {}
    X11Clipboard(const X11Clipboard&) = delete;
    X11Clipboard& operator=(const X11Clipboard&) = delete;
    /// Waits until a clipboard manager, where there is one, keeps what has been copied; 2 s at most.
    ~X11Clipboard() override {
        thread_.request_stop();
        ring();
        if (thread_.joinable()) thread_.join();
        if (bell_ >= 0) ::close(bell_);
    }

    std::string why_not() const override {
        return bell_ >= 0 ? "" : "Too many files are open to connect to the X server";
    }
    void copy(std::shared_ptr<const std::string> png) override {
        const std::lock_guard lock(mutex_);
        to_copy_ = std::move(png);
        start();
    }
    void read() override {
        const std::lock_guard lock(mutex_);
        to_read_ = true;
        start();
    }
    std::optional<ClipboardAnswer> take() override {
        const std::lock_guard lock(mutex_);
        if (answers_.empty()) return {};
        auto answer = std::move(answers_.front());
        answers_.pop_front();
        return answer;
    }

private:
    /// The first request starts the thread and the connection: many windows never need them.
    void start() {
        if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
        ring();
    }
    void ring() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(bell_, &one,
                                                      sizeof one); // fails where it rings already
    }
    void run(const std::stop_token& stop) {
        for (bool left = false;;) {
            take_requests();
            if (stop.stop_requested() && !std::exchange(left, true) && selection_) selection_->leave();
            poll();
            if (left && !(selection_ && selection_->leaving())) return selection_.reset();
            sleep();
        }
    }
    void poll() {
        if (!selection_) return;
        try {
            selection_->poll();
            if (selection_->broken()) selection_.reset();
        } catch (const std::bad_alloc&) {
            selection_.reset();
            put({.error = Error("out-of-memory",
                                "There is not enough memory for the image on the clipboard.")});
        }
    }
    void take_requests() {
        std::shared_ptr<const std::string> to_copy;
        bool to_read = false;
        {
            const std::lock_guard lock(mutex_);
            to_copy = std::exchange(to_copy_, nullptr);
            to_read = std::exchange(to_read_, false);
        }
        if (!to_copy && !to_read) return;
        try {
            if (!selection_)
                selection_ = std::make_unique<X11Selection>([this](ClipboardAnswer a) { put(std::move(a)); });
            if (to_copy) selection_->copy(std::move(to_copy));
            if (to_read) selection_->read();
        } catch (const Error& error) {
            if (to_copy) put({.to = ClipboardAnswer::To::copy, .error = error});
            if (to_read) put({.to = ClipboardAnswer::To::read, .error = error});
        }
    }
    void sleep() const {
        pollfd waits[2] = {{bell_, POLLIN, 0}, {selection_ ? selection_->descriptor() : -1, POLLIN, 0}};
        int milliseconds = -1;
        if (const auto end = selection_ ? selection_->deadline() : std::nullopt) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(*end - X11Selection::Clock::now());
            milliseconds = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
        }
        ::poll(waits, 2, milliseconds); // an interrupted wait ends early
        std::uint64_t rings = 0;
        [[maybe_unused]] const auto read = ::read(bell_, &rings, sizeof rings);
    }
    void put(ClipboardAnswer answer) {
        {
            const std::lock_guard lock(mutex_);
            answers_.push_back(std::move(answer));
        }
        wake_();
    }

    std::function<void()> wake_;
    const int bell_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    std::mutex mutex_; ///< guards the next three
    std::shared_ptr<const std::string> to_copy_;
    bool to_read_ = false;
    std::deque<ClipboardAnswer> answers_;
    std::unique_ptr<X11Selection> selection_; ///< the thread's; null before a request, and without a server
    std::jthread thread_;
};

} // namespace

std::unique_ptr<ImageClipboard> make_image_clipboard(std::function<void()> wake) {
    const auto* display = std::getenv("DISPLAY");
    if (!display || !*display)
        return std::make_unique<NoImageClipboard>(
            "There is no X server here, through which images are copied");
    X11Selection::handle_errors();
    return std::make_unique<X11Clipboard>(std::move(wake));
}

} // namespace kg::ui
