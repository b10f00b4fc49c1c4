#include <malloc.h>

#include "sidecar/app/command_line.h"

int main(int argc, char** argv) {
  // A few threads that allocate little: more arenas only keep memory that nobody uses.
  // No other thread exists yet.
  mallopt(M_ARENA_MAX, 2);  // NOLINT(concurrency-mt-unsafe)
  return fss::RunCommandLine(argc, argv);
}
