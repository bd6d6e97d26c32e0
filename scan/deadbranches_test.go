package scan_test

import (
	"testing"

	"comus/scan"
)

const deadBranchesHeader = header + `
static _Thread_local int own, mine[2];
static _Thread_local int *at;
int shared;
pthread_key_t key, key2;
#define LOCK pthread_mutex_lock(&m);
#define UNLOCK pthread_mutex_unlock(&m);
`

// many is a program of several threads that do the same, and a main that does something before.
func many(init, thread string) string {
	return "static void *work(void *p) { int x = 0, y = 0; " + thread + " return 0; } int main(int argc, char **argv) { " + init +
		" for (int i = 0; i < argc; i++) pthread_create(&a, 0, work, 0); return 0; }"
}

// TestDeadBranches has locks that are taken and given back under conditions of what a thread has for itself.
func TestDeadBranches(t *testing.T) {
	const key = "pthread_key_create(&key, 0); pthread_key_create(&key2, 0);"
	cond := func(c string) string { return "if (" + c + ") LOCK g++; if (" + c + ") UNLOCK" }
	specific := func(set, c string) string { return many(key, set+" "+cond(c)) }
	checkRules(t, deadBranchesHeader, "g", []ruled{
		{"set", many("", "own = 1; "+cond("own == 1")), scan.Locked},
		{"set to another number", many("", "own = 2; "+cond("own == 1")), scan.Suspected},
		{"not set", many("", cond("own == 1")), scan.Suspected},
		{"set in some case", many("", "if (shared) own = 1; "+cond("own == 1")), scan.Suspected},
		{"set on both ways", many("", "if (shared) own = 1; else own = 1; "+cond("own == 1")), scan.Locked},
		{"set in a loop", many("", "own = 0; while (shared) own = 1; "+cond("own == 1")), scan.Suspected},
		{"not of the thread", many("", "shared = 1; "+cond("shared == 1")), scan.Suspected},
		{"changed by a function", "static void change(void) { own = 0; } " + many("", "own = 1; change(); "+cond("own == 1")), scan.Suspected},
		{"changed by a function that is not known", "void change(void); void reset(void) { own = 0; } " + many("", "own = 1; change(); "+cond("own == 1")), scan.Suspected},
		{"changed through a pointer", "static void change(int *p) { *p = 0; } " + many("", "own = 1; change(&own); "+cond("own == 1")), scan.Suspected},
		{"string literals, which may be one", "static _Thread_local const char *said; " + many("", `said = "\0"; `+cond(`said != ""`)), scan.Suspected},
		{"arrays, which are not", `static _Thread_local const char *said; const char one[] = "abc", two[] = "abc"; ` + many("", `said = one; `+cond(`said != two`)), scan.Locked},
		{"an element", many("", "mine[1] = 1; "+cond("mine[1] == 1")), scan.Suspected},
		{"changed by a handler", "static void handle(int s) { own = 0; } " + many("signal(SIGINT, handle);", "own = 1; "+cond("own == 1")), scan.Suspected},
		{"not zero", many("", "own = 7; "+cond("own")), scan.Locked},
		{"zero", many("", "own = 0; "+cond("!own")), scan.Locked},
		{"an address", many("", "at = &x; "+cond("at == &x")), scan.Locked},
		{"another address", many("", "at = &x; "+cond("at == &y")), scan.Suspected},
		{"an address, not null", many("", "at = &x; "+cond("at")), scan.Locked},
		{"an address, not another one", many("", "at = &x; "+cond("at != &y")), scan.Locked},
		{"given back in another case", many("", "own = 1; if (own == 1) LOCK g++; own = 0; if (own == 0) UNLOCK"), scan.Locked},
		{"given back before", many("", "own = 1; if (own == 1) LOCK if (own == 1) UNLOCK g++;"), scan.Suspected},
		{"specific", specific("pthread_setspecific(key, &x);", "pthread_getspecific(key) == &x"), scan.Locked},
		{"specific, the latest", specific("pthread_setspecific(key, &x); pthread_setspecific(key, &y);", "pthread_getspecific(key) == &y"), scan.Locked},
		{"specific, not the latest", specific("pthread_setspecific(key, &x); pthread_setspecific(key, &y);", "pthread_getspecific(key) == &x"), scan.Suspected},
		{"specific, another key", specific("pthread_setspecific(key, &x);", "pthread_getspecific(key2) == &x"), scan.Suspected},
		{"specific, not set", specific("", "pthread_getspecific(key) == &x"), scan.Suspected},
		{"specific, not null", specific("pthread_setspecific(key, &x);", "pthread_getspecific(key)"), scan.Locked},
		{"specific, null", specific("pthread_setspecific(key, 0);", "!pthread_getspecific(key)"), scan.Locked},
		{"specific, set by a function", "static void set(void *p) { pthread_setspecific(key, p); } " + specific("pthread_setspecific(key, &x); set(0);", "pthread_getspecific(key) == &x"), scan.Suspected},
		{"specific, both are one key", many(key+" key2 = key;", "pthread_setspecific(key, &x); pthread_setspecific(key2, 0); "+cond("pthread_getspecific(key) == &x")), scan.Suspected},
		{"specific, the key is created again", many(key, "pthread_setspecific(key, &x); pthread_key_create(&key, 0); "+cond("pthread_getspecific(key) == &x")), scan.Suspected},
		{"specific, the key is created by a thread", "static void *make(void *p) { pthread_key_create(&key, 0); return 0; } " + many("pthread_create(&b, 0, make, 0);", "pthread_setspecific(key, &x); "+cond("pthread_getspecific(key) == &x")), scan.Suspected},
		{"specific, the key is written", many(key, "pthread_setspecific(key, &x); if (shared) key = key2; "+cond("pthread_getspecific(key) == &x")), scan.Suspected},
		{"by a jump", "#include <setjmp.h>\nstatic jmp_buf env; " + many("", "own = 1; if (setjmp(env)) own = 0; "+cond("own == 1")), scan.Suspected},
	})
}
