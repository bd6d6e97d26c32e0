// expect: error 5:3: unsupported: call of undefined function 'signal'
#include <assert.h>
int signal(int, int);
int main(void) {
  signal(1, 0);
  return 0;
}
