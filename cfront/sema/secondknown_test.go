package sema

import "regexp"

// known is a difference between our front end and cc that is explained.
type known struct {
	is   *regexp.Regexp
	why  string         // with who is right
	gcc  string         // a program that gcc takes only if we are right; "" where nobody is wrong
	line *regexp.Regexp // if not nil, the line of the declaration is like that
	but  *regexp.Regexp // if not nil, both say the same but for this
}

// of narrows a difference to declarations whose lines are like that.
func (k known) of(line string) known {
	k.line = regexp.MustCompile(line)
	return k
}

// only narrows a difference to texts that differ in this only.
func (k known) only(but string) known {
	k.but = regexp.MustCompile(but)
	return k
}

func difference(pattern, why, gcc string) known {
	return known{is: regexp.MustCompile(pattern), why: why, gcc: gcc}
}

// knownDifferences are all of those that the tests' units have. gcc says that we are right about each on which not both can be.
var knownDifferences = []known{
	// What we refuse, and say that we do not support it.
	difference(`refused: .*another name of ‘a’ is not supported`, "we do not have static variables that are another name", ""),
	// What cc refuses.
	difference(`refused: .*invalid character constant`, "cc has no constants of several characters, and takes what follows \\x for more than one",
		`_Static_assert('ab' == 24930 && '\17a' == 0xf61 && sizeof 'ab' == sizeof(int), "");`),
	difference(`refused: .*(unexpected '%', expected direct declarator|expanded_operators\.c:17:6: unexpected '<')`, "cc has no digraphs", `%:define X 1
int a<:X:> = <% 1 %>;`),
	difference(`refused: .*unexpected '}', expected statement`, "cc has no label at the end of a block", `int f(int x) { if (x) goto end; x = 1; end: }`),
	difference(`refused: .*unexpected (string literal|character constant), expected`, "cc has no literals with the prefixes u, U and u8",
		`_Static_assert(sizeof u"a" == 4 && sizeof U"a" == 8 && sizeof u8"a" == 2 && sizeof u'a' == 2, "");`),
	difference(`refused: .*va_opt\.c:\d+:\d+: unexpected identifier`, "cc has no __VA_OPT__", `#define F(a, ...) g(a __VA_OPT__(,) __VA_ARGS__)
int g(); int f(void) { return F(1) + F(1, 2); }`),
	difference(`refused: .*character constant not terminated`, "cc splits what #if 0 leaves out into C's tokens, and there an apostrophe may be alone", `#if 0
  This isn't read.
#endif
int x;`),
	difference(`refused: .*calls\.c:\d+:\d+: one of the expressions shall be a pointer`, "cc has no element of a vector that is no variable",
		`typedef int v4 __attribute__((vector_size(16))); int f(v4 a, v4 b) { return (a == b)[2]; }`),
	difference(`refused: .*control\.c: cc panics`, "cc fails at a ?: b if a is a constant", `int f(int x) { return 0 ?: x; }`),
	difference(`refused: _Float16 not supported`, "cc has no _Float16 on Linux", `_Float16 x; _Static_assert(sizeof x == 2, "");`),
	difference(`refused: .*refused_attribute\.c:1:1: unexpected '\['`, "cc has no attributes in [[ ]]", `[[noreturn]] void stop(void);`),
	difference(`refused: .*forward(_parameter)?(_safe|_unsafe)?\.c:\d+:\d+: unexpected ';'`, "cc has no forward declarations of parameters", `void f(int n; int a[n], int n) { }`),
	difference(`refused: .*refused_typeof\.c:1:1: TODO`, "cc has no typeof of a type at file scope", `typeof(int) x; _Static_assert(sizeof x == 4, "");`),
	difference(`refused: .*refused_assert\.c:1:32: unexpected '\)'`, "cc wants a message in _Static_assert", `_Static_assert(1);`),
	difference(`refused: .*: label undefined: `, "cc does not find labels of blocks in functions that have nested functions",
		`int f(void) { int n = 0; int g(void) { return 1; } { if (n > 6) goto end; n = g(); end: ; } return n; }`),
	// What cc does not know of a type, or knows wrong.
	difference(`attributes\.c:.* (tag ms|object by_microsoft): `, "cc drops the attribute ms_struct",
		`struct ms { char a : 3; int b : 5; short c : 4; } __attribute__((ms_struct)); _Static_assert(sizeof(struct ms) == 12, "");`),
	difference(`attributes\.c:.* (tag|object) most: (alignment|size|type) is (16|struct most\{16/16; n@0 int\}), cc has (4|struct most\{4/4; n@0 int\})`, "cc drops the attribute aligned without a number",
		`struct most { int n; } __attribute__((aligned)); _Static_assert(sizeof(struct most) == 16, "");`),
	difference(`attribute_mode\.c:.* (typedef byte|object b): (type|size|alignment) is (unsigned char|1), cc has (unsigned int|4)`, "cc drops the attribute mode",
		`typedef unsigned byte __attribute__((mode(QI))); _Static_assert(sizeof(byte) == 1 && _Alignof(byte) == 1, "");`),
	difference(`: (typedef|object) \w+: alignment is 16, cc has [1248] \(vector`, "cc aligns a vector as an element",
		`typedef int v4 __attribute__((vector_size(16))); _Static_assert(_Alignof(v4) == 16, "");`),
	difference(`vector\.c:.*typedef holds: (type|size|alignment) is (struct \{32/16; c@0 char; v@16 .*|32|16), cc has (struct \{20/4; c@0 char; v@4 .*|20|4) ?`, "cc aligns a vector as an element, within a struct as well",
		`typedef int v4 __attribute__((vector_size(16))); struct holds { char c; v4 v; }; _Static_assert(sizeof(struct holds) == 32, "");`),
	difference(`: function \w+: type is function\(\?\) .*, cc has function\([^?]*\) [^?]*$`, "cc takes an old-style definition for a prototype",
		`int f(a, b) int a; short b; { return a + b; } int g(void) { return f(1); }`).of(`\w\((\w+(, ?\w+)*)?\)`),
	difference(`mixed_pthread_in_header\.c:.*function reach_error: type is function\(\) void, cc has function\(\?\) void`, "for cc, a definition with () takes a prototype away",
		`void f(void); void f() {} int n = __builtin_types_compatible_p(__typeof__(f), void(void)); _Static_assert(!__builtin_types_compatible_p(__typeof__(f), void(int)), "");`),
	difference(`bitfield_types_\w+\.c:.*object [a-d]: (type|size|alignment) is`, "for cc, the value of a bit-field has the bit-field's type with __auto_type and __typeof__; for gcc, it has its width",
		`struct { unsigned p : 8, q : 4; unsigned long w : 40; } x;
void f(void) { __auto_type a = (0, x.p); _Static_assert(sizeof a == 1 && sizeof(__typeof__((0, x.w))) == 8, ""); }`),
	difference(`limits\.c:.*object \w+: type is enum top:long unsigned int, cc has enum top:long int`, "cc has a signed type for an enum of a value of 64 bits",
		`enum top { G = 0xffffffffffffffff }; _Static_assert((enum top)-1 > 0, "");`),
	difference(`sizeof_vla_struct\.c:.*typedef list: type is struct \{-1/4; items@0 array\(\*, int\)\}, cc has struct \{4/4`, "cc takes a member of variable length for one element",
		`int f(int n) { typedef struct { int items[n]; } list; return sizeof(list); } struct one { int a[1]; };`),
	difference(`offsetof_parts\.c:.*object size: type is array\(44, char\), cc has array\(\*, char\)`, "cc does not compute the offset of an element",
		`struct s { int n; int more[10]; }; char size[__builtin_offsetof(struct s, more[2])]; _Static_assert(sizeof size == 12, "");`),
	difference(`function \w+: linkage is None, cc has External`, "cc takes a nested function for one of the whole program",
		`int a(void) { int g(void) { return 1; } return g(); } int b(void) { int g(void) { return 2; } return g(); }`),
	difference(`: (tag|typedef|object) \w+: type is .*, cc has .*`, "for cc, an attribute aligned before a member's type is one of the type, not of the member",
		`struct s { long a; short b; } __attribute__((packed)); struct t { __attribute__((aligned(8))) struct s m; };
_Static_assert(_Alignof(struct t) == 8 && _Alignof(__typeof__(((struct t *)0)->m)) == 1, "");`).only(`/\d+;`),
	difference(`: object \w+: declared is yes, cc has no`, "cc forgets what is declared in the initialiser of an __auto_type",
		`int f(void) { __auto_type x = ({ long y = 1; y; }) - 4U; return x; }`).of(`__auto_type \w+ = .*\(\{`),
	difference(`types\.h:\d+:0: typedef register_t: (type|size|alignment) is (long int|8), cc has (int|4)`, "cc drops the attribute mode, here of the C library",
		`#include <sys/types.h>
_Static_assert(sizeof(register_t) == 8, "");`),
	difference(`pthread\.h:\d+:0: (typedef|object|tag) \w+: .*__cancel_jmp_buf`, "cc drops the attribute aligned without a number, here of the C library",
		`#include <pthread.h>
_Static_assert(_Alignof(__pthread_unwind_buf_t) == 16, "");`),
	difference(`: object \w+: (type|size|alignment) is .*, cc has `, "cc has enumerators of the type of their enum, which __auto_type shows",
		`enum e { A = 1, B }; void f(void) { __auto_type x = A; __typeof__(x) *p = (int *)0; _Static_assert(_Generic(x, int: 1, default: 0), ""); }`).of(`__auto_type \w+ = E\d+_[A-Z];`),
	difference(`: object \w+: type is (int|pointer\(int\)), cc has (pointer\()?enum \w+:unsigned int\)?$`, "cc does not promote a bit-field of an enumerated type",
		`enum e { A = 5, B }; struct { enum e m : 5; } g; _Static_assert(_Generic(g.m >> 1, int: 1, default: 0), "");`).of(`typeof`),
	// Values.
	difference(`enum_signs_\w+\.c:.*(enumerator neg|case ): (value|last) is -2, cc has 4294967294|enum_signs_\w+\.c:.*object x: (size|type) is (12|array\(3, int\)), cc has (20|array\(5, int\))`,
		"cc has enumerators of the type of their enum; they are ints", `enum color { red, green = 5 }; enum other { neg = green - 7 }; _Static_assert(neg == -2 && green > -1, "");`),
	// Nobody is wrong.
	difference(`: object __atomic_store_tmp: declared is no, cc has yes`, "we read atomic_init as a plain store (package read, plainInit)", "").of(`atomic_init\(`),
	difference(`: item: tokens is \* \( __typeof__ \( \( void \) 0 , \*, cc has __typeof__ \( \( void \) 0 , \* __atomic_store_ptr`, "and so its tokens are others", ""),
	difference(`: case : declared is no, cc has yes`, "we leave a range out that is empty in the type of the switch", "").of(`case -\d+ \.\.\. \d+:`),
	difference(`: item: tokens is __builtin_(types_compatible_p|offsetof|va_arg|va_copy) `, "for cc, these are macros", ""),
	difference(`conversions\.c:5:33: function __VERIFIER_nondet_uchar: place is conversions\.c:5:33, cc has conversions\.c:6:22`, "a call declares it, for gcc, too", ""),
	difference(`: item: node is none, cc has s ;$`, "cc has a statement in the semicolon of _Static_assert", ""),
}
