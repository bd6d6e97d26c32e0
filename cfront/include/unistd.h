#ifndef _UNISTD_H
#define _UNISTD_H
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
unsigned int sleep(unsigned int);
int usleep(useconds_t);
void _exit(int) __attribute__((__noreturn__));
pid_t getpid(void);
ssize_t write(int, const void *, size_t);
ssize_t read(int, void *, size_t);
#endif
