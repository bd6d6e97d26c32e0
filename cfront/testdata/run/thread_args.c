// expect: SAFE
#include <pthread.h>
#include <assert.h>
#include <stdint.h>
int got[3]; int done[3];
void *byptr(void *arg) { int id = *(int *)arg; got[id] = id + 1; return (void *)(long)(id + 10); }
void *byval(void *arg) { int id = (int)(intptr_t)arg; done[id]++; pthread_exit((void *)1); }
int main() {
  pthread_t t[3], u[3]; int ids[3] = { 0 }; void *r;
  for (int i = 0; i < 3; i++) { ids[i] = i; pthread_create(&t[i], 0, byptr, &ids[i]); }
  for (int i = 0; i < 3; i++) { pthread_join(t[i], &r); assert((int)(long)r == i + 10); }
  for (int i = 0; i < 3; i++) assert(got[i] == i + 1);
  for (int i = 0; i < 2; i++) pthread_create(&u[i], 0, byval, (void *)(intptr_t)i);
  for (int i = 0; i < 2; i++) pthread_join(u[i], 0);
  assert(done[0] == 1 && done[1] == 1 && done[2] == 0);
  return 0;
}
