#pragma once
// A folder's way through a recipe, for a window: scan, rehearsal and work happen in a thread of their own, and the window looks at
// states. Whoever asks is one thread.

#include "app/batch/report/counts.hpp"
#include "app/batch/report/findings.hpp"
#include "app/batch/plan/job.hpp"
#include "app/batch/run/pause.hpp"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace kg::batch {

/// What a person has chosen. All of it is frozen when the work starts.
struct Order {
    std::vector<std::filesystem::path> inputs{}; ///< folders and files
    bool recursive = false;
    std::filesystem::path out{};
    std::string format{}; ///< to write; empty = each as its input
    int quality = kDefaultQuality;
    OnExists on_exists = OnExists::fail;
    Recipe recipe{};
    std::string algorithm{}; ///< forced; empty = any

    static constexpr int kDefaultQuality = 95;
    bool has_quality() const { return format.empty() || format == "jpeg"; }
    bool operator==(const Order&) const = default;
};

/// "photos-kernelglass" beside the folder "photos", or beside the one that the first file is in; empty without inputs.
std::filesystem::path preset_output(const std::vector<std::filesystem::path>& inputs);

/// What there is to do for an order.
struct Scan {
    bool busy = false;
    bool stopped = false;                 ///< by a person, before it knew
    std::size_t looked_at = 0, found = 0; ///< files and folders, and pictures among them, while it is busy
    std::size_t pictures = 0;             ///< all of them; of these
    std::size_t wanted = 0, up_to_date = 0, kept = 0, refused = 0;
    std::uint64_t bytes = 0;       ///< of the wanted inputs
    std::filesystem::path first{}; ///< of the pictures
    std::string skipped{};         ///< what the folders hold besides, in words
    std::vector<Missing> missing{};
    std::string failure{}; ///< why there can be no job, as a sentence; empty = there can
};

/// A picture of a rehearsal; small pictures are RGBA u8, and null until they are there.
struct Tried {
    std::filesystem::path input, output; ///< the output's whole path, which the work would make
    std::shared_ptr<const Image> before{}, after{};
    bool done = false;
    std::string failure{};           ///< a sentence; empty = none
    std::optional<double> clipped{}; ///< part of the pixels, 0 to 1; empty = not known
};

struct Trial {
    bool busy = false;
    bool stopped = false; ///< before all of them were done
    Order order{};        ///< that it was made for
    std::vector<Tried> pictures{};
    Prediction all{};      ///< of the wanted ones; zeros until the rehearsal is over
    std::string failure{}; ///< why there was none, as a sentence
};

struct Work {
    enum class State : std::uint8_t { none, running, paused, stopping, finished };
    State state = State::none;
    Order order{};
    std::size_t all = 0;                            ///< wanted pictures
    std::size_t settled = 0;                        ///< of them, done or failed
    std::uint64_t bytes_all = 0, bytes_settled = 0; ///< of their inputs
    double seconds = 0;                             ///< worked, up to the last change
    Counts counts{};
    Limit limit{};
    std::vector<Finding> findings{};
    Usual usual{}; ///< what they are compared with
    /// Every picture that is there, made now or before; null until the work is over.
    std::shared_ptr<const std::vector<Finding>> done{};
    std::string failure{}; ///< why nothing could be done, as a sentence
    std::string summary{}; ///< once it is finished
    std::string why{};     ///< most failed, then; empty where nothing did
};

/// What the command would be asked to do for an order.
JobWish wish_for(const Order& order);

class Session {
public:
    struct Setup {
        std::function<void()> wake{}; ///< called from any thread when a window should look; it must not block
        ReadOptions read{};
        int threads = 0;
        /// Engines that take turns with the one that is chosen for the work. Asked in the session's thread.
        std::function<std::vector<std::shared_ptr<Engine>>(const EngineChoice&)> further{};
    };
    explicit Session(Setup setup);
    /// Stops after the pictures that are begun.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const Order& order() const { return order_; }
    /// Scans if the order is another one than before. While the work goes on it stays as it is.
    void choose(const Order& order);
    /// Looks at the inputs again.
    void rescan();
    /// Ends the scan or the rehearsal that is on its way; not the work.
    void stop_looking();
    /// So many pictures from all over the list, as the work would make them; nothing is written.
    void rehearse(EngineChoice choice, std::size_t most);
    void start(EngineChoice choice);
    void pause(bool paused);
    /// Begins no further picture.
    void stop();
    /// Until the work is over.
    void wait();
    /// The same, but no longer; true if it is over.
    bool wait_for(std::chrono::milliseconds most);
    /// From now on nobody is woken.
    void forget_window();

    bool running() const;   ///< the work is begun and not over
    bool busy() const;      ///< something is on its way
    double seconds() const; ///< worked by now, without pauses
    /// How long that will still take, going by what is done; empty while nobody knows.
    std::optional<double> seconds_left() const;

    // As of now. They do not change under a reader's hands.
    std::shared_ptr<const Scan> scan() const;
    std::shared_ptr<const Trial> trial() const;
    std::shared_ptr<const Work> work() const;

private:
    using Clock = std::chrono::steady_clock;
    using Errand = std::function<void(const std::stop_token&)>;

    void loop(const std::stop_token& ending);
    void post(Errand errand, bool tries = false);
    void end_trial(bool stopped);
    Job decided_job(const Order& order, bool writes, const std::stop_token& stop);
    void do_scan(const Order& order, const std::stop_token& stop);
    void do_rehearse(const Order& order, const EngineChoice& choice, std::size_t most,
                     const std::stop_token& stop);
    void do_work(const Order& order, const EngineChoice& choice, const std::stop_token& stop);
    void show(Scan scan, const std::stop_token& stop = {});
    void show(Trial trial, const std::stop_token& stop);
    void show(Work work);
    void wake() const;
    double seconds_now() const; ///< with the mutex held

    const Setup setup_;
    Order order_;
    std::optional<Order> scanned_; ///< or being scanned

    mutable std::mutex mutex_; ///< guards all below
    std::condition_variable_any changed_;
    bool has_window_ = true;
    std::shared_ptr<const Scan> scan_ = std::make_shared<Scan>();
    std::shared_ptr<const Trial> trial_ = std::make_shared<Trial>();
    std::shared_ptr<const Work> work_ = std::make_shared<Work>();
    Errand next_;
    bool at_errand_ = false;
    std::stop_source errand_stop_;
    double worked_ = 0;                      ///< seconds, up to
    std::optional<Clock::time_point> since_; ///< empty while nothing is worked at
    Pause pause_;

    std::jthread thread_; // last: it uses the others
};

} // namespace kg::batch
