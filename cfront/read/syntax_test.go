package read

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// syntaxCases are programs that gcc compiles; "-flags" may come first.
var syntaxCases = []string{
	`int f(int x) { asm goto ("" : : "r"(x) : "cc" : out); return 1; out: return 0; }`,
	`int f(int x) { int y; asm volatile ("mov %[a], %[b]" : [b] "=r" (y) : [a] "r" (x)); return y; }`,
	`int f(int x) { __asm__ __volatile__ ("" ::: "memory"); asm inline ("nop"); return x; }`,
	`int f(int x, int *z) { int y; asm volatile ("" : [b] "=r" (y), [c] "=m" (*z) : [a] "r" (x), [d] "m" (*z) : "memory"); return y; }`,
	`asm(".text"); int x asm("y") __attribute__((used)); register long r asm("rbx");`,
	`int f(void) { register int x asm("eax") = 1; return x; }`,
	`__attribute__((noreturn)) void f(void); void (__attribute__((noreturn)) *g)(void); int __attribute__((unused)) a, __attribute__((unused)) b;`,
	`struct __attribute__((packed)) S { int a __attribute__((aligned(2))), b; struct { int q; } c __attribute__((packed)), d; } __attribute__((aligned(16))); struct S s __attribute__((unused)) = {1, 2};`,
	`struct S { char c; int x:3 __attribute__((packed)), :2, y; } __attribute__((__packed__, __aligned__(4), unused)) v;`,
	`enum __attribute__((packed)) E { A, B __attribute__((deprecated)) = 2, C } e; enum { X } __attribute__((packed)) f;`,
	`int *__attribute__((aligned(8))) p; int * const __attribute__((unused)) q = 0; int *restrict __attribute__((unused)) t; char *const volatile u = 0;`,
	`void f(int a __attribute__((unused)), char *__attribute__((unused)) b, int (*c)(void) __attribute__((unused)), int [] __attribute__((unused))) {}`,
	`void f(int (*)(int) __attribute__((unused)), void *__attribute__((unused)));`,
	`int f(int x) { switch (x) { case 1: x++; __attribute__((fallthrough)); case 2 ... 5: return 2; default: ; lab: __attribute__((unused)) ; return 3; } goto lab; }`,
	`int f(void) { for (__attribute__((unused)) int i = 0; i < 2; i++) ; __attribute__((unused)) int x = 3; return x; }`,
	`typedef int v4 __attribute__((vector_size(16))); v4 f(v4 a, v4 b) { return a + b * (v4){1,2,3,4}; } int g(v4 a) { return a[1]; }`,
	`typedef float v __attribute__((__vector_size__(4 * sizeof(float)))); v f(v x) { return (__attribute__((vector_size(16))) float){1} + x; }`,
	`__int128 a; unsigned __int128 b; __uint128_t c; __int128_t d; _Float128 e; __float128 f; _Float64 g; _Float32 h; _Float64x i; _Float32x j; __float80 k; _Float16 l;`,
	`_Complex double z = 1.0 + 2.0i; double f(void) { return __real__ z + __imag__ z; } __complex__ float y; _Complex float w = 1.0fi;`,
	`int f(int n) { __auto_type x = n + 1; const __auto_type y = x; static int z; return x + y + z; }`,
	`int f(int a) { int g(int b) { return a + b; } auto int h(int); int h(int c) { return g(c); } return h(1); }`,
	`int f(int x) { return ({ int y = x; y + 1; }) + ({ __label__ l; goto l; l: 2; }); }`,
	`f(a, b) int a; char *b; { return a; } main() { return f(1, ""); } g(x) { return x; } static h() {} y; *z;`,
	`int f(a, b, c) register int a, b; int (*c)(int); { return a + b + c(1); } int k(a) const char a[]; { return a[0]; }`,
	`__extension__ typedef long long ll; int f(void) { return __extension__ (1); } struct { __extension__ struct { int a; }; __extension__ union { int b; }; } s;`,
	`int f(int x) { __label__ a, b; if (x) goto a; b: return 1; a: goto b; }`,
	`int f(int x) { static void *t[] = { &&a, &&b }; goto *t[x]; a: return 1; b: return 2; }`,
	`unsigned long long x = 18446744073709551615; long y = 9223372036854775808; int z = 0b101, w = 0B11u;`,
	`#include <stddef.h>` + "\n" + `wchar_t *a = L"x\xe9" L"y"; wchar_t *b = "x" L"y"; char *c = u8"x" "y"; char *d = "a" u8"b"; int e = L'x', g = 'ab', h = '\x7f';`,
	`#include <uchar.h>` + "\n" + `const char16_t *a = u"x" "y"; const char32_t *b = U"\U0001F600" U"z"; char16_t c = u'x'; char32_t d = U'y', e[] = U"abc";`,
	`const char *a = R"(x"\y` + "\n" + `z)" "b", *b = R"foo(a)b)foo"; `,
	`_Alignas(16) char a[3]; _Alignas(double) int b; struct { _Alignas(8) char c; } s; int d = _Alignof(int), e = __alignof__(s), f = __alignof__ b, g = __alignof__ s.c, h = sizeof b;`,
	`_Thread_local int a; static __thread int b; extern __thread int c;`,
	`[[gnu::packed]] struct S; struct [[gnu::packed]] T { char a; int b; }; [[noreturn]] void f(void); [[nodiscard]] int g(void); int h([[maybe_unused]] int x) { switch (x) { case 1: x++; [[fallthrough]]; default: return x; } }`,
	`int a<:2:> = <%1, 2%>;` + "\n" + `%:define X(a) %:a` + "\n" + `char b<::> = X(<:);`,
	`struct E {}; union U {}; struct E e = {}; struct { int a;; } s; struct { int n; int d[]; } fl = {1, {2, 3}}; struct { int n, d[0]; } z;`,
	`int f(int x) { return x ?: 1; } struct S { int a, b; } s = { a: 1, b: 2 }, t = { .b = 3, .a = 4 }; int v[] = { [2] = 1, [3 ... 5] = 2, [7] 8 };`,
	`struct P { struct { int x, y; } q[2]; } p = { .q[1].x = 1, .q = { [0] = { .y = 2 } } };`,
	`#include <stdarg.h>` + "\n" + `int f(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); int x = va_arg(a, int); x += *va_arg(b, int *) + va_arg(a, struct { int a; }).a; int (*g)(int) = va_arg(a, int (*)(int)); va_end(a); return x + g(1); }`,
	`struct S { int a; struct { int b[3]; } c; }; int x = __builtin_offsetof(struct S, c.b[2]), y = __builtin_types_compatible_p(int, const int), z = __builtin_choose_expr(1, 2, 3.0), w = __builtin_types_compatible_p(int *[3], char (*)(void));`,
	`typedef int T; int f(void) { T T = 1; return T; } int g(int T) { return T + (T); } struct s { T T; }; void h(T(x)); void k(T (*T)(T)); int sz = sizeof(T);`,
	`typedef int T; int f(void) { enum { T = 3 }; return T; } int g(void) { for (int T = 0; T < 2; T++); T x = 1; return x; } T h(T) ; T T2, *T3;`,
	`typedef int T; void f(void) { { int T; T = 1; } T x; x = (T)1; T: x++; goto T; }`,
	`const int x; int __typeof__(x) y; `[:12] + ` __typeof__(const int) y = 1; __typeof__(volatile struct S { int a; } *) z; __typeof__(const unsigned long *) w; typeof(x) q; __typeof__(int[3]) arr; __typeof__(*(int (*)[2])0) m; __typeof__(_Atomic(int)) at;`,
	`#include <stdatomic.h>` + "\n" + `atomic_int x; _Atomic int y; _Atomic(int) z; _Atomic(int *) p; int *_Atomic q; int f(void) { return atomic_fetch_add(&x, 1) + atomic_load(&y) + (atomic_exchange(&z, 3)); }`,
	`int f(double x) { return _Generic(x, int: 1, double: 2, default: 3) + _Generic(&x, const double *: 1, double *: 2, int (*)(void): 3, int[3]: 4) + _Generic((char)1, struct S *: 1, char: 2); }`,
	`_Static_assert(1, "x"); _Static_assert(sizeof(int) == 4); struct { int a; _Static_assert(1, "y"); _Static_assert(2); } s; int f(void) { _Static_assert(1, "a" "b"); return 0; }`,
	`#pragma pack(push, 1)` + "\n" + `struct S { char a; int b; };` + "\n" + `#pragma pack(pop)` + "\n" + `#pragma weak foo` + "\n" + `void foo(void) {}` + "\n" + `#pragma weak bar = foo` + "\n" + `#pragma redefine_extname a b` + "\n" + `_Pragma("pack(2)") struct T { char a; int b; } t;`,
	`int (*(*f)(void))[3]; int (*g(int x))(char) { return 0; } void (*signal_(int, void (*)(int)))(int); int (*(*(*h)(int))[4])(void); char (*(*x())[])(); char (*(*y[3])())[5];`,
	`void f(void (*(*x)(int))(int)); void g(int (*)(int (*)(int))); void h(int (*(*)(void))(int)); void k(int (x), int (*y)[3], int z[const 3], int w[static 2], int v[*], int u[restrict static 4]);`,
	`void f(int a, int b[a], int c[a][a + 1], int (*d)[a], int n, char s[n][n]) {} void g(int, int [*]); void h(int n, int [n]); void k(int [static 3], int [const 3], int [restrict]);`,
	`int a = sizeof(int (*)(void)), b = sizeof(int (*[3])(int)), c = sizeof(struct { int x; }), d = sizeof (int){1}, e = sizeof(int[2][3]), f = sizeof 1 + 2; int g = sizeof(int)* 3;`,
	`__typeof__(int (int)) f; __typeof__(void (void)) *g; int h = __builtin_types_compatible_p(__typeof__(f), int (int)); int k(int (int), void (void)); typedef int F(int); F *p; int t(F f2, int (int x), int ());`,
	`int f(void) { return (int[]){1, 2}[1] + ((struct { int a; }){ .a = 3 }).a + *(int *)&(int){4} + (const int){5}; } int *g = (int[]){1}; char *h = (char[]){"x"};`,
	`int f(int x) { if (x) ; else x++; do x--; while (x); for (;;) { break; } while (1) continue; l: ; switch (x) case 1: x = 2; { } return x; ; }`,
	`int f(int x) { l: int y = x; { m: } switch (x) { case 1: int z = 2; x = z; default: } return y; goto l; goto m; }`[:0] + `int f(int x) { l: ; int y = x; return y; goto l; }`,
	`extern int a, b[], c(void), (*d)(void); extern inline __attribute__((gnu_inline, always_inline)) int e(void) { return 1; } static inline int g(void) { return 2; } inline static int h(void) { return 2; } _Noreturn void i(void); int static j; int const k = 1; long unsigned int long l;`,
	`int x __attribute__((section(".data"), aligned(32))) = 1, y __attribute__((weak)); extern int z __attribute__((alias("x"))); void c(int *p) {} int f(void) { int v __attribute__((cleanup(c))) = 1; return v; } __attribute__((constructor(101), used)) static void k(void) {}`,
	`typedef unsigned int u __attribute__((mode(DI))); typedef int w __attribute__((__mode__(__word__))); int printf_(const char *, ...) __attribute__((format(printf, 1, 2), nonnull(1))); void *m(unsigned long) __attribute__((malloc, alloc_size(1), warn_unused_result, const));`,
	`int f(__builtin_va_list ap) { return __builtin_va_arg(ap, int) + __builtin_va_arg(ap, __builtin_va_list *)[0][0].gp_offset; }`[:0] + `int f(__builtin_va_list ap) { return __builtin_va_arg(ap, int); }`,
	`typedef float v4f __attribute__((vector_size(16))); typedef int v4i __attribute__((vector_size(16))); v4i f(v4f x) { return __builtin_convertvector(x, v4i); } v4i g(v4i a, v4i m) { return __builtin_shuffle(a, m); }`,
	`int __seg_fs *p; int f(void) { return *(int __seg_gs *)8; }`,
	`int f(void) { return __builtin_expect(!!(1), 1) + __builtin_constant_p(3) + __builtin_strlen("x") + sizeof(__FUNCTION__) + sizeof __func__ + sizeof(__PRETTY_FUNCTION__); } int __builtin_f;`[:0] + `int f(void) { return __builtin_expect(!!(1), 1) + __builtin_constant_p(3) + sizeof(__FUNCTION__) + sizeof __func__; }`,
	"int caf\u00e9 = 1; int f(void) { return caf\\u00e9 + $x$(); } int $x$(void) { return 1; }",
	`-std=c99` + "\n" + `int asm = 1, typeof = 2; int f(void) { return asm + typeof; }`,
	`-std=c90` + "\n" + `int inline = 1, restrict = 2; int f() { return inline + restrict; }`,
	`-std=gnu2x` + "\n" + `int f(void) { static_assert(1); return 1'000'000 + 0b1'0; } [[deprecated("x")]] int g(int) { return 1; }`[:0] + `int f(void) { _Static_assert(1); return 1'000 + 0x1'F; } int g(int) { return u8'x'; }`,
	`enum { A = 'a', B = A + 1, }; enum F { C, D = C + 5 } x = D; enum F f(enum F y) { return y; } int arr[D];`,
	`int f(int x) { return x == 1 ? 2 : x == 2 ? 3, 4 : 5; } int g(int a, int b) { return a = b, a += b, a <<= 1, a ? a : b; }`,
	`struct S { int (*f)(struct S *); int (*g[2])(void); struct S *next; unsigned a : 3, : 0, b : 2; const struct { int q; } *r; } s = { 0 }; int f(void) { return s.f(&s) + (*s.g[0])() + (s.next->f)(s.next); }`,
	`int f(void); int f(void) { extern int q; int f2(void); return q; } typedef struct T T; struct T { T *n; }; typedef enum { Q } Q2; T *t; int (f3)(int); int (*(f4))(void); int ((f5)); int (f6)(int (a)) { return a; }`,
	`void *f(void) { return __builtin_apply_args(); } int g(long x) { return (int) x * (int) - x + (char) ~x + (long) !x + (int) +x & (int) 3; } int h(int *p) { return (*p)++ + ++*p + -*p + !*p; }`,
	`int f(int n) { struct { int a[n]; } s; int (*p)[n] = 0; typedef int T[n]; T t; return sizeof(s) + sizeof(*p) + sizeof(T) + sizeof t; }`,
	`int f(void) { int x = 1, *p = &x; return x/ *p + x-- - --x + x+++x; } double d = 1e10 + .5 + 5. + 0x1p-3 + 1.5f + 2.L + 0x.8p1; long l = 1L + 2UL + 3llu + 0x7fuLL + 017;`,
	`union U { int a; float b; } __attribute__((transparent_union)); void f(union U); int g(int); __attribute__((optimize("O0"))) int h(void) { return 1; } __attribute__((target("sse2"))) int i(void) { return 0; }`,
	`void f(void) { void (*p)(void) = f; (*p)(); (**p)(); p(); (p)(); ((void (*)(int))p)(1); (void)0; (void)(p == f); } int (*arr[])(void) = { (int (*)(void))f };`,
	`int x = sizeof(struct { int a; }), y[] = { 1, 2, }; char z[] = { "abc" }, w[3] = "abc", *v[] = { "a", "b" "c" }; int m[2][2] = { { 1 }, 2, 3 };`,
	`int f(x, y) int x; { return x + y; } int g(void) { int h(); return h(1, 2); } int h(a) long a; { return a; }`,
	`int f(const int, volatile char *, register int x, unsigned, long long int, struct S *, enum { ZZ } q, ...);`,
	`int *f(int *p) { return &p[1] - 1 + (p - &p[0]); } int g(char **argv) { return argv[0][1] + *argv[0] + **argv + (*argv)[2]; } int h(int a) { return a&&a||!a&a|a^~a; }`,
}

// TestSyntax reads what gcc compiles.
func TestSyntax(t *testing.T) {
	dir := t.TempDir()
	for _, src := range syntaxCases {
		var flags []string
		if strings.HasPrefix(src, "-") {
			first, rest, _ := strings.Cut(src, "\n")
			flags, src = strings.Fields(first), rest
		}
		file := filepath.Join(dir, "a.c")
		if err := os.WriteFile(file, []byte(src+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if os.Getenv("COMUS_GCC") != "" {
			if out, err := exec.Command("gcc", append(flags, "-fsyntax-only", "-w", file)...).CombinedOutput(); err != nil {
				t.Errorf("gcc: %s\n%s", src, out)
				continue
			}
		}
		if _, _, err := readC(t, file, Options{}, flags...); err != nil {
			t.Errorf("%v in\n%s", err, src)
		}
	}
}
