#pragma once
// The batch of a window: scan, dry run and work happen in a background thread, and the window polls their
// states. One thread at a time makes requests.

#include "app/batch/report/counts.hpp"
#include "app/batch/report/findings.hpp"
#include "app/batch/run/job.hpp"
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

/// What the user chose. It is locked while the work runs.
struct BatchSettings {
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
    bool operator==(const BatchSettings&) const = default;
};

/// "photos-kernelglass" beside the folder "photos", or beside the folder of the first file; empty without
/// inputs.
std::filesystem::path preset_output(const std::vector<std::filesystem::path>& inputs);

/// An input that the scan has read. A damaged file is known before the work begins.
struct SampledInput {
    std::filesystem::path input;
    std::shared_ptr<const Image> thumbnail{}; ///< RGBA u8; null until it is read, and where it cannot be
    std::optional<Error> failure{};           ///< why it cannot be read
    std::string damage{};                     ///< LoadedImage::damage; empty = complete
    bool not_finite = false;                  ///< it contains infinite numbers or NaN
    std::optional<FileStamp> stamp{};         ///< state of the file that was read; empty before
};
/// Inputs that a scan reads, at most.
inline constexpr std::size_t kSampledInputs = 12;

/// The work that the settings amount to.
struct Scan {
    bool busy = false;
    bool stopped = false;                 ///< by the user, before it was complete
    std::size_t looked_at = 0, found = 0; ///< files and folders, and the images among them, while it is busy
    std::size_t images = 0;               ///< all images
    /// Numbers among `images`.
    std::size_t wanted = 0, up_to_date = 0, kept = 0, refused = 0;
    std::uint64_t bytes = 0;       ///< size of the wanted inputs
    std::filesystem::path first{}; ///< the first image
    std::string skipped{};         ///< other contents of the folders, as text
    std::vector<Missing> missing{};
    std::optional<Error> failure{};     ///< why there can be no job; empty if there can
    std::vector<SampledInput> sample{}; ///< some of the images, from all over the list
};

/// An image of a dry run. The small images are RGBA u8, and null until they are ready.
struct PreviewedImage {
    std::filesystem::path input, output; ///< the output's full path, which the work would create
    std::shared_ptr<const Image> before{}, after{};
    bool done = false;
    std::optional<Error> failure{};  ///< empty = none
    std::string damage{};            ///< of the input, as in SampledInput
    std::optional<double> clipped{}; ///< fraction of the pixels, 0 to 1; empty = not known
};

struct BatchPreview {
    bool busy = false;
    bool stopped = false;     ///< before all of them were done
    BatchSettings settings{}; ///< it belongs to these
    std::vector<PreviewedImage> images{};
    Prediction all{};               ///< for the wanted images; zeros until the dry run is over
    std::optional<Error> failure{}; ///< why there was none
};

struct BatchProgress {
    enum class State : std::uint8_t { none, running, paused, stopping, finished };
    State state = State::none;
    BatchSettings settings{};
    std::size_t all = 0;                            ///< wanted images
    std::size_t settled = 0;                        ///< images among them that are done or failed
    std::uint64_t bytes_all = 0, bytes_settled = 0; ///< sizes of their inputs
    double seconds = 0;                             ///< worked, up to the last change
    Counts counts{};
    Limit limit{};
    std::vector<Finding> findings{};
    Usual usual{}; ///< the reference for outliers
    /// Every existing output, made now or earlier; null until the work is over.
    std::shared_ptr<const std::vector<Finding>> done{};
    std::optional<Error> failure{}; ///< why nothing could be done
    bool stopped_before = false;    ///< by the user, before an image was begun
    std::string summary{};          ///< set once it is finished
    std::string why{};              ///< why most failed, set then; empty if nothing failed
};

/// The options that the command would have for these settings.
BatchJobOptions options_for(const BatchSettings& settings);

class Session {
public:
    struct Setup {
        std::function<void()> wake{}; ///< called from any thread when the window should poll; must not block
        ReadOptions read{};
        int threads = 0;
        /// Further engines for the work beside the chosen one. Called in the session's thread.
        std::function<std::vector<std::shared_ptr<Engine>>(const EngineChoice&)> further{};
    };
    explicit Session(Setup setup);
    /// Stops after the images in flight.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const BatchSettings& settings() const { return settings_; }
    /// Scans if the settings differ from the last ones. Work that is running keeps its own.
    void choose(const BatchSettings& settings);
    /// Scans the inputs again.
    void rescan();
    /// Stops a scan or a dry run, but not the work.
    void stop_scan();
    /// Filters at most `most` images from all over the list as the work would; nothing is written.
    void dry_run(EngineChoice choice, std::size_t most);
    void start(EngineChoice choice);
    void pause(bool paused);
    /// Begins no further image.
    void stop();
    /// Waits until the work is over.
    void wait();
    /// Waits at most so long; true if the work is over.
    bool wait_for(std::chrono::milliseconds most);
    /// No wake-ups from now on.
    void forget_window();

    bool running() const;   ///< the work is begun and not over
    bool paused() const;    ///< images begun before the pause still come to their end
    bool busy() const;      ///< a task is running
    double seconds() const; ///< worked so far, without pauses
    /// Estimated time left, from the files done so far; empty while it is not known.
    std::optional<double> seconds_left() const;

    // Immutable snapshots of the current states.
    std::shared_ptr<const Scan> scan() const;
    std::shared_ptr<const BatchPreview> preview() const;
    std::shared_ptr<const BatchProgress> work() const;

private:
    using Clock = std::chrono::steady_clock;
    using BackgroundTask = std::function<void(const std::stop_token&)>;

    void loop(const std::stop_token& end);
    void post(BackgroundTask task, bool is_dry_run = false);
    void end_preview(bool stopped);
    BatchJob decided_job(const BatchSettings& settings, bool writes, const std::stop_token& stop);
    void do_scan(const BatchSettings& settings, const std::stop_token& stop);
    std::vector<SampledInput> begun_sample(const std::vector<Task>& tasks) const;
    void read_sample(const std::stop_token& stop);
    void do_dry_run(const BatchSettings& settings, const EngineChoice& choice, std::size_t most,
                    const std::stop_token& stop);
    void do_work(const BatchSettings& settings, const EngineChoice& choice, const std::stop_token& stop);
    void show(Scan scan, const std::stop_token& stop = {});
    void show(BatchPreview preview, const std::stop_token& stop);
    void show(BatchProgress work);
    void wake() const;
    double seconds_now() const; ///< the mutex is held

    const Setup setup_;
    BatchSettings settings_;
    std::optional<BatchSettings> scanned_; ///< or being scanned
    std::vector<SampledInput> sampled_;    ///< samples of the latest scan; only the thread uses them

    mutable std::mutex mutex_; ///< guards all members below
    std::condition_variable_any changed_;
    bool has_window_ = true;
    std::shared_ptr<const Scan> scan_ = std::make_shared<Scan>();
    std::shared_ptr<const BatchPreview> preview_ = std::make_shared<BatchPreview>();
    std::shared_ptr<const BatchProgress> work_ = std::make_shared<BatchProgress>();
    BackgroundTask next_;
    bool at_task_ = false;
    std::stop_source task_stop_;
    double worked_ = 0;                      ///< seconds, up to `since_`
    std::optional<Clock::time_point> since_; ///< empty while no work is running
    Pause pause_;

    std::jthread thread_; // last: it uses the other members
};

} // namespace kg::batch
