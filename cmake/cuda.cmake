# Decides whether the CUDA engine is built. Searches PATH, the usual place and .deps/cuda
# (scripts/setup --cuda).
if(KG_CUDA STREQUAL "OFF")
  set(KG_HAS_CUDA OFF)
else()
  find_program(KG_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH
               PATHS /usr/local/cuda "${CMAKE_SOURCE_DIR}/.deps/cuda" PATH_SUFFIXES bin)
  if(KG_NVCC)
    set(KG_HAS_CUDA ON)
  elseif(KG_CUDA STREQUAL "ON")
    message(FATAL_ERROR "KG_CUDA is ON but there is no nvcc. Run scripts/setup --cuda, or set "
                        "CMAKE_CUDA_COMPILER.")
  else()
    set(KG_HAS_CUDA OFF)
    message(STATUS "No nvcc: building the CPU engine only (scripts/setup --cuda installs the compiler)")
  endif()
endif()

if(KG_HAS_CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER "${KG_NVCC}")
  endif()
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90-real 100-real 120)
  endif()
  # No implicit fusing, as on the CPU: the code calls fma explicitly.
  set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} --fmad=false")
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  enable_language(CUDA)
  # Line information for profilers and sanitizers; it is more than half of a program's GPU code, so Release
  # builds omit it. Set after enable_language, which initialises the flags; before it, they are lost until
  # CMake runs again.
  set(CMAKE_CUDA_FLAGS_RELWITHDEBINFO "-O2 -DNDEBUG -lineinfo -Xcompiler=-g1")
  # CMake 3.25 does not know nvcc's flag for C++20.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  find_package(CUDAToolkit REQUIRED)
endif()
