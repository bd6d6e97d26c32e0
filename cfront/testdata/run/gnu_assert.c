// expect: UNSAFE
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
extern unsigned char __VERIFIER_nondet_uchar(void);
#define assert(e) ((void)sizeof((e) ? 1 : 0), __extension__({ if (e) ; else __assert_fail(#e, "f", 1, __func__); }))
int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); assert(c != 17); return 0; }
