#include "app/ui/shell/imgui_layer.hpp"

#include "app/ui/shell/fonts.hpp"
#include "core/support/error.hpp"
#include "display/renderer.hpp"

#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>
#include <implot.h>

#include <ctime>

namespace kg::ui {

namespace {

/// CPU time of this thread so far.
double thread_us() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

/// Number of queued events that one frame processes. Dear ImGui itself delays events of one key or button
/// after its press. But it sees the other keys as they are at the end of the frame: releasing Ctrl before Z
/// would make the bare Z of Ctrl+Z. And an item that others may overlap is hovered only in the frame after
/// the mouse arrived, too late for a press in the same one. So a frame ends after the first key press or
/// wheel event, if another key event follows, and before a press that follows a move.
int events_of_one_frame(const ImVector<ImGuiInputEvent>& queue) {
    bool moved = false, complete = false;
    for (int i = 0; i < queue.Size; ++i) {
        const auto& event = queue[i];
        moved |= event.Type == ImGuiInputEventType_MousePos;
        if (event.Type == ImGuiInputEventType_MouseButton && event.MouseButton.Down && moved) return i;
        complete |= event.Type == ImGuiInputEventType_MouseWheel;
        if (event.Type != ImGuiInputEventType_Key) continue;
        if (complete) return i;
        const bool is_modifier = (event.Key.Key & ImGuiMod_Mask_) != 0 || ImGui::IsLRModKey(event.Key.Key);
        complete = event.Key.Down && !is_modifier;
    }
    return queue.Size;
}

} // namespace

ImGuiLayer::ImGuiLayer(GlContext& context, const LayerOptions& options)
    : context_(context), in_software_(display::Renderer::current().is_software()),
      ini_file_(options.ini_file) {
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
        throw Error("no-opengl", "Dear ImGui cannot draw with this OpenGL: {}", context_.description());
    look_.theme = options.theme;
    screen_scale_ = look_.scale = options.scale > 0 ? options.scale : context_.scale();
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
    auto& queue = ImGui::GetCurrentContext()->InputEventsQueue;
    const int now = events_of_one_frame(queue);
    const std::vector<ImGuiInputEvent> later(queue.begin() + now, queue.end());
    queue.resize(now);
    ImGui::NewFrame();
    for (const auto& event : later) queue.push_back(event);
}

double ImGuiLayer::frame(const std::function<double()>& draw) {
    begin_frame();
    const auto wanted = draw();
    end_frame();
    context_.present();
    return wanted;
}

void ImGuiLayer::end_frame() {
    ImGui::Render();
    const auto size = context_.framebuffer_size();
    const auto background = colour(look_.theme.surround);
    {
        const display::DrawTimer::Span drawing(draw_timer_);
        glBindFramebuffer(GL_FRAMEBUFFER, context_.framebuffer());
        glViewport(0, 0, static_cast<GLsizei>(size.width), static_cast<GLsizei>(size.height));
        drawn_pixels_ = size.width * size.height;
        if (in_software_) draw_changes(size, background);
        else draw_whole(background);
    }
    draw_timer_.end();
    if (!timed_) return;
    frame_times_ = {*timed_, thread_us() - frame_began_us_, std::chrono::steady_clock::now()};
    timed_.reset();
}

void ImGuiLayer::draw_whole(const ImVec4& background) {
    glDisable(GL_SCISSOR_TEST);
    glClearColor(background.x, background.y, background.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void ImGuiLayer::draw_changes(Extent size, const ImVec4& background) {
    if (!kept_frame_.is_kept()) changed_.forget();
    auto& data = *ImGui::GetDrawData();
    const auto regions = changed_.update(data, size, ImGui::ColorConvertFloat4ToU32(background));
    drawn_pixels_ = 0;
    for (const auto& [rect, start] : regions) {
        draw_region(data, rect, start, size);
        drawn_pixels_ += rect.width * rect.height;
    }
    if (!regions.empty()) kept_frame_.mark();
}

void ImGuiLayer::time_frame(std::uint64_t serial) {
    timed_ = serial;
    draw_timer_.start(serial);
}

void ImGuiLayer::set_theme(const Theme& theme) {
    look_.theme = theme;
    apply_style(look_);
}

void ImGuiLayer::set_zoom(float zoom) {
    look_.scale = screen_scale_ * zoom;
    apply_style(look_);
}

} // namespace kg::ui
