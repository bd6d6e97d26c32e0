/* C11 threads, on top of POSIX threads. */
#ifndef _THREADS_H
#define _THREADS_H
#include <pthread.h>
#define thread_local _Thread_local
#define ONCE_FLAG_INIT PTHREAD_ONCE_INIT
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
typedef pthread_t thrd_t;
typedef pthread_mutex_t mtx_t;
typedef pthread_cond_t cnd_t;
typedef pthread_once_t once_flag;
typedef int (*thrd_start_t)(void *);
typedef pthread_key_t tss_t;
int __comus_thrd_join();
int __comus_mtx_init();
#define thrd_create(t, f, a) pthread_create((t), 0, (void *(*)(void *))(f), (a))
#define thrd_join(t, r) (__comus_thrd_join((t), (r)) ? thrd_error : thrd_success)
#define thrd_exit(r) pthread_exit((void *)(long)(r))
#define thrd_current() pthread_self()
#define thrd_equal(a, b) pthread_equal((a), (b))
#define thrd_detach(t) pthread_detach(t)
#define thrd_yield() ((void)sched_yield())
#define thrd_sleep(d, r) (nanosleep((d), (r)) ? -2 : 0)
#define mtx_init(m, k) (__comus_mtx_init((m), (k) & ~mtx_timed), thrd_success)
#define mtx_destroy(m) ((void)pthread_mutex_destroy(m))
#define mtx_lock(m) pthread_mutex_lock(m)
#define mtx_trylock(m) (pthread_mutex_trylock(m) ? thrd_busy : thrd_success)
#define mtx_timedlock(m, t) (pthread_mutex_timedlock((m), (t)) ? thrd_timedout : thrd_success)
#define mtx_unlock(m) pthread_mutex_unlock(m)
#define cnd_init(c) pthread_cond_init((c), 0)
#define cnd_destroy(c) ((void)pthread_cond_destroy(c))
#define cnd_wait(c, m) pthread_cond_wait((c), (m))
#define cnd_timedwait(c, m, t) (pthread_cond_timedwait((c), (m), (t)) ? thrd_timedout : thrd_success)
#define cnd_signal(c) pthread_cond_signal(c)
#define cnd_broadcast(c) pthread_cond_broadcast(c)
#define call_once(o, f) ((void)pthread_once((o), (f)))
#define tss_create(k, d) pthread_key_create((k), (d))
#define tss_delete(k) ((void)pthread_key_delete(k))
#define tss_set(k, v) pthread_setspecific((k), (v))
#define tss_get(k) pthread_getspecific(k)
#endif
