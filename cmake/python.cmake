# Decides whether the Python module is built: KG_HAS_PYTHON. AUTO builds it where its tests can run, too.
set(KG_HAS_PYTHON OFF)
set(KG_WHY_NO_PYTHON "built without the Python module (KG_PYTHON=OFF)")
if(KG_PYTHON AND KG_SANITIZE MATCHES thread)
  set(KG_WHY_NO_PYTHON "an interpreter without the thread sanitizer cannot load the module")
elseif(KG_PYTHON)
  find_package(Python 3.10 QUIET COMPONENTS Interpreter Development.Module)
  set(needed "import nanobind")
  if(KG_PYTHON STREQUAL "AUTO")
    set(needed "import nanobind, numpy, pytest")
  endif()
  if(Python_FOUND)
    execute_process(COMMAND "${Python_EXECUTABLE}" -c "${needed}; print(nanobind.cmake_dir())"
                    OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE absent
                    ERROR_QUIET)
  endif()
  if(Python_FOUND AND absent EQUAL 0)
    set(KG_HAS_PYTHON ON)
    set(nanobind_DIR "${folder}")
    find_package(nanobind CONFIG REQUIRED)
  elseif(KG_PYTHON STREQUAL "AUTO")
    set(KG_WHY_NO_PYTHON
        "no Python with its headers, nanobind, numpy and pytest (scripts/python-check fetches them)")
    message(STATUS "Python module: ${KG_WHY_NO_PYTHON}")
  else()
    message(FATAL_ERROR "KG_PYTHON is ON, and there is no Python with its headers and nanobind; "
                        "`pip install .` fetches nanobind")
  endif()
endif()
