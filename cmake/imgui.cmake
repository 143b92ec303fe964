# kg_imgui (Dear ImGui, its GLFW and OpenGL 3 backends, ImPlot, portable-file-dialogs) and kg_glfw, compiled
# from these folders of the imgui-bundle source distribution that scripts/setup unpacks:
#   imgui/imgui  implot/implot  imgui_test_engine/imgui_test_engine  glfw/glfw
#   portable_file_dialogs/portable_file_dialogs
foreach(file imgui/imgui/imgui.h implot/implot/implot.h glfw/glfw/CMakeLists.txt
             portable_file_dialogs/portable_file_dialogs/portable_file_dialogs.h)
  if(NOT EXISTS "${KG_IMGUI_BUNDLE_DIR}/${file}")
    message(FATAL_ERROR "${KG_IMGUI_BUNDLE_DIR} has no ${file}. Run scripts/setup, or set "
                        "KG_IMGUI_BUNDLE_DIR to an unpacked copy, or build without the window: "
                        "cmake --preset headless.")
  endif()
endforeach()

# One static GLFW for X11 and Wayland; the choice is made at run time.
set(GLFW_BUILD_DOCS OFF CACHE INTERNAL "")
set(GLFW_BUILD_TESTS OFF CACHE INTERNAL "")
set(GLFW_BUILD_EXAMPLES OFF CACHE INTERNAL "")
set(GLFW_INSTALL OFF CACHE INTERNAL "")
set(GLFW_LIBRARY_TYPE STATIC CACHE INTERNAL "")
add_subdirectory("${KG_IMGUI_BUNDLE_DIR}/glfw/glfw" "${CMAKE_BINARY_DIR}/glfw" EXCLUDE_FROM_ALL)
add_library(kg_glfw INTERFACE)
target_link_libraries(kg_glfw INTERFACE glfw)
target_include_directories(kg_glfw SYSTEM INTERFACE "${KG_IMGUI_BUNDLE_DIR}/glfw/glfw/include")
target_compile_definitions(kg_glfw INTERFACE GLFW_INCLUDE_NONE)

set(imgui "${KG_IMGUI_BUNDLE_DIR}/imgui/imgui")
set(implot "${KG_IMGUI_BUNDLE_DIR}/implot/implot")
add_library(kg_imgui STATIC
  "${imgui}/imgui.cpp" "${imgui}/imgui_draw.cpp" "${imgui}/imgui_tables.cpp" "${imgui}/imgui_widgets.cpp"
  "${imgui}/imgui_stacklayout.cpp"
  "${imgui}/misc/freetype/imgui_freetype.cpp" "${imgui}/misc/cpp/imgui_stdlib.cpp"
  "${imgui}/backends/imgui_impl_glfw.cpp" "${imgui}/backends/imgui_impl_opengl3.cpp"
  "${implot}/implot.cpp" "${implot}/implot_items.cpp")
target_include_directories(kg_imgui SYSTEM PUBLIC
  "${imgui}" "${imgui}/backends" "${imgui}/misc/freetype" "${imgui}/misc/cpp" "${implot}"
  "${KG_IMGUI_BUNDLE_DIR}/portable_file_dialogs/portable_file_dialogs")
target_compile_definitions(kg_imgui PUBLIC
  IMGUI_DISABLE_OBSOLETE_FUNCTIONS "IMGUI_DEFINE_MATH_OPERATORS=" IMGUI_ENABLE_FREETYPE
  IMGUI_DISABLE_DEMO_WINDOWS)
# The type of the values that we plot: the other nine take two minutes to compile.
target_compile_definitions(kg_imgui PRIVATE "IMPLOT_CUSTOM_NUMERIC_TYPES=(double)")
kg_light(kg_imgui)
# It instantiates every kind of plot, which takes 9 s of CPU time at -Og and 19 s at -O2.
if(NOT KG_SANITIZE)
  set_source_files_properties("${implot}/implot_items.cpp" PROPERTIES
    COMPILE_OPTIONS $<$<AND:$<CONFIG:RelWithDebInfo>,$<CXX_COMPILER_ID:GNU>>:-Og>)
endif()
target_link_libraries(kg_imgui PUBLIC kg_glfw PkgConfig::EPOXY PRIVATE PkgConfig::FREETYPE ${CMAKE_DL_LIBS})

# The licence of the test engine permits open-source projects, but it is never shipped. PUBLIC: it adds
# members to ImGui's structures, so every user of imgui.h must be compiled with it.
if(KG_UI_TESTS)
  set(engine "${KG_IMGUI_BUNDLE_DIR}/imgui_test_engine/imgui_test_engine/imgui_test_engine")
  target_sources(kg_imgui PRIVATE "${engine}/imgui_te_context.cpp" "${engine}/imgui_te_coroutine.cpp"
    "${engine}/imgui_te_engine.cpp" "${engine}/imgui_te_exporters.cpp" "${engine}/imgui_te_perftool.cpp"
    "${engine}/imgui_te_ui.cpp" "${engine}/imgui_te_utils.cpp" "${engine}/imgui_capture_tool.cpp")
  target_include_directories(kg_imgui SYSTEM PUBLIC "${engine}")
  target_compile_definitions(kg_imgui PUBLIC
    "IMGUI_ENABLE_TEST_ENGINE=" IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1
    IMGUI_TEST_ENGINE_ENABLE_STD_FUNCTION=1 IMGUI_TEST_ENGINE_ENABLE_IMPLOT=0
    IMGUI_TEST_ENGINE_ENABLE_CAPTURE=0)
  target_link_libraries(kg_imgui PUBLIC Threads::Threads)
endif()
