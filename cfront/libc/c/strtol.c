/* Numbers in strings: strtol and its like, strtod, atoi. */
#include "libc.h"

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The value of a digit, 36 or more for other characters. */
static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9')
    return (unsigned)(c - '0');
  c |= 32;
  return c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10 : 99;
}

struct number {
  unsigned long long value; /* without its sign */
  int negative, overflow;
};

/* Reads a number as strtoul does; 0 if the base is none. */
static int read_number(const char *s, char **end, unsigned base, struct number *n) {
  const char *begin = s;
  *n = (struct number){0, 0, 0};
  if (base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  while (is_space(*s))
    s++;
  n->negative = *s == '-';
  if (*s == '-' || *s == '+')
    s++;
  if ((base == 0 || base == 16) && s[0] == '0' && (s[1] | 32) == 'x' && digit_value(s[2]) < 16) {
    s += 2;
    base = 16;
  } else if (base == 0)
    base = *s == '0' ? 8 : 10;
  if (digit_value(*s) < base)
    begin = 0;
  for (; digit_value(*s) < base; s++) {
    unsigned d = digit_value(*s);
    if (n->value > (ULLONG_MAX - d) / base)
      n->overflow = 1;
    else
      n->value = n->value * base + d;
  }
  if (end)
    *end = (char *)(begin ? begin : s);
  return 1;
}

static long long read_signed(const char *s, char **end, int base, long long most) {
  struct number n;
  if (!read_number(s, end, (unsigned)base, &n))
    return 0;
  unsigned long long limit = (unsigned long long)most + (unsigned)n.negative;
  if (n.overflow || n.value > limit) {
    errno = ERANGE;
    n.value = limit;
  }
  return n.negative ? (long long)-n.value : (long long)n.value;
}

static unsigned long long read_unsigned(const char *s, char **end, int base, unsigned long long most) {
  struct number n;
  if (!read_number(s, end, (unsigned)base, &n))
    return 0;
  if (n.overflow || n.value > most) {
    errno = ERANGE;
    return most;
  }
  return n.negative ? -n.value : n.value;
}

long strtol(const char *s, char **end, int base) { return (long)read_signed(s, end, base, LONG_MAX); }
long long strtoll(const char *s, char **end, int base) { return read_signed(s, end, base, LLONG_MAX); }
intmax_t strtoimax(const char *s, char **end, int base) { return read_signed(s, end, base, LLONG_MAX); }
unsigned long strtoul(const char *s, char **end, int base) { return (unsigned long)read_unsigned(s, end, base, ULONG_MAX); }
unsigned long long strtoull(const char *s, char **end, int base) { return read_unsigned(s, end, base, ULLONG_MAX); }
uintmax_t strtoumax(const char *s, char **end, int base) { return read_unsigned(s, end, base, ULLONG_MAX); }

int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtoll(s, 0, 10); }

static int begins_with(const char *s, const char *word) {
  for (; *word; s++, word++)
    if ((*s | 32) != *word)
      return 0;
  return 1;
}

/* Digits of a base behind s, and whether there are any. */
static const char *skip_digits(const char *s, unsigned base, int *any) {
  while (digit_value(*s) < base)
    s++, *any = 1;
  return s;
}

/* Where the number ends that s begins with behind spaces, null if it is none. */
static const char *end_of_float(const char *s) {
  if (*s == '-' || *s == '+')
    s++;
  if (begins_with(s, "infinity"))
    return s + 8;
  if (begins_with(s, "inf"))
    return s + 3;
  if (begins_with(s, "nan")) {
    const char *p = s + 3;
    if (*p == '(') {
      for (p++; digit_value(*p) < 36 || *p == '_'; p++)
        ;
      if (*p == ')')
        return p + 1;
    }
    return s + 3;
  }
  unsigned base = 10;
  int any = 0;
  const char *zero = 0;
  if (s[0] == '0' && (s[1] | 32) == 'x') {
    zero = s + 1;
    s += 2;
    base = 16;
  }
  s = skip_digits(s, base, &any);
  if (*s == '.')
    s = skip_digits(s + 1, base, &any);
  if (!any)
    return zero;
  if ((*s | 32) == (base == 16 ? 'p' : 'e')) {
    const char *p = s + 1;
    int digits = 0;
    if (*p == '-' || *p == '+')
      p++;
    p = skip_digits(p, 10, &digits);
    if (digits)
      s = p;
  }
  return s;
}

/* Whether a number from s to end is 0 as it is written. */
static int is_zero(const char *s, const char *end) {
  int hex = 0;
  for (; s < end; s++) {
    if ((*s | 32) == 'x')
      hex = 1;
    else if ((*s | 32) == (hex ? 'p' : 'e'))
      return 1;
    else if (digit_value(*s) < 36 && *s != '0')
      return 0;
  }
  return 1;
}

double strtod(const char *s, char **end) {
  const char *p = s;
  while (is_space(*p))
    p++;
  const char *e = end_of_float(p);
  if (end)
    *end = (char *)(e ? e : s);
  if (!e)
    return 0;
  double x = __comus_strtod(s);
  const char *first = *p == '-' || *p == '+' ? p + 1 : p;
  int is_number = digit_value(*first) < 10 || *first == '.';
  double magnitude = x < 0 ? -x : x;
  if (is_number && (magnitude == HUGE_VAL || (magnitude < __DBL_MIN__ && !is_zero(first, e) && (magnitude == 0 || __comus_nondet_bool()))))
    errno = ERANGE;
  return x;
}

double atof(const char *s) { return strtod(s, 0); }

/* Rounded twice. */
float strtof(const char *s, char **end) {
  __comus_approximation("strtof");
  return (float)strtod(s, end);
}

long double strtold(const char *s, char **end) {
  __comus_approximation("long double");
  return strtod(s, end);
}
