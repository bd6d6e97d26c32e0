/* <libgen.h>: parts of paths. */
#include "libc.h"

/* POSIX's, which may change the path. */
char *__xpg_basename(char *path) {
  if (!path || !*path)
    return (char *)".";
  size_t n = strlen(path);
  while (n > 1 && path[n - 1] == '/')
    n--;
  path[n] = 0;
  size_t i = n;
  while (i > 0 && path[i - 1] != '/')
    i--;
  return i == n ? path + n - 1 : path + i;
}

/* GNU's. */
char *basename(const char *path) {
  char *p = strrchr(path, '/');
  return p ? p + 1 : (char *)path;
}

char *dirname(char *path) {
  size_t n = path ? strlen(path) : 0;
  if (n == 2 && path[0] == '/' && path[1] == '/')
    return path;
  while (n > 1 && path[n - 1] == '/')
    n--;
  while (n > 0 && path[n - 1] != '/')
    n--;
  if (n == 0)
    return (char *)".";
  size_t slashes = n;
  while (n > 1 && path[n - 1] == '/')
    n--;
  if (n == 1 && path[0] == '/') /* two slashes at the beginning stay */
    n = slashes == 2 && path[2] ? 2 : 1;
  path[n] = 0;
  return path;
}
