// expect: SAFE
#include <assert.h>
int a[4], *p = a;
int main(void) {
  assert(__sync_fetch_and_add(&p, sizeof(int)) == a);
  assert(__atomic_add_fetch(&p, 8, __ATOMIC_SEQ_CST) == a + 3);
  assert(__sync_sub_and_fetch(&p, 4) == a + 2);
  return 0;
}
