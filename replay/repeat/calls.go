package repeat

import "strings"

// does says what a function of the library may do.
type does int

const (
	unknown  does = iota // more than compute: the program is not run without being asked
	computes             // nothing that outlives a run of main, but for memory that is not freed, and output, which is thrown away
	keeps                // it has a state of its own, or ends a thread or a process in its own way: each run has a process of its own
)

// alone are the functions and variables of the library that a program may use if comus is to run it by itself.
var alone = listed()

func listed() map[string]does {
	list := map[string]does{}
	for _, n := range strings.Fields(`
		pthread_create pthread_join pthread_self pthread_equal
		pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_destroy
		pthread_cond_init pthread_cond_destroy pthread_cond_wait pthread_cond_signal pthread_cond_broadcast
		pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock
		pthread_spin_init pthread_spin_destroy pthread_spin_lock pthread_spin_trylock pthread_spin_unlock
		pthread_barrier_init pthread_barrier_destroy pthread_barrier_wait pthread_once call_once
		sem_init sem_destroy sem_wait sem_trywait sem_post sem_getvalue
		thrd_create thrd_join thrd_current thrd_equal thrd_yield thrd_sleep mtx_init mtx_destroy mtx_lock mtx_trylock mtx_unlock cnd_init cnd_destroy cnd_wait cnd_signal cnd_broadcast
		sched_yield usleep nanosleep sleep clock_gettime
		malloc calloc realloc free aligned_alloc memset memcpy memmove memcmp memchr strlen strcmp strncmp strcpy strncpy strchr strrchr strstr abs labs
		printf puts putchar fprintf fputs fputc fflush stdout stderr vprintf vfprintf fwrite perror
		__assert_fail abort exit _exit __errno_location __stack_chk_fail _GLOBAL_OFFSET_TABLE_
		reach_error __VERIFIER_error __VERIFIER_assert __VERIFIER_assume assume_abort_if_not __VERIFIER_nondet_char __VERIFIER_nondet_uchar __VERIFIER_nondet_short __VERIFIER_nondet_ushort
		__VERIFIER_nondet_int __VERIFIER_nondet_uint __VERIFIER_nondet_long __VERIFIER_nondet_ulong __VERIFIER_nondet_longlong __VERIFIER_nondet_ulonglong __VERIFIER_nondet_unsigned
		__VERIFIER_nondet_float __VERIFIER_nondet_double __VERIFIER_nondet_pointer __VERIFIER_nondet_size_t __VERIFIER_nondet_u8 __VERIFIER_nondet_u16 __VERIFIER_nondet_u32 __VERIFIER_nondet_u64
		__VERIFIER_nondet_bool __VERIFIER_nondet__Bool`) {
		list[n] = computes
	}
	for _, n := range strings.Fields(`
		pthread_exit pthread_detach pthread_cancel pthread_testcancel pthread_setcancelstate pthread_setcanceltype thrd_exit thrd_detach
		__pthread_register_cancel __pthread_unregister_cancel __pthread_unwind_next __sigsetjmp _setjmp longjmp
		pthread_key_create pthread_key_delete pthread_setspecific pthread_getspecific tss_create tss_get tss_set tss_delete __tls_get_addr
		pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_setstacksize
		atexit rand srand rand_r random srandom strtok atoi atol strtol getenv time setlocale snprintf vsnprintf sprintf strdup qsort`) {
		list[n] = keeps
	}
	return list
}
