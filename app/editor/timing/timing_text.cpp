#include "app/editor/timing/timing_text.hpp"

#include "core/support/quantity_text.hpp"

#include <cstdio>

namespace kg {

namespace {

/// Caches and clocks may still be cold.

const char* const kRule = "Rows are on separate clocks and never summed; the last 120 results count, the "
                          "first 3 after a change do not.";

std::string format_text(const PixelFormat& format) {
    return std::string(name(format.depth)) + " x " + std::to_string(format.channels);
}

/// The row's name in files. It is stable, whatever the labels in the window are.
std::string key(TimingRow row) {
    switch (row) {
    case TimingRow::upload: return "upload";
    case TimingRow::filter: return "filter";
    case TimingRow::presentation: return "presentation_device";
    case TimingRow::submit: return "presentation_submit";
    case TimingRow::presentation_gl: return "presentation_opengl";
    case TimingRow::draw: return "gl_draw";
    case TimingRow::frame: return "frame_cpu";
    case TimingRow::response: return "input_to_pixels";
    }
    return {};
}

bool is_gpu(const TimingSubject& subject) { return subject.engine && !subject.engine->device().host_memory; }

} // namespace

std::string engine_word(const TimingSubject& subject) { return is_gpu(subject) ? "GPU" : "engine"; }

TimingWords timing_words(TimingRow row, const TimingSubject& subject) {
    const bool interop = subject.path == PresentationPath::interop;
    const std::string engine = is_gpu(subject) ? "CUDA" : "CPU";
    switch (row) {
    case TimingRow::upload:
        return {"Upload", engine, "the image to the engine; once per image, then it stays there"};
    case TimingRow::filter: return {"Filter", engine, "the recipe on the engine"};
    case TimingRow::presentation:
        if (interop)
            return {"Presentation GPU", "CUDA",
                    "from mapping OpenGL's texture to unmapping it, on the GPU: the copy and the wait for "
                    "OpenGL"};
        return {"Download", subject.in_parts ? "CPU" : engine,
                subject.in_parts
                    ? "a copy to the display's host memory; the engine computed the result in parts and "
                      "downloaded each of them before"
                    : "the result from the engine to host memory"};
    case TimingRow::submit:
        if (interop)
            return {"Presentation submit", "CPU",
                    "the window's thread while it enqueues map, copy and unmap; it does not wait for them"};
        return {"To texture", "CPU", "the window's thread while it copies host memory to OpenGL's texture"};
    case TimingRow::presentation_gl:
        if (interop)
            return {"Presentation GL", "OpenGL",
                    "how long OpenGL is blocked: from before the mapping until after the unmapping, with the "
                    "switch to CUDA, Presentation GPU meanwhile, and the switch back"};
        return {"To texture GL", "OpenGL", "OpenGL's own work for the copy to its texture"};
    case TimingRow::draw:
        return {"GL draw", "OpenGL", "drawing the first frame that shows the result: image and panels"};
    case TimingRow::frame:
        return {"Frame CPU", "CPU", "CPU time of the window's thread for that frame; waits are not counted"};
    case TimingRow::response:
        return {"Input to pixels", "CPU",
                "from the edit until that frame is submitted; remaining GPU work and the screen's own delay "
                "are not included"};
    }
    return {};
}

std::string timing_subject_text(const TimingSubject& subject) {
    if (!subject.engine) return {};
    return subject.engine->device().name + ", " + subject.algorithm + ", " +
           std::to_string(subject.size.width) + " x " + std::to_string(subject.size.height) + " " +
           format_text(subject.in) + (subject.out == subject.in ? "" : " to " + format_text(subject.out)) +
           (subject.kernels.empty() ? "" : ", kernels " + subject.kernels) +
           (subject.in_parts ? ", in parts" : "") + ", shown by " +
           (subject.path == PresentationPath::interop ? "interop" : "host upload");
}

std::string filter_time_text(const Timings& timings) {
    const auto& filter = timings[TimingRow::filter];
    if (filter.typical() <= 0) return {};
    return time_text(filter.typical()) + (filter.count() > 0 ? "" : kFirstRuns);
}

std::string timing_verdict(const Timings& timings, bool draws_in_software) {
    const auto filter = filter_time_text(timings);
    if (filter.empty()) return {};
    auto slowest = TimingRow::filter;
    for (const auto row :
         {TimingRow::presentation, TimingRow::submit, TimingRow::presentation_gl, TimingRow::draw})
        if (timings[row].typical() > timings[slowest].typical()) slowest = row;
    const auto verdict = "Filter " + filter;
    if (slowest == TimingRow::filter) return verdict + ", longer than showing it";
    const auto* what = slowest == TimingRow::draw && draws_in_software ? "drawing by software takes "
                       : slowest == TimingRow::draw                    ? "drawing takes "
                                                                       : "bringing it to the screen takes ";
    return verdict + "; " + what + time_text(timings[slowest].typical());
}

std::string timing_number(double microseconds) {
    if (microseconds <= 0) return "-";
    char text[24];
    std::snprintf(text, sizeof text, microseconds < 1e6 ? "%.3f" : "%.0f", microseconds / 1e3);
    return text;
}

std::string timing_text(const Timings& timings) {
    std::string all = timing_subject_text(timings.subject()) + "\n";
    const auto line = [&](const std::string& title, const std::string& median, const std::string& p95,
                          const std::string& count, const std::string& rest) {
        char text[64];
        std::snprintf(text, sizeof text, "%-16s%12s%12s%5s", title.c_str(), median.c_str(), p95.c_str(),
                      count.c_str());
        all += text + ("  " + rest) + "\n";
    };
    line("", "median ms", "p95 ms", "n", "clock: meaning");
    for (const auto row : kTimingRows) {
        const auto& timing = timings[row];
        const auto words = timing_words(row, timings.subject());
        line(words.title, timing_number(timing.median()), timing_number(timing.p95()),
             std::to_string(timing.count()), words.clock + ": " + words.meaning);
    }
    return all + kRule + "\n";
}

std::string timing_csv(const Timings& timings) {
    std::string all = "# " + timing_subject_text(timings.subject()) + "\n# " + kRule + "\n";
    for (const auto row : kTimingRows) {
        const auto words = timing_words(row, timings.subject());
        all += "# " + key(row) + ": " + words.title + ", " + words.clock + " clock: " + words.meaning + "\n";
    }
    all += "# run: results with the same number belong to one image; engine_was_idle: idle for half a second "
           "when the run began\n"
           "row,run,microseconds,engine_was_idle\n";
    for (const auto row : kTimingRows)
        for (const auto& sample : timings[row].samples()) {
            char number[40];
            std::snprintf(number, sizeof number, "%llu,%.3f,%s", static_cast<unsigned long long>(sample.run),
                          sample.microseconds, sample.from_rest ? "yes" : "no");
            all += key(row) + "," + number + "\n";
        }
    return all;
}

} // namespace kg
