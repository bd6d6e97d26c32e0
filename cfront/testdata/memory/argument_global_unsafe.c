// expect: UNSAFE --check=memory
/* The arguments are kept in variables; what another function reads of them may not be there. */
#include <string.h>
static struct { char **values; int count; } args;
static int is_verbose(int i) { return i <= args.count && strcmp(args.values[i], "-v") == 0; }
int main(int argc, char **argv) {
  args.values = argv;
  args.count = argc;
  return is_verbose(1) || is_verbose(2);
}
