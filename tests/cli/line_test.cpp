// Valid and invalid command lines: their exit codes and messages.

#include "app/process/image/sample_image.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

namespace kg::testing {
namespace {

struct Line {
    const char* typed;
    int exit_code;
    /// Substrings of the output. "" means any standard output, or no standard error at all.
    const char *out, *err;
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
            EXPECT_NE(out_.find(line.out), std::string::npos) << line.typed << "\n" << out_;
            if (*line.err) {
                EXPECT_NE(err_.find(line.err), std::string::npos) << line.typed << "\n" << err_;
            } else {
                EXPECT_EQ(err_, "") << line.typed;
            }
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
        {"NO_COLOR=1 TERM=dumb $K list borders", 0, "reflect101  cb|abcd|cb [default]", ""},
    });
}

TEST_F(CommandLine, MistakesAreNamedWithARemedy) {
    check({
        {"$K filtr", 2, "", "did you mean `kernelglass filter`?"},
        {"$K nothing.jpg", 2, "", "neither a command nor a file"},
        {"$K folder out_folder", 2, "",
         "is a folder, and the window opens images. To filter a folder: kernelglass batch"},
        {"$K help filtr", 2, "", "did you mean"},
        {"$K filter", 2, "", "IN is required: kernelglass filter IN OUT"},
        {"$K filter in.png", 2, "", "OUT is required"},
        {"$K filter --hlep", 2, "", "has no flag \"--hlep\"; did you mean --help?"},
        {"$K filter in.png out.jpg -quality 3", 2, "", "has no flag \"-quality\"; did you mean --quality?"},
        {"$K filter in.png out -format png -f box", 2, "",
         "kernelglass filter has no flag \"-format\"; did you mean --format?"},
        {"$K filter in.png out.png -filter=box", 2, "", "has no flag \"-filter\"; did you mean --filter?"},
        {"$K info in.png -json", 2, "", "has no flag \"-json\"; did you mean --json?"},
        {"$K filter in.png /dev/null -f box", 2, "",
         "\"/dev/null\" has no extension that names its format; add --format png"},
        {"$K sample /dev/null", 2, "",
         "\"/dev/null\" has no extension that names its format; add --format png"},
        {"$K sample /dev/stdout > a", 2, "", "add --format png"},
        {"$K sample folder", 2, "", "\"folder\" is a folder"},
        {"$K sample a.png --format gif", 2, "", "\"gif\" is not an image format"},
        {"$K sample a.png --format $(yes gif | head -1000 | tr -d '\\n')", 2, "",
         "...\" is not an image format"},
        {"$K in.png --headless --screenshot -", 2, "", "name a file, such as window.png"},
        {"printf 'sobel\nborder wrap' > lines; $K filter in.png out.png --recipe lines", 2, "",
         "Steps are joined by `|`"},
        {"$K filter in.png out.png extra.png", 2, "", "\"extra.png\" is one argument too many"},
        {"$K filter in.png out.png sobel:direction=x", 2, "", "write -f sobel:direction=x"},
        {"$K filter in.png out.png -f", 2, "", "-f, --filter STEP: the value is missing"},
        {"$K filter in.png out.png --border", 2, "",
         "zero|replicate|reflect|reflect101|wrap|constant=COLOUR: the value is missing"},
        {"$K filter in.png out.png --bordr wrap", 2, "", "did you mean --border?"},
        {"$K filter -i in.png -o out.png", 2, "", "has no flag \"-i\": kernelglass filter IN OUT [flags]. "},
        {"$K filter in.png photo.jpg out_folder -f box", 2, "",
         "filter takes one image at a time. For a folder"},
        {"$K list filters box", 2, "", "formats|peers\n"},
        {"$K filter in.png out.png -f blur", 2, "",
         "\"blur\"; perhaps one of gaussian, box, binomial, disk, motion"},
        {"$K filter in.png out.png -f camera", 2, "", "\"camera\"; perhaps motion?"},
        {"$K filter in.png out.png -f median", 2, "", "\"median\". See `kernelglass list filters`"},
        {"$K filter in.png out.png -f gauss", 2, "", "did you mean \"gaussian\"?"},
        {"$K filter in.png out.png -f unsharp_mask:sigma=2", 2, "", "did you mean \"unsharp\"?"},
        {"$K filter in.png out.png -f gaussian,sobel", 2, "",
         "-f takes one step with its parameters after colons"},
        {"$K filter in.png out.png -f 'gaussian sigma=2'", 2, "",
         "-f takes one step with its parameters after colons"},
        {"$K filter in.png out.png -f k.txt", 2, "", "a file is read by --kernel"},
        {"$K in.png out.png -f box", 2, "",
         "\"out.png\" is not a file, and the window opens files; to write one"},
        {"$K sobel in.png", 2, "", "\"sobel\" is a filter; write `kernelglass filter IN OUT -f sobel`"},
        {"$K filter in.png out.png -f 'custom:size=3x1:weights=1 2 1'", 2, "",
         "there are commas between weights"},
        {"$K filter in.png no/such/out.png", 2, "",
         "cannot write \"no/such/out.png\": there is no folder \"no/such\""},
        {"$K compare in.png photo.jpg --tolerance 10", 1, "", "ten 8-bit levels are 10/255"},
        {"$K filter in.png out.png --json=1", 2, "",
         "--json is a switch and takes no value; \"--json=1\" is not valid"},
        {"$K filter in.png out.png --memory 12", 2, "",
         "--memory must be an integer with K, M or G, such as 512M or 2G, not \"12\""},
        {"$K filter in.png out.png -x", 2, "", "has no flag \"-x\""},
        {"$K filter in.png out.png -f gausian", 2, "", "did you mean \"gaussian\"?"},
        {"$K filter in.png out.png -f gaussian:sgma=2", 2, "", "did you mean \"sigma\"?"},
        {"$K filter in.png out.png -f gaussian:sigma=two", 2, "", "is a number such as"},
        {"$K filter in.png out.png -f gaussian:sigma=1,5", 2, "", "is a number such as"},
        {"$K filter in.png out.png -f box:size=2.5", 2, "", "whole number"},
        {"$K filter in.png out.png --border warp", 2, "", "did you mean \"wrap\"?"},
        {"$K filter in.png out.png --threads all", 2, "", "--threads must be an integer from 0"},
        {"$K filter in.png out.png --device -1", 2, "", "--device must be an integer from 0"},
        {"$K filter in.png out.png --tolerance -1", 2, "", "0 or more"},
        {"$K filter in.png out.jpg --quality 101", 2, "", "--quality must be an integer from 1 to 100"},
        {"$K filter in.png out.png -f box --algorithm fft99", 2, "", "has no algorithm \"fft99\""},
        {"$K explain -f box --engine cpu --algorithm opencv:gaussianblur", 2, "",
         "did you mean \"opencv:GaussianBlur\"?"},
        {"$K filter in.png out.png -f box --algorithm convert", 2, "", "is chosen by itself"},
        {"$K in.png --algorithm convert", 2, "", "is chosen by itself"},
        {"$K filter in.png out.png -f sobel --engine cpu --algorithm box", 2, "",
         "Algorithms that support it: "},
        {"$K filter in.png out.png -f box --engine gpu", 2, "", "auto, cpu, cuda"},
        {"$K filter in.png out.png --kernel in.png", 2, "", "PNG"},
        {"$K filter in.png out.png --kernel /dev/zero", 2, "",
         "\"/dev/zero\": it is longer than 64 MiB, the limit for a kernel or a recipe"},
        {"cp in.png long.png; truncate -s 3G long.png; $K info long.png", 2, "",
         "cannot read \"long.png\": it has 3072 MiB, and the limit for an image is 1024 MiB; `--max-pixels "
         "N` "
         "opens more"},
        {"$K filter in.png out.png --recipe k.txt", 2, "", "k.txt"},
        {"$K filter missing.png out.png", 2, "", "cannot read \"missing.png\": No such file"},
        {": > empty.png; $K filter empty.png out.png", 2, "", "\"empty.png\""},
        {"$K filter folder out.png", 2, "", "\"folder\" is a folder; filter takes one image at a time"},
        {"$K filter in.png out_folder", 2, "", "name the file to write, such as \"out_folder/in.png\""},
        {"$K filter in.png out", 2, "", "has no extension that names its format; name it \"out.png\""},
        {"$K filter in.png out.xyz", 2, "", "is not an image format"},
        {"$K filter in.png out.png --format jpgg", 2, "", "is not an image format"},
        {"$K filter in.png in.png", 2, "", "would replace the input"},
        {"ln in.png same.png; $K filter in.png same.png", 2, "", "would replace the input"},
        {"ln -s in.png link.png; $K filter in.png link.png", 2, "", "would replace the input"},
        {"cp k.txt k.pgm; $K filter in.png k.pgm --kernel k.pgm", 2, "", "would replace the input"},
        {"$K filter - in.png < in.png", 2, "", "would replace the input standard input"},
        {"$K filter in.png - -f box >> in.png", 2, "", "would replace the input"},
        {"$K filter - out.png --kernel - < k.txt", 2, "", "- is given for several inputs"},
        {"$K compare - - < in.png", 2, "", "- is given for several inputs"},
        {"$K filter in.png out.png --page 2", 2, "", "page"},
        {"$K filter in.png out.png --max-pixels 100", 2, "", "in.png"},
        {"$K list", 2, "", "filters|presets|borders|algorithms|engines|devices|formats|peers"},
        {"$K list filter", 2, "", "did you mean \"filters\"?"},
        {"$K explain", 2, "", "needs a step: -f"},
        {"$K man 2", 2, "", "there is no manual page \"2\"; the pages are 1 (the program) and 5 (recipes)"},
        {"$K completion csh", 2, "", "bash, zsh, fish"},
        {"$K in.png --screenshot a.png", 2, "", "--screenshot needs --headless"},
        {"$K in.png --json", 2, "", "--json needs --headless --screenshot FILE"},
        {"$K --size 10x10", 2, "", "--size must be WxH, such as 1280x800"},
        {"$K --size 99999999999x400", 2, "", "--size must be WxH, such as 1280x800"},
        {"$K --size 60000x60000", 2, "", "to 8192x8192"},
        {"$K --pin 12", 2, "", "--pin must be a column and a row"},
        {"$K --pin=-1,2 --headless --screenshot a.png", 2, "", "--pin must be a column and a row"},
        {"$K --pin 1,2,3", 2, "", "--pin must be a column and a row"},
        {"$K --workspace bank", 2, "",
         "--workspace must be one of play, explain, bench, batch, not \"bank\""},
        {"$K --headless --screenshot a.png --workspace Play", 2, "",
         "--workspace must be one of play, explain, bench, batch"},
        {"printf 'P7\\nHEIGHT 5\\nENDHDR\\nabcdefgh' > w.pam; $K info w.pam", 2, "", "lacks the width"},
        {"$K in.png --headless --screenshot in.png", 2, "", "would replace the input"},
        {"$K filter \"\" out.png -f box", 2, "", "cannot read \"\": a file without a name"},
        {"$K filter in.png \"\" -f box", 2, "", "the name of the image to write is empty"},
        {"$K \"\"", 2, "", "the name of the image to open is empty"},
        {"$K sample out", 2, "", "has no extension that names its format; name it \"out.png\""},
        {"$K filter in.png out.pbm -f box", 2, "",
         "a PBM file holds black and white only and is not written; use .pgm"},
        {"$K filter in.png out.png -f gausian", 2, "", "there is no filter or preset \"gausian\""},
        {"$K filter in.png out.png -f lens_blurr", 2, "", "did you mean \"lens_blur\"?"},
        {"$K filter in.png out.png -f lens_blur:radius=2", 2, "",
         "its steps are: \"disk:radius=8 | light=linear\""},
        {"$K filter in.png out.png -f 'box | sobel'", 2, "", "-f takes one step"},
        {"$K filter in.png out.png -f gaussian sigma=2", 2, "", "belongs to a step, without a space"},
        {"$K filter in.png out.png lens_blur", 2, "", "write -f lens_blur"},
        {": > none; $K filter in.png out.png --recipe none", 2, "",
         "recipe \"none\" has no steps; a recipe is written"},
        {"echo '# a' > none; $K filter in.png out.png --recipe none", 2, "", "has no steps"},
        {"echo '{}' > none; $K filter in.png out.png --recipe none", 2, "", "has no steps"},
        {"echo border=wrap | $K filter in.png out.png --recipe -", 2, "",
         "recipe from standard input has no steps"},
        {"$K in.png --recipe none", 2, "", "has no steps"},
        {"echo null > none; $K filter in.png out.png --recipe none", 2, "", "\"null\""},
        {"$K list filters > /dev/full", 2, "", "cannot write to standard output: No space left"},
    });
    EXPECT_FALSE(std::filesystem::exists(path("out.png"))) << "a mistake writes nothing";
}

TEST_F(CommandLine, MistakesOfBenchAreNamedWithARemedy) {
    check({
        {"$K bench imge", 2, "",
         "bench has no subcommand \"imge\"; did you mean \"image\"? Use `bench`, `bench"},
        {"$K bench displa", 2, "", "did you mean \"display\"?"},
        {"$K bench diff a.json", 2, "",
         "bench diff compares two reports: kernelglass bench diff OLD.json NEW.json"},
        {"$K bench diff a.json b.json -o d.md", 2, "", "bench diff measures nothing and writes no file"},
        {"$K bench diff none.json none.json", 2, "", "cannot read \"none.json\": No such file"},
        {"$K bench diff wrap.json wrap.json", 2, "", "\"wrap.json\": "},
        {"$K bench -o r.txt", 2, "",
         "the extension of a report must be .json, .csv, .md or .html, not that of \"r.txt\""},
        {"$K bench -o nowhere/r.json", 2, "", "for the report \"nowhere/r.json\""},
        {"$K bench --size 10", 2, "", "\"10\" is not a size; write 1920x1080, or hd, fhd, 4k, 8k"},
        {"$K bench --size 0x5", 2, "",
         "\"0\" is not a width or height of an image: a whole number from 1 to "},
        {"$K bench --kernel-size 2000", 2, "",
         "a kernel of 2000 x 2000 cannot be used: width and height must be 1 to 1025"},
        {"$K bench --kernel-size 9-3", 2, "", "\"9-3\" must go from the smaller to the larger size"},
        {"$K bench --filters gausian", 2, "", "there is no filter \"gausian\"; did you mean \"gaussian\"?"},
        {"$K bench --filters gaussian --kernel-size 3x5", 2, "",
         "gaussian has square kernels; 3x5 is not square"},
        {"$K bench --depth u7", 2, "", "\"u7\" is not a "},
        {"$K bench --channels 5", 2, "", "\"5\" is not a number of channels: a whole number from 1 to 4"},
        {"$K bench --engine gpu", 2, "", "\"gpu\" is not an engine"},
        {"$K bench --engine cpu --algorithm direkt", 2, "",
         "has no algorithm \"direkt\"; did you mean \"direct\"?"},
        {"$K bench --peers opencw", 2, "",
         "\"opencw\" is not a library to compare with; did you mean \"opencv\"? The values are all, none, "},
        {"$K bench --peers none,opencv", 2, "", "--peers none cannot be combined with other values"},
        {"$K bench --algorithm reference", 2, "",
         "\"reference\" is not timed: other libraries are timed only if --peers includes them"},
        {"$K bench --seconds 0", 2, "", "--seconds must be above 0, not \"0\""},
        {"$K bench diff a.json b.json --bound -1", 2, "", "--bound must be 0 or more, not \"-1\""},
        {"$K bench image in.png photo.jpg -f box", 2, "", "bench image takes one image at a time"},
        {"$K bench image in.png", 2, "",
         "bench image needs a filter: add -f STEP, such as -f gaussian:sigma=2"},
        {"$K bench image in.png -f box --size 4k", 2, "",
         "bench image takes no --size, --kernel-size, --channels or --filters"},
        {"$K bench image in.png -f box --depth u8,f32", 2, "", "bench image takes only one --depth"},
        {"$K bench -f box --kernel-size 3", 2, "",
         "-f gives the kernels; --kernel-size and --filters are for sweeps without it"},
        {"$K bench display -f box", 2, "", "bench display measures the presentation path: it takes --size"},
        {"$K bench display -o d.csv", 2, "", "bench display writes only .json, not \"d.csv\""},
        {"$K bench slider --kernel-size 3", 2, "",
         "bench slider measures the latency of the window after an edit: it takes one --size"},
    });
}

TEST_F(CommandLine, MistakesOfBatchAreNamedWithARemedy) {
    check({
        {"$K batch in.png", 2, "",
         "the output folder is missing: kernelglass batch IN... OUT_DIR, or -o OUT_DIR"},
        {"$K batch -o out", 2, "", "there are no inputs: kernelglass batch IN... OUT_DIR, or -o OUT_DIR"},
        {"$K batch in.png photo.jpg -f box", 2, "",
         "\"photo.jpg\" is not a folder; the last argument must be the output folder"},
        {"$K batch in.png out sobel", 2, "", "\"sobel\" is a step; write -f sobel"},
        {"$K batch missing out -f box", 2, "", "there is no image to filter"},
        {"$K batch - out -f box", 2, "", "- is not a file; batch reads files"},
        {"$K batch . . -f box", 2, "", "is read and written to; write to another folder"},
        {"$K batch in.png . -f box", 2, "", "in.png\" is one of the inputs; choose another folder"},
        {"$K batch in.png photo.jpg out -f box --name same.png", 2, "", "would both become"},
        {"$K batch in.png out -f box --name '{stm}{ext}'", 2, "", "did you mean \"stem\"?"},
        {"$K batch in.png out -f box --name '../{stem}'", 2, "", "leads out of the output folder"},
        {"$K batch in.png out -f box --name '.kernelglass/{stem}{ext}'", 2, "",
         "would lie in the journal's folder"},
        {"$K batch in.png out -f box --shard 0/2", 2, "",
         "--shard must be I/N, such as 2/4 for the second of four, not \"0/2\""},
        {"$K batch in.png out -f box --on-exists skp", 2, "",
         "--on-exists must be one of fail, skip, overwrite, rename, not \"skp\"; did you mean \"skip\"?"},
        {"$K batch in.png out -f box --max-errors 0", 2, "", "--max-errors must be an integer from 1"},
        {"$K batch in.png out -f box --files-from /dev/zero", 2, "",
         "has zero bytes in it; -0 reads such lists"},
        {"$K batch merge folder -o out_folder", 2, "", "\"folder\" has no journal; "},
        {"$K batch merge folder -o missing", 2, "",
         "\"missing\" is not a folder; batch merge needs the folder"},
        {"$K batch merge folder -o out_folder -f box", 2, "",
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
    const bool has_window = shell("$K") == 3 && err_.find("without its window") == std::string::npos;
    EXPECT_EQ(shell("$K in.png"), 3);
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
    EXPECT_NE(err_.find("constant=R,G,B"), std::string::npos) << err_;
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
    for (const auto& [out, reason] : std::initializer_list<std::pair<const char*, const char*>>{
             {"x.png", "cannot write \"x.png\": Too many levels of symbolic links"},
             {"a.png", "cannot write \"a.png\": Too many levels of symbolic links"},
             {"f.png", "\"f.png\" is a folder"},
             {"e.png", "there is no folder \"nowhere\""},
             {"i.png", "would replace the input"}}) {
        EXPECT_EQ(shell(std::string("$K filter in.png ") + out + " -f box; code=$?; ls -A; exit $code"), 2);
        EXPECT_NE(err_.find(reason), std::string::npos) << out << err_;
        EXPECT_TRUE(std::filesystem::is_symlink(path(out))) << out;
        EXPECT_EQ(out_.find(".kg"), std::string::npos) << out_;
    }
    EXPECT_EQ(shell("$K filter in.png d.png -f box && test -L d.png && test -f new.png"), 0) << err_;
}

TEST_F(CommandLine, ASignalAfterTheResultLeavesNothingUndone) {
    // A full pipe blocks the program at a note that it prints after the result is written.
    EXPECT_EQ(
        shell(
            "mkfifo notes; exec 3<>notes; dd if=/dev/zero of=notes bs=4096 oflag=nonblock 2>/dev/null\n"
            "\"$K\" filter in.png out.png -f box --quality 90 2>notes &\n"
            "pause() { grep -q '^State:.[^Z]' /proc/$!/status || exit 99; sleep 0.01; }\n" // 99: it has ended
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
        EXPECT_NE(err_.find("folder/out.png"), std::string::npos) << err_;
    }
    EXPECT_EQ(shell("echo old > old.png; $K filter missing.png old.png -f box; cat old.png; ls -A"), 0);
    EXPECT_TRUE(out_.starts_with("old\n")) << out_;
    EXPECT_EQ(out_.find(".part"), std::string::npos) << out_;
}

TEST_F(CommandLine, SignalsEndItWithTheirNumberAndLeaveNothing) {
    // The reference takes minutes for these boxes. env: a shell starts background jobs with SIGINT ignored.
    ASSERT_EQ(shell("$K sample big.png"), 0);
    for (const auto* signal : {"INT", "TERM"}) {
        EXPECT_EQ(shell(std::string("env --default-signal=INT \"$K\" filter big.png out.png -f box:size=61 "
                                    "-f box:size=61 --algorithm reference --engine cpu -v 2>said &\n"
                                    "while ! grep -q filtering said; do sleep 0.05; done\n"
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
