/* assert: may be included repeatedly, with and without NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#endif
#ifndef _ASSERT_H
#define _ASSERT_H
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
#ifndef __cplusplus
#define static_assert _Static_assert
#endif
#endif
