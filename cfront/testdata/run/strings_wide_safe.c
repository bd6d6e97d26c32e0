// expect: SAFE
#include <pthread.h>
#include <assert.h>
#include <stddef.h>
wchar_t name[4] = L"ab";
char text[] = u8"cd";
void *f(void *a) { name[1] = L'c'; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  wchar_t x = name[1];
  assert((x == u'b' || x == L"abc"[2]) && name[2] == 0 && text[1] == 'd');
  return 0;
}
