// expect: UNSAFE --check=memory
/* A path is an argument or a constant, or nothing. */
#include <string.h>
struct config { const char *path; int n; };
static struct config parse(int argc, char **argv) {
  struct config c = {0, 3};
  if (argc > 1)
    c.path = argv[1];
  return c;
}
int main(int argc, char **argv) {
  struct config c = parse(argc, argv);
  return strlen(c.path) > 100 ? c.n : 0;
}
