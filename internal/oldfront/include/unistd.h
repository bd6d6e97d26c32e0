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
pid_t getppid(void);
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
long sysconf(int);
ssize_t write(int, const void *, size_t);
ssize_t read(int, void *, size_t);
#endif
