/* The functions of <stdio.h> that do not lock their stream. They do what the others do, but race: that is in
   their contracts, which go by their names. */
#include "libc.h"

static FILE *used(FILE *f) {
  USE_BUFFER(f);
  return f;
}

int putchar_unlocked(int c) { return __comus_fputc(c, used(stdout)); }
int fputc_unlocked(int c, FILE *f) { return __comus_fputc(c, used(f)); }
int fputs_unlocked(const char *s, FILE *f) { return __comus_fputs(s, used(f)); }
size_t fwrite_unlocked(const void *p, size_t size, size_t n, FILE *f) { return __comus_fwrite(p, size, n, used(f)); }
int getchar_unlocked(void) { return __comus_fgetc(used(stdin)); }
int fgetc_unlocked(FILE *f) { return __comus_fgetc(used(f)); }
char *fgets_unlocked(char *s, int n, FILE *f) { return __comus_fgets(s, n, used(f)); }
size_t fread_unlocked(void *p, size_t size, size_t n, FILE *f) { return __comus_fread(p, size, n, used(f)); }
int feof_unlocked(FILE *f) { return at_end(f); }
int ferror_unlocked(FILE *f) { return __comus_ferror(f); }
void clearerr_unlocked(FILE *f) { clear_errors(f); }
int fileno_unlocked(FILE *f) { return fileno(f); }

int fflush_unlocked(FILE *f) {
  if (f)
    USE_BUFFER(f);
  else
    __comus_use_all_streams();
  return __comus_fflush();
}
