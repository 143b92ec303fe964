// Valid and invalid command lines: their exit codes and messages.

#include "app/process/image/sample_image.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <tuple>
#include <vector>

#include <unistd.h>

namespace kg::testing {
namespace {

/// A line that works, or finds images that differ.
struct Line {
    const char* typed;
    int exit_code;
    /// Substrings of the output. "" means any standard output, or no standard error at all.
    const char *out, *err;
};

/// A line that ends in errors and exit code 2.
struct Mistake {
    const char* typed;
    const char* code; ///< several are separated by commas
    /// A substring of the message: its text in the first row of each message, then its arguments.
    const char* words = "";
};

class CommandLine : public Program {
protected:
    void SetUp() override {
        write_image(path("in.png"), sample_image({40, 30}).view());
        write_image(path("photo.jpg"), random_image({40, 30}, {Depth::u8, 3}, 1).view());
        write_file(path("k.txt"), "0 0 1\n0 0 0\n0 0 0\n");
        write_file(path("wrap.json"),
                   R"({"schema": "kernelglass-recipe/1", "steps": ["box:size=5"], "border": "wrap"})");
        std::filesystem::create_directories(path("folder"));
        std::filesystem::create_directories(path("out_folder"));
    }
    void check(std::initializer_list<Line> lines) {
        for (const auto& line : lines) {
            EXPECT_EQ(shell(line.typed), line.exit_code) << line.typed << "\n" << out_ << err_;
            EXPECT_EQ(joined_codes(), "") << line.typed << "\n" << err_;
            EXPECT_NE(out_.find(line.out), std::string::npos) << line.typed << "\n" << out_;
            if (*line.err) {
                EXPECT_NE(err_.find(line.err), std::string::npos) << line.typed << "\n" << err_;
            } else {
                EXPECT_EQ(err_, "") << line.typed;
            }
        }
    }
    void check_mistakes(std::initializer_list<Mistake> mistakes) {
        for (const auto& mistake : mistakes) {
            EXPECT_EQ(shell(mistake.typed), 2) << mistake.typed << "\n" << out_ << err_;
            EXPECT_EQ(joined_codes(), mistake.code) << mistake.typed << "\n" << err_;
            EXPECT_NE(err_.find(mistake.words), std::string::npos) << mistake.typed << "\n" << err_;
        }
    }
};

TEST_F(CommandLine, ValidCommandLinesSucceed) {
    check({
        {"$K filter -f sobel photo.jpg out.jpg", 0, "out.jpg: 40 x 30 u8", ""},
        {"$K filter --filter=sobel photo.jpg out.jpg -q", 0, "", ""},
        {"$K filter in.png out.png -f box:size=1/1", 0, "out.png", ""},
        {"$K filter in.png out.png -f gaussian:sigma=5e-1 -f unsharp:sigma=1:amount=0.5", 0, "out.png", ""},
        {"$K filter in.png out.png -f custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0", 0, "out.png", ""},
        {"$K filter in.png out.png -f custom:size=2x1:weights=+1,1/3", 0, "out.png", ""},
        {"cp in.png ./-a.png; $K filter -f box -- -a.png -b.png && test -f ./-b.png", 0, "-b.png", ""},
        {"cp in.png ./filter; $K info ./filter", 0, "PNG", ""},
        {"printf 'P5 1 1 255 a' > a; $K info a", 0, "a: PGM, 1 x 1, grey", ""},
        {"printf 'P3 1 1 255 1 2 3' > a; $K info a", 0, "a: PPM, 1 x 1, RGB", ""},
        {"printf 'P1 1 1 0' > a; $K info a", 0, "a: PBM, 1 x 1, grey", ""},
        {"$K --version", 0, "kernelglass ", ""},
        {"$K help", 0, "Examples:", ""},
        {"$K help compare", 0, "Examples:", ""},
        {"$K list filters | head -1", 0, "gaussian", ""},
        {"$K sample /dev/null --format png", 0, "/dev/null: ", ""},
        {"$K sample a --format bmp -q; $K info a", 0, "a: BMP, ", ""},
        {"$K sample - -q | $K info -", 0, "standard input: PNG, ", ""},
        {"mkfifo pipe.png; cat pipe.png > copied & $K filter in.png pipe.png -f box -q; wait; $K info copied",
         0, "copied: PNG, 40 x 30", ""},
        {"$K list filters -q | grep -qx sobel", 0, "", ""},
        {"$K explain -f sobel -q", 0, "", ""},
        {"COLUMNS=1000 $K explain -f custom:size=3x1:weights=-70000.5,140001,-70000.5", 0,
         "its weights come to 280002 times the divisor, so it is summed in float64", ""},
        {"COLUMNS=1000 $K explain --kernel k.txt -v", 0, "Algorithms:", "Using the CPU"},
        {"$K filter in.png out.png -f gaussian --algorithm opencv:GaussianBlur", 0,
         "opencv:GaussianBlur > convert on cpu", ""},
        {"$K completion bash | grep -q 'recursive.* opencv:GaussianBlur\\|opencv:GaussianBlur.* recursive'",
         0, "", ""},
        {"! $K completion bash | grep -e '--algorithm) words_are=.*convert '", 0, "", ""},
        {"$K completion zsh | grep -q 'opencv.:GaussianBlur'", 0, "", ""},
        {"$K filter in.png out.png -f sobel -f lens_blur", 0, "", "the preset lens_blur sets light=linear"},
        {"$K filter in.png out.png -f lens_blur", 0, "", ""},
        {"$K filter in.png out.png -f sobel -f lens_blur --light stored", 0, "", ""},
        {"$K list presets | grep -q '^lens_blur *Out of focus: '", 0, "", ""},
        {"COLUMNS=1000 $K explain -f laplacian:offset=0.5", 0, ", offset 0.5", ""},
        {"COLUMNS=1000 $K explain -f laplacian", 0,
         "Offset 0.5 (:offset=0.5 after the step, or --signed half) shows 0", ""},
        {"COLUMNS=1000 $K explain -f sobel:direction=x", 0, "Offset 0.5", ""},
        {"COLUMNS=1000 $K explain -f sobel:direction=x", 0, "becomes the offset, and results are signed.",
         ""},
        {"COLUMNS=1000 $K explain -f sobel -f sobel:norm=l1 | grep signed; test $? = 1", 0, "", ""},
        {"for s in laplacian:offset=0.5 sobel gaussian custom:size=1x1:weights=0; do COLUMNS=1000 $K explain "
         "-f $s || exit; done | grep 'Offset 0.5'; test $? = 1",
         0, "", ""},
        {"COLUMNS=1000 $K explain -f custom:size=1x1:weights=4000000:divisor=4000000", 0, "divisor 4000000",
         ""},
        {"COLUMNS=1000 $K explain --engine cpu -f gaussian -f sobel", 0, "; step 2: ", ""},
        {"COLUMNS=1000 $K explain -f custom:size=9x5:weights=$(seq -s, 1 45)", 0, "...: 9 x 5", ""},
        {"COLUMNS=1000 $K filter --help | grep -q 'kernelglass list peers'", 0, "", ""},
        {"echo 1 2 1 > smooth.txt; $K filter in.png out.png --kernel smooth.txt", 0, "",
         "weights add up to 4 times their divisor, so that a constant image becomes 4 times as bright"},
        {"$K filter in.png out.png -f custom:size=3x1:weights=1,2,1:divisor=auto", 0, "", ""},
        {"$K compare in.png photo.jpg --tolerance 1 -q", 1, "", ""},
        {"$K compare in.png photo.jpg --tolerance 10", 1, "", "ten 8-bit levels are 10/255"},
        {"NO_COLOR=1 TERM=dumb $K list borders", 0, "reflect101  cb|abcd|cb [default]", ""},
    });
}

TEST_F(CommandLine, MistakesAreNamedWithARemedy) {
    check_mistakes({
        {"$K filtr", "unknown-command",
         "\"filtr\" is neither a command nor a file; did you mean `kernelglass filter`?"},
        {"$K nothing.jpg", "unknown-command", "\"nothing.jpg\""},
        {"$K foto.jpg", "unknown-command", "; did you mean `kernelglass photo.jpg`?"},
        {"cp photo.jpg 'my photo.jpg'; $K ./my-foto.jpg", "unknown-command",
         "`kernelglass './my photo.jpg'`"},
        {"$K folder out_folder", "is-a-folder",
         "is a folder, and the window opens images. To filter a folder: kernelglass batch"},
        {"$K help filtr", "unknown-command", "`kernelglass filter`"},
        {"$K filter", "missing-argument", "IN is required: kernelglass filter IN OUT"},
        {"$K filter in.png", "missing-argument", "OUT"},
        {"$K filter --hlep", "unknown-flag", "has no flag \"--hlep\"; did you mean --help?"},
        {"$K filter in.png out.jpg -quality 3", "unknown-flag", "\"-quality\"; did you mean --quality?"},
        {"$K filter in.png out -format png -f box", "unknown-flag",
         "kernelglass filter has no flag \"-format\"; did you mean --format?"},
        {"$K filter in.png out.png -filter=box", "unknown-flag", "\"-filter\"; did you mean --filter?"},
        {"$K info in.png -json", "unknown-flag", "\"-json\"; did you mean --json?"},
        {"$K filter in.png /dev/null -f box", "no-extension",
         "\"/dev/null\" has no extension that names its format; add --format png"},
        {"$K sample /dev/null", "no-extension", "\"/dev/null\""},
        {"$K sample /dev/stdout > a", "no-extension", "--format png"},
        {"$K sample folder", "is-a-folder", "\"folder\" is a folder; name the file to write"},
        {"$K sample a.png --format gif", "read-only-format",
         "\"gif\" is not an image format that can be written; use "},
        {"$K sample a.png --format $(yes gif | head -1000 | tr -d '\\n')", "unknown-format", "...\""},
        {"$K in.png --headless --screenshot -", "no-extension", "name a file, such as window.png"},
        {"printf 'sobel\nborder wrap' > lines; $K filter in.png out.png --recipe lines", "missing-bar",
         "\"border\" follows the step \"sobel\" without a `|` between them. Steps are joined by `|`"},
        {"$K filter in.png out.png extra.png", "too-many-arguments",
         "\"extra.png\" is one argument too many"},
        {"$K filter in.png out.png sobel:direction=x", "misplaced-step",
         "\"sobel:direction=x\" is a step; write -f sobel:direction=x"},
        {"$K filter in.png out.png -f", "missing-value", "-f, --filter STEP: the value is missing"},
        {"$K filter in.png out.png --border", "missing-value",
         "zero|replicate|reflect|reflect101|wrap|constant=COLOUR"},
        {"$K filter in.png out.png --bordr wrap", "unknown-flag", "did you mean --border?"},
        {"$K filter -i in.png -o out.png", "unknown-flag",
         "has no flag \"-i\": kernelglass filter IN OUT [flags]. "},
        {"$K filter in.png photo.jpg out_folder -f box", "too-many-arguments",
         "filter takes one image at a time. For a folder"},
        {"$K list filters box", "too-many-arguments", "formats|peers\n"},
        {"$K filter in.png out.png -f blur", "unknown-filter",
         "\"blur\"; perhaps one of gaussian, box, binomial, disk, motion"},
        {"$K filter in.png out.png -f camera", "unknown-filter", "\"camera\"; perhaps motion?"},
        {"$K filter in.png out.png -f median", "unknown-filter",
         "\"median\". See `kernelglass list filters`"},
        {"$K filter in.png out.png -f gauss", "unknown-filter", "\"gaussian\""},
        {"$K filter in.png out.png -f unsharp_mask:sigma=2", "unknown-filter", "\"unsharp\""},
        {"$K filter in.png out.png -f gaussian,sobel", "several-steps",
         "-f takes one step with its parameters after colons"},
        {"$K filter in.png out.png -f 'gaussian sigma=2'", "several-steps", "\"gaussian sigma=2\""},
        {"$K filter in.png out.png -f k.txt", "unknown-filter", "; a file is read by --kernel"},
        {"$K in.png out.png -f box", "not-a-file",
         "\"out.png\" is not a file, and the window opens files; to write one"},
        {"$K sobel in.png", "misplaced-step",
         "\"sobel\" is a filter; write `kernelglass filter IN OUT -f sobel`"},
        {"$K filter in.png out.png -f 'custom:size=3x1:weights=1 2 1'", "mixed-separators",
         "there are commas between weights"},
        {"$K filter in.png no/such/out.png", "no-folder",
         "cannot write \"no/such/out.png\": there is no folder \"no/such\""},
        {"$K filter in.png out.png --json=1", "unexpected-value",
         "--json is a switch and takes no value; \"--json=1\" is not valid"},
        {"$K filter in.png out.png --memory 12", "bad-value",
         "--memory must be an integer with K, M or G, such as 512M or 2G, not \"12\""},
        {"$K filter in.png out.png -x", "unknown-flag", "\"-x\""},
        {"$K filter in.png out.png -f gausian", "unknown-filter", "\"gaussian\""},
        {"$K filter in.png out.png -f gaussian:sgma=2", "unknown-parameter",
         "gaussian has no parameter \"sgma\"; did you mean \"sigma\"?"},
        {"$K filter in.png out.png -f gaussian:sigma=two", "not-a-number",
         "is a number such as 2, 0.5 or 1/9, not \"two\""},
        {"$K filter in.png out.png -f gaussian:sigma=1,5", "not-a-number", "\"1,5\""},
        {"$K filter in.png out.png -f box:size=2.5", "not-whole", "is a whole number, not \"2.5\""},
        {"$K filter in.png out.png --border warp", "unknown-choice",
         "\"warp\" is not a border; did you mean \"wrap\"?"},
        {"$K filter in.png out.png --threads all", "bad-value", "--threads must be an integer from 0"},
        {"$K filter in.png out.png --device -1", "bad-value", "--device"},
        {"$K filter in.png out.png --tolerance -1", "bad-tolerance", "a tolerance is 0 or more, not \"-1\""},
        {"$K filter in.png out.jpg --quality 101", "bad-value",
         "--quality must be an integer from 1 to 100, not \"101\""},
        {"$K filter in.png out.png -f box --algorithm fft99", "unknown-algorithm",
         "has no algorithm \"fft99\""},
        {"$K explain -f box --engine cpu --algorithm opencv:gaussianblur", "unknown-algorithm",
         "did you mean \"opencv:GaussianBlur\""},
        {"$K filter in.png out.png -f box --algorithm convert", "not-a-filtering-algorithm",
         "is chosen by itself"},
        {"$K in.png --algorithm convert", "not-a-filtering-algorithm"},
        {"$K filter in.png out.png -f sobel --engine cpu --algorithm box", "algorithm-refused",
         "Algorithms that support it: "},
        {"$K filter in.png out.png -f box --engine gpu", "unknown-engine", "auto, cpu, cuda"},
        {"$K filter in.png out.png --kernel in.png", "not-text", "this is a PNG image, not text"},
        {"$K filter in.png out.png --kernel /dev/zero", "file-too-large",
         "\"/dev/zero\": it is longer than 64 MiB, the limit for a kernel or a recipe"},
        {"cp in.png long.png; truncate -s 3G long.png; $K info long.png", "file-too-large",
         "cannot read \"long.png\": it has 3072 MiB, and the limit for an image is 1024 MiB; `--max-pixels "
         "N` opens more"},
        {"$K filter in.png out.png --recipe k.txt", "kernel-not-recipe",
         "it begins like a kernel, not like a recipe; pass kernels with --kernel"},
        {"$K filter missing.png out.png", "cannot-read", "cannot read \"missing.png\": No such file"},
        {": > empty.png; $K filter empty.png out.png", "empty-file", "\"empty.png\""},
        {": > empty.png; $K info empty.png", "empty-file", "the file is empty"},
        {"$K filter folder out.png", "is-a-folder",
         "\"folder\" is a folder; filter takes one image at a time"},
        {"$K filter in.png out_folder", "is-a-folder",
         "name the file to write, such as \"out_folder/in.png\""},
        {"$K filter in.png out", "no-extension", "\"out.png\""},
        {"$K filter in.png out.xyz", "unknown-format", "is not an image format that can be written; use "},
        {"$K filter in.png out.png --format jpgg", "unknown-format", "\"jpgg\""},
        {"$K filter in.png in.png", "replaces-input",
         "the output would replace the input \"in.png\"; choose another name"},
        {"ln in.png same.png; $K filter in.png same.png", "replaces-input", "\"in.png\""},
        {"ln -s in.png link.png; $K filter in.png link.png", "replaces-input", "\"in.png\""},
        {"cp k.txt k.pgm; $K filter in.png k.pgm --kernel k.pgm", "replaces-input", "\"k.pgm\""},
        {"$K filter - in.png < in.png", "replaces-input", "standard input"},
        {"$K filter in.png - -f box >> in.png", "replaces-input", "\"in.png\""},
        {"$K filter - out.png --kernel - < k.txt", "shared-standard-input", "- is given for several inputs"},
        {"$K compare - - < in.png", "shared-standard-input"},
        {"$K filter in.png out.png --page 2", "no-such-page", "it has no page 2, only 1"},
        {"$K filter in.png out.png --max-pixels 100", "too-many-pixels",
         "and the limit is 100; `--max-pixels N` opens more"},
        {"$K list", "missing-argument", "filters|presets|borders|algorithms|engines|devices|formats|peers"},
        {"$K list filter", "unknown-list", "there is no list \"filter\"; did you mean \"filters\"?"},
        {"$K explain", "missing-step", "needs a step: -f"},
        {"$K man 2", "unknown-page",
         "there is no manual page \"2\"; the pages are 1 (the program) and 5 (recipes)"},
        {"$K completion csh", "unknown-shell", "the shells are bash, zsh, fish"},
        {"$K in.png --screenshot a.png", "missing-flag", "--screenshot needs --headless"},
        {"$K in.png --json", "missing-flag", "--json needs --headless --screenshot FILE"},
        {"$K --size 10x10", "bad-value",
         "--size must be WxH, such as 1280x800, from 320x240 to 8192x8192, not \"10x10\""},
        {"$K --size 99999999999x400", "bad-value", "\"99999999999x400\""},
        {"$K --size 60000x60000", "bad-value", "\"60000x60000\""},
        {"$K --pin 12", "bad-value", "--pin must be a column and a row"},
        {"$K --pin=-1,2 --headless --screenshot a.png", "bad-value", "\"-1,2\""},
        {"$K --pin 1,2,3", "bad-value", "\"1,2,3\""},
        {"$K --workspace desk", "bad-value",
         "--workspace must be one of play, explain, bench, batch, signal, bank, not \"desk\""},
        {"$K --headless --screenshot a.png --workspace Play", "bad-value", "\"Play\""},
        {"printf 'P7\\nHEIGHT 5\\nENDHDR\\nabcdefgh' > w.pam; $K info w.pam", "damaged-file",
         "lacks the width"},
        {"$K in.png --headless --screenshot in.png", "replaces-input", "\"in.png\""},
        {"$K filter \"\" out.png -f box", "no-name", "cannot read \"\": a file without a name"},
        {"$K filter in.png \"\" -f box", "no-name", "the name of the image to write is empty"},
        {"$K \"\"", "no-name", "the name of the image to open is empty"},
        {"$K sample out", "no-extension", "\"out.png\""},
        {"$K filter in.png out.pbm -f box", "read-only-format",
         "a PBM file holds black and white only and is not written; use .pgm"},
        {"$K filter in.png out.png -f gausian", "unknown-filter", "there is no filter or preset \"gausian\""},
        {"$K filter in.png out.png -f lens_blurr", "unknown-filter", "\"lens_blur\""},
        {"$K filter in.png out.png -f lens_blur:radius=2", "preset-without-parameters",
         "the preset \"lens_blur\" has no parameters; its steps are: \"disk:radius=8 | light=linear\""},
        {"$K filter in.png out.png -f 'box | sobel'", "several-steps", "\"box | sobel\""},
        {"$K filter in.png out.png -f gaussian sigma=2", "detached-parameter",
         "belongs to a step, without a space"},
        {"$K filter in.png out.png lens_blur", "misplaced-step", "-f lens_blur"},
        {": > none; $K filter in.png out.png --recipe none", "recipe-without-steps",
         "recipe \"none\" has no steps; a recipe is written"},
        {"echo '# a' > none; $K filter in.png out.png --recipe none", "recipe-without-steps", "\"none\""},
        {"echo '{}' > none; $K filter in.png out.png --recipe none", "recipe-without-steps", "\"none\""},
        {"echo border=wrap | $K filter in.png out.png --recipe -", "recipe-without-steps",
         "from standard input"},
        {"$K in.png --recipe none", "recipe-without-steps", "\"none\""},
        {"echo null > none; $K filter in.png out.png --recipe none", "unknown-filter", "\"null\""},
        {"$K list filters > /dev/full", "cannot-write", "cannot write to standard output: No space left"},
    });
    EXPECT_FALSE(std::filesystem::exists(path("out.png"))) << "a mistake writes nothing";
}

TEST_F(CommandLine, MistakesOfBenchAreNamedWithARemedy) {
    check_mistakes({
        {"$K bench imge", "unknown-subcommand",
         "bench has no subcommand \"imge\"; did you mean \"image\"? Use `bench`, `bench"},
        {"$K bench displa", "unknown-subcommand", "\"display\""},
        {"$K bench diff a.json", "not-two-reports",
         "bench diff compares two reports: kernelglass bench diff OLD.json NEW.json"},
        {"$K bench diff a.json b.json -o d.md", "unexpected-flag",
         "bench diff measures nothing and writes no file"},
        {"$K bench diff none.json none.json", "cannot-read", "\"none.json\""},
        {"$K bench diff wrap.json wrap.json", "unknown-schema", "\"wrap.json\": "},
        {"$K bench -o r.txt", "bad-extension",
         "the extension of a report must be .json, .csv, .md or .html, not that of \"r.txt\""},
        {"$K bench -o nowhere/r.json", "no-folder", "for the report \"nowhere/r.json\""},
        {"$K bench --size 10", "bad-size", "\"10\" is not a size; write 1920x1080, or hd, fhd, 4k, 8k"},
        {"$K bench --size 0x5", "bad-value",
         "\"0\" is not a width or height of an image: a whole number from 1 to "},
        {"$K bench --kernel-size 2000", "bad-kernel-size",
         "a kernel of 2000 x 2000 cannot be used: width and height must be 1 to 1025"},
        {"$K bench --kernel-size 9-3", "bad-range", "\"9-3\" must go from the smaller to the larger size"},
        {"$K bench --filters gausian", "unknown-filter",
         "there is no filter \"gausian\"; did you mean \"gaussian\"?"},
        {"$K bench --filters gaussian --kernel-size 3x5", "kernel-not-square",
         "gaussian has square kernels; 3x5 is not square"},
        {"$K bench --depth u7", "unknown-choice", "\"u7\""},
        {"$K bench --channels 5", "bad-value", "\"5\" is not a number of channels"},
        {"$K bench --engine gpu", "unknown-engine", "\"gpu\""},
        {"$K bench --engine cpu --algorithm direkt", "unknown-algorithm",
         "\"direkt\"; did you mean \"direct\"?"},
        {"$K bench --peers opencw", "unknown-library",
         "\"opencw\" is not a library to compare with; did you mean \"opencv\"? The values are all, none, "},
        {"$K bench --peers none,opencv", "conflicting-flags",
         "--peers none cannot be combined with other values"},
        {"$K bench --algorithm reference", "algorithm-not-timed",
         "\"reference\" is not timed: other libraries are timed only if --peers includes them"},
        {"$K bench --seconds 0", "bad-value", "--seconds must be above 0, not \"0\""},
        {"$K bench diff a.json b.json --bound -1", "bad-value", "--bound must be 0 or more, not \"-1\""},
        {"$K bench image in.png photo.jpg -f box", "too-many-arguments",
         "bench image takes one image at a time"},
        {"$K bench image in.png", "missing-step",
         "bench image needs a filter: add -f STEP, such as -f gaussian:sigma=2"},
        {"$K bench image in.png -f box --size 4k", "unexpected-flag",
         "bench image takes no --size, --kernel-size, --channels or --filters"},
        {"$K bench image in.png -f box --depth u8,f32", "too-many-values",
         "bench image takes only one --depth"},
        {"$K bench -f box --kernel-size 3", "conflicting-flags",
         "-f gives the kernels; --kernel-size and --filters are for sweeps without it"},
        {"$K bench display -f box", "unexpected-flag",
         "bench display measures the presentation path: it takes --size"},
        {"$K bench display -o d.csv", "bad-extension", "bench display writes only .json, not \"d.csv\""},
        {"$K bench slider --kernel-size 3", "unexpected-flag",
         "bench slider measures the latency of the window after an edit: it takes one --size"},
    });
}

TEST_F(CommandLine, MistakesOfBatchAreNamedWithARemedy) {
    check_mistakes({
        {"$K batch in.png", "no-output-folder",
         "the output folder is missing: kernelglass batch IN... OUT_DIR, or -o OUT_DIR"},
        {"$K batch -o out", "no-inputs",
         "there are no inputs: kernelglass batch IN... OUT_DIR, or -o OUT_DIR"},
        {"$K batch in.png photo.jpg -f box", "not-a-folder",
         "\"photo.jpg\" is not a folder; the last argument must be the output folder"},
        {"$K batch in.png out sobel", "misplaced-step", "\"sobel\""},
        {"$K batch missing out -f box", "cannot-read, no-images", "there is no image to filter"},
        {"$K batch - out -f box", "not-a-file, no-images", "- is not a file; batch reads files"},
        {"$K batch . . -f box", "output-folder-is-input", "is read and written to; write to another folder"},
        {"$K batch in.png . -f box", "output-is-input",
         "in.png\" is one of the inputs; choose another folder"},
        {"$K batch in.png photo.jpg out -f box --name same.png", "names-collide", "would both become"},
        {"$K batch in.png out -f box --name '{stm}{ext}'", "unknown-name-field",
         "there is no {stm}; did you mean \"stem\"?"},
        {"$K batch in.png out -f box --name '../{stem}'", "outside-output-folder",
         "leads out of the output folder"},
        {"$K batch in.png out -f box --name '.kernelglass/{stem}{ext}'", "output-in-journal-folder",
         "would lie in the journal's folder"},
        {"$K batch in.png out -f box --shard 0/2", "bad-value",
         "--shard must be I/N, such as 2/4 for the second of four, or auto, not \"0/2\""},
        {"$K batch in.png out -f box --on-exists skp", "bad-value",
         "--on-exists must be one of fail, skip, overwrite, rename, not \"skp\"; did you mean \"skip\"?"},
        {"$K batch in.png out -f box --max-errors 0", "bad-value", "--max-errors"},
        {"$K batch in.png out -f box --files-from /dev/zero", "zero-bytes-in-list",
         "has zero bytes in it; -0 reads such lists"},
        {"$K batch merge folder -o out_folder", "no-journal", "\"folder\" has no journal; "},
        {"$K batch merge folder -o missing", "not-a-folder",
         "\"missing\" is not a folder; batch merge needs the folder"},
        {"$K batch merge folder -o out_folder -f box", "unexpected-flag",
         "batch merge combines journals and applies no filter"},
    });
    EXPECT_FALSE(std::filesystem::exists(path("out"))) << "a mistake writes nothing";
}

TEST_F(CommandLine, PresetsAreNamedLikeFiltersAndReadLikeRecipes) {
    write_file(path("preset.json"), read_file(KG_SOURCE_DIR "/assets/presets/dreamy_glow.json"));
    write_file(path("glow.recipe"), "unsharp:sigma=6:amount=0.6 | gaussian:sigma=3 | light=linear");
    ASSERT_EQ(
        shell("$K filter in.png name.png -f dreamy_glow && $K filter in.png file.png --recipe preset.json &&"
              "$K filter in.png text.png --recipe glow.recipe && cmp name.png text.png && cmp file.png "
              "text.png"),
        0)
        << out_ << err_;
    // Settings of a preset are added to those of a recipe, and a flag overrides both.
    ASSERT_EQ(shell("$K filter in.png a.png --recipe wrap.json -f dreamy_glow --light stored &&"
                    "$K filter in.png b.png -f box:size=5 -f unsharp:sigma=6:amount=0.6 -f gaussian:sigma=3 "
                    "--border wrap"
                    " && cmp a.png b.png"),
              0)
        << out_ << err_;
    // A filter takes precedence over a preset of the same name.
    ASSERT_EQ(shell("$K filter in.png a.png -f sharpen:amount=2 && $K filter in.png b.png -f emboss"), 0)
        << err_;
    ASSERT_EQ(shell("$K list presets -q"), 0);
    EXPECT_NE(out_.find("dreamy_glow\n"), std::string::npos) << out_;
}

TEST_F(CommandLine, WithoutADisplayTheWindowNamesARemedy) {
    EXPECT_EQ(shell("$K"), 3);
    const bool has_window = joined_codes() == "no-display";
    EXPECT_EQ(shell("$K in.png"), 3);
    EXPECT_EQ(joined_codes(), has_window ? "no-display" : "built-without-window");
    EXPECT_NE(err_.find(has_window ? "No display. Use `kernelglass filter ...` or `--headless --screenshot F`"
                                   : "Use `kernelglass filter ...`"),
              std::string::npos)
        << err_;
}

TEST_F(CommandLine, AFlagOverridesARecipeWhereverItStands) {
    ASSERT_EQ(shell("$K filter in.png wrap.png --recipe wrap.json &&"
                    "$K filter in.png zero.png -f box:size=5 --border zero &&"
                    "$K filter in.png before.png --border zero --recipe wrap.json &&"
                    "$K filter in.png after.png --recipe wrap.json --border zero"),
              0)
        << err_;
    EXPECT_EQ(shell("$K compare before.png zero.png && $K compare after.png zero.png"), 0) << out_;
    EXPECT_EQ(shell("$K compare wrap.png zero.png"), 1) << out_;
}

TEST_F(CommandLine, ABorderTakesAColour) {
    ASSERT_EQ(shell("$K filter in.png zero.png -f box:size=5 --border zero &&"
                    "$K filter in.png black.png -f box:size=5 --border constant=0 &&"
                    "$K filter in.png red.png -f box:size=5 --border constant=1,0,0 &&"
                    "echo 'box:size=5 | border=constant=1,0,0' | $K filter in.png recipe.png --recipe -"),
              0)
        << err_;
    EXPECT_EQ(shell("$K compare black.png zero.png && $K compare red.png recipe.png"), 0) << out_;
    EXPECT_EQ(shell("$K compare red.png zero.png"), 1) << out_;
    EXPECT_EQ(shell("$K filter in.png out.png -f box --border constant"), 2);
    EXPECT_EQ(joined_codes(), "bad-border-colour") << err_;
    EXPECT_TRUE(prints("constant=R,G,B")) << err_;
}

TEST_F(CommandLine, StepsKernelsAndRecipesApplyInTheOrderGiven) {
    write_file(path("one.recipe"), "sharpen | off box");
    ASSERT_EQ(shell("$K filter in.png a.png -f box --kernel k.txt --recipe one.recipe -f gaussian &&"
                    "$K filter in.png b.png -f box -f custom:size=3x3:weights=0,0,1,0,0,0,0,0,0 -f sharpen "
                    "-f gaussian &&"
                    "$K filter in.png c.png -f gaussian -f sharpen --kernel k.txt -f box"),
              0)
        << err_;
    EXPECT_EQ(shell("$K compare a.png b.png"), 0) << out_;
    EXPECT_EQ(shell("$K compare a.png c.png"), 1) << "the order of these steps matters";
}

TEST_F(CommandLine, ACustomGradientIsTheFilterWhoseKernelsItHas) {
    const std::string step = "custom_gradient:size=3x3:weights_x=-1,0,1,-2,0,2,-1,0,1:"
                             "weights_y=-1,-2,-1,0,0,0,1,2,1:norm=l1";
    write_file(path("pair.json"), R"({"steps": [{"filter": "custom_gradient", "values": {"norm": "l1"},
        "kernels": [[[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], [[-1, -2, -1], [0, 0, 0], [1, 2, 1]]]}]})");
    ASSERT_EQ(shell("$K filter in.png a.png -f sobel:norm=l1 --no-recipe -q &&"
                    "$K filter in.png b.png --no-recipe -q -f " +
                    step +
                    " && $K filter in.png c.png --no-recipe -q --recipe pair.json &&"
                    "mkdir pairs && $K batch in.png pairs --no-recipe -q -f " +
                    step),
              0)
        << err_;
    for (const auto* made : {"b.png", "c.png", "pairs/in.png"})
        EXPECT_EQ(shell("cmp a.png " + std::string(made)), 0) << out_;
    EXPECT_EQ(shell("COLUMNS=1000 $K explain -f " + step), 0) << err_;
    EXPECT_NE(out_.find("kernel 2 of 2, combined as the sum of magnitudes: 3 x 3"), std::string::npos)
        << out_;
}

TEST_F(CommandLine, OutputReplacesAsCpDoes) {
    EXPECT_EQ(
        shell("echo old > out.png && chmod 640 out.png && ln -s out.png l.png &&"
              "$K filter in.png l.png -f box && $K info out.png && stat -c %a out.png && test -L l.png"),
        0)
        << err_;
    EXPECT_NE(out_.find("\n640\n"), std::string::npos) << out_;
}

TEST_F(CommandLine, ALoopOfLinksIsNoOutput) {
    ASSERT_EQ(shell("ln -s x.png x.png; ln -s b.png a.png; ln -s a.png b.png; ln -s folder f.png; ln -s "
                    "new.png d.png;"
                    "ln -s nowhere/new.png e.png; ln -s in.png i.png; mkdir -p folder"),
              0);
    using Arguments = std::vector<std::string>;
    constexpr auto* kLoop = "Too many levels of symbolic links";
    for (const auto& [out, code, arguments] :
         std::initializer_list<std::tuple<std::string, const char*, Arguments>>{
             {"x.png", "cannot-write", {"\"x.png\"", kLoop}},
             {"a.png", "cannot-write", {"\"a.png\"", kLoop}},
             {"f.png", "is-a-folder", {"\"f.png\"", "\"f.png/in.png\""}},
             {"e.png", "no-folder", {"\"nowhere/new.png\"", "\"nowhere\""}},
             {"i.png", "replaces-input", {"\"in.png\""}}}) {
        EXPECT_EQ(shell("$K filter in.png " + out + " -f box; code=$?; ls -A; exit $code"), 2);
        ASSERT_EQ(joined_codes(), code) << out << err_;
        EXPECT_EQ(arguments_.front(), arguments) << out << err_;
        EXPECT_TRUE(std::filesystem::is_symlink(path(out))) << out;
        EXPECT_EQ(out_.find(".kg"), std::string::npos) << out_;
    }
    EXPECT_EQ(shell("$K filter in.png d.png -f box && test -L d.png && test -f new.png"), 0) << err_;
}

TEST_F(CommandLine, ASignalAfterTheResultLeavesNothingUndone) {
    // A full pipe blocks the program at a note that it prints after the result is written.
    EXPECT_EQ(
        shell("mkfifo notes; exec 3<>notes; dd if=/dev/zero of=notes bs=4096 oflag=nonblock 2>/dev/null\n"
              "\"$K\" filter in.png out.png -f box --quality 90 2>notes &\n"
              "until [ -e out.png ]; do pause; done; kill -TERM $!\n"
              "until grep -q 'ShdPnd:.*00$' /proc/$!/status; do pause; done\n"
              "head -c 4096 <&3 >/dev/null; wait $!"),
        0)
        << err_;
}

TEST_F(CommandLine, AFailureLeavesNothingNewAndDestroysNothingOld) {
    if (::geteuid() == 0) {
        // root may write anywhere; a file in place of a folder fails for every user.
        EXPECT_EQ(shell("$K filter in.png k.txt/out.png -f box; test $? = 2 && ls | wc -l"), 0) << err_;
    } else {
        EXPECT_EQ(shell("chmod 555 folder; $K filter in.png folder/out.png -f box; test $? = 2"), 0);
        ASSERT_EQ(joined_codes(), "cannot-write") << err_;
        EXPECT_EQ(arguments_.front().front(), "\"folder/out.png\"");
    }
    EXPECT_EQ(shell("echo old > old.png; $K filter missing.png old.png -f box; cat old.png; ls -A"), 0);
    EXPECT_TRUE(out_.starts_with("old\n")) << out_;
    EXPECT_EQ(out_.find(".part"), std::string::npos) << out_;
}

TEST_F(CommandLine, SignalsEndItWithTheirNumberAndLeaveNothing) {
    // The reference takes minutes for these boxes. env: a shell starts background jobs with SIGINT ignored.
    // The job empties `said` itself, perhaps after the first look: an earlier job's file is removed before.
    ASSERT_EQ(shell("$K sample big.png"), 0);
    for (const auto* signal : {"INT", "TERM"}) {
        EXPECT_EQ(shell(std::string("rm -f said\n"
                                    "env --default-signal=INT \"$K\" filter big.png out.png -f box:size=61 "
                                    "-f box:size=61 --algorithm reference --engine cpu -v 2>said &\n"
                                    "until grep -qs filtering said; do pause; done\n"
                                    "kill -") +
                        signal + " $!; wait $!; code=$?; cat said >&2; ls; exit $code"),
                  std::string_view(signal) == "INT" ? 130 : 143)
            << err_;
        EXPECT_EQ(out_.find("out.png"), std::string::npos) << out_;
        EXPECT_NE(err_.find("stopped; nothing was written"), std::string::npos) << err_;
    }
}

TEST_F(CommandLine, VerbosityIsChosen) {
    ASSERT_EQ(shell("$K filter in.png out.png -f box --engine cpu"), 0);
    EXPECT_EQ(err_, "");
    EXPECT_NE(out_, "");
    ASSERT_EQ(shell("$K filter in.png out.png -f box --engine cpu -q"), 0);
    EXPECT_EQ(out_ + err_, "");
    ASSERT_EQ(shell("$K filter in.png out.jpg -f box --engine cpu"), 0);
    EXPECT_NE(err_.find("JPEG holds no alpha: left out"), std::string::npos) << err_;
    ASSERT_EQ(shell("$K filter in.png out.jpg -f box --engine cpu --depth u16"), 0);
    EXPECT_NE(err_.find("JPEG does not hold u16: written as u8"), std::string::npos) << err_;
    ASSERT_EQ(shell("$K filter in.png out.png -f box --engine cpu --quality 50"), 0);
    EXPECT_NE(err_.find("--quality applies to JPEG; it is ignored for PNG"), std::string::npos) << err_;
    ASSERT_EQ(shell("$K filter photo.jpg out.jpg -f box --engine cpu --quality 50"), 0);
    EXPECT_EQ(err_, "");
    ASSERT_EQ(shell("$K filter in.png out.png"), 0);
    EXPECT_NE(err_.find("only converted"), std::string::npos) << err_;
}

} // namespace
} // namespace kg::testing
