/* Functions of the library that random programs call and package libc does not have (yet). */
typedef int wchar;
wchar *wcschr(const wchar *s, wchar c) {
  for (;; s++) {
    if (*s == c) return (wchar *)s;
    if (!*s) return 0;
  }
}
double fma(double x, double y, double z) { return (double)((long double)x * y + z); }
int wcscmp(const wchar *a, const wchar *b) {
  for (; *a && *a == *b; a++, b++) continue;
  return *a < *b ? -1 : *a > *b;
}
unsigned long wcslen(const wchar *s) {
  unsigned long n = 0;
  while (s[n]) n++;
  return n;
}
