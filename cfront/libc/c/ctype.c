/* <ctype.h> in the locale "C". What is not 0 for a character of the class is open. */
#include "libc.h"

/* The argument has to be a character or EOF. */
static int is(int c, int in) {
  __comus_undefined(c >= -1 && c <= 255, "memory", "call of a function of <ctype.h> with a value that is no character");
  if (!in)
    return 0;
  int r = __comus_nondet_int();
  return r ? r : 1;
}

static int between(int c, int from, int to) { return c >= from && c <= to; }
static int upper(int c) { return between(c, 'A', 'Z'); }
static int letter(int c) { return upper(c) || between(c, 'a', 'z'); }
static int digit(int c) { return between(c, '0', '9'); }

int isalpha(int c) { return is(c, letter(c)); }
int isupper(int c) { return is(c, upper(c)); }
int islower(int c) { return is(c, between(c, 'a', 'z')); }
int isdigit(int c) { return is(c, digit(c)); }
int isalnum(int c) { return is(c, letter(c) || digit(c)); }
int isxdigit(int c) { return is(c, digit(c) || between(c, 'A', 'F') || between(c, 'a', 'f')); }
int isspace(int c) { return is(c, c == ' ' || between(c, '\t', '\r')); }
int isblank(int c) { return is(c, c == ' ' || c == '\t'); }
int iscntrl(int c) { return is(c, between(c, 0, 31) || c == 127); }
int isprint(int c) { return is(c, between(c, 32, 126)); }
int isgraph(int c) { return is(c, between(c, 33, 126)); }
int ispunct(int c) { return is(c, between(c, 33, 126) && !letter(c) && !digit(c)); }

int toupper(int c) { return between(c, 'a', 'z') ? c - 32 : c; }
int tolower(int c) { return upper(c) ? c + 32 : c; }

int isascii(int c) { return between(c, 0, 127); }
int toascii(int c) { return c & 127; }
