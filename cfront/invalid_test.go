package cfront

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// invalid are programs that are no C, with the messages.
var invalid = []struct{ src, want string }{
	{"struct s { int a; struct s b; }; int main(void){ return 0; }", "t.c:1:28: the member 'b' has a type that is not complete here"},
	{"struct s { int a; struct s b[2]; }; int main(void){ return 0; }", "t.c:1:28: the member 'b' has a type that is not complete here"},
	{"struct t; struct s { struct t b; }; int main(void){ return 0; }", "t.c:1:31: the member 'b' has a type that is not complete here"},
	{"struct t; struct t x; int main(void){ return 0; }", "t.c:1:20: 'x' has a type that is not complete: 'struct t'"},
	{"int main(void){ struct t x; return 0; }", "t.c:1:26: 'x' has a type that is not complete: 'struct t'"},
	{"int main(void){ void x; return 0; }", "t.c:1:22: 'x' is declared void"},
	{"void f(struct t x) { } int main(void){ return 0; }", "t.c:1:1: the parameter 'x' of 'f' has a type that is not complete"},
	{"void f(void x) { } int main(void){ return 0; }", "t.c:1:1: the parameter 'x' of 'f' has a type that is not complete"},
	{"struct t f(void) { } int main(void){ return 0; }", "t.c:1:1: 'f' returns a type that is not complete"},
	{"union u { union u x; }; int main(void){ return 0; }", "t.c:1:19: the member 'x' has a type that is not complete here"},
	{"int a[2][]; int main(void){ return 0; }", "t.c:1:5: an array of arrays without a length"},
	{"void a[3]; int main(void){ return 0; }", "t.c:1:6: 'a' is an array of void"},
	{"struct t; struct t a[3]; int main(void){ return 0; }", "t.c:1:20: 'a' is an array of a type that is not complete"},
	{"struct s { void x; }; int main(void){ return 0; }", "t.c:1:17: the member 'x' is declared void"},
	{"struct s { int f(void); }; int main(void){ return 0; }", "t.c:1:16: the member 'f' is declared as a function"},
	{"struct s { int a[]; int b; }; int main(void){ return 0; }", "t.c:1:16: the member 'a', an array without a length, is not the last one"},
	{"const int x = 1; int main(void){ x = 2; return 0; }", "t.c:1:34: assignment to 'x', which is const"},
	{"int main(void){ const int x = 1; x = 2; return 0; }", "t.c:1:34: assignment to 'x', which is const"},
	{"int main(void){ const int x = 1; x++; return 0; }", "t.c:1:34: assignment to 'x', which is const"},
	{"int main(void){ const int x = 1; --x; return 0; }", "t.c:1:34: assignment to 'x', which is const"},
	{"int main(void){ const int x = 1; x += 2; return 0; }", "t.c:1:34: assignment to 'x', which is const"},
	{"int main(void){ int y; const int *p = &y; *p = 2; return 0; }", "t.c:1:43: assignment to '*p', which is const"},
	{"int main(void){ int y; int *const p = &y; p = 0; return 0; }", "t.c:1:43: assignment to 'p', which is const"},
	{"int main(void){ int y; int const*p = &y; (*p)++; return 0; }", "t.c:1:42: assignment to '(*p)', which is const"},
	{"struct s { const int a; int b; }; int main(void){ struct s x = {1,2}; x.a = 2; return 0; }", "t.c:1:71: assignment to 'x.a', which is const"},
	{"struct s { const int a; int b; }; int main(void){ struct s x = {1,2}, y = {1,2}; x = y; return 0; }", "t.c:1:82: assignment to 'x', whose member 'a' is const"},
	{"struct s { int a; int b; }; int main(void){ const struct s x = {1,2}; x.a = 2; return 0; }", "t.c:1:71: assignment to 'x.a', which is const"},
	{"struct s { int a; int b; }; int main(void){ const struct s x = {1,2}; struct s y = x; x = y; return 0; }", "t.c:1:87: assignment to 'x', which is const"},
	{"struct s { int a; }; int main(void){ struct s y; const struct s *p = &y; p->a = 1; return 0; }", "t.c:1:74: assignment to 'p->a', which is const"},
	{"struct s { int a[2]; }; int main(void){ struct s y; const struct s *p = &y; p->a[1] = 1; return 0; }", "t.c:1:77: assignment to 'p->a[1]', which is const"},
	{"int main(void){ const int a[2] = {1,2}; a[1] = 2; return 0; }", "t.c:1:41: assignment to 'a[1]', which is const"},
	{"typedef const int ci; int main(void){ ci a = 1; a = 2; return 0; }", "t.c:1:49: assignment to 'a', which is const"},
	{"typedef int A[2]; int main(void){ const A a = {1}; a[0] = 2; return 0; }", "t.c:1:52: assignment to 'a[0]', which is const"},
	{"void f(const int x) { x = 1; } int main(void){ return 0; }", "t.c:1:23: assignment to 'x', which is const"},
	{"void f(const int *x) { x[1] = 1; } int main(void){ return 0; }", "t.c:1:24: assignment to 'x[1]', which is const"},
	{"void f(const int x[]) { x[1] = 1; } int main(void){ return 0; }", "t.c:1:25: assignment to 'x[1]', which is const"},
	{"struct s { struct { const int k; } in; int b; }; int main(void){ struct s x = {{1},2}, y = {{1},2}; x = y; return 0; }", "t.c:1:101: assignment to 'x', whose member 'in' is const"},
	{"extern const int z; int main(void){ z = 2; return 0; }", "t.c:1:37: assignment to 'z', which is const"},
	{"int main(void){ static const int z = 3; z = 2; return 0; }", "t.c:1:41: assignment to 'z', which is const"},
	{"int main(void){ \"abc\"[0] = 2; const char *s = \"a\"; s[0] = 1; return 0; }", "t.c:1:52: assignment to 's[0]', which is const"},
	{"struct s { int a; int a; }; int main(void){ return 0; }", "t.c:1:23: the member 'a' is declared twice"},
	{"struct s { int a; struct { int a; }; }; int main(void){ return 0; }", "t.c:1:32: the member 'a' is declared twice"},
	{"union s { int a; char a; }; int main(void){ return 0; }", "t.c:1:23: the member 'a' is declared twice"},
	{"enum e { A, B }; enum e { C }; int main(void){ return 0; }", "t.c:1:18: the enumeration 'e' is defined twice"},
	{"enum e { A }; enum f { A }; int main(void){ return 0; }", "t.c:1:24: 'A' is declared as something else before"},
	{"enum e { A }; int A; int main(void){ return 0; }", "t.c:1:19: 'A' is declared as something else before"},
	{"int A; enum e { A }; int main(void){ return 0; }", "t.c:1:17: 'A' is declared as something else before"},
	{"struct e { int x; }; enum e { A }; int main(void){ return 0; }", "t.c:1:22: the tag 'e' is one of another kind of type before"},
	{"#define F(a, a) a\nint main(void){ return 0; }", "t.c:1:2: the macro has two parameters a"},
	{"static int x; int x; int main(void){ return 0; }", "t.c:1:19: 'x' is not static, but where it is declared before"},
	{"int x; static int x; int main(void){ return 0; }", "t.c:1:19: 'x' is static, but not where it is declared before"},
	{"typedef int T; T T; int main(void){ return 0; }", "t.c:1:18: 'T' is declared as something else before"},
	{"typedef int T; int T; int main(void){ return 0; }", "t.c:1:20: 'T' is declared as something else before"},
	{"int f(int x); void f(int x) { } int main(void){ return 0; }", "t.c:1:20: 'f' returns another type than where it is declared before"},
	{"void f(int x); int main(void){ return 0; } int f(int x) { return 1; }", "t.c:1:48: 'f' returns another type than where it is declared before"},
	{"int f(int x); static int f(int x) { return 1; } int main(void){ return 0; }", "t.c:1:26: 'f' is static, but not where it is declared before"},
	{"int g; int main(void){ extern char g; return 0; }", "t.c:1:36: 'g' has another type than where it is declared before"},
	{"int main(void) int x; { return 0; }", "t.c:1:20: 'x' is declared before the body of 'main', but is no parameter of it"},
	{"int f(a) int b; { return 0; } int main(void) { return 0; }", "t.c:1:14: 'b' is declared before the body of 'f', but is no parameter of it"},
	{"struct s {int a;}; struct s f(void) { return 1; } int main(void){ return 0; }", "t.c:1:46: '1' is not a value of the type 'struct s'"},
	{"struct s {int a;}; int f(void) { struct s x; return x; } int main(void){ return 0; }", "t.c:1:53: 'x' is a struct, not a value of the type 'int'"},
	{"void f(void) {} int g(void) { return f(); } int main(void){ return 0; }", "t.c:1:38: 'f()' has no value"},
	{"int f(int a, ...) { return a; } int main(void){ f(); return 0; }", "t.c:1:49: too few arguments in the call of 'f'"},
	{"int f(int); int main(void){ int (*p)(int) = f; p(); return 0; }", "t.c:1:48: too few arguments in the call of 'p'"},
	{"int f(int); int main(void){ int (*p)(int) = f; (*p)(1,2); return 0; }", "t.c:1:48: too many arguments in the call of '(*p)'"},
	{"#include <pthread.h>\npthread_mutex_t m; int main(void){ pthread_mutex_lock(&m, 1); return 0; }", "t.c:2:36: too many arguments in the call of 'pthread_mutex_lock'"},
	{"#include <pthread.h>\npthread_mutex_t m; int main(void){ pthread_mutex_lock(m); return 0; }", "t.c:2:55: 'm' is a struct, not a value of the type 'pointer to pthread_mutex_t'"},
	{"struct s {int a;}; int f(int a) { return a; } int main(void){ struct s x; f(x); return 0; }", "t.c:1:77: 'x' is a struct, not a value of the type 'int'"},
	{"struct s {int a;}; int f(struct s a) { return 1; } int main(void){ f(1); return 0; }", "t.c:1:70: '1' is not a value of the type 'struct s'"},
	{"struct s {int a;}; struct t {int a;}; int f(struct s a) { return 1; } int main(void){ struct t x; f(x); return 0; }", "t.c:1:101: 'x' is not a value of the type 'struct s', but of 'struct t'"},
	{"struct s {int a;}; int f(struct s *a) { return 1; } int main(void){ struct s x; f(x); return 0; }", "t.c:1:83: 'x' is a struct, not a value of the type 'pointer to struct s'"},
	{"float g; int f(int *a) { return 1; } int main(void){ f(g); return 0; }", "t.c:1:56: 'g' cannot become a value of the type 'pointer to int'"},
	{"void v(void){} int f(int a) { return 1; } int main(void){ f(v()); return 0; }", "t.c:1:61: 'v()' has no value"},
	{"struct s {int a;}; int main(void){ struct s x; int y = x; return 0; }", "t.c:1:56: 'x' is a struct, not a value of the type 'int'"},
	{"struct s {int a;}; int main(void){ struct s x; int y; y = x; return 0; }", "t.c:1:59: 'x' is a struct, not a value of the type 'int'"},
	{"struct s {int a;}; int main(void){ struct s x; x = 1; return 0; }", "t.c:1:52: '1' is not a value of the type 'struct s'"},
	{"struct s {int a;}; int main(void){ struct s x = 1; return 0; }", "t.c:1:49: '1' is not a value of the type 'struct s'"},
	{"struct s {int a;}; struct t {int a;}; int main(void){ struct s x; struct t y; x = y; return 0; }", "t.c:1:83: 'y' is not a value of the type 'struct s', but of 'struct t'"},
	{"struct s {int a;}; struct t {int a;}; int main(void){ struct s x; struct t y = x; return 0; }", "t.c:1:80: 'x' is not a value of the type 'struct t', but of 'struct s'"},
	{"struct s {int a;}; int main(void){ struct s x; if (x) return 1; return 0; }", "t.c:1:52: 'x' is a struct, not a condition"},
	{"struct s {int a;}; int main(void){ struct s x; while (x) return 1; return 0; }", "t.c:1:55: 'x' is a struct, not a condition"},
	{"struct s {int a;}; int main(void){ struct s x; for (;x;) return 1; return 0; }", "t.c:1:54: 'x' is a struct, not a condition"},
	{"struct s {int a;}; int main(void){ struct s x; return x; }", "t.c:1:55: 'x' is a struct, not a value of the type 'int'"},
	{"struct s {int a;}; int main(void){ struct s x; return (int)x; }", "t.c:1:60: 'x' is a struct, not a value of the type 'int'"},
	{"struct s {int a;}; int main(void){ struct s x; x = (struct s)1; return 0; }", "t.c:1:52: cast to the type 'struct s'"},
	{"int main(void){ void *x; int y = *x; return 0; }", "t.c:1:34: '*x' has no value"},
	{"int f(void); int main(void){ f = 2; return 0; }", "t.c:1:30: assignment to 'f', which is a function"},
	{"int f(void); int main(void){ f++; return 0; }", "t.c:1:30: assignment to 'f', which is a function"},
	{"int main(void){ int a[2], b[2]; a = b; return 0; }", "t.c:1:33: assignment to 'a', which is an array"},
	{"int main(void){ int a[2]; a++; return 0; }", "t.c:1:27: assignment to 'a', which is an array"},
	{"int main(void){ int a[2] = 1; return 0; }", "t.c:1:28: '1' cannot initialize the array 'a'"},
	{"int main(void){ int b[2]; int a[2] = b; return 0; }", "t.c:1:38: 'b' cannot initialize the array 'a'"},
	{"int main(void){ register int x; int *p = &x; return 0; }", "t.c:1:42: address of 'x', which is declared register"},
	{"struct s {int a:3;}; int main(void){ struct s x; int *p = &x.a; return 0; }", "t.c:1:59: address of 'x.a', which is a bit-field"},
	{"struct s {int a:3;}; int main(void){ struct s x; return sizeof(x.a); }", "t.c:1:57: sizeof '(x.a)', which is a bit-field"},
	{"struct s {int a:3;}; int main(void){ struct s x; return sizeof x.a; }", "t.c:1:57: sizeof 'x.a', which is a bit-field"},
	{"struct s {int a:33;}; int main(void){ return 0; }", "t.c:1:15: the bit-field 'a' cannot have 33 bits"},
	{"struct s {int a:0;}; int main(void){ return 0; }", "t.c:1:15: the bit-field 'a' cannot have 0 bits"},
	{"struct s {float a:2;}; int main(void){ return 0; }", "t.c:1:17: the bit-field 'a' has a type that is not an integer"},
	{"struct s {int *a:2;}; int main(void){ return 0; }", "t.c:1:15: the bit-field 'a' has a type that is not an integer"},
	{"void f(void); int main(void){ int x = f(); return 0; }", "t.c:1:39: 'f()' has no value"},
	{"void f(void); int main(void){ int x; x = f(); return 0; }", "t.c:1:42: 'f()' has no value"},
	{"void f(void); int main(void){ if (f()) return 1; return 0; }", "t.c:1:35: 'f()' has no value"},
	{"void f(void); int main(void){ while (f()); return 0; }", "t.c:1:38: 'f()' has no value"},
	{"void f(void); int main(void){ return f(); }", "t.c:1:38: 'f()' has no value"},
	{"void f(void); int main(void){ int x; return (int)f(); }", "t.c:1:50: 'f()' has no value"},
	{"void f(void); int main(void){ int x; x = x ? f() : 1; return 0; }", "t.c:1:42: 'x ? f() : 1' has no value"},
	{"void f(void); int g(int); int main(void){ g(f()); return 0; }", "t.c:1:45: 'f()' has no value"},
	{"void f(void); int main(void){ switch (f()) { case 1: ; } return 0; }", "t.c:1:39: switch on 'f()', which is not an integer"},
	{"int a[1.5]; int main(void){ return 0; }", "t.c:1:7: the length of the array 'a' is not an integer"},
	{"int main(void){ int a[1.5]; return 0; }", "t.c:1:23: the length of the array 'a' is not an integer"},
	{"int main(void){ int *p; int a[p]; return 0; }", "t.c:1:31: the length of the array 'a' is not an integer"},
	{"int n = 3; int a[n]; int main(void){ return 0; }", "t.c:1:18: the length of the array 'a' is not constant"},
	{"int main(void){ int n = 3; static int a[n]; return 0; }", "t.c:1:41: the length of the array 'a' is not constant"},
	{"int n; struct s { int a[n]; }; int main(void){ return 0; }", "t.c:1:25: the length of the array 'a' is not constant"},
	{"int main(void){ float x; switch (x) { case 1: ; } return 0; }", "t.c:1:34: switch on 'x', which is not an integer"},
	{"int main(void){ int *x; switch (x) { case 1: ; } return 0; }", "t.c:1:33: switch on 'x', which is not an integer"},
	{"struct s {int a;}; int main(void){ struct s x; switch (x) { case 1: ; } return 0; }", "t.c:1:56: switch on 'x', which is not an integer"},
	{"int n; int m = n; int main(void){ return 0; }", "t.c:1:16: the initializer of 'm' is not constant: 'n'"},
	{"int f(void); int m = f(); int main(void){ return 0; }", "t.c:1:22: the initializer of 'm' is not constant: 'f()'"},
	{"int n = 1; int m = n + 1; int main(void){ return 0; }", "t.c:1:20: the initializer of 'm' is not constant: 'n'"},
	{"int main(void){ int n = 1; static int m = n; return 0; }", "t.c:1:43: the initializer of 'm' is not constant: 'n'"},
	{"int n; int a[2] = {1, n}; int main(void){ return 0; }", "t.c:1:23: the initializer of 'a' is not constant: 'n'"},
	{"int n; struct {int a, b;} s = {n, 2}; int main(void){ return 0; }", "t.c:1:32: the initializer of 's' is not constant: 'n'"},
	{"int x; int y = x++; int main(void){ return 0; }", "t.c:1:16: the initializer of 'y' is not constant: 'x++'"},
	{"int x; int y = (x = 3); int main(void){ return 0; }", "t.c:1:17: the initializer of 'y' is not constant: 'x = 3'"},
	{"int *p; int x = *p; int main(void){ return 0; }", "t.c:1:17: the initializer of 'x' is not constant: '*p'"},
	{"struct s {int a;} s1; struct s s2 = s1; int main(void){ return 0; }", "t.c:1:37: the initializer of 's2' is not constant: 's1'"},
	{"int main(void){ char s[2] = 5; return 0; }", "t.c:1:29: '5' cannot initialize the array 's'"},
	{"int main(void){ int s[] = \"abc\"; return 0; }", "t.c:1:27: '\"abc\"' cannot initialize the array 's'"},
	{"int main(void){ extern int x = 1; return 0; }", "t.c:1:28: 'x' is extern in a function, but has an initializer"},
	{"int main(void){ int *p; char *q; return p - q; }", "t.c:1:41: difference of pointers to different types: 'p - q'"},
	{"int main(void){ int *p; float f = p; return 0; }", "t.c:1:35: 'p' cannot become a value of the type 'float'"},
	{"int main(void){ int *p; float f; p = f; return 0; }", "t.c:1:38: 'f' cannot become a value of the type 'pointer to int'"},
	{"int main(void){ int *p; p = (int*)1.0; return 0; }", "t.c:1:35: '1.0' cannot become a value of the type 'pointer to int'"},
	{"int main(void){ int *p; float f = (float)p; return 0; }", "t.c:1:42: 'p' cannot become a value of the type 'float'"},
	{"int main(void){ int a[2]; a = (int[2])a; return 0; }", "t.c:1:27: assignment to 'a', which is an array"},
	{"int main(void){ int x; (int[2])x; return 0; }", "t.c:1:24: cast to the type 'array of 2 int'"},
	{"int f(void)[2]; int main(void){ return 0; }", "t.c:1:5: a function that returns an array"},
	{"int f(void)(void); int main(void){ return 0; }", "t.c:1:5: a function that returns a function"},
	{"int a[2](void); int main(void){ return 0; }", "t.c:1:5: an array of functions"},
	{"static extern int x; int main(void){ return 0; }", "t.c:1:1: more than one storage class"},
	{"typedef static int x; int main(void){ return 0; }", "t.c:1:1: more than one storage class"},
	{"auto int x; int main(void){ return 0; }", "t.c:1:10: 'x' cannot be auto or register outside of functions"},
	{"register int x; int main(void){ return 0; }", "t.c:1:14: 'x' cannot be auto or register outside of functions"},
	{"_Thread_local int f(void); int main(void){ return 0; }", "t.c:1:19: the function 'f' is declared _Thread_local"},
	{"int main(void){ _Thread_local int x; return 0; }", "t.c:1:35: 'x' is _Thread_local, but neither static nor extern"},
	{"int main(void){ static int f(void); return 0; }", "t.c:1:28: the function 'f' is declared static in a function"},
	{"int f(int x, void) { return 0; } int main(void){ return 0; }", "t.c:1:14: void is not the only parameter"},
	{"int f(void, int x) { return 0; } int main(void){ return 0; }", "t.c:1:7: void is not the only parameter"},
	{"#include <stdlib.h>\nint main(void){ free(); return 0; }", "t.c:2:17: too few arguments in the call of 'free'"},
	{"#include <stdlib.h>\nint main(void){ int x; x = abort(); return 0; }", "t.c:2:28: 'abort()' has no value"},
	{"#include <stdlib.h>\nint main(void){ int x = exit(1); return 0; }", "t.c:2:25: 'exit(1)' has no value"},
	{"void f(int *p); int main(void){ f(1.5); return 0; }", "t.c:1:35: '1.5' cannot become a value of the type 'pointer to int'"},
	{"union u {int a; struct {int c;} b;}; int main(void){ union u x; return x; }", "t.c:1:72: 'x' is a union, not a value of the type 'int'"},
	{"#include <pthread.h>\nint main(void){ pthread_t t = {1}; pthread_mutex_t m; m = 1; return 0; }", "t.c:2:59: '1' is not a value of the type 'pthread_mutex_t'"},
	{"#include <pthread.h>\nint main(void){ pthread_mutex_t m; if (m) return 1; return 0; }", "t.c:2:40: 'm' is a struct, not a condition"},
	{"#include <pthread.h>\nvoid f(void) {} int main(void){ pthread_t t; pthread_create(&t, 0, f(), 0); return 0; }", "t.c:2:68: 'f()' has no value"},
	{"#include <pthread.h>\nvoid *f(void *p) {} int main(void){ pthread_t t; pthread_create(t, 0, f, 0, 0); return 0; }", "t.c:2:50: too many arguments in the call of 'pthread_create'"},
	{"int main(void){ int x = ({ ; }); return 0; }", "t.c:1:25: '({ ; })' has no value"},
	{"int main(void){ int x = ({ int y; }); return 0; }", "t.c:1:25: '({ int y; })' has no value"},
	{"int x = ({ 1; }); int main(void){ return 0; }", "t.c:1:9: the initializer of 'x' is not constant: '({ 1; })'"},
}

// validPrograms are like those, but C, as gcc has it with its extensions.
var validPrograms = []string{
	"const int n = 3; int m = n; int main(void){ return 0; }",
	"const int n = 3; int m[2] = {n, 1}; int main(void){ return 0; }",
	"static const int n = 3; static int m = n + 1; int main(void){ return 0; }",
	"int f(void); int x = 1 ? 2 : f(); int main(void){ return 0; }",
	"int f(void); int x = 0 && f(); int main(void){ return 0; }",
	"int a[3]; int *p = &a[1] + 1; int *q = a + 1; long d = (long)&a; int main(void){ return 0; }",
	"struct s {int a[2];} s; int *p = s.a, *q = &s.a[1]; int main(void){ return 0; }",
	"const struct {int a;} s = {1}; int x = s.a; int main(void){ return 0; }",
	"const int a[2] = {1,2}; int x = a[1]; int main(void){ return 0; }",
	"int x = (int){3}; int main(void){ return 0; }",
	"struct s {int a;} x = (struct s){3}; int main(void){ return 0; }",
	"int a[2] = (int[2]){1,2}; int main(void){ return 0; }",
	"int x = \"abc\"[1]; int main(void){ return 0; }",
	"int a[2]; long x = &a[1] - &a[0]; int main(void){ return 0; }",
	"int a; int x = &a != 0; int main(void){ return 0; }",
	"int a; int x = sizeof(a++); int main(void){ return 0; }",
	"const int x = 3; const int y = x; int main(void) { return 0; }",
	"struct s { int a; } x; int *p = &(&x)->a; int main(void) { return 0; }",
	"int x = __builtin_abs(-2); int main(void) { return 0; }",
	"int f(); int f(int x) { return x; } int main(void) { return 0; }",
	"int f(void) { extern int g; { extern int g; } return 0; } int main(void) { return 0; }",
	"static int x; extern int x; static int f(void); int f(void) { return 0; } extern int f(void); int main(void) { return 0; }",
	"struct s x; struct s { int a; }; int main(void) { return 0; }",
	"typedef int T; typedef int T; int main(void) { int T; T = 1; { typedef char T; T y; } return 0; }",
	"struct s; int f(struct s *p); struct s { int a; }; enum e { A }; int main(void) { struct s; enum e {A}; int e, s; return 0; }",
	"int main(void) { char s[] = (\"abc\"); char t[] = {\"abc\"}; int w[] = L\"abc\"; unsigned char u[4] = \"abc\"; return 0; }",
	"struct s { int n; int a[]; }; struct t { struct s x; int b; }; int main(void) { return 0; }",
	"struct s { int a:1; int :0; int :3; _Bool b:1; enum {X} c:2; unsigned long d:40; char e:8;}; int main(void) { return 0; }",
	"int a; int main(void) { register int x; return sizeof &a + x; }",
	"int f(int a) { { int a; } for (int a = 0; a < 2; a++) { int a; } return a; } int main(void) { return 0; }",
	"void f(void) {} void g(void) { return f(); } int main(void) { return 0; }",
	"const char *const s[] = {\"a\"}; int main(void) { const char *p = s[0]; p++; p = s[0]; return *p; }",
	"struct s { const char *n; int v; }; int main(void) { struct s a = {\"x\", 1}, b; b = a; b.n = \"y\"; b.v++; struct s *const p = &b; p->v = 2; (*p).v++; *p = a; return 0; }",
	"typedef struct { int x; } T; void f(T *const p, const T *q) { p->x = q->x; *p = *q; q = p; } int main(void) { return 0; }",
	"int main(void) { int a[2]; int *const p = a; p[0] = 1; *p = 2; *(p + 1) = 3; return 0; }",
	"int main(void) { int x; const int *p = &x; *(int *)p = 2; return 0; }",
	"typedef const int *CP; int main(void) { int x = 1; CP p = &x; p = 0; return 0; }",
	"typedef int *IP; int main(void) { int x = 1; const IP p = &x; *p = 3; return 0; }",
	"int (*const fp)(void) = 0; const int (*ap)[2]; int main(void) { ap = 0; ap++; return 0; }",
	"void f(const int a[static 2], int *restrict b) { a = b; b[0] = a[0]; } int main(void) { return 0; }",
	"union u { const int a; int b; }; int main(void) { union u x = {1}; x.b = 2; return 0; }",
	"struct s { int a; } const x = {1}, *p; int main(void) { p = &x; return 0; }",
	"int const static x = 1; int main(void) { for (const int *p = &x; p; p = 0) ; return 0; }",
	"int main(void) { int *p = 0; long d = (char*)p - (char*)0; void *q = p; d = q - (void*)0; const int *r = p; d = r - p; return 0; }",
	"int f(int x, int y[x]); int n; void g(int n, int a[n]) {} int main(void) { return 0; }",
	"int a = sizeof(struct {int x;}); static int y; static int y; extern int z; int z; int z; extern int z; int main(void) { return 0; }",
	"inline static int f(void) { return 1; } static inline int f(void); int main(void) { return 0; }",
	"int main(void) { int x = 3; switch (x) { int y; case 1: y = 2; default: ; } return 0; }",
	"typedef void V; V f(V); int g(V) { return 0; } int main(V) { return 0; }",
	"extern void w; int main(void) { return 0; }",
	"extern struct nope n; int main(void) { return 0; }",
	"struct nope f(void); void g(struct nope); int main(void) { return 0; }",
	"typedef struct nope N; N *p; extern N a; int main(void) { return 0; }",
	"int a[]; int a[3]; int b[] = {1,2}; int main(void) { extern int c[]; return sizeof a; }",
	"int f(a, b) int a; { return a + b; } int main(void) { return 0; }",
	"__thread int x; static __thread int y; extern __thread int z; int main(void) { static __thread int w; return 0; }",
	"int main(void) { auto int x = 1; register int y = 2; const register int z = 3; int f(void); extern int g(void); return 0; }",
	"int main(void) { int a[2]; _Bool b = a; b = main; int x = a; x = main; return 0; }",
	"int main(void) { void *p = main; p = 0; int (*q)() = p; q = main; char *s = (void*)0; return 0; }",
	"int main(void) { struct s {int a;} x, y; x = y; x = (struct s){1}; x = 1 ? x : y; x = (y, x); x = ({ y; }); const struct s z = x; x = z; volatile struct s w; x = w; return 0; }",
	"int *a[3] = {0}; int main(void) { int (*p)[2] = {0}; int x = {1}; struct {int a, b;} s = {1}, t = {.b = 2}; return 0; }",
	"enum e {A}; int main(void) { _Bool b = 1; switch (b) { case 1: ; } char c = 1; switch (c) { case 1: ; } enum e x = A; switch (x) { case A: ; } struct {int f:3;} s; s.f = 1; switch (s.f) { case 1: ; } unsigned long long u = 1; switch (u) { case 1: ; } return 0; }",
	"struct s { const int a[2]; int b; } x; typedef struct s *P; int main(void) { P p = &x; const P q = p; q->b = 1; p->b++; return x.a[0]; }",
	"const volatile int r; volatile int w; int *const volatile g = 0; int main(void) { w = r; w++; return 0; }",
	"typedef const char *const S; S tab[] = {\"a\", \"b\"}; const char **pp; int main(void) { const char *s = tab[0]; pp = &s; *pp = \"x\"; return 0; }",
	"void f(int n, int a[const n]) { a[0] = 1; } void g(int *const restrict p) { *p = 1; } int main(void) { return 0; }",
	"int f(int (*cb)(const int *, int), const int *p) { p++; return cb(p, 2); } int main(void) { return 0; }",
	"struct n { struct n *next; int v; } a = {0, 1}, b = {&a, 2}; struct n *h = &b, **hh = &h; int *pv = &a.v, *pw = &(&a)->v; int arr[2][2]; int *row = arr[1], (*rows)[2] = &arr[0]; int main(void) { return 0; }",
	"int g(void); int (*fp)(void) = g, (*fq)(void) = &g; int (*tab[])(void) = {g, &g}; char *s = \"a\" \"b\", t[] = \"xy\", *u[] = {\"a\", t}; int z = sizeof t + sizeof(u) / sizeof(u[0]); int main(void) { return 0; }",
	"enum { N = 3 }; int a[N] = {[0 ... N - 1] = 1}, b = N * 2, c = 'a' + 1, d = -(1 << 3) | ~0, e = !0 && 1; double f = 1.5 * 2; float h = -0.5f; int main(void) { static int x = N, *p = &x; static const int y = 2; return *p + y; }",
	"static int f(void); static int f(void) { return 0; } int g(void); extern int g(void); int g(void) { return f(); } extern int v; int v = 1; int main(void) { extern int v; int g(void); return v; }",
	"int main(void) { int x = 1; { extern int y; y = 1; } { struct s {int a;}; struct s z = {1}; x = z.a; } { struct s {char b;}; struct s z; z.b = 1; } enum {A}; { enum {A = 2}; int B = A; { int A = 1; A = B; } } return 0; } int y;",
	"typedef struct { int x; } T; T g; int f(T T) { return T.x; } int h(void) { T T = g; return T.x; } int main(void) { return 0; }",
	"int x; int f(int x) { extern int g(int); { int x = 2; return x; } } void x2(void); typedef int I; struct I { I I; } I2; int main(void) { return 0; }",
	"struct s; struct s *p; void f(struct s *); struct s { int a; struct s *n; struct { struct s *m; } k; }; void f(struct s *q) { q->a = 1; } int main(void) { struct s x; return sizeof(*p); }",
	"#include <pthread.h>\n#include <stdlib.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_t t[2]; void *f(void *a) { return a; } int main(void) { static pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_create(&t[0], NULL, f, (void *)1); pthread_create(t, 0, (void *(*)(void *))f, &m); pthread_join(t[0], 0); struct { pthread_mutex_t l; } s = { PTHREAD_MUTEX_INITIALIZER }; int *p = malloc(4); free(p); exit(0); }",
	"#include <stdatomic.h>\n#include <stdbool.h>\n#include <stdio.h>\natomic_int a = ATOMIC_VAR_INIT(0); atomic_flag fl = ATOMIC_FLAG_INIT; static _Atomic int b = 2; _Atomic(bool) c = true; int main(void) { const atomic_int k = 3; a = 1; a++; b += 2; atomic_store(&a, k); while (atomic_flag_test_and_set(&fl)) ; printf(\"%d\\n\", 1); printf(\"x\"); return 0; }",
	"int main(void) { int c = 1, *p = &c; const int *q = c ? p : 0; *(c ? p : p) = 1; (c ? p : p)[0] = 2; q = c ? q : p; return *q; }",
	"int f(int n) { return n; } int (*get(void))(int) { return f; } int main(void) { get()(1); (*get())(2); int (*const a[])(int) = {f}; a[0](1); return (&f)(1); }",
}

// TestInvalid reads programs that are no C.
func TestInvalid(t *testing.T) {
	for _, tt := range invalid {
		t.Run(tt.src, func(t *testing.T) {
			_, err := Parse("t.c", []byte(tt.src), Options{})
			checkError(t, err, tt.want)
		})
	}
}

// TestValid reads programs that are C.
func TestValid(t *testing.T) {
	for _, src := range validPrograms {
		t.Run(src, func(t *testing.T) {
			if _, err := Parse("t.c", []byte(src), Options{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestInvalidForCC asks gcc about these programs.
func TestInvalidForCC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil || testing.Short() {
		t.Skip("gcc is not there, or would take too long")
	}
	file := filepath.Join(t.TempDir(), "t.c")
	ask := func(src string, want bool) {
		if err := os.WriteFile(file, []byte(src+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(gcc, "-std=gnu11", "-w", "-fsyntax-only", file).CombinedOutput()
		if (err == nil) != want {
			t.Errorf("%s: valid is %t for gcc\n%s", src, err == nil, strings.TrimSpace(string(out)))
		}
	}
	for _, src := range validPrograms {
		ask(src, true)
	}
	for _, tt := range invalid {
		ask(tt.src, false)
	}
}
