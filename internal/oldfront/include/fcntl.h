#ifndef _FCNTL_H
#define _FCNTL_H
#include <sys/types.h>
#include <sys/stat.h>
#define O_RDONLY 0
#define O_WRONLY 01
#define O_RDWR 02
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#endif
