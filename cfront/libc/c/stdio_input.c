/* <stdio.h>: input, and opening and closing files. What a file holds is open; the standard input is
   the program's. */
#include "libc.h"

static void *file_fails(void) {
  int e = __comus_nondet_int();
  errno = e > 0 ? e : ENOENT;
  return 0;
}

static FILE *new_file(int fd, const char *mode) {
  if (*mode != 'r' && *mode != 'w' && *mode != 'a') {
    errno = EINVAL;
    return 0;
  }
  if (__comus_nondet_bool())
    return file_fails();
  __comus_any_errno();
  FILE *f = __comus_alloc(sizeof *f);
  *f = (FILE){._fileno = fd, ._mode = *mode == 'r' && !strchr(mode, '+') ? READ_ONLY : 0};
  return f;
}

static int any_descriptor(void) {
  int fd = __comus_nondet_int();
  return fd > 2 ? fd : 3;
}

/* Whoever runs a program may have files of its own. */
static int descriptor_of_file(const char *name, const char *mode) {
  (void)*name, (void)*mode;
  return any_descriptor();
}

FILE *fopen(const char *name, const char *mode) { return new_file(descriptor_of_file(name, mode), mode); }

FILE *fdopen(int fd, const char *mode) { return new_file(fd, mode); }

FILE *tmpfile(void) { return new_file(any_descriptor(), "w+"); }

FILE *popen(const char *command, const char *mode) {
  (void)*command;
  return new_file(any_descriptor(), mode);
}

static int close_file(FILE *f) {
  if (__comus_is_heap(f))
    __comus_free(f);
  __comus_any_errno();
  if (!__comus_nondet_bool())
    return 0;
  file_fails();
  return EOF;
}

int fclose(FILE *f) {
  USE_STREAM(f);
  return close_file(f);
}

int pclose(FILE *f) {
  int status = __comus_nondet_int();
  USE_STREAM(f);
  return close_file(f) ? -1 : status;
}

FILE *freopen(const char *name, const char *mode, FILE *f) {
  if (name)
    (void)*name;
  USE_STREAM(f);
  if (__comus_nondet_bool()) {
    close_file(f);
    return file_fails();
  }
  f->_flags = 0;
  f->_cur_column = 0;
  f->_mode = *mode == 'r' ? READ_ONLY : 0;
  f->_fileno = any_descriptor();
  return f;
}

/* Notes that less came than was asked for: the end, or an error. */
static void note_end(FILE *f) {
  if (f->_fileno != 0 && __comus_nondet_bool()) {
    f->_flags |= FAILED;
    file_fails();
  } else
    f->_flags |= AT_EOF;
}

static size_t bytes_of_file(int fd, char *p, size_t n, int whole) {
  (void)fd;
  if (!whole)
    __comus_approximation("the lines of a file"); /* which may hold other ends of lines here */
  size_t more = __comus_nondet_ulong();
  if (more > n)
    more = n;
  __comus_havoc_bytes(p, more);
  return more;
}

/* Reads up to n bytes, or with a line, at most up to its end, as 0 tells: any bytes. */
static size_t read_bytes(FILE *f, char *p, size_t n, int whole) {
  CANCELLATION_POINT();
  if (f->_flags & AT_EOF)
    return 0;
  size_t k = 0;
  if (n > 0 && f->_cur_column) { /* ungetc's */
    p[k++] = (char)(f->_cur_column - 1);
    f->_cur_column = 0;
    if (!whole && p[0] == '\n')
      return k;
  }
  if (f->_fileno == 0) {
    long r = whole ? __comus_read(p + k, n - k) : __comus_read_line(p + k, n - k);
    k += r > 0 ? (size_t)r : 0;
  } else
    k += bytes_of_file(f->_fileno, p + k, n - k, whole);
  if (k < n && (whole || k == 0 || p[k - 1] != '\n'))
    note_end(f);
  return k;
}

int __comus_fgetc(FILE *f) {
  unsigned char c;
  return read_bytes(f, (char *)&c, 1, 1) == 1 ? c : EOF;
}

int fgetc(FILE *f) {
  USE_STREAM(f);
  return __comus_fgetc(f);
}

/* What glibc's inline functions call, which do not lock, as buffers are always empty. */
int __uflow(FILE *f) {
  USE_BUFFER(f);
  return __comus_fgetc(f);
}

int getchar(void) { return fgetc(stdin); }

int getw(FILE *f) {
  int x;
  USE_STREAM(f);
  return read_bytes(f, (char *)&x, sizeof x, 1) == sizeof x ? x : EOF;
}

int ungetc(int c, FILE *f) {
  USE_STREAM(f);
  if (c == EOF)
    return EOF;
  f->_cur_column = (unsigned short)((unsigned char)c + 1);
  f->_flags &= ~AT_EOF;
  return (unsigned char)c;
}

char *__comus_fgets(char *s, int n, FILE *f) {
  if (n <= 0)
    return 0;
  if (n == 1) {
    s[0] = 0;
    return s;
  }
  size_t k = read_bytes(f, s, (size_t)n - 1, 0);
  if (k == 0 || (f->_flags & FAILED))
    return 0;
  s[k] = 0;
  return s;
}

char *fgets(char *s, int n, FILE *f) {
  USE_STREAM(f);
  return __comus_fgets(s, n, f);
}

/* A line that is as long as it likes. */
char *gets(char *s) {
  USE_STREAM(stdin);
  size_t n = __comus_nondet_ulong();
  __comus_assume(n < PTRDIFF_MAX);
  n = read_bytes(stdin, s, n, 0);
  if (n == 0)
    return 0;
  if (s[n - 1] == '\n')
    n--;
  s[n] = 0;
  return s;
}

size_t __comus_fread(void *p, size_t size, size_t n, FILE *f) {
  if (size == 0 || n == 0)
    return 0;
  return read_bytes(f, p, size * n, 1) / size;
}

size_t fread(void *p, size_t size, size_t n, FILE *f) {
  USE_STREAM(f);
  return __comus_fread(p, size, n, f);
}

ssize_t getdelim(char **line, size_t *n, int delimiter, FILE *f) {
  if (!line || !n) {
    errno = EINVAL;
    return -1;
  }
  USE_STREAM(f);
  GIVEN(*line);
  if (*line)
    GIVEN(*n);
  size_t k = 0;
  int c = 0;
  do {
    if (!*line || k + 2 > *n) {
      size_t size = k + 2 > 120 ? 2 * k : 120;
      char *p = realloc(*line, size);
      if (!p)
        return -1;
      *line = p;
      *n = size;
    }
    c = __comus_fgetc(f);
    if (c != EOF)
      (*line)[k++] = (char)c;
  } while (c != EOF && c != delimiter);
  if (k == 0)
    return -1;
  (*line)[k] = 0;
  return (ssize_t)k;
}

ssize_t getline(char **line, size_t *n, FILE *f) { return getdelim(line, n, '\n', f); }

static int seek(FILE *f) {
  USE_STREAM(f);
  if (__comus_nondet_bool()) {
    file_fails();
    return -1;
  }
  f->_flags &= ~AT_EOF;
  f->_cur_column = 0;
  return 0;
}

int fseeko(FILE *f, off_t offset, int from) {
  (void)offset;
  if (from != SEEK_SET && from != SEEK_CUR && from != SEEK_END) {
    errno = EINVAL;
    return -1;
  }
  return seek(f);
}

int fseek(FILE *f, long offset, int from) { return fseeko(f, offset, from); }

void rewind(FILE *f) {
  seek(f);
  f->_flags &= ~(AT_EOF | FAILED);
}

off_t ftello(FILE *f) {
  USE_STREAM(f);
  long r = __comus_nondet_long();
  if (r >= 0)
    return r;
  file_fails();
  return -1;
}

long ftell(FILE *f) { return ftello(f); }

static int file_result(void) {
  __comus_any_errno();
  if (!__comus_nondet_bool())
    return 0;
  file_fails();
  return -1;
}

int remove(const char *name) {
  (void)*name;
  return file_result();
}

int rename(const char *from, const char *to) {
  (void)*from, (void)*to;
  return file_result();
}
