/* C11 atomics. The operations are macros onto calls that comus knows by name;
   their undeclared parameter lists let them take a pointer to any type. */
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

void __comus_fence();
#define atomic_thread_fence(o) __comus_fence(o)
#define atomic_signal_fence(o) __comus_fence(o)
#define atomic_is_lock_free(p) ((void)(p), (_Bool)1)

void __comus_atomic_store();
void __comus_atomic_init();
_Bool __comus_atomic_cas();
#define atomic_init(p, v) __comus_atomic_init((p), (v))
#define atomic_store(p, v) __comus_atomic_store((p), (v))
#define atomic_load(p) ((__typeof__(*(p)))__comus_atomic_load((p)))
#define atomic_exchange(p, v) ((__typeof__(*(p)))__comus_atomic_exchange((p), (v)))
#define atomic_fetch_add(p, v) ((__typeof__(*(p)))__comus_atomic_fetch_add((p), (v)))
#define atomic_fetch_sub(p, v) ((__typeof__(*(p)))__comus_atomic_fetch_sub((p), (v)))
#define atomic_fetch_or(p, v) ((__typeof__(*(p)))__comus_atomic_fetch_or((p), (v)))
#define atomic_fetch_and(p, v) ((__typeof__(*(p)))__comus_atomic_fetch_and((p), (v)))
#define atomic_fetch_xor(p, v) ((__typeof__(*(p)))__comus_atomic_fetch_xor((p), (v)))
#define atomic_compare_exchange_strong(p, e, v) __comus_atomic_cas((p), (e), (v))
#define atomic_compare_exchange_weak(p, e, v) __comus_atomic_cas_weak((p), (e), (v))
#define atomic_store_explicit(p, v, o) __comus_atomic_store((p), (v), (o))
#define atomic_load_explicit(p, o) ((__typeof__(*(p)))__comus_atomic_load((p), (o)))
#define atomic_exchange_explicit(p, v, o) ((__typeof__(*(p)))__comus_atomic_exchange((p), (v), (o)))
#define atomic_fetch_add_explicit(p, v, o) ((__typeof__(*(p)))__comus_atomic_fetch_add((p), (v), (o)))
#define atomic_fetch_sub_explicit(p, v, o) ((__typeof__(*(p)))__comus_atomic_fetch_sub((p), (v), (o)))
#define atomic_fetch_or_explicit(p, v, o) ((__typeof__(*(p)))__comus_atomic_fetch_or((p), (v), (o)))
#define atomic_fetch_and_explicit(p, v, o) ((__typeof__(*(p)))__comus_atomic_fetch_and((p), (v), (o)))
#define atomic_fetch_xor_explicit(p, v, o) ((__typeof__(*(p)))__comus_atomic_fetch_xor((p), (v), (o)))
#define atomic_compare_exchange_strong_explicit(p, e, v, s, f) __comus_atomic_cas((p), (e), (v), (s), (f))
#define atomic_compare_exchange_weak_explicit(p, e, v, s, f) __comus_atomic_cas_weak((p), (e), (v), (s), (f))
unsigned long long __comus_atomic_load();
unsigned long long __comus_atomic_exchange();
unsigned long long __comus_atomic_fetch_add();
unsigned long long __comus_atomic_fetch_sub();
unsigned long long __comus_atomic_fetch_or();
unsigned long long __comus_atomic_fetch_and();
unsigned long long __comus_atomic_fetch_xor();
_Bool __comus_atomic_cas_weak();
_Bool __comus_flag_set();
#define atomic_flag_test_and_set(f) ((_Bool)__comus_atomic_exchange(&(f)->__value, 1))
#define atomic_flag_clear(f) __comus_atomic_store(&(f)->__value, 0)
#define atomic_flag_test_and_set_explicit(f, o) ((_Bool)__comus_atomic_exchange(&(f)->__value, 1, (o)))
#define atomic_flag_clear_explicit(f, o) __comus_atomic_store(&(f)->__value, 0, (o))
#endif
