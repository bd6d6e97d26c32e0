/* getopt: any of the options, with any place of the arguments, in any order. Package scan/directed/world has getopt_any and getopt_long_any
   as they are. */
#include "libc.h"

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static int any_up_to(int most) {
  int r = __comus_nondet_int();
  return r > 0 && r <= most ? r : most;
}

/* The end, where nothing is left in front of optind. */
static int no_option(int argc) {
  if (optind < argc)
    optind += any_up_to(argc - optind);
  return -1;
}

/* An argument, from any place in it. */
static char *any_argument(int argc, char *const *argv) {
  char *s = argv[any_up_to(argc - 1)];
  size_t skip = __comus_nondet_ulong();
  return skip > 0 && skip <= strnlen(s, skip) ? s + skip : s;
}

static int an_option(int argc, char *const *argv, int letter, int argument, int optional) {
  optarg = argument && (!optional || __comus_nondet_bool()) ? any_argument(argc, argv) : 0;
  optind += any_up_to(argc - optind);
  return letter;
}

static int getopt_any(int argc, char *const *argv, const char *options) {
  __comus_approximation("getopt");
  if (optind == 0)
    optind = 1;
  if (optind >= argc || __comus_nondet_bool())
    return no_option(argc);
  if (*options == '+' || *options == '-')
    options++;
  int silent = *options == ':';
  for (const char *p = options; *p; p++)
    if (*p != ':' && __comus_nondet_bool())
      return an_option(argc, argv, *p, p[1] == ':', p[1] == ':' && p[2] == ':');
  optopt = __comus_nondet_uchar();
  optarg = 0;
  optind += any_up_to(argc - optind);
  return silent && __comus_nondet_bool() ? ':' : '?';
}

int getopt(int argc, char *const *argv, const char *options) { return getopt_any(argc, argv, options); }

static int getopt_long_each(int argc, char *const *argv, const char *options, const struct option *longs, int *which) {
  for (int i = 0; optind < argc && longs && longs[i].name; i++) {
    if (!__comus_nondet_bool())
      continue;
    __comus_approximation("getopt");
    if (which)
      *which = i;
    if (longs[i].flag)
      *longs[i].flag = longs[i].val;
    return an_option(argc, argv, longs[i].flag ? 0 : longs[i].val, longs[i].has_arg, longs[i].has_arg == 2);
  }
  return getopt_any(argc, argv, options);
}

static int getopt_long_any(int argc, char *const *argv, const char *options, const struct option *longs, int *which) {
  return getopt_long_each(argc, argv, options, longs, which);
}

int getopt_long(int argc, char *const *argv, const char *options, const struct option *longs, int *which) {
  return getopt_long_any(argc, argv, options, longs, which);
}

int getopt_long_only(int argc, char *const *argv, const char *options, const struct option *longs, int *which) {
  __comus_approximation("getopt");
  return getopt_long_each(argc, argv, options, longs, which);
}
