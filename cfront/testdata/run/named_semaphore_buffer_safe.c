// expect: SAFE
// The name of a semaphore is in a buffer that is not changed between two uses: it is the same semaphore.
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

char name[] = "/a";

int main(void) {
    sem_t *s = sem_open(name, O_CREAT, 0600, 1);
    if (s == SEM_FAILED)
        return 0;
    sem_wait(s);
    sem_t *t = sem_open(name, O_CREAT, 0600, 1);
    if (t == SEM_FAILED)
        return 0;
    assert(sem_trywait(t) != 0);
    return 0;
}
