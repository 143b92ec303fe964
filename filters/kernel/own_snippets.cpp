#include "filters/kernel/own_snippets.hpp"

#include "filters/kernel_file.hpp"
#include "filters/recipe_file.hpp"

namespace kg {

namespace {

constexpr std::size_t kMostOnCommandLine = 49; ///< weights in a command that people read

/// The flags that differ from their presets, each before its value.
std::vector<std::string> settings(const SnippetContext& context) {
    std::vector<std::string> flags;
    const auto add = [&](const char* flag, const std::string& value) {
        flags.insert(flags.end(), {flag, value});
    };
    const SnippetContext preset;
    if (context.border != preset.border) add("--border", border_text(context.border, context.border_colour));
    if (context.light != preset.light) add("--light", std::string(name(context.light)));
    if (context.alpha != preset.alpha) add("--alpha", std::string(name(context.alpha)));
    if (context.sign != preset.sign) add("--signed", std::string(name(context.sign)));
    if (!context.channels.empty()) add("--channels", context.channels);
    return flags;
}

constexpr const char* kIntegers = R"(
def filtered(image):
    """image: rows x columns (x channels), <type>; the program must be on the PATH"""
    rows, columns, channels = np.atleast_3d(image).shape
    head = (f"P7\nWIDTH {columns}\nHEIGHT {rows}\nDEPTH {channels}\n"
            "MAXVAL <most>\nTUPLTYPE <tuples>\nENDHDR\n")
    pam = subprocess.run(COMMAND, input=head.encode() + image.astype(">u<size>").tobytes(),
                         stdout=subprocess.PIPE, check=True).stdout
    samples = np.frombuffer(pam, ">u<size>", offset=pam.index(b"ENDHDR\n") + 7)
    return samples.reshape(image.shape).astype(image.dtype)
)";

constexpr const char* kFloats = R"(
def filtered_plane(plane):
    head = f"Pf\n{plane.shape[1]} {plane.shape[0]}\n-1.0\n"  # rows from the bottom
    pfm = subprocess.run(COMMAND, input=head.encode() + plane[::-1].tobytes(),
                         stdout=subprocess.PIPE, check=True).stdout
    return np.frombuffer(pfm[-plane.nbytes:], "<f4").reshape(plane.shape)[::-1]


def filtered(image):
    """image: rows x columns (x channels), <type>; the program must be on the PATH"""
    planes = np.atleast_3d(image).astype("<f4")
    results = [filtered_plane(planes[..., c]) for c in range(planes.shape[2])]
    return np.stack(results, axis=-1).reshape(image.shape).astype(image.dtype)
)";

void replace(std::string& text, std::string_view word, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size())
        text.replace(at, word.size(), by);
}

std::string function(const PixelFormat& image) {
    std::string text = is_integer(image.depth) ? kIntegers : kFloats;
    const bool colour = image.channels > 2, bytes = image.depth == Depth::u8;
    replace(text, "<type>",
            bytes                       ? "uint8"
            : image.depth == Depth::u16 ? "uint16"
            : image.depth == Depth::f16 ? "float16"
                                        : "float32");
    replace(text, "<most>", bytes ? "255" : "65535");
    replace(text, "<size>", bytes ? "1" : "2");
    replace(text, "<tuples>", std::string(colour ? "RGB" : "GRAYSCALE") + (image.alpha >= 0 ? "_ALPHA" : ""));
    return text;
}

} // namespace

std::string shell_snippet(const Step& step, const SnippetContext& context) {
    const bool is_file = weights_in(step) > kMostOnCommandLine;
    std::string text, flag = "-f " + to_text(step);
    if (is_file && step.kernel_y) {
        text = "cat > gradient.json <<'END'\n" + to_json_recipe(step) + "END\n";
        flag = "--recipe gradient.json";
    } else if (is_file) {
        text = "cat > kernel.json <<'END'\n" + to_json(*step.kernel) + "\nEND\n";
        flag = "--kernel kernel.json";
    }
    text += "kernelglass filter in.png out.png " + flag;
    for (const auto& word : settings(context)) text += " " + word;
    return text + "\n";
}

std::string python_snippet(const Step& step, const SnippetContext& context) {
    const bool is_file = weights_in(step) > kMostTyped;
    std::string list = "\"kernelglass\", \"filter\", \"-\", \"-\", \"--quiet\", \"--format\", ";
    list += is_integer(context.image.depth) ? "\"pam\"" : "\"pfm\"";
    list += ",\n           ";
    if (!is_file) list += "\"-f\", \"" + to_text(step) + "\"";
    else list += step.kernel_y ? "\"--recipe\", \"gradient.json\"" : "\"--kernel\", \"kernel.json\"";
    for (const auto& word : settings(context)) list += ", \"" + word + "\"";
    const std::string file = !is_file        ? ""
                             : step.kernel_y ? "# gradient.json: the recipe, of this step alone\n"
                                             : "# kernel.json: the kernel, by \"Save kernel...\"\n";
    return file + "import subprocess\n\nimport numpy as np\n\nCOMMAND = [" + list + "]\n\n" +
           function(context.image);
}

} // namespace kg
