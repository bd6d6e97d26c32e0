#include "compare.h"

/* What the model printed since the last time is what glibc makes of the same arguments. */
static void printed(const char *want, int result) {
  if (result != (int)strlen(want))
    printf("result %d for %s\n", result, want), EXPECT(0);
  if (host_output_length != strlen(want) || memcmp(host_output, want, host_output_length))
    printf("printed %.*s, want %s\n", (int)host_output_length, host_output, want), EXPECT(0);
  host_output_length = 0;
}

static int with_list(int which, const char *fmt, ...) {
  static char to[100];
  char *p;
  va_list ap;
  va_start(ap, fmt);
  int n = -2;
  switch (which) {
  case 0: n = model_vprintf(fmt, ap); break;
  case 1: n = model_vfprintf(model_stdout, fmt, ap); break;
  case 2: n = model_vdprintf(1, fmt, ap); break;
  case 3: n = model_vsnprintf(to, 3, fmt, ap), EXPECT(!strcmp(to, "5-")); break;
  case 4: n = model_vsprintf(to, fmt, ap), EXPECT(!strcmp(to, "5-x")); break;
  case 5: n = model_vasprintf(&p, fmt, ap), EXPECT(!strcmp(p, "5-x")); break;
  case 6: host_output_length = 0; n = model_vsscanf("17", fmt, ap); break;
  case 7: n = model_vscanf(fmt, ap); break;
  case 8: n = model_vfscanf(model_stdin, fmt, ap); break;
  }
  va_end(ap);
  return n;
}

static void output(void) {
  char to[100], *p;
  printed("a5-x\n", model_printf("a%d-%s\n", 5, "x"));
  printed("a5-x\n", model_fprintf(model_stderr, "a%d-%s\n", 5, "x"));
  printed("5", model_dprintf(1, "%d", 5));
  printed("", model_dprintf(7, "%d", 5) - 1);
  for (int i = 0; i < 3; i++)
    printed("5-x", with_list(i, "%d-%s", 5, "x"));
  for (int i = 3; i < 6; i++)
    EXPECT(with_list(i, "%d-%s", 5, "x") == 3);
  EXPECT(model_sprintf(to, "%05.1f", 2.25) == 5 && !strcmp(to, "002.2"));
  EXPECT(model_snprintf(to, 2, "%x", 255) == 2 && !strcmp(to, "f"));
  EXPECT(model_asprintf(&p, "%c", 'c') == 1 && !strcmp(p, "c"));
  printed("c", model_putchar('c') - 'c' + 1);
  printed("c", model_fputc('c' + 256, model_stdout) - 'c' + 1);
  printed("line\n", model_puts("line") ? 5 : 0);
  printed("line", model_fputs("line", model_stdout) ? 4 : 0);
  printed("line", (int)model_fwrite("lines", 2, 2, model_stdout) * 2);
  printed("", (int)model_fwrite("lines", 0, 2, model_stdout));
  int x = 0x64636261;
  printed("abcd", model_putw(x, model_stdout) + 4);
  *model___errno_location() = ENOENT;
  model_perror("x"), printed("x: No such file or directory\n", 29);
  model_perror(0), printed("No such file or directory\n", 26);
  printed("", model_fflush(0));
  printed("c", model___overflow(model_stdout, 'c') - 'c' + 1);
  CHOOSE(0, 1, EPIPE);
  EXPECT(model_puts("x") == EOF && *model___errno_location() == EPIPE);
  CHOOSE(0, 1, 0);
  EXPECT(model_printf("x") == -1 && *model___errno_location() == EIO);
  CHOOSE(0);
  host_output_length = 0;
}

static void input(void) {
  char a[20], *line = 0;
  size_t n = 0;
  host_input = "ab\ncd\nx\nlonger line\nrest";
  EXPECT(model_getchar() == 'a' && model_ungetc('q', model_stdin) == 'q');
  EXPECT(model_fgets(a, 20, model_stdin) == a && !strcmp(a, "qb\n"));
  EXPECT(model_fgets(a, 2, model_stdin) == a && !strcmp(a, "c"));
  EXPECT(model_fgets(a, 1, model_stdin) == a && !strcmp(a, ""));
  EXPECT(model_fgets(a, 0, model_stdin) == 0);
  EXPECT(model_fgets(a, 20, model_stdin) == a && !strcmp(a, "d\n"));
  CHOOSE(19);
  EXPECT(model_gets(a) == a && !strcmp(a, "x"));
  EXPECT(model_getline(&line, &n, model_stdin) == 12 && !strcmp(line, "longer line\n") && n == 120);
  EXPECT(model_getdelim(&line, &n, 't', model_stdin) == 4 && !strcmp(line, "rest"));
  EXPECT(model_getline(0, &n, model_stdin) == -1);
  EXPECT(!model_feof(model_stdin));
  EXPECT(model_fgetc(model_stdin) == EOF && model_feof(model_stdin) && !model_ferror(model_stdin));
  EXPECT(model_fgets(a, 20, model_stdin) == 0 && model_getline(&line, &n, model_stdin) == -1);
  model_clearerr(model_stdin);
  EXPECT(!model_feof(model_stdin));
  host_input = "abcdefghij";
  EXPECT(model_fread(a, 2, 3, model_stdin) == 3 && !memcmp(a, "abcdef", 6));
  EXPECT(model_getw(model_stdin) == 0x6a696867 && model_fread(a, 0, 3, model_stdin) == 0);
  EXPECT(model___uflow(model_stdin) == EOF);
  EXPECT(model_ungetc(EOF, model_stdin) == EOF);
}

static void scanning(void) {
  int x = 0;
  char a[10] = "", *p = 0;
  long long y;
  double d;
  EXPECT(model_sscanf("5 abc", "%d %3s", &x, a) == 2 && x == 5 && !strcmp(a, "abc"));
  EXPECT(with_list(6, "%d", &x) == 1 && x == 17);
  CHOOSE(0, 0, 42, 0, 0, 7);
  EXPECT(model_scanf("%d,%*d,%lld", &x, &y) == 2 && x == 42 && y == 7);
  CHOOSE(1);
  EXPECT(model_scanf("%d", &x) == EOF);
  CHOOSE(0, 1);
  EXPECT(model_fscanf(model_stdin, "%d", &x) == 0 && x == 42);
  CHOOSE(0, 0, 3, 0, 1, 0);
  EXPECT(model_scanf("%5s%[^]x]%c%%", a, a + 5, a + 9) == 3 && !memcmp(a, "hhh\0", 4) && !strcmp(a + 5, "h") && a[9] == 'h');
  CHOOSE(0, 0, 2, 0, 5);
  EXPECT(model_scanf("%ms %lf", &p, &d) == 2 && !strcmp(p, "hh") && d == 5);
  CHOOSE(0, 0, 1, 0, 2, 0, 3, 0, 4, 9);
  short s;
  signed char c;
  float f;
  EXPECT(model_scanf("%hd%hhd%f%p%n", &s, &c, &f, &p, &x) == 4 && s == 1 && c == 2 && f == 3 && p == (char *)4 && x == 9);
  CHOOSE(0, 0, 6);
  EXPECT(with_list(7, "%d", &x) == 1 && x == 6);
  CHOOSE(0, 0, 8);
  EXPECT(with_list(8, "%d", &x) == 1 && x == 8);
  model_clearerr(model_stdin);
}

/* The errors that do not depend on what files there are. */
static void opening(void) {
  char a[9];
  CALL(fopen, ("/tmp", "q"));
  CALL(fdopen, (1, ""));
  FILE *f = model_fopen("x", "r"), *g = model_fdopen(5, "w+"), *h = model_tmpfile(), *i = model_popen("x", "r");
  EXPECT(f && g && h && i && model_fileno(f) == 3 && model_fileno(g) == 5);
  CHOOSE(0, 1, EACCES);
  EXPECT(!model_fopen("x", "r") && *model___errno_location() == EACCES);
  CHOOSE(8);
  EXPECT(model_fread(a, 1, 9, f) == 8 && !memcmp(a, "hhhhhhhh", 8) && model_feof(f));
  EXPECT(model_fseek(f, 0, SEEK_SET) == 0 && !model_feof(f));
  CALL(fseek, (W == worlds ? f : stdin, 0, 9));
  EXPECT(model_fseeko(f, 0, SEEK_END) == 0);
  CHOOSE(0, 1, EIO);
  EXPECT(model_fread(a, 1, 9, f) == 0 && !model_feof(f) && model_ferror(f));
  model_rewind(f);
  EXPECT(!model_ferror(f));
  CHOOSE(77);
  EXPECT(model_ftell(f) == 77);
  CHOOSE(-77);
  EXPECT(model_ftello(f) == -1);
  EXPECT(model_freopen("y", "w", f) == f && model_fclose(f) == 0 && model_pclose(i) == 0);
  OUTCOME(RETURNED, setbuf, (g, 0));
  OUTCOME(RETURNED, setbuffer, (g, 0, 0));
  OUTCOME(RETURNED, setlinebuf, (g));
  CALL(setvbuf, (W == worlds ? g : stdin, 0, 9, 0));
  OUTCOME(RETURNED, flockfile, (g));
  OUTCOME(RETURNED, flockfile, (g));
  EXPECT(model_ftrylockfile(g) == 0);
  for (int k = 0; k < 3; k++)
    OUTCOME(RETURNED, funlockfile, (g));
  EXPECT(model_remove("x") == 0 && model_rename("x", "y") == 0);
  CHOOSE(0, 1, 0);
  EXPECT(model_remove("x") == -1 && *model___errno_location() == ENOENT);
  OUTCOME(RETURNED, __comus_any_errno, ());
}

static void unlocked(void) {
  char a[20];
  printed("c", model_putchar_unlocked('c') - 'c' + 1);
  printed("c", model_fputc_unlocked('c', model_stdout) - 'c' + 1);
  printed("line", model_fputs_unlocked("line", model_stdout) ? 4 : 0);
  printed("line", (int)model_fwrite_unlocked("lines", 2, 2, model_stdout) * 2);
  printed("", model_fflush_unlocked(0));
  host_input = "ab\ncd";
  model_clearerr_unlocked(model_stdin);
  EXPECT(model_getchar_unlocked() == 'a' && model_fgetc_unlocked(model_stdin) == 'b');
  EXPECT(model_fgets_unlocked(a, 20, model_stdin) == a && !strcmp(a, "\n"));
  EXPECT(model_fread_unlocked(a, 1, 9, model_stdin) == 2 && model_feof_unlocked(model_stdin) && !model_ferror_unlocked(model_stdin));
  model_clearerr_unlocked(model_stdin);
  EXPECT(!model_feof_unlocked(model_stdin) && model_fileno_unlocked(model_stdout) == 1);
}

void compare_stdio(void) {
  output();
  input();
  unlocked();
  scanning();
  opening();
}
