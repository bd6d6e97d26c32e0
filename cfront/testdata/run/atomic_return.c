// expect: SAFE
#include <pthread.h>
#include <assert.h>
int flag, n;
int enter(void) { __VERIFIER_atomic_begin(); if (flag) { __VERIFIER_atomic_end(); return -1; } flag = 1; n++; __VERIFIER_atomic_end(); return 0; }
void *f(void *a) { if (enter() == 0) { assert(n == 1); n--; flag = 0; } return 0; }
int main() { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); f(0); return 0; }
