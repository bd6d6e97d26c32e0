// expect: UNSAFE
#include <assert.h>
#include <unistd.h>

pid_t waitpid(pid_t, int *, int);
#define WNOHANG 1

int main(void) {
  int status = 7;
  pid_t child = fork();
  if (child <= 0)
    return 0;
  pid_t r = waitpid(child, &status, WNOHANG);
  assert(r == child || r == 0);
  assert(r != 0 || status == 7);
  return 0;
}
