/* <string.h>: characters and strings in strings. */
#include "libc.h"

char *strchrnul(const char *s, int c) {
  while (*s && *s != (char)c)
    s++;
  return (char *)s;
}

char *strchr(const char *s, int c) {
  s = strchrnul(s, c);
  return *s == (char)c ? (char *)s : 0;
}

char *index(const char *s, int c) { return strchr(s, c); }

char *strrchr(const char *s, int c) {
  const char *last = 0;
  for (;; s++) {
    if (*s == (char)c)
      last = s;
    if (!*s)
      return (char *)last;
  }
}

char *rindex(const char *s, int c) { return strrchr(s, c); }

size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && strchr(set, s[n]))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !strchr(set, s[n]))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *set) {
  s += strcspn(s, set);
  return *s ? (char *)s : 0;
}

/* Whether s begins with prefix. */
static int begins(const char *s, const char *prefix, int fold) {
  for (; *prefix; s++, prefix++)
    if (fold ? tolower((unsigned char)*s) != tolower((unsigned char)*prefix) : *s != *prefix)
      return 0;
  return 1;
}

static char *find_string(const char *s, const char *needle, int fold) {
  for (;; s++) {
    if (begins(s, needle, fold))
      return (char *)s;
    if (!*s)
      return 0;
  }
}

char *strstr(const char *s, const char *needle) { return find_string(s, needle, 0); }

char *strcasestr(const char *s, const char *needle) { return find_string(s, needle, 1); }

char *strtok_r(char *s, const char *set, char **rest) {
  if (!s)
    s = *rest;
  s += strspn(s, set);
  char *end = s + strcspn(s, set);
  *rest = end;
  if (end == s)
    return 0;
  if (*end)
    *(*rest)++ = 0;
  return s;
}

char *__strtok_r(char *s, const char *set, char **rest) { return strtok_r(s, set, rest); }

char *strtok(char *s, const char *set) {
  static char *rest;
  return strtok_r(s, set, &rest);
}

char *strsep(char **rest, const char *set) {
  char *s = *rest;
  if (!s)
    return 0;
  char *end = strpbrk(s, set);
  if (end)
    *end++ = 0;
  *rest = end;
  return s;
}
