// scripts/run without a display, with a fake program that logs its arguments: one result per file, whatever
// its name.

#include "tests/support/app/program.hpp"

namespace kg::testing {
namespace {

class ScriptRun : public Program {
protected:
    void SetUp() override {
        ASSERT_EQ(shell("mkdir -p house/scripts house/build/release tools a b && cp " KG_SOURCE_DIR
                        "/scripts/run " KG_SOURCE_DIR
                        "/scripts/progress house/scripts/ && touch a/x.png b/x.png b/x-gaussian-2.png plain"),
                  0)
            << err_;
        for (const auto* nothing : {"house/scripts/setup", "tools/cmake"})
            write_file(path(nothing), "#!/bin/sh\n");
        // Fails for .bad files; otherwise `filter` writes the file named by its last argument.
        write_file(path("house/build/release/kernelglass"),
                   "#!/bin/sh\nfor last; do :; done\necho \"$*\" >>asked\n"
                   "case $* in *.bad*) exit 2;; filter*) echo >\"$last\";; esac\n");
        ASSERT_EQ(shell("chmod +x house/build/release/kernelglass house/scripts/setup tools/cmake"), 0);
    }
    int run(const std::string& words) {
        return shell("PATH=$PWD/tools:$PATH bash house/scripts/run " + words);
    }
    std::string results() {
        shell("LC_ALL=C ls -A house/out");
        return out_;
    }
};

TEST_F(ScriptRun, StepsOfTheBuildAreCountedAndItsOtherOutputAndFailurePass) {
    write_file(path("tools/cmake"),
               "#!/bin/sh\ncase $* in *--build*) for i in 0 1 2 3; do echo \"[$i/3] Building\"; "
               "done; echo wrong >&2; exit 3;; esac\n");
    EXPECT_EQ(run("a/x.png"), 3);
    EXPECT_NE(out_.find("wrong\n"), std::string::npos) << out_;
    EXPECT_EQ(out_.find("[1/3]"), std::string::npos) << "steps are not listed: " << out_;
    EXPECT_FALSE(std::filesystem::exists(path("asked"))) << "nothing runs after a failed build";
}

TEST_F(ScriptRun, GpuCodeIsBuiltForTheGpuThatIsHereAlone) {
    write_file(path("tools/cmake"), "#!/bin/sh\necho \"$*\" >>built\n");
    const auto build_beside = [this](const char* gpus) {
        write_file(path("tools/nvidia-smi"), std::string("#!/bin/sh\n") + gpus + "\n");
        shell("rm -f built house/built && chmod +x tools/nvidia-smi");
        EXPECT_EQ(run("a/x.png"), 0) << out_ << err_;
        const auto printed = out_;
        shell("cat house/built");
        return printed;
    };
    EXPECT_EQ(build_beside("exit 0").find("CUDA"), std::string::npos);
    EXPECT_NE(out_.find("-DKG_CUDA=AUTO -DCMAKE_CUDA_ARCHITECTURES=native"), std::string::npos) << out_;
    EXPECT_NE(build_beside("exit 9").find("the CUDA engine is left out"), std::string::npos);
    EXPECT_NE(out_.find("-DKG_CUDA=OFF"), std::string::npos) << out_;
}

TEST_F(ScriptRun, ResultsOfOneCallDoNotReplaceEachOther) {
    ASSERT_EQ(run("a/x.png b/x.png b/x-gaussian-2.png a/../a/x.png"), 0) << out_ << err_;
    EXPECT_EQ(results(), "x-gaussian-2-gaussian.png\nx-gaussian-2.png\nx-gaussian-3.png\nx-gaussian.png\n");
}

TEST_F(ScriptRun, AFileWithoutAnExtensionBecomesAPng) {
    ASSERT_EQ(run("plain .hidden -dash.x '\"a $(b)] [.y'"), 0) << out_ << err_;
    EXPECT_EQ(results(),
              "\"a $(b)] [-gaussian.y\n-dash-gaussian.x\n.hidden-gaussian.png\nplain-gaussian.png\n");
}

TEST_F(ScriptRun, AFileThatFailsSetsTheExitCodeAndTheOthersAreFiltered) {
    EXPECT_EQ(run("x.bad b/x.png"), 1);
    EXPECT_EQ(results(), "x-gaussian.png\n");
    shell("tail -1 asked");
    EXPECT_NE(out_.find("--headless --screenshot"), std::string::npos) << out_;
}

} // namespace
} // namespace kg::testing
