// expect: UNSAFE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
extern void reach_error(void);
void reach_error() {}
#define assert(e) if (!(e)) ERROR: reach_error()
int x = 3;
void *f(void *a) { printf("%d %s\n", x, "a"); x = 4; return NULL; }
int main(int argc, char **argv) { pthread_t t; if (pthread_create(&t, NULL, f, NULL) != 0) { perror("x"); exit(1); } assert(x == 3); return 0; }
