// Strings, numbers, files, sorting.
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  char a[40] = "one two", *end;
  assert(strtol(" -0x1fz", &end, 0) == -31 && *end == 'z');
  errno = 0;
  assert(strtol("99999999999999999999", 0, 10) > 0 && errno == ERANGE);
  assert(strtod("2.5e1", 0) == 25);
  assert(!strcmp(strtok(a, " "), "one") && !strcmp(strtok(0, " "), "two") && !strtok(0, " "));
  assert(snprintf(a, sizeof a, "%d-%s", 5, "x") == 3 && !strcmp(a, "5-x"));
  int x = 0, v[] = {3, 1, 2};
  assert(sscanf("17 y", "%d", &x) == 1 && x == 17);
  qsort(v, 3, sizeof *v, by_value);
  assert(v[0] == 1 && v[1] == 2 && v[2] == 3 && bsearch(&x, v, 3, sizeof *v, by_value) == 0);
  int *p = calloc(2, sizeof *p);
  p = realloc(p, 4 * sizeof *p);
  assert(p[0] == 0 && p[1] == 0 && isdigit('5') && toupper('a') == 'A');
  free(p);
  char *s = strdup("abc");
  assert(strstr(s, "bc") == s + 1 && strchr(s, 'd') == 0);
  free(s);
  FILE *f = fopen("x", "r");
  if (f) {
    assert(!fgets(a, 4, f) || strlen(a) < 4);
    fclose(f);
  }
  char *home = getenv("HOME");
  assert(home == getenv("HOME"));
  printf("done %d\n", x);
  return 0;
}
