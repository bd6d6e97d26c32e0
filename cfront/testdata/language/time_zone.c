// expect: error 6:3: unsupported: gettimeofday with a time zone
#include <sys/time.h>
struct timeval now;
struct timezone zone;
int main(void) {
  gettimeofday(&now, &zone);
  return 0;
}
