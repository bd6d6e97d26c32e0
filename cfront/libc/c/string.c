/* <string.h>: memory, lengths, comparisons, copies. The order in which bytes are copied is open;
   comparisons give any value of the right sign. */
#include "libc.h"

void *memcpy(void *to, const void *from, size_t n) {
  __comus_copy(to, from, n, 0);
  return to;
}

void *mempcpy(void *to, const void *from, size_t n) {
  __comus_apart(to, n, from, n);
  __comus_copy(to, from, n, 0);
  return (char *)to + n;
}

void *memmove(void *to, const void *from, size_t n) {
  __comus_copy(to, from, n, 1);
  return to;
}

void bcopy(const void *from, void *to, size_t n) { __comus_copy(to, from, n, 1); }

void *memset(void *p, int byte, size_t n) {
  __comus_fill(p, (unsigned char)byte, n);
  return p;
}

void bzero(void *p, size_t n) { __comus_fill(p, 0, n); }

void explicit_bzero(void *p, size_t n) { __comus_fill(p, 0, n); }

void *memccpy(void *to, const void *from, int byte, size_t n) {
  char *t = to;
  const char *f = from;
  for (size_t i = 0; i < n; i++) {
    __comus_apart(t, i + 1, f, i + 1);
    if ((t[i] = f[i]) == (char)byte)
      return t + i + 1;
  }
  return 0;
}

/* Any int of the sign of a - b. */
static int sign(int a, int b) {
  int r = __comus_nondet_int();
  if (r == 0)
    r = a - b;
  __comus_assume((r < 0) == (a < b) && (r > 0) == (a > b));
  return r;
}

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *p = a, *q = b;
  for (size_t i = 0; i < n; i++)
    if (p[i] != q[i])
      return sign(p[i], q[i]);
  return 0;
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *p, int byte, size_t n) {
  const unsigned char *q = p;
  for (size_t i = 0; i < n; i++)
    if (q[i] == (unsigned char)byte)
      return (void *)(q + i);
  return 0;
}

void *memrchr(const void *p, int byte, size_t n) {
  const unsigned char *q = p;
  while (n-- > 0)
    if (q[n] == (unsigned char)byte)
      return (void *)(q + n);
  return 0;
}

void *rawmemchr(const void *p, int byte) {
  const unsigned char *q = p;
  while (*q != (unsigned char)byte)
    q++;
  return (void *)q;
}

void *memmem(const void *p, size_t n, const void *needle, size_t m) {
  const char *q = p;
  for (size_t i = 0; m <= n && i <= n - m; i++)
    if (memcmp(q + i, needle, m) == 0)
      return (void *)(q + i);
  return 0;
}

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

size_t strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n])
    n++;
  return n;
}

/* Comparisons read each character once: of a string whose content is not known, it may be another one the next time. */
int strcmp(const char *a, const char *b) {
  for (;; a++, b++) {
    unsigned char x = *a, y = *b;
    if (!x || x != y)
      return sign(x, y);
  }
}

int strncmp(const char *a, const char *b, size_t n) {
  for (; n > 0; a++, b++, n--) {
    unsigned char x = *a, y = *b;
    if (x != y)
      return sign(x, y);
    if (!x)
      return 0;
  }
  return 0;
}

static int lower(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : (unsigned char)c; }

int strcasecmp(const char *a, const char *b) {
  for (;; a++, b++) {
    int x = lower(*a), y = lower(*b);
    if (!x || x != y)
      return sign(x, y);
  }
}

int strncasecmp(const char *a, const char *b, size_t n) {
  for (; n > 0; a++, b++, n--) {
    int x = lower(*a), y = lower(*b);
    if (x != y)
      return sign(x, y);
    if (!x)
      return 0;
  }
  return 0;
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

size_t strxfrm(char *to, const char *from, size_t n) {
  size_t length = strlen(from);
  if (length < n)
    strcpy(to, from);
  else if (n > 0)
    memcpy(to, from, n); /* what C leaves open */
  return length;
}

char *stpcpy(char *to, const char *from) {
  size_t n = strlen(from);
  __comus_apart(to, n + 1, from, n + 1);
  __comus_copy(to, from, n + 1, 0);
  return to + n;
}

/* By itself, as what is written to an argument directly is seen to be the caller's own (scan). */
char *strcpy(char *to, const char *from) {
  size_t n = strlen(from);
  __comus_apart(to, n + 1, from, n + 1);
  __comus_copy(to, from, n + 1, 0);
  return to;
}

char *stpncpy(char *to, const char *from, size_t n) {
  size_t length = strnlen(from, n);
  __comus_apart(to, n, from, length < n ? length + 1 : n);
  memcpy(to, from, length);
  memset(to + length, 0, n - length);
  return to + length;
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t length = strnlen(from, n);
  __comus_apart(to, n, from, length < n ? length + 1 : n);
  __comus_fill(to, 0, n);
  __comus_copy(to, from, length, 0);
  return to;
}

char *strcat(char *to, const char *from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t n) {
  size_t end = strlen(to), length = strnlen(from, n);
  __comus_apart(to, end + length + 1, from, length < n ? length + 1 : n);
  memcpy(to + end, from, length);
  to[end + length] = 0;
  return to;
}
