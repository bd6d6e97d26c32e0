/* The functions of <stdio.h> that do not lock their stream. They do what the others do, but race: that is in
   their contracts, which go by their names. */
#include "libc.h"

int putchar_unlocked(int c) { return putchar(c); }
int fputc_unlocked(int c, FILE *f) { return fputc(c, f); }
int fputs_unlocked(const char *s, FILE *f) { return fputs(s, f); }
size_t fwrite_unlocked(const void *p, size_t size, size_t n, FILE *f) { return fwrite(p, size, n, f); }
int fflush_unlocked(FILE *f) { return fflush(f); }
int getchar_unlocked(void) { return getchar(); }
int fgetc_unlocked(FILE *f) { return fgetc(f); }
char *fgets_unlocked(char *s, int n, FILE *f) { return fgets(s, n, f); }
size_t fread_unlocked(void *p, size_t size, size_t n, FILE *f) { return fread(p, size, n, f); }
int feof_unlocked(FILE *f) { return feof(f); }
int ferror_unlocked(FILE *f) { return ferror(f); }
void clearerr_unlocked(FILE *f) { clearerr(f); }
int fileno_unlocked(FILE *f) { return fileno(f); }
