#ifndef _SETJMP_H
#define _SETJMP_H
#include <signal.h>
#ifdef __LP64__
typedef long __jmp_buf[8];
#else
typedef int __jmp_buf[6];
#endif
struct __jmp_buf_tag { __jmp_buf __jmpbuf; int __mask_was_saved; sigset_t __saved_mask; };
typedef struct __jmp_buf_tag jmp_buf[1];
typedef jmp_buf sigjmp_buf;
int setjmp(jmp_buf);
int _setjmp(jmp_buf);
#define setjmp(env) _setjmp(env)
int __sigsetjmp(struct __jmp_buf_tag *, int);
#define sigsetjmp(env, save) __sigsetjmp(env, save)
void longjmp(jmp_buf, int) __attribute__((__noreturn__));
void siglongjmp(sigjmp_buf, int) __attribute__((__noreturn__));
#endif
