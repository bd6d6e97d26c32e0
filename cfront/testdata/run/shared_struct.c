// expect: SAFE
#include <pthread.h>
#include <assert.h>
struct arg { int id; int *out; pthread_mutex_t m; };
int res;
void *f(void *a) { struct arg *p = (struct arg *)a; pthread_mutex_lock(&p->m); res += p->id; pthread_mutex_unlock(&p->m); return 0; }
int main() { pthread_t a, b; struct arg x = { .id = 3 }; pthread_mutex_init(&x.m, 0);
  pthread_create(&a, 0, f, &x); pthread_create(&b, 0, f, (void *)&x); pthread_join(a, 0); pthread_join(b, 0); assert(res == 6); return 0; }
