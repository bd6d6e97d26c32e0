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

int vfprintf(FILE *f, const char *fmt, va_list ap) {
  USE_STREAM(f);
  return print_to(f->_fileno, fmt, ap);
}

int vprintf(const char *fmt, va_list ap) {
  USE_STREAM(stdout);
  return print_to(1, fmt, ap);
}

int vdprintf(int fd, const char *fmt, va_list ap) { return print_to(fd, fmt, ap); }

int fprintf(FILE *f, const char *fmt, ...) {
  va_list ap;
  USE_STREAM(f);
  va_start(ap, fmt);
  int n = print_to(f->_fileno, fmt, ap);
  va_end(ap);
  return n;
}

int printf(const char *fmt, ...) {
  va_list ap;
  USE_STREAM(stdout);
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

int __comus_fputc(int c, FILE *f) {
  unsigned char b = (unsigned char)c;
  return write_to(f->_fileno, &b, 1) ? EOF : b;
}

int fputc(int c, FILE *f) {
  USE_STREAM(f);
  return __comus_fputc(c, f);
}

int putchar(int c) {
  unsigned char b = (unsigned char)c;
  USE_STREAM(stdout);
  return write_to(1, &b, 1) ? EOF : b;
}

/* Any result that is not negative. */
static int any_success(int failed) {
  if (failed)
    return EOF;
  int r = __comus_nondet_int();
  return r > 0 ? r - 1 : 1;
}

int __comus_fputs(const char *s, FILE *f) { return any_success(write_to(f->_fileno, s, strlen(s))); }

int fputs(const char *s, FILE *f) {
  USE_STREAM(f);
  return __comus_fputs(s, f);
}

int puts(const char *s) {
  USE_STREAM(stdout);
  return any_success(write_to(1, s, strlen(s)) || write_to(1, "\n", 1));
}

int putw(int x, FILE *f) {
  USE_STREAM(f);
  return write_to(f->_fileno, &x, sizeof x);
}

size_t __comus_fwrite(const void *p, size_t size, size_t n, FILE *f) {
  if (size == 0 || n == 0)
    return 0;
  if (write_to(f->_fileno, p, size * n) == 0)
    return n;
  size_t some = __comus_nondet_ulong();
  return some < n ? some : 0;
}

size_t fwrite(const void *p, size_t size, size_t n, FILE *f) {
  USE_STREAM(f);
  return __comus_fwrite(p, size, n, f);
}

int __comus_fflush(void) { return output_fails() ? EOF : 0; }

int fflush(FILE *f) {
  if (f)
    USE_STREAM(f);
  else
    __comus_use_all_streams();
  return __comus_fflush();
}

/* A buffer of the user's has no content that anybody could rely on: functions that use the stream may write it. */
#ifdef COMUS_STREAM_BUFFERS
void __comus_use_buffer(FILE *f) {
  if (f->_IO_buf_base) {
    __comus_atomic_begin();
    __comus_havoc_bytes(f->_IO_buf_base, (size_t)(f->_IO_buf_end - f->_IO_buf_base));
    __comus_atomic_end();
  }
}
#endif

int setvbuf(FILE *f, char *buffer, int mode, size_t n) {
  if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF)
    return -1;
  USE_STREAM(f);
  if (mode == _IONBF)
    f->_IO_buf_base = 0;
  else if (buffer) {
    f->_IO_buf_base = buffer;
    f->_IO_buf_end = buffer + n;
  }
  return 0;
}

void setbuffer(FILE *f, char *buffer, size_t n) { setvbuf(f, buffer, buffer ? _IOFBF : _IONBF, n); }
void setbuf(FILE *f, char *buffer) { setbuffer(f, buffer, BUFSIZ); }
void setlinebuf(FILE *f) { USE_STREAM(f); }

int fileno(FILE *f) { return f->_fileno; }

int feof(FILE *f) {
  USE_STREAM(f);
  return at_end(f);
}

int __comus_ferror(FILE *f) { return (f->_flags & FAILED) || (f->_mode != READ_ONLY && __comus_nondet_bool()); }

int ferror(FILE *f) {
  USE_STREAM(f);
  return __comus_ferror(f);
}

void clearerr(FILE *f) {
  USE_STREAM(f);
  clear_errors(f);
}

/* What glibc's inline functions call, which do not lock, as buffers are always full. */
int __overflow(FILE *f, int c) {
  USE_BUFFER(f);
  return __comus_fputc(c, f);
}

/* A recursive lock of the stream. */
struct stream_lock { int lock; unsigned count; };
FITS(struct stream_lock, ((FILE *)0)->_unused2);

static struct stream_lock *lock_of_stream(FILE *f) { return (struct stream_lock *)(void *)&f->_unused2; }

#ifdef COMUS_STREAM_LOCKS
int __comus_in_child; /* of fork */
#endif

/* In the child of fork glibc makes the locks of streams anew. */
static void renew(struct stream_lock *l) {
  (void)l;
#ifdef COMUS_STREAM_LOCKS
  if (__comus_in_child && l->lock != __comus_me())
    l->lock = 0, l->count = 0;
#endif
}

void flockfile(FILE *f) {
  struct stream_lock *l = lock_of_stream(f);
  renew(l);
  if (l->lock != __comus_me())
    __comus_lock(&l->lock);
  l->count++;
}

int ftrylockfile(FILE *f) {
  struct stream_lock *l = lock_of_stream(f);
  renew(l);
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

#ifdef COMUS_STREAM_LOCKS
/* All other functions wait for the lock, too, hold it while they use the stream, and give it back. */
static void use_locked(struct stream_lock *l, FILE *f) {
  int me = __comus_me();
  renew(l);
  __comus_atomic_begin();
  __comus_await_from(l->lock == 0 || l->lock == me, l->lock);
  int held = l->lock == me;
  if (!held)
    __comus_lock(&l->lock);
  USE_BUFFER(f);
  if (!held)
    __comus_unlock(&l->lock);
  __comus_atomic_end();
}

void __comus_use_stream(FILE *f) { use_locked(lock_of_stream(f), f); }
#endif

/* Those that are known here. */
void __comus_use_all_streams(void) {
  for (int i = 0; i < 3; i++)
    USE_STREAM(&standard[i]);
}
