package cfront

import (
	"strings"
	"testing"
)

// TestTrust reads programs that cc reads otherwise than gcc: they are refused, and their
// neighbours, which both read alike, are not.
func TestTrust(t *testing.T) {
	inMain := func(s string) string { return "#include <assert.h>\nint main(void) { " + s + " return 0; }\n" }
	for _, tt := range []struct{ name, src, want string }{
		{"pasted +=", "#define A(v,o,n) v o##= n\n" + inMain("int x = 5; A(x,+,2); assert(x == 7);"), "unsupported: '+=', made by ## in a macro"},
		{"pasted ++", "#define A(v,o,w) v o##o w\n" + inMain("int x = 5, y = 1; x = A(x,<,y);"), "unsupported: '<<', made by ##"},
		{"pasted <<=", "#define A(v,o) v o##<##= 1\n" + inMain("int x = 5; A(x,<);"), "made by ##"},
		{"pasted names", "#define A(x,y) x##y\n" + inMain("int A(a,1) = A(1,0); A(wh,ile) (a1 == A(0,x7) + A(1,u) + A(1,0)) ;"), ""},
		{"pasted comma", "int sum(int a,int b){return a+b;}\n#define C(f,...) sum(f,##__VA_ARGS__)\n" + inMain("assert(C(1,-2) == -1);"), ""},
		{"pasted comma of a list", "#define L(f,...) {f,##__VA_ARGS__}\n" + inMain("int a[3] = L(1,-2);"), ""},
		{"pasted comma operator", "#define L(f,...) (f,##__VA_ARGS__)\n" + inMain("int a = 3; a = L(1,!a);"), ""},
		{"spaced comma", "int sum(int a,int b){return a+b;}\n#define C(f,...) sum(f, ##__VA_ARGS__)\n" + inMain("assert(C(1,-2) == -1);"), ""},
		{"size of a parameter", "int f(int a[3]) { return sizeof a; }\n" + inMain("int a[3]; f(a);"), "t.c:1:26: unsupported: the size of 'a'"},
		{"size of a parameter, K&R", "int f(a) int a[2][3]; { return sizeof(a) / sizeof(a[0]); }\n" + inMain(""), "the size of 'a'"},
		{"size of a parameter of a typedef", "typedef int A[3]; int f(A a) { return sizeof a; }\n" + inMain(""), "the size of 'a'"},
		{"typeof of a parameter", "int f(int a[static 3]) { __typeof__(a) b; return sizeof b; }\n" + inMain(""), "the size of 'a'"},
		{"size of what a parameter points to", "int f(int a[2][3], int *b) { return sizeof a[0] + sizeof *a + sizeof b + sizeof a[0][1]; }\n" + inMain(""), ""},
		{"sizes of arrays", "struct S { char s[3]; } x, *p = &x; int m[2][3];\n" + inMain("assert(sizeof m == 24 && sizeof m[0] == 12 && sizeof *m == 12 && sizeof x.s == 3 && sizeof p->s == 3 && sizeof \"abc\" == 4 && sizeof (m) == 24 && sizeof (int[3]){0} == 12);"), ""},
		{"size of an array after all", inMain("int a[3]; assert(sizeof(a+0) == 8);"), "that has become a pointer"},
		{"size of an array behind a comma", inMain("int a[3]; assert(sizeof(0,a) == 8);"), "that has become a pointer"},
		{"size of a choice of arrays", inMain("int a[3]; assert(sizeof(1?a:0) == 8);"), "that has become a pointer"},
		{"size of an automatic type", inMain("int a[3]; __auto_type p = a; assert(sizeof p == 8);"), "the size of 'p'"},
		{"size of an array without elements", "char a[2][0];\n" + inMain("assert(sizeof a == 0);"), "unsupported: the size of an array of arrays without elements"},
		{"size of a struct with a variable length array", inMain("int n = 2; typedef struct { int a[n]; } S; assert(sizeof(S) == 8);"), "unsupported: the size of a struct with a variable length array"},
		{"sizes that are 0", "char a[0]; int b[0][3]; struct { int n; char m[0]; } c;\n" + inMain("assert(sizeof a == 0 && sizeof b == 0 && sizeof c == 4);"), ""},
		{"length of a parameter", "void f(int n, int a[n++]) { }\n" + inMain(""), "t.c:1:21: unsupported: length of an array in a parameter that is more than read"},
		{"length of a parameter that is read", "void f(int n, int a[n + 1], int b[static 2]) { }\n" + inMain(""), ""},
		{"size of a function", "int f(void) { return sizeof f; }\n" + inMain(""), "the size of a function"},
		{"constructor", "__attribute__((constructor)) static void f(void) { }\n" + inMain(""), "t.c:1:16: unsupported: __attribute__((constructor))"},
		{"destructor", "void f(void) __attribute__((__destructor__)); void f(void) { }\n" + inMain(""), "unsupported: __attribute__((destructor))"},
		{"destructor behind the type", "static void __attribute__((destructor(101))) f(void) { }\n" + inMain(""), "unsupported: __attribute__((destructor))"},
		{"alias", "int a = 3; extern int b __attribute__((alias(\"a\")));\n" + inMain(""), "unsupported: __attribute__((alias))"},
		{"assembler's name", "int a asm(\"z\"); extern int b __asm__(\"z\");\n" + inMain(""), "unsupported: another name for 'a' in the assembler"},
		{"assembler's name of a function", "extern int b(int) __asm__(\"z\");\n" + inMain(""), ""},
		{"packed", "struct P { char a; int b; } __attribute__((packed));\n" + inMain(""), "unsupported: __attribute__((packed))"},
		{"packed member", "struct P { char a; int b __attribute__((packed)); };\n" + inMain(""), "unsupported: __attribute__((packed))"},
		{"packed enumeration", "enum E { A } __attribute__((packed));\n" + inMain(""), "unsupported: __attribute__((packed))"},
		{"pragma pack", "#pragma pack(1)\nstruct P { char a; int b; };\n" + inMain(""), "t.c:1:"},
		{"weak", "extern int w __attribute__((weak));\n" + inMain("assert(&w == 0);"), "t.c:1:12: unsupported: 'w', which is weak and not defined"},
		{"weak function", "int f(void) __attribute__((__weak__));\n" + inMain("if (f) assert(0);"), "unsupported: 'f', which is weak and not defined"},
		{"weak, but defined", "int f(void) __attribute__((weak)); extern int w __attribute__((weak)); int w; int f(void) { return 0; }\n__attribute__((weak)) int g(void) { return 0; }\n" + inMain("assert(f && &w && g);"), ""},
		{"pragma weak", "int f(void);\n#pragma weak f\n" + inMain("if (f) assert(0);"), "unsupported: #pragma weak"},
		{"pragma pack between functions", "int f(void) { return 0; }\n#pragma pack(1)\n" + inMain(""), "t.c:2:9: unsupported: #pragma pack"},
		{"another pragma", "#pragma GCC diagnostic ignored \"-Wall\"\n" + inMain(""), ""},
		{"mode", "typedef unsigned u8 __attribute__((mode(QI)));\n" + inMain("u8 x = 255; x++; assert(x == 0);"), "unsupported: __attribute__((mode))"},
		{"mode of the system's", "# 1 \"/usr/include/sys/types.h\"\ntypedef int int8_t __attribute__((__mode__(__QI__)));\n# 1 \"t.c\"\n" + inMain("int8_t x = 255;"), "t.c:2:18: unsupported: the type 'int8_t'"},
		{"mode of the system's, not used", "# 1 \"/usr/include/sys/types.h\"\ntypedef int int8_t __attribute__((__mode__(__QI__))); struct s { char a; } __attribute__((packed));\n# 1 \"t.c\"\n" + inMain(""), ""},
		{"other attributes", "static inline int f(int) __attribute__((always_inline, unused)); static inline int f(int a) { return a; } int x __attribute__((aligned(16)));\n" + inMain("assert(f(1) == 1);"), ""},
		{"_Generic with pointers", inMain("const char *s = 0; assert(_Generic(s, char *: 14, const char *: 15) == 15);"), "unsupported: _Generic"},
		{"_Generic on an enumeration", "enum E { Z } e;\n" + inMain("assert(_Generic(e, int: 7, unsigned: 8, default: 9) == 8);"), "unsupported: _Generic"},
		{"_Generic", inMain("char c = 0; assert(_Generic(c, char: 1, int *: 3, default: 2) == 1);"), ""},
		{"typeof with an enumeration", "enum E { Z } e;\n" + inMain("__typeof__(e + 0) t = 0; assert(t == 0);"), "unsupported: typeof of an expression with an enumeration"},
		{"typeof an enumeration", "enum E { Z } e;\n" + inMain("__typeof__(e) t = 0; assert(t == 0);"), ""},
		{"character", inMain("int c = 'é';"), "which is not ASCII"},
		{"character by number", inMain("int c = '\\u00e9';"), "which is not ASCII"},
		{"characters", inMain("int c = '\\\\' + '\\'' + 'u' + '\\x41' + \"é\"[0];"), ""},
		{"large enumerator", "enum E { A, B = 0x100000000 };\n" + inMain(""), "t.c:1:13: unsupported: 'B' does not fit an int"},
		{"enumerators", "enum E { A = -2147483648, B = 0xffffffff };\n" + inMain(""), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reads(t, tt.src, tt.want)
		})
	}
}

// TestBitFieldLayouts asks for the sizes of structs with bit-fields: they are gcc's, which
// are known here, or the question is refused.
func TestBitFieldLayouts(t *testing.T) {
	refused := 0
	for fields, size := range map[string]string{
		"unsigned a:1; unsigned b:2;":                         "4",
		"unsigned a:31; unsigned b:2;":                        "8",
		"int a; unsigned b:2;":                                "8",
		"char a; int b:5; int c:28; char d;":                  "12",
		"char a; int b:5; char d;":                            "4",
		"unsigned long a:33; char d;":                         "8",
		"char a:7; short b:9; int c:17; char d;":              "8",
		"int :5; char d;":                                     "2",
		"int a:24; char d;":                                   "4",
		"char x; unsigned a:24; char d;":                      "8",
		"short x; int a:17; char d;":                          "8",
		"char x[3]; int a:8; char d;":                         "8",
		"struct { char q; } x; int a:4; char d;":              "4",
		"int a:5; int :0; char d; int e:3; char f;":           "8",
		"struct { char a; int b:5; char d; } x[2]; char *p[]": "",
	} {
		if size == "" {
			continue
		}
		src := "#include <assert.h>\nstruct S { " + fields + " }; int main(void) { assert(sizeof(struct S) == " + size + "); return 0; }\n"
		res, err := Parse("t.c", []byte(src), Options{})
		switch {
		case err != nil && strings.Contains(err.Error(), "unsupported: the layout of"):
			refused++
		case err != nil:
			t.Errorf("%s: %v", fields, err)
		default:
			for _, th := range res.Program.Threads {
				for _, l := range th.Locs {
					if l.Error && len(l.In) > 0 {
						t.Errorf("%s: the size is not %s", fields, size)
					}
				}
			}
		}
	}
	if refused > 11 {
		t.Errorf("%d are refused", refused)
	}
}
