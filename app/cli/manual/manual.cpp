#include "app/cli/manual/manual.hpp"

#include "app/cli/flags/flag_table.hpp"
#include "core/support/text.hpp"
#include "filters/filter.hpp"
#include "filters/preset.hpp"
#include "filters/recipe_file.hpp"

#include <algorithm>

namespace kg {

namespace {

/// Escapes `text` for man(7): no character is read as a request, an escape or a hyphen.
std::string roff_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '\\') result += "\\e";
        else if (c == '-') result += "\\-";
        else if (c == '\'') result += "\\(aq";
        else if (c == '`') result += "\\(ga";
        else if (c == '^') result += "\\(ha";
        else if (c == '~') result += "\\(ti";
        else if (c == '.' && result.empty()) result += "\\&.";
        else result += c;
    }
    return result;
}

class Page {
public:
    Page(const std::string& title, int section) {
        text_ = ".TH " + title + " " + std::to_string(section) +
                " " KG_DATE " \"kernelglass " KG_VERSION "\" Kernelglass\n";
    }
    Page& section(std::string_view title) { return heading(".SH " + std::string(title)); }
    Page& subsection(std::string_view title) { return heading(".SS " + roff_escaped(title)); }
    /// Adds paragraphs, separated by an empty line in `paragraphs`, wrapped into short lines.
    Page& text(std::string_view paragraphs) {
        bool first = true;
        for (const auto paragraph : split(paragraphs, '\n')) {
            if (paragraph.empty()) continue;
            if (!first) line(".PP");
            flow(paragraph);
            first = false;
        }
        return *this;
    }
    Page& paragraph(std::string_view words) {
        line(".PP");
        return text(words);
    }
    /// Adds a term in bold with its description below.
    Page& item(std::string_view term, std::string_view description) {
        line(".TP").line("\\fB" + roff_escaped(term) + "\\fR");
        return text(description);
    }
    Page& example(std::string_view lines, std::string_view what) {
        if (!after_heading_) line(".PP");
        if (!what.empty()) text(what).line(".PP");
        line(".nf").line(".RS");
        for (const auto each : split_lines(lines)) line(roff_escaped(each));
        return line(".RE").line(".fi");
    }
    std::string str() const { return text_; }

private:
    static std::vector<std::string_view> split_lines(std::string_view lines) {
        std::vector<std::string_view> all; // not split(), which trims the indentation
        while (true) {
            const auto end = lines.find('\n');
            all.push_back(lines.substr(0, end));
            if (end == std::string_view::npos) return all;
            lines.remove_prefix(end + 1);
        }
    }
    Page& heading(const std::string& written) {
        line(written);
        after_heading_ = true;
        return *this;
    }
    Page& line(const std::string& written) {
        text_ += written + "\n";
        after_heading_ = false;
        return *this;
    }
    void flow(std::string_view words) {
        constexpr std::size_t kColumns = 76;
        std::string current;
        for (const auto word : split(words, ' ')) {
            if (!current.empty() && current.size() + 1 + word.size() > kColumns) {
                line(current);
                current.clear();
            }
            current += current.empty() ? roff_escaped(word) : " " + roff_escaped(word);
        }
        line(current);
    }
    std::string text_;
    bool after_heading_ = false; ///< a heading starts a paragraph, so .PP is omitted
};

bool same(const Flag& a, const Flag& b) { return a.names == b.names && a.help == b.help; }

struct Entry {
    const Command* command;
    FlagTable table;
};

std::vector<Entry> entries() {
    std::vector<Entry> all{{&window_command(), flag_table(window_command())}};
    for (const auto* command : commands())
        if (!command->hidden) {
            all.push_back({command, flag_table(*command)});
            for (const auto& each : command->subcommands)
                if (each.own) all.push_back({each.own, flag_table(*each.own)});
        }
    return all;
}

/// Returns true if several commands have the flag; such a flag is described once.
bool is_shared(const Flag& flag, const std::vector<Entry>& all) {
    return std::ranges::count_if(all, [&](const Entry& entry) {
               return std::ranges::any_of(entry.table.flags,
                                          [&](const Flag& other) { return same(flag, other); });
           }) > 1;
}

void describe(Page& page, const Entry& entry, const std::vector<Entry>& all) {
    page.subsection(entry.table.usage(*entry.command));
    page.text(std::string(entry.command->summary) + ".");
    if (!entry.command->description.empty()) page.paragraph(entry.command->description);
    if (entry.command->presets) page.paragraph(entry.command->presets());
    for (const auto& flag : entry.table.positionals) page.item(flag.usage(), flag.help + ".");
    for (const auto& each : entry.command->subcommands)
        page.item(usage(each), std::string(each.summary) + ".");
    std::string shared;
    for (const auto& flag : entry.table.flags)
        if (is_shared(flag, all)) shared += (shared.empty() ? "" : ", ") + flag.names.back();
        else page.item(flag.usage(), flag.help + ".");
    page.paragraph("Shared flags: " + shared + ".");
}

void describe_shared(Page& page, const std::vector<Entry>& all) {
    std::vector<Flag> done;
    for (const auto& entry : all)
        for (const auto& flag : entry.table.flags) {
            if (!is_shared(flag, all) ||
                std::ranges::any_of(done, [&](const Flag& other) { return same(flag, other); }))
                continue;
            page.item(flag.usage(), flag.help + ".");
            done.push_back(flag);
        }
}

std::string described(const Parameter& p) {
    std::string text(p.help);
    if (!text.empty()) text += ". ";
    switch (p.kind) {
    case Parameter::Kind::number:
    case Parameter::Kind::integer:
        text += (p.kind == Parameter::Kind::integer ? "An integer from " : "A number from ") +
                to_text(p.minimum) + " to " + to_text(p.maximum) +
                (p.unit.empty() ? "" : " " + std::string(p.unit)) + ".";
        break;
    case Parameter::Kind::choice: text += "One of " + listed(p.choices) + "."; break;
    }
    if (!p.preset.empty()) text += " Default: " + std::string(p.preset) + ".";
    return text;
}

} // namespace

std::string program_manual() {
    const auto all = entries();
    Page page("KERNELGLASS", 1);
    page.section("NAME").text("kernelglass - convolution filters one can see");
    page.section("SYNOPSIS");
    bool first = true;
    for (const auto& entry : all) {
        const auto usage = entry.table.usage(*entry.command);
        if (first) page.text(usage);
        else page.paragraph(usage);
        first = false;
    }
    page.section("DESCRIPTION")
        .text("Kernelglass filters images by convolution, in a window that shows each change at once or with "
              "commands. It computes on an NVIDIA GPU if one is available and otherwise on the CPU. "
              "Results of both are identical for integer weights; others may differ by rounding.")
        .paragraph(
            "A file named - is standard input or output for filter, info, compare, sample, --kernel and "
            "--recipe. At most one input can be standard input. Results go to standard output and messages "
            "to standard error; if pixels go to standard output, the report goes to standard error too. All "
            "arguments after -- are files.");
    page.section("EXAMPLES");
    for (const auto& entry : all)
        for (const auto& example : entry.command->examples) page.example(example.line, example.what);
    page.section("COMMANDS");
    for (const auto& entry : all) describe(page, entry, all);
    page.section("\"SHARED FLAGS\"").text("Flags of more than one command.");
    describe_shared(page, all);
    page.section("\"EXIT STATUS\"")
        .item("0", "Success; for compare, the images are the same.")
        .item("1", "Some files failed; for compare, the images differ.")
        .item("2", "The command line is not valid, or a file cannot be read or written.")
        .item("3", "The device or display is not available.")
        .item("130, 143",
              "Stopped by Ctrl+C or SIGTERM before everything was done. An output in progress is either "
              "completed or removed. A second signal stops at once.");
    page.section("ENVIRONMENT")
        .item("COLUMNS",
              "Width of the output of help, list and explain, from 40 to 1000. Default: the width of the "
              "terminal, at most 100, and 80 without a terminal.")
        .item(
            "NO_COLOR, TERM",
            "Output is not coloured if NO_COLOR is set, or if TERM is dumb or unset. In names and messages, "
            "control characters and bytes that are not UTF-8 are always written as %1B.");
    page.section("\"SEE ALSO\"").text("kernelglass-recipe(5)");
    return page.str();
}

namespace {

/// The parameters that the filter custom does not declare.
void add_custom_parameters(Page& page) {
    page.item("size", "Width and height, such as 3x3.")
        .item("weights", "The weights, row by row, separated by commas.")
        .item("divisor", "Divisor of the sum: a number, or auto for the sum of the weights. Default: 1.")
        .item("offset", "Value added to the result, as a fraction of full scale. Default: 0.")
        .item("anchor", "Column and row of the weight over the output pixel, such as 1,1. Default: the "
                        "centre.")
        .item("flip", "true rotates the kernel by 180 degrees, as in textbook convolution. Default: false.");
}

/// Parameters of the two kernels of custom_gradient.
void add_custom_gradient_parameters(Page& page) {
    page.item("weights_x, weights_y", "The weights of each kernel, as those of custom.")
        .item("size, divisor, anchor, flip",
              "As those of custom, for both kernels. With _x or _y at the end, such as size_x, for one of "
              "them.");
}

void add_steps(Page& page) {
    page.section("STEPS").text(
        "A step is the id of a filter and its parameters: id[:key=value]... Numbers may be "
        "fractions such as 1/9. Omitted parameters have their defaults.");
    for (const auto* filter : filters()) {
        page.subsection(filter->id);
        page.text(std::string(filter->title) + ": " + std::string(filter->summary) + ".");
        for (const auto& p : filter->parameters) page.item(p.id, described(p));
        if (filter->id == "custom") add_custom_parameters(page);
        if (filter->id == "custom_gradient") add_custom_gradient_parameters(page);
    }
}

void add_presets(Page& page) {
    page.section("PRESETS").text(
        "Presets are named recipes. -f accepts the name of a preset unless a filter has "
        "the same name. Presets have no parameters.");
    for (const auto& preset : presets())
        page.item(preset.id, preset.title + ": " + to_text(preset.recipe) + ".");
}

void add_settings(Page& page) {
    page.section("SETTINGS");
    const auto window = flag_table(window_command());
    for (const auto& flag : window.flags)
        if (flag.group == "Settings")
            page.item(flag.names.front().substr(2) + " " + flag.value, flag.help + ".");
}

void add_recipe_forms(Page& page) {
    page.section("\"TEXT FORM\"")
        .text("Steps joined by |, on one or more lines, followed by settings as key=value. off before a step "
              "keeps it in the recipe but disables it. # begins a comment.");
    page.example("gaussian:sigma=2 | off sharpen | border=wrap light=linear", "");
    page.section("\"JSON FORM\"")
        .text("An object. Omitted keys have their defaults, and unknown keys are refused. A step may also be "
              "a string in the text form. The file of a preset is accepted too.");
    page.example("{\"schema\": \"kernelglass-recipe/1\",\n"
                 " \"steps\": [{\"filter\": \"gaussian\", \"values\": {\"sigma\": 2}, \"enabled\": true},\n"
                 "           \"sharpen:amount=0.5\",\n"
                 "           {\"filter\": \"custom\", \"kernel\": {\"rows\": [[1, 0, -1]]}},\n"
                 "           {\"filter\": \"custom_gradient\", \"kernels\": [[[1, -1]], [[1], [-1]]]}],\n"
                 " \"border\": \"reflect101\", \"light\": \"stored\", \"alpha\": \"premultiplied\",\n"
                 " \"signed\": \"clamp\", \"channels\": \"rgb\", \"depth\": \"u8\", \"tolerance\": 0}",
                 "");
}

void add_kernel_files(Page& page) {
    page.section("\"KERNEL FILES\"")
        .text("A kernel file has one of three forms. Text: rows of numbers separated by spaces, tabs, "
              "commas or semicolons; # begins a comment. JSON: an array of rows, or an object with rows, "
              "anchor [x, y], divisor (a number or auto), offset and flip. NumPy: a .npy file of one or "
              "two dimensions. Width and height are from 1 to 1025.");
    page.example("# sharpen\n 0 -1  0\n-1  5 -1\n 0 -1  0", "");
    page.example("{\"rows\": [[1, 2, 1], [2, 4, 2], [1, 2, 1]], \"divisor\": 16}", "");
}

} // namespace

std::string recipe_manual() {
    Page page("KERNELGLASS\\-RECIPE", 5);
    page.section("NAME").text("kernelglass-recipe - steps, recipes and kernel files of kernelglass");
    page.section("DESCRIPTION")
        .text(
            "A recipe is a list of steps and the settings that apply to all of them. On a command line, each "
            "step is an argument of -f. A recipe file in either form below is read with --recipe, a kernel "
            "file with --kernel. Steps are applied in the order given. Settings given as flags override "
            "those of a recipe.");
    add_steps(page);
    add_presets(page);
    add_settings(page);
    add_recipe_forms(page);
    add_kernel_files(page);
    page.section("\"SEE ALSO\"").text("kernelglass(1)");
    return page.str();
}

} // namespace kg
