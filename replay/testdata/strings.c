// expect: UNSAFE
#include <pthread.h>
#include <assert.h>
#include <string.h>
char buf[8]; struct { int v[3]; } s;
void *f(void *p) { strcpy(buf, "hello"); memset(&s, 0, sizeof s); return 0; }
int main(void) { pthread_t t; s.v[0] = s.v[1] = s.v[2] = 5; pthread_create(&t,0,f,0); int n = strlen(buf); int k = s.v[0] + s.v[2]; assert(n != 3 && k != 5); return 0; }
