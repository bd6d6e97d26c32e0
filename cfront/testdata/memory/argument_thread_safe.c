// expect: SAFE --check=memory
/* A thread reads an argument that may not be given. */
#include <pthread.h>
#include <string.h>
static void *run(void *p) {
  return strlen(p) > 3 ? p : 0;
}
int main(int argc, char **argv) {
  pthread_t t;
  if (argc != 2)
    return 1;
  pthread_create(&t, 0, run, argv[1]);
  pthread_join(t, 0);
  return 0;
}
