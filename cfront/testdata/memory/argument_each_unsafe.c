// expect: UNSAFE --check=memory
/* A loop over the arguments goes on to the null pointer behind them. */
#include <string.h>
int main(int argc, char *argv[]) {
  unsigned long sum = 0;
  for (int i = 1; i <= argc; i++)
    sum += strlen(argv[i]);
  return sum > 100;
}
