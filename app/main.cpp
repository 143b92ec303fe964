#include "app/cli/program.hpp"

int main(int argc, char** argv) { return kg::run_program(argc, argv); }
