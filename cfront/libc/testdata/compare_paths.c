#include "compare.h"

static void random_path(void) {
  static const char from[] = "a/b/";
  size_t n = (size_t)pick(10);
  for (size_t i = 0; i < n; i++)
    worlds[0].text[i] = worlds[1].text[i] = from[pick(4)];
  worlds[0].text[n] = worlds[1].text[n] = 0;
}

/* Texts of constants are at different places. */
static void same_text(const char *a, const char *b, const char *what) {
  if (strcmp(a, b))
    printf("%s: %s, want %s\n", what, a, b), EXPECT(0);
}

static void paths(void) {
  random_path();
  CALL(basename, (W->text));
  same_text(model___xpg_basename(worlds[0].text), __xpg_basename(worlds[1].text), "__xpg_basename");
  memcpy(worlds[0].text, worlds[1].text, sizeof W->text);
  random_path();
  char was[20];
  strcpy(was, worlds[0].text);
  same_text(model_dirname(worlds[0].text), dirname(worlds[1].text), was);
  memcpy(worlds[0].text, worlds[1].text, sizeof W->text);
}

static void bytes(void) {
  unsigned x = (unsigned)pick(INT_MAX);
  CALL(htons, ((unsigned short)x));
  CALL(ntohs, ((unsigned short)x));
  CALL(htonl, (x));
  CALL(ntohl, (x));
}

static void options(void) {
  static char *const argv[] = {"p", "-a", "-b", "x", "rest", 0};
  static const struct option longs[] = {{"one", 0, 0, '1'}, {"two", 1, 0, '2'}, {0, 0, 0, 0}};
  CHOOSE(0, 1, 1);
  EXPECT(model_getopt(5, argv, "ab:c::") == 'a' && model_optind == 2 && model_optarg == 0);
  CHOOSE(0, 0, 1, 3, 0, 2);
  EXPECT(model_getopt(5, argv, "ab:c::") == 'b' && model_optind == 4 && !strcmp(model_optarg, "x"));
  CHOOSE(1);
  EXPECT(model_getopt(5, argv, "ab:c::") == -1 && model_optind == 5);
  EXPECT(model_getopt(5, argv, "ab") == -1);
  model_optind = 1;
  CHOOSE(0, 1, 1, 1, 1);
  int i;
  EXPECT(model_getopt_long(5, argv, "a", longs, &i) == '2' && i == 1 && !strcmp(model_optarg, "a") && model_optind == 2);
  CHOOSE(0, 0, 0, 0, 'z', 1);
  EXPECT(model_getopt_long_only(5, argv, "a", longs, &i) == '?' && model_optopt == 'z' && model_opterr == 1);
}

static void fortified(void) {
  char *a = worlds[0].text;
  EXPECT(model___memcpy_chk(a, "abc", 4, 4) == a && !strcmp(a, "abc") && model___mempcpy_chk(a, "d", 1, 4) == a + 1);
  EXPECT(model___memmove_chk(a, a + 1, 2, 9) == a && model___memset_chk(a, 0, 1, 1) == a);
  OUTCOME(TRAPPED, __memcpy_chk, (a, "abc", 4, 3));
  OUTCOME(TRAPPED, __mempcpy_chk, (a, "abc", 4, 3));
  OUTCOME(TRAPPED, __memmove_chk, (a, "abc", 4, 3));
  OUTCOME(TRAPPED, __memset_chk, (a, 0, 4, 3));
  OUTCOME(RETURNED, __explicit_bzero_chk, (a, 4, 4));
  OUTCOME(TRAPPED, __strcpy_chk, (a, "abc", 3));
  OUTCOME(RETURNED, __stpcpy_chk, (a, "abc", 4));
  OUTCOME(TRAPPED, __strncpy_chk, (a, "abc", 4, 3));
  OUTCOME(TRAPPED, __stpncpy_chk, (a, "abc", 4, 3));
  strcpy(a, "ab");
  OUTCOME(RETURNED, __strcat_chk, (a, "c", 4));
  OUTCOME(TRAPPED, __strcat_chk, (a, "d", 4));
  OUTCOME(TRAPPED, __strncat_chk, (a, "defg", 1, 4));
  EXPECT(model___snprintf_chk(a, 4, 1, 4, "%d", 12345) == 5 && !strcmp(a, "123"));
  OUTCOME(TRAPPED, __snprintf_chk, (a, 5, 1, 4, "%d", 1));
  EXPECT(model___sprintf_chk(a, 1, 4, "%d", 123) == 3);
  OUTCOME(TRAPPED, __sprintf_chk, (a, 1, 3, "%d", 123));
  host_output_length = 0;
  EXPECT(model___printf_chk(1, "%d", 12) == 2 && model___fprintf_chk(model_stdout, 1, "%d", 12) == 2 && model___dprintf_chk(1, 1, "%d", 12) == 2);
  EXPECT(host_output_length == 6 && !memcmp(host_output, "121212", 6));
  char *p;
  EXPECT(model___asprintf_chk(&p, 1, "%d", 12) == 2 && !strcmp(p, "12"));
  host_input = "abcdef";
  model_clearerr(model_stdin);
  OUTCOME(TRAPPED, __fgets_chk, (a, 3, 4, model_stdin));
  OUTCOME(TRAPPED, __fread_chk, (a, 3, 2, 2, model_stdin));
  OUTCOME(TRAPPED, __read_chk, (0, a, 4, 3));
  EXPECT(model___fgets_chk(a, 3, 3, model_stdin) == a && model___fread_chk(a, 3, 1, 1, model_stdin) == 1 && model___read_chk(0, a, 1, 1) == 1);
  memcpy(worlds[0].text, worlds[1].text, sizeof W->text);
}

void compare_paths(void) {
  for (int i = 0; i < 5000; i++)
    paths(), bytes();
  options();
  fortified();
}
