package scan_test

import (
	"testing"

	"comus/scan"
)

const jumpsHeader = header + `
#include <setjmp.h>
jmp_buf env;
static void *reads(void *p) { int x = g; return 0; }
static void *leaves(void *p) { pthread_cleanup_push(free, 0); pthread_testcancel(); if (p) pthread_exit(0); pthread_cleanup_pop(0); int x = g; return 0; }
`

// TestJumps has accesses before and after places where a longjmp leads to: what was created until then may be running from there on, and only there.
func TestJumps(t *testing.T) {
	in := func(body string) string { return "int main(int argc, char **argv) { " + body + " return 0; }" }
	const create, join = "pthread_create(&a, 0, reads, 0); ", "pthread_join(a, 0); "
	checkRules(t, jumpsHeader, "g", []ruled{
		{"before", in("g = 1; if (setjmp(env)) return 0;" + create + "longjmp(env, 1);"), scan.ReadOnly},
		{"behind", in("if (setjmp(env)) g = 1; " + create + "longjmp(env, 1);"), scan.Suspected},
		{"first at the place, then behind it", in("if (setjmp(env)) return 0; g = 1;" + create + "longjmp(env, 1);"), scan.Suspected},
		{"behind, nobody jumps", in("if (setjmp(env)) g = 1; " + create), scan.Ordered},
		{"joined where it leads to, or another one", in("if (setjmp(env)) { " + join + "g = 1; return 0; } " + create + "longjmp(env, 1);"), scan.Suspected},
		{"created and joined behind", in("setjmp(env); for (int i = 0; i < argc; i++) { " + create + join + " g = 1; } longjmp(env, 1);"), scan.Suspected},
		{"created and joined before", in(create + join + "g = 1; setjmp(env); longjmp(env, 1);"), scan.Ordered},
		{"in a function", "static int place(void) { return setjmp(env); } " + in("if (place()) { g = 1; return 0; } "+create+"longjmp(env, 1);"), scan.Suspected},
		{"by a function", "static void jump(void) { " + create + "longjmp(env, 1); } " + in("if (setjmp(env)) { g = 1; return 0; } jump();"), scan.Suspected},
		{"by a function, joined", "static void jump(void) { " + create + "longjmp(env, 1); } " + in("if (setjmp(env)) { "+join+"g = 1; return 0; } jump();"), scan.Suspected},
		{"by a handler", "static void handle(int s) { siglongjmp(env, 1); } " +
			in("signal(SIGINT, handle); if (sigsetjmp(env, 1)) { g = 1; return 0; } "+create+"pause();"), scan.Suspected},
		{"by a handler, before", "static void handle(int s) { siglongjmp(env, 1); } " +
			in("signal(SIGINT, handle); g = 1; if (sigsetjmp(env, 1)) { return 0; } "+create+"pause();"), scan.ReadOnly},
		{"cleanup in another thread", in("g = 1; pthread_create(&a, 0, leaves, argv); "), scan.Ordered},
		{"cleanup in another thread, behind", in("pthread_create(&a, 0, leaves, argv); g = 1; "), scan.Suspected},
		{"cleanup in another thread, joined", in("pthread_create(&a, 0, leaves, 0); pthread_join(a, 0); g = 1; "), scan.Ordered},
		{"cleanup, creates", "static void *again(void *p) { pthread_cleanup_push(free, 0); " + create + "pthread_exit(0); pthread_cleanup_pop(0); } " +
			in("pthread_create(&b, 0, again, 0); pthread_join(b, 0); g = 1; "), scan.Suspected},
		{"left in the middle of a batch", "pthread_t ids[9]; static void batch(int n) { for (int i = 0; i < 9; i++) { pthread_create(&ids[i], 0, reads, 0); if (i == n) longjmp(env, 1); } " +
			"for (int i = 0; i < 9; i++) pthread_join(ids[i], 0); } " + in("setjmp(env); batch(argc); g = 1;"), scan.Suspected},
	})
}
