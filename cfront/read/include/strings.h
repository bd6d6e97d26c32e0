#ifndef _STRINGS_H
#define _STRINGS_H
#include <string.h>
void bzero(void *, size_t);
void bcopy(const void *, void *, size_t);
int bcmp(const void *, const void *, size_t);
char *index(const char *, int);
char *rindex(const char *, int);
int ffs(int);
#endif
