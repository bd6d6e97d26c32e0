/* C11 atomics, by the same builtins as in gcc's header: a later phase sees the same. */
#ifndef _STDATOMIC_H
#define _STDATOMIC_H
#include <stddef.h>
#include <stdint.h>
typedef enum memory_order {
  memory_order_relaxed, memory_order_consume, memory_order_acquire,
  memory_order_release, memory_order_acq_rel, memory_order_seq_cst
} memory_order;
typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(signed char) atomic_schar;
typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short;
typedef _Atomic(unsigned short) atomic_ushort;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned int) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
typedef _Atomic(long long) atomic_llong;
typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(size_t) atomic_size_t;
typedef _Atomic(ptrdiff_t) atomic_ptrdiff_t;
typedef _Atomic(intptr_t) atomic_intptr_t;
typedef _Atomic(uintptr_t) atomic_uintptr_t;
typedef _Atomic(intmax_t) atomic_intmax_t;
typedef _Atomic(uintmax_t) atomic_uintmax_t;
typedef _Atomic(int_least8_t) atomic_int_least8_t;
typedef _Atomic(uint_least8_t) atomic_uint_least8_t;
typedef _Atomic(int_least32_t) atomic_int_least32_t;
typedef _Atomic(uint_least32_t) atomic_uint_least32_t;
typedef _Atomic(int_least64_t) atomic_int_least64_t;
typedef _Atomic(uint_least64_t) atomic_uint_least64_t;
typedef struct atomic_flag { _Atomic(_Bool) __value; } atomic_flag;
#define ATOMIC_FLAG_INIT { 0 }
#define ATOMIC_VAR_INIT(v) (v)
#define ATOMIC_BOOL_LOCK_FREE 2
#define ATOMIC_CHAR_LOCK_FREE 2
#define ATOMIC_SHORT_LOCK_FREE 2
#define ATOMIC_INT_LOCK_FREE 2
#define ATOMIC_LONG_LOCK_FREE 2
#define ATOMIC_LLONG_LOCK_FREE 2
#define ATOMIC_POINTER_LOCK_FREE 2
#define kill_dependency(v) (v)

#define atomic_thread_fence(o) __atomic_thread_fence(o)
#define atomic_signal_fence(o) __atomic_signal_fence(o)
#define atomic_is_lock_free(p) __atomic_is_lock_free(sizeof(*(p)), (p))

#define atomic_store_explicit(p, v, o) __extension__ ({ \
  __auto_type __atomic_store_ptr = (p); \
  __typeof__((void)0, *__atomic_store_ptr) __atomic_store_tmp = (v); \
  __atomic_store(__atomic_store_ptr, &__atomic_store_tmp, (o)); })
#define atomic_store(p, v) atomic_store_explicit(p, v, __ATOMIC_SEQ_CST)
/* No atomic access (C11 7.17.2.1p2). */
#define atomic_init(p, v) __extension__ ({ \
  __auto_type __atomic_store_ptr = (p); \
  *(__typeof__((void)0, *__atomic_store_ptr) *)__atomic_store_ptr = (v); \
  (void)0; })
#define atomic_load_explicit(p, o) __extension__ ({ \
  __auto_type __atomic_load_ptr = (p); \
  __typeof__((void)0, *__atomic_load_ptr) __atomic_load_tmp; \
  __atomic_load(__atomic_load_ptr, &__atomic_load_tmp, (o)); \
  __atomic_load_tmp; })
#define atomic_load(p) atomic_load_explicit(p, __ATOMIC_SEQ_CST)
#define atomic_exchange_explicit(p, v, o) __extension__ ({ \
  __auto_type __atomic_exchange_ptr = (p); \
  __typeof__((void)0, *__atomic_exchange_ptr) __atomic_exchange_val = (v); \
  __typeof__((void)0, *__atomic_exchange_ptr) __atomic_exchange_tmp; \
  __atomic_exchange(__atomic_exchange_ptr, &__atomic_exchange_val, &__atomic_exchange_tmp, (o)); \
  __atomic_exchange_tmp; })
#define atomic_exchange(p, v) atomic_exchange_explicit(p, v, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_strong_explicit(p, e, v, s, f) __extension__ ({ \
  __auto_type __atomic_compare_exchange_ptr = (p); \
  __typeof__((void)0, *__atomic_compare_exchange_ptr) __atomic_compare_exchange_tmp = (v); \
  __atomic_compare_exchange(__atomic_compare_exchange_ptr, (e), &__atomic_compare_exchange_tmp, 0, (s), (f)); })
#define atomic_compare_exchange_strong(p, e, v) atomic_compare_exchange_strong_explicit(p, e, v, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_weak_explicit(p, e, v, s, f) __extension__ ({ \
  __auto_type __atomic_compare_exchange_ptr = (p); \
  __typeof__((void)0, *__atomic_compare_exchange_ptr) __atomic_compare_exchange_tmp = (v); \
  __atomic_compare_exchange(__atomic_compare_exchange_ptr, (e), &__atomic_compare_exchange_tmp, 1, (s), (f)); })
#define atomic_compare_exchange_weak(p, e, v) atomic_compare_exchange_weak_explicit(p, e, v, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_fetch_add(p, v) __atomic_fetch_add((p), (v), __ATOMIC_SEQ_CST)
#define atomic_fetch_add_explicit(p, v, o) __atomic_fetch_add((p), (v), (o))
#define atomic_fetch_sub(p, v) __atomic_fetch_sub((p), (v), __ATOMIC_SEQ_CST)
#define atomic_fetch_sub_explicit(p, v, o) __atomic_fetch_sub((p), (v), (o))
#define atomic_fetch_or(p, v) __atomic_fetch_or((p), (v), __ATOMIC_SEQ_CST)
#define atomic_fetch_or_explicit(p, v, o) __atomic_fetch_or((p), (v), (o))
#define atomic_fetch_xor(p, v) __atomic_fetch_xor((p), (v), __ATOMIC_SEQ_CST)
#define atomic_fetch_xor_explicit(p, v, o) __atomic_fetch_xor((p), (v), (o))
#define atomic_fetch_and(p, v) __atomic_fetch_and((p), (v), __ATOMIC_SEQ_CST)
#define atomic_fetch_and_explicit(p, v, o) __atomic_fetch_and((p), (v), (o))
#define atomic_flag_test_and_set(f) __atomic_test_and_set((f), __ATOMIC_SEQ_CST)
#define atomic_flag_test_and_set_explicit(f, o) __atomic_test_and_set((f), (o))
#define atomic_flag_clear(f) __atomic_clear((f), __ATOMIC_SEQ_CST)
#define atomic_flag_clear_explicit(f, o) __atomic_clear((f), (o))
#endif
