package comus_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cir"
	"comus/comus"
	"comus/internal/long"
	"comus/scan/pointsto"
	"comus/seqmc"
	"comus/specialise"
)

const openTop = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"

// opens are programs with functions of their own that nobody shows: of each, what cannot be SAFE, and what differs from it in a word and is.
var opens = map[string][2]string{
	"linkage":           {"int g; void own(void); int main(void) { own(); assert(g == 0); }", "static int g; void own(void); int main(void) { own(); assert(g == 0); }"},
	"thread":            {"int g; void *own(void *); int main(void) { pthread_t t; pthread_create(&t, 0, own, 0); assert(g == 0); }", "static int g; void *own(void *); int main(void) { pthread_t t; pthread_create(&t, 0, own, 0); assert(g == 0); }"},
	"no prototype":      {"int g; void *own(); int main(void) { void *(*f)() = own; f(1); assert(g == 0); }", "static int g; void *own(); int main(void) { void *(*f)() = own; f(1); assert(g == 0); }"},
	"variadic argument": {"static int g; void own(int, ...); int main(void) { void (*f)(int, ...) = own; f(1, &g); assert(g == 0); }", "static int g; void own(int, ...); int main(void) { void (*f)(int, ...) = own; f(1, 2); assert(g == 0); }"},
	"calls":             {"static int g; void set(void) { g = 1; } void own(void); int main(void) { own(); assert(g == 0); }", "static int g; static void set(void) { g = 1; } void own(void); int main(void) { own(); assert(g == 0); set(); }"},
	"result":            {"int g; int *own(void); int main(void) { *own() = 5; assert(g == 0); }", "static int g; int *own(void); int main(void) { *own() = 5; assert(g == 0); }"},
	"kept":              {"void keep(int *), own(void); int main(void) { int x = 0, y; keep(&x); x = 0; own(); assert(x == 0); }", "void keep(int *), own(void); int main(void) { int x = 0, y; keep(&y); x = 0; own(); assert(x == 0); }"},
	"stored":            {"int a, b, *p = &a; void own(void); int main(void) { own(); b = 0; *p = 7; assert(b == 0); }", "int a, *p = &a; static int b; void own(void); int main(void) { own(); b = 0; *p = 7; assert(b == 0); }"},
	"each thread's own": {"_Thread_local int g; void own(void); int main(void) { own(); assert(g == 0); }", "static _Thread_local int g; void own(void); int main(void) { own(); assert(g == 0); }"},
	"struct":            {"int g; struct s { long a[4]; } own(struct s); int main(void) { struct s x = {{0}}; x = own(x); assert(g == 0); }", "static int g; struct s { long a[4]; } own(struct s); int main(void) { struct s x = {{0}}; x = own(x); assert(g == 0); }"},
}

// openRaces are the same for data races.
var openRaces = map[string][2]string{
	"starts threads": {"static int g; void own(void *(*)(void *)); static void *f(void *a) { g++; return 0; } int main(void) { own(f); g++; }",
		"static int g; void own(void *(*)(void *)); static void *f(void *a) { g++; return 0; } int main(void) { own(0); f(0); }"},
	"accesses": {"int g; void own(void); static void *f(void *a) { g = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); own(); pthread_join(t, 0); }",
		"int g; void own(void); static void *f(void *a) { g = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); own(); }"},
}

// TestOpen: what nobody shows of the program's own code may do what C lets another unit do, for engines and for scans. Nothing of that is UNSAFE.
func TestOpen(t *testing.T) {
	long.Only(t)
	for i, table := range []map[string][2]string{opens, openRaces} {
		for name, pair := range table {
			o := comus.Options{}
			if i == 1 {
				o.Question.Check = specialise.Checks{NoAssert: true, Race: true}
			}
			if res := verified(t, openTop+pair[0], o); res.Verdict != seqmc.Unknown {
				t.Errorf("%s: %s", name, res.Verdict)
			}
			res := verified(t, openTop+pair[1], o)
			if said := slices.ContainsFunc(res.Assumptions, func(s string) bool { return strings.Contains(s, "the unknown function") }); res.Verdict != seqmc.Safe || !said {
				t.Errorf("%s, not the same: %s %s, assumed %q", name, res.Verdict, res.Reason, res.Assumptions)
			}
			if o.Strategy = "scan"; len(name) < 9 { // some
				if res := within(t, openTop+pair[0], o); res.Verdict != seqmc.Unknown {
					t.Errorf("%s, scan: %s", name, res.Verdict)
				}
			}
		}
	}
}

// within verifies a program in no more than two seconds.
func within(t *testing.T, src string, o comus.Options) *comus.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "prog.c")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	res, err := comus.Verify(ctx, file, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestOpenOrNot: functions that a header of the system declares, and --unknown-functions=pure, keep their assumptions.
func TestOpenOrNot(t *testing.T) {
	src := opens["linkage"][0]
	header := strings.Replace(src, "void own(void);", "\n# 1 \"/usr/include/own.h\" 1 3\nvoid own(void);\n# 1 \"prog.c\" 2\n", 1)
	for name, c := range map[string]struct {
		src string
		o   cfront.Options
	}{"header": {header, cfront.Options{}}, "pure": {src, cfront.Options{Unknown: cfront.Pure}}} {
		if res := verified(t, openTop+c.src, comus.Options{Source: c.o}); res.Verdict != seqmc.Safe || len(res.Assumptions) == 0 {
			t.Errorf("%s: %s %s", name, res.Verdict, res.Reason)
		}
	}
}

// idsFirst are programs in which the first line of a thread needs its id; their twins wait for it.
var idsFirst = []string{
	"pthread_t id; static void *f(void *a) { assert(pthread_equal(id, pthread_self())); return 0; } int main(void) { pthread_create(&id, 0, f, 0); pthread_join(id, 0); }",
	"#include <threads.h>\nthrd_t id[2]; static int f(void *a) { assert(id[1] != 0); return 0; } int main(void) { thrd_create(&id[1], f, 0); thrd_join(id[1], 0); }",
}

// TestIDsFirst: the id of a thread is stored before it runs, as glibc does; that is an assumption where it matters.
func TestIDsFirst(t *testing.T) {
	long.Only(t)
	said := func(r *comus.Result) bool { return slices.Contains(r.Assumptions, pointsto.StoresFirst) }
	for _, src := range idsFirst {
		for _, strategy := range []string{"", "scan"} {
			for _, check := range []specialise.Checks{{}, {NoAssert: true, Race: true}} {
				o := comus.Options{Strategy: strategy, Question: specialise.Options{Check: check}}
				if res := verified(t, openTop+src, o); res.Verdict != seqmc.Safe || !said(res) {
					t.Errorf("%s %+v: %s %s %q", strategy, check, res.Verdict, res.Reason, res.Assumptions)
				}
				if strategy == "scan" {
					continue
				}
				o.Source.Assume = cir.Premises{StoresLate: true, HooksKeep: true}
				if res := verified(t, openTop+src, o); res.Verdict != seqmc.Unsafe {
					t.Errorf("--assume none %+v: %s %s", check, res.Verdict, res.Reason)
				}
			}
		}
	}
	const apart = "int x; static void *f(void *a) { x = 1; return 0; } int main(void) { pthread_t id; pthread_create(&id, 0, f, 0); pthread_join(id, 0); assert(x == 1); }"
	if res := verified(t, openTop+apart, comus.Options{}); res.Verdict != seqmc.Safe || said(res) {
		t.Errorf("%s %s %q", res.Verdict, res.Reason, res.Assumptions)
	}
}

// TestCopiedLock: a lock that is a copy of another one is told; a copy of what initialises one is none.
func TestCopiedLock(t *testing.T) {
	const use = "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b; int main(void) { COPY pthread_mutex_lock(&USED); pthread_mutex_unlock(&USED); }"
	for _, c := range []struct {
		copy, used string
		warned     bool
	}{
		{"b = a;", "b", true}, {"b = a;", "a", false}, {"__builtin_memcpy(&b, &a, sizeof a);", "b", true}, {"b = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;", "b", false},
		{"struct { int n; pthread_mutex_t m; } x = {1, PTHREAD_MUTEX_INITIALIZER}, y; y = x;", "y.m", true},
		{"struct { int n; pthread_mutex_t m; } x = {1, PTHREAD_MUTEX_INITIALIZER}, y; y = x;", "x.m", false},
	} {
		src := strings.NewReplacer("COPY", c.copy, "USED", c.used).Replace(use)
		res := verified(t, openTop+src, comus.Options{Question: specialise.Options{Check: specialise.Checks{NoAssert: true, Locks: true}}})
		if got := strings.Contains(strings.Join(res.Warnings, "\n"), "copy of a lock"); got != c.warned || res.Verdict != seqmc.Safe {
			t.Errorf("%s, %s: %t %s %q", c.copy, c.used, got, res.Verdict, res.Warnings)
		}
	}
}
