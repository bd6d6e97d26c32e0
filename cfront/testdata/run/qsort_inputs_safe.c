// expect: SAFE
// qsort sorts numbers that are not known; equal ones are possible.
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int v[3];
    for (int i = 0; i < 3; i++)
        v[i] = __VERIFIER_nondet_int();
    qsort(v, 3, sizeof v[0], compare);
    assert(v[0] <= v[1] && v[1] <= v[2]);
    return 0;
}
