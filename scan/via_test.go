package scan_test

import "testing"

// TestVia has loops that call a function which creates the thread of the turn.
func TestVia(t *testing.T) {
	const header = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct arg { int x, id; pthread_t tid; };
static struct arg all[8], *heap;
static int d[16], sum, n;
static pthread_t ids[8];
static void init(struct arg *a, int i) { a->x = i; a->id = 1; }
static void *serve(void *v) { struct arg *a = v; a->x += a->id; return 0; }
static void *count(void *v) { long k = (long)v; d[k]++; return 0; }
`
	program := func(start, init, body, more string) string {
		return start + "\nint main(int argc, char **argv) { n = argc; " + init + " for (int i = 0; i < 8; i++) { " + body + " } " + more + " return 0; }\n"
	}
	const start = "static void start(pthread_t *tid, struct arg *args, int i) { args[i].x = i; args[i].id = 1; pthread_create(&tid[i], 0, serve, &args[i]); }"
	const local, call = "struct arg args[8]; pthread_t tid[8];", "start(tid, args, i);"
	const join = "for (int i = 0; i < 8; i++) pthread_join(tid[i], 0);"
	const sums = "for (int i = 0; i < 8; i++) { pthread_join(tid[i], 0); sum += args[i].x; }"
	safe := program(start, local, call, sums)
	one := func(do string) string {
		return "static void start(pthread_t *tid, struct arg *args, int i) { " + do + " }"
	}
	checkPairs(t, header, []pair{
		{"plain", safe, program(start, local, "start(tid, args, 0);", join)},
		{"of another number", safe, program(start, local, "start(tid, args, i & n);", join)},
		{"of half the number", safe, program(start, local, "start(tid, args, i / 2);", join)},
		{"called twice", safe, program(start, local, call+call, join)},
		{"called elsewhere, too", safe, program(start, local+" start(tid, args, 3);", call, join)},
		{"two loops", safe, program(start, local+" for (int i = 0; i < 8; i++) start(tid, args, i);", call, join)},
		{"two rounds", program(start, local, call, join), program(start, local, "for (int j = 0; j < 2; j++) start(tid, args, j);", join)},
		{"creates two", safe, program(one("args[i].x = i; for (int k = 0; k < 2; k++) pthread_create(&tid[i], 0, serve, &args[i]);"), local, call, join)},
		{"sets it after", safe, program(one("args[i].x = i; pthread_create(&tid[i], 0, serve, &args[i]); args[i].id = 1;"), local, call, join)},
		{"sets the one before", safe, program(one("args[i].x = i; if (i) args[i - 1].id = 1; pthread_create(&tid[i], 0, serve, &args[i]);"), local, call, join)},
		{"gives the next one", program(one("pthread_create(&tid[i], 0, serve, &args[i + 1]);"), "struct arg args[9]; pthread_t tid[8];", call, join), program(one("args[i].x = 1; pthread_create(&tid[i], 0, serve, &args[i + 1]);"), "struct arg args[9]; pthread_t tid[8];", call, join)},
		{"changes the number", program(one("int k = i + 1; pthread_create(&tid[i], 0, serve, &args[k]);"), "struct arg args[9]; pthread_t tid[8];", call, join), program(one("if (n) i = 0; pthread_create(&tid[i], 0, serve, &args[i]);"), local, call, join)},
		{"gives the base", safe, program(one("pthread_create(&tid[i], 0, serve, args);"), local, call, join)},
		{"of another base", safe, program(start, local+" struct arg more[8];", "start(tid, i & 1 ? args : more + 1, i);", join)},
		{"shifted bases", safe, program(start, local, "start(tid, args + (8 - i), i);", join)},
		{"the sum before the join", safe, program(start, local, call, "for (int i = 0; i < 8; i++) { sum += args[i].x; pthread_join(tid[i], 0); }")},
		{"the sum of another one", safe, program(start, local, call, "for (int i = 0; i < 8; i++) { pthread_join(tid[i], 0); sum += args[7 - i].x; }")},
		{"another id", safe, program(one("args[i].x = i; pthread_create(&tid[7 - i], 0, serve, &args[i]);"), local, call, sums)},
		{"the address of the element", program("static void start(pthread_t *tid, struct arg *a) { a->x = 1; pthread_create(tid, 0, serve, a); }", local, "start(&tid[i], &args[i]);", sums),
			program("static void start(pthread_t *tid, struct arg *a) { pthread_create(tid, 0, serve, a); a->x = 1; }", local, "start(&tid[i], &args[i]);", sums)},
		{"the address of one element", safe, program("static void start(pthread_t *tid, struct arg *a) { a->x = 1; pthread_create(tid, 0, serve, a); }", local, "start(&tid[i], &args[n & 7]);", join)},
		{"globals", program("static void start(int i) { all[i].x = 1; pthread_create(&ids[i], 0, serve, &all[i]); }", "", "start(i);", ""), program("static void start(int i) { all[i].x = 1; pthread_create(&ids[i], 0, serve, &all[i]); }", "", "start(i); all[i].x = 1;", "")},
		{"a number", program("static void start(long k) { pthread_create(&ids[k], 0, count, (void *)k); }", "", "start(i + 1);", ""), program("static void start(char k) { pthread_create(&ids[k & 7], 0, count, (void *)(long)(k & 7)); }", "", "start(i);", "")},
		{"set up by a function", program(one("init(&args[i], i); pthread_create(&tid[i], 0, serve, &args[i]);"), local, call, join), program(one("if (i) init(&args[i - 1], i); pthread_create(&tid[i], 0, serve, &args[i]);"), local, call, join)},
		{"set up in the loop", program(one("pthread_create(&tid[i], 0, serve, &args[i]);"), local, "args[i].x = i; init(&args[i], i); "+call, join), program(one("pthread_create(&tid[i], 0, serve, &args[i]);"), local, call+" args[i].x = i;", join)},
		{"on the heap", program(start, "struct arg *args = malloc(8 * sizeof *args); pthread_t *tid = malloc(8 * sizeof *tid);", call, sums+" free(args); free(tid);"), program(start, "struct arg *args = malloc(8 * sizeof *args); pthread_t *tid = malloc(8 * sizeof *tid);", call, "free(args); "+join)},
		{"by itself again", safe, program("static void start(pthread_t *tid, struct arg *args, int i) { args[i].x = i; pthread_create(&tid[i], 0, serve, &args[i]); if (i > 6) start(tid, args, i - 1); }", local, call, join)},
		{"by a pointer", safe, program(start+" static void other(pthread_t *tid, struct arg *args, int i) { start(tid, args, 0); }", local+" void (*f)(pthread_t *, struct arg *, int) = n > 2 ? start : other;", "f(tid, args, i);", join)},
	})
}
