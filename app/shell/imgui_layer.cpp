#include "app/shell/imgui_layer.hpp"

#include "app/shell/fonts.hpp"
#include "core/error.hpp"

#include <imgui_impl_opengl3.h>
#include <implot.h>

#include <ctime>

namespace kg::ui {

namespace {

/// What the processor has done for this thread so far.
double thread_us() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

} // namespace

ImGuiLayer::ImGuiLayer(GlContext& context, const LayerOptions& options)
    : context_(context), ini_file_(options.ini_file) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImPlot::CreateContext();
    auto& io = ImGui::GetIO();
    io.UserData = &look_;
    io.IniFilename = ini_file_.empty() ? nullptr : ini_file_.c_str();
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard | ImGuiConfigFlags_DockingEnable;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    context_.attach_imgui();
    if (!ImGui_ImplOpenGL3_Init("#version 450"))
        throw Error("Dear ImGui cannot draw with this OpenGL: " + context_.description());
    look_.theme = options.theme;
    look_.scale = options.scale > 0 ? options.scale : context_.scale();
    missing_fonts_ = load_fonts(look_);
    apply_style(look_);
}

ImGuiLayer::~ImGuiLayer() {
    ImGui_ImplOpenGL3_Shutdown();
    context_.detach_imgui();
    ImPlot::DestroyContext();
    ImGui::DestroyContext();
}

void ImGuiLayer::begin_frame() {
    frame_began_us_ = thread_us();
    ImGui_ImplOpenGL3_NewFrame();
    context_.begin_frame();
    ImGui::NewFrame();
}

void ImGuiLayer::end_frame() {
    ImGui::Render();
    const auto size = context_.framebuffer_size();
    const auto background = colour(look_.theme.surround);
    {
        const display::DrawTimer::Span drawing(draw_timer_);
        glBindFramebuffer(GL_FRAMEBUFFER, context_.framebuffer());
        glViewport(0, 0, static_cast<GLsizei>(size.width), static_cast<GLsizei>(size.height));
        glDisable(GL_SCISSOR_TEST);
        glClearColor(background.x, background.y, background.z, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    }
    draw_timer_.end();
    if (!timed_) return;
    frame_times_ = {*timed_, thread_us() - frame_began_us_, std::chrono::steady_clock::now()};
    timed_.reset();
}

void ImGuiLayer::time_frame(std::uint64_t serial) {
    timed_ = serial;
    draw_timer_.start(serial);
}

void ImGuiLayer::set_theme(const Theme& theme) {
    look_.theme = theme;
    apply_style(look_);
}

} // namespace kg::ui
