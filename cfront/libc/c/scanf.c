/* scanf and fscanf: any values that the format can give, for any number of its conversions. */
#include "libc.h"

/* A conversion: what is between % and the letter. */
struct conversion {
  int skip;     /* * */
  int allocate; /* m */
  size_t width; /* 0 if there is none */
  int longs;    /* ll: 2, l: 1, h: -1, hh: -2, L: 3 */
  char letter;
};

static const char *read_conversion(const char *p, struct conversion *c) {
  *c = (struct conversion){0, 0, 0, 0, 0};
  for (; *p == '*' || *p == 'm' || *p == '\''; p++) {
    c->skip |= *p == '*';
    c->allocate |= *p == 'm';
  }
  for (; *p >= '0' && *p <= '9'; p++)
    c->width = c->width * 10 + (size_t)(*p - '0');
  if (*p == 'm')
    c->allocate = 1, p++;
  for (;; p++) {
    if (*p == 'l')
      c->longs++;
    else if (*p == 'h')
      c->longs--;
    else if (*p == 'L' || *p == 'q')
      c->longs = 3;
    else if (*p == 'j')
      c->longs = 2;
    else if (*p == 'z' || *p == 't')
      c->longs = 1;
    else
      break;
  }
  c->letter = *p;
  if (*p == '[') {
    p++;
    if (*p == '^')
      p++;
    if (*p == ']')
      p++;
    while (*p && *p != ']')
      p++;
  }
  return *p ? p + 1 : p;
}

static void put_integer(void *to, int longs) {
  switch (longs) {
  case -2: *(char *)to = __comus_nondet_char(); break;
  case -1: *(short *)to = (short)__comus_nondet_int(); break;
  case 0: *(int *)to = __comus_nondet_int(); break;
  case 1: *(long *)to = __comus_nondet_long(); break;
  default: *(long long *)to = __comus_nondet_llong();
  }
}

static void put_float(void *to, int longs) {
  if (longs == 0)
    *(float *)to = (float)__comus_nondet_double();
  else if (longs == 1)
    *(double *)to = __comus_nondet_double();
  else
    *(long double *)to = __comus_nondet_double();
}

/* Characters, none of them null; a string's end comes behind. */
static void put_characters(void *to, const struct conversion *c) {
  size_t n = __comus_nondet_ulong(), most = c->width ? c->width : PTRDIFF_MAX - 1;
  if (c->letter != 'c')
    __comus_approximation("a string that scanf reads"); /* which may hold spaces and nulls here */
  if (c->letter == 'c')
    n = c->width ? c->width : 1;
  else if (n < 1 || n > most)
    n = 1;
  char *p = to;
  if (c->allocate)
    *(char **)to = p = __comus_alloc(n + 1);
  __comus_havoc_bytes(p, n);
  if (c->letter != 'c')
    p[n] = 0;
}

int vfscanf(FILE *f, const char *fmt, va_list ap) {
  USE_STREAM(f);
  CANCELLATION_POINT();
  if (__comus_nondet_bool()) {
    f->_flags |= AT_EOF;
    return EOF;
  }
  int done = 0;
  struct conversion c;
  for (const char *p = fmt; *p;) {
    if (*p++ != '%')
      continue;
    p = read_conversion(p, &c);
    if (c.letter == '%' || c.letter == 0)
      continue;
    if (c.letter != 'n' && __comus_nondet_bool())
      return done; /* the input does not match */
    if (c.skip)
      continue;
    void *to = va_arg(ap, void *);
    switch (c.letter) {
    case 'c': case 's': case '[': put_characters(to, &c); break;
    case 'a': case 'e': case 'f': case 'g': case 'A': case 'E': case 'F': case 'G': put_float(to, c.longs); break;
    case 'p': *(void **)to = __comus_nondet_pointer(); break;
    default: put_integer(to, c.longs);
    }
    done += c.letter != 'n';
  }
  return done;
}

int vscanf(const char *fmt, va_list ap) { return vfscanf(stdin, fmt, ap); }

int fscanf(FILE *f, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = vfscanf(f, fmt, ap);
  va_end(ap);
  return n;
}

int scanf(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = vfscanf(stdin, fmt, ap);
  va_end(ap);
  return n;
}
