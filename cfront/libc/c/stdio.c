/* Streams, and output to them: <stdio.h>. A FILE is laid out as glibc's, whose inline functions look
   into it (its buffers are always empty). Output leaves no trace in the FILE, so that threads that
   print have nothing to do with each other; it may fail at any time. */
#include "libc.h"

static FILE standard[3] = {
  {._fileno = 0, ._mode = READ_ONLY},
  {._fileno = 1},
  {._fileno = 2},
};
FILE *stdin = &standard[0], *stdout = &standard[1], *stderr = &standard[2];

/* Functions of the library may set errno although they do not fail. */
void __comus_any_errno(void) {
  int e = __comus_nondet_int();
  if (e > 0)
    errno = e;
}

/* Whether an output fails, and why. */
static int output_fails(void) {
  __comus_any_errno();
  if (!__comus_nondet_bool())
    return 0;
  int e = __comus_nondet_int();
  errno = e > 0 ? e : EIO;
  return 1;
}

static int write_to(int fd, const void *p, size_t n) {
  CANCELLATION_POINT();
  if (output_fails())
    return EOF;
  __comus_write(fd, p, n);
  return 0;
}

static int print_to(int fd, const char *fmt, va_list ap) {
  CANCELLATION_POINT();
  int n = __comus_print(fd, fmt, ap);
  return output_fails() ? -1 : n;
}

int vfprintf(FILE *f, const char *fmt, va_list ap) { return print_to(f->_fileno, fmt, ap); }
int vprintf(const char *fmt, va_list ap) { return print_to(1, fmt, ap); }
int vdprintf(int fd, const char *fmt, va_list ap) { return print_to(fd, fmt, ap); }

int fprintf(FILE *f, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = print_to(f->_fileno, fmt, ap);
  va_end(ap);
  return n;
}

int printf(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = print_to(1, fmt, ap);
  va_end(ap);
  return n;
}

int dprintf(int fd, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = print_to(fd, fmt, ap);
  va_end(ap);
  return n;
}

int fputc(int c, FILE *f) {
  unsigned char b = (unsigned char)c;
  return write_to(f->_fileno, &b, 1) ? EOF : b;
}

int putchar(int c) {
  unsigned char b = (unsigned char)c;
  return write_to(1, &b, 1) ? EOF : b;
}

/* Any result that is not negative. */
static int any_success(int failed) {
  if (failed)
    return EOF;
  int r = __comus_nondet_int();
  return r > 0 ? r - 1 : 1;
}

int fputs(const char *s, FILE *f) { return any_success(write_to(f->_fileno, s, strlen(s))); }

int puts(const char *s) { return any_success(write_to(1, s, strlen(s)) || write_to(1, "\n", 1)); }

int putw(int x, FILE *f) { return write_to(f->_fileno, &x, sizeof x); }

size_t fwrite(const void *p, size_t size, size_t n, FILE *f) {
  if (size == 0 || n == 0)
    return 0;
  if (write_to(f->_fileno, p, size * n) == 0)
    return n;
  size_t some = __comus_nondet_ulong();
  return some < n ? some : 0;
}

int fflush(FILE *f) {
  (void)f;
  return output_fails() ? EOF : 0;
}

/* A buffer of the user's has no content that anybody could rely on. */
int setvbuf(FILE *f, char *buffer, int mode, size_t n) {
  (void)f, (void)buffer, (void)n;
  return mode == _IOFBF || mode == _IOLBF || mode == _IONBF ? 0 : -1;
}
void setbuf(FILE *f, char *buffer) { (void)f, (void)buffer; }
void setbuffer(FILE *f, char *buffer, size_t n) { (void)f, (void)buffer, (void)n; }
void setlinebuf(FILE *f) { (void)f; }

int fileno(FILE *f) { return f->_fileno; }
int feof(FILE *f) { return (f->_flags & AT_EOF) != 0; }
int ferror(FILE *f) { return (f->_flags & FAILED) || (f->_mode != READ_ONLY && __comus_nondet_bool()); }
void clearerr(FILE *f) { f->_flags &= ~(AT_EOF | FAILED); }

/* What glibc's inline functions call, as buffers are always full. */
int __overflow(FILE *f, int c) { return fputc(c, f); }

/* A recursive lock of the stream. */
struct stream_lock { int lock; unsigned count; };
FITS(struct stream_lock, ((FILE *)0)->_unused2);

static struct stream_lock *lock_of_stream(FILE *f) { return (struct stream_lock *)(void *)&f->_unused2; }

void flockfile(FILE *f) {
  struct stream_lock *l = lock_of_stream(f);
  if (l->lock != __comus_me())
    __comus_lock(&l->lock);
  l->count++;
}

int ftrylockfile(FILE *f) {
  struct stream_lock *l = lock_of_stream(f);
  __comus_atomic_begin();
  int taken = l->lock != 0 && l->lock != __comus_me();
  if (!taken && l->lock == 0)
    __comus_lock(&l->lock);
  if (!taken)
    l->count++;
  __comus_atomic_end();
  return taken ? EBUSY : 0;
}

void funlockfile(FILE *f) {
  struct stream_lock *l = lock_of_stream(f);
  if (--l->count == 0)
    __comus_unlock(&l->lock);
}
