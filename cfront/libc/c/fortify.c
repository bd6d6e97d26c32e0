/* What -D_FORTIFY_SOURCE makes of calls: functions that are told the size of the object they write to,
   and end the program rather than write beyond it. */
#include "libc.h"

static void check_size(size_t n, size_t size) {
  if (n > size)
    __comus_trap();
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) {
  check_size(n, size);
  return memcpy(to, from, n);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size) {
  check_size(n, size);
  return mempcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t size) {
  check_size(n, size);
  return memmove(to, from, n);
}

void *__memset_chk(void *p, int byte, size_t n, size_t size) {
  check_size(n, size);
  return memset(p, byte, n);
}

void __explicit_bzero_chk(void *p, size_t n, size_t size) {
  check_size(n, size);
  __comus_fill(p, 0, n);
}

char *__strcpy_chk(char *to, const char *from, size_t size) {
  check_size(strlen(from) + 1, size);
  return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t size) {
  check_size(strlen(from) + 1, size);
  return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) {
  check_size(n, size);
  return strncpy(to, from, n);
}

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t size) {
  check_size(n, size);
  return stpncpy(to, from, n);
}

char *__strcat_chk(char *to, const char *from, size_t size) {
  check_size(strlen(to) + strlen(from) + 1, size);
  return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t size) {
  check_size(strlen(to) + strnlen(from, n) + 1, size);
  return strncat(to, from, n);
}

int __vsnprintf_chk(char *to, size_t n, int flag, size_t size, const char *fmt, va_list ap) {
  (void)flag;
  check_size(n, size);
  return vsnprintf(to, n, fmt, ap);
}

/* As much as fits is written before the end. */
int __vsprintf_chk(char *to, int flag, size_t size, const char *fmt, va_list ap) {
  (void)flag;
  int n = vsnprintf(to, size, fmt, ap);
  if (n >= 0)
    check_size((size_t)n + 1, size);
  return n;
}

int __vfprintf_chk(FILE *f, int flag, const char *fmt, va_list ap) {
  (void)flag;
  return vfprintf(f, fmt, ap);
}

int __vprintf_chk(int flag, const char *fmt, va_list ap) {
  (void)flag;
  return vfprintf(stdout, fmt, ap);
}

int __vasprintf_chk(char **to, int flag, const char *fmt, va_list ap) {
  (void)flag;
  return vasprintf(to, fmt, ap);
}

int __vdprintf_chk(int fd, int flag, const char *fmt, va_list ap) {
  (void)flag;
  return vdprintf(fd, fmt, ap);
}

int __snprintf_chk(char *to, size_t n, int flag, size_t size, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int r = __vsnprintf_chk(to, n, flag, size, fmt, ap);
  va_end(ap);
  return r;
}

int __sprintf_chk(char *to, int flag, size_t size, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int r = __vsprintf_chk(to, flag, size, fmt, ap);
  va_end(ap);
  return r;
}

int __fprintf_chk(FILE *f, int flag, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int r = __vfprintf_chk(f, flag, fmt, ap);
  va_end(ap);
  return r;
}

int __printf_chk(int flag, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int r = __vprintf_chk(flag, fmt, ap);
  va_end(ap);
  return r;
}

int __asprintf_chk(char **to, int flag, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int r = __vasprintf_chk(to, flag, fmt, ap);
  va_end(ap);
  return r;
}

int __dprintf_chk(int fd, int flag, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int r = __vdprintf_chk(fd, flag, fmt, ap);
  va_end(ap);
  return r;
}

char *__fgets_chk(char *s, size_t size, int n, FILE *f) {
  check_size(n > 0 ? (size_t)n : 0, size);
  return fgets(s, n, f);
}

size_t __fread_chk(void *p, size_t all, size_t size, size_t n, FILE *f) {
  check_size(size * n, all);
  return fread(p, size, n, f);
}

ssize_t __read_chk(int fd, void *p, size_t n, size_t size) {
  check_size(n, size);
  return read(fd, p, n);
}
