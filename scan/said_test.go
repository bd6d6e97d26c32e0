package scan_test

import (
	"slices"
	"testing"

	"comus/check/scancheck"
	"comus/scan"
	"comus/scan/pointsto"
	"comus/scan/slice"
)

// TestSaid has programs of which something is taken for granted, and twins that differ by one thing and need it not. The slice of a program says it, too.
func TestSaid(t *testing.T) {
	const (
		format = "a format string that comus does not know has no %n"
		parts  = "no pointer is put together from parts of another one that the program's own code copies one by one"
		none   = "an address that no known pointer leads to (such as one made of numbers) is not the address of an object"
		once   = "'getcontext' returns once"
	)
	const head = "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <stdint.h>\ntypedef struct { long all[120]; } ucontext_t; int getcontext(ucontext_t *);\nint x, k, *p; unsigned half[2]; struct { uint64_t tag : 16, at : 48; } s; ucontext_t u;\n" +
		"unsigned low(uintptr_t v) { return v; }\nvoid put(int i, unsigned v) { half[i] = v; }\n"
	const main = "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); k = x; pthread_join(t, 0); }\n"
	for _, c := range []struct{ name, sentence, with, without string }{
		{"a format", format, `char text[] = "abc%n"; void *f(void *a) { printf(text, &x); return 0; }`, `const char text[] = "abc%d"; void *f(void *a) { printf(text, x); return 0; }`},
		{"halves", parts, "void *f(void *a) { half[0] = (unsigned)(uintptr_t)&x; half[1] = (uintptr_t)&x >> 32; return 0; }", "void *f(void *a) { half[0] = (unsigned)sizeof x; half[1] = 0; return 0; }"},
		{"halves by functions", parts, "void *f(void *a) { put(0, low((uintptr_t)&x)); put(1, low((uintptr_t)&x >> 32)); return 0; }", "void *f(void *a) { put(0, low(sizeof x)); put(1, low(k)); return 0; }"},
		{"halves by memory", parts, "uintptr_t g; void *f(void *a) { g = (uintptr_t)&x; half[0] = (unsigned)g; half[1] = g >> 32; return 0; }", "uintptr_t g; void *f(void *a) { g = sizeof x; half[0] = (unsigned)g; half[1] = g >> 32; return 0; }"},
		{"halves by a pointer to a function", parts, "unsigned (*by)(uintptr_t) = low; void *f(void *a) { put(0, by((uintptr_t)&x)); return 0; }", "unsigned (*by)(uintptr_t) = low; void *f(void *a) { put(0, by(sizeof x)); return 0; }"},
		{"bits", parts, "void *f(void *a) { s.at = (uintptr_t)&x; return 0; }", "void *f(void *a) { s.at = 5; return 0; }"},
		{"a number", none, `void *f(void *a) { *(int *)strtoul("123", 0, 10) = 1; return 0; }`, `void *f(void *a) { *p = 1; return 0; } __attribute__((constructor)) void begin(void) { p = &x; }`},
		{"a context", once, "void *f(void *a) { getcontext(&u); return 0; }", "void *f(void *a) { return &u; }"},
	} {
		for i, src := range []string{c.with, c.without} {
			p := load(t, text(t, head+src+main)).Program
			pts, err := pointsto.AnalyseOpen(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			res, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(res.Assumptions, c.sentence); got != (i == 0) {
				t.Errorf("%s, %d: %v: %q", c.name, i, got, res.Assumptions)
			}
			rep, err := scancheck.Check(t.Context(), p, pts, res.Certificate)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(rep.Assumptions, c.sentence); got != (i == 0) && c.sentence != format { // such a one is not certified
				t.Errorf("%s, %d, by the checker: %v: %q", c.name, i, got, rep.Assumptions)
			}
			res, err = scan.Analyse(t.Context(), slice.Of(p).Program, nil, scan.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(res.Assumptions, c.sentence); got != (i == 0) {
				t.Errorf("%s, %d, of the slice: %v: %q", c.name, i, got, res.Assumptions)
			}
		}
	}
}

// TestIndexCounted has locks in an array whose index is written by a printf: it may be two of them.
func TestIndexCounted(t *testing.T) {
	const header = "#include <pthread.h>\n#include <stdio.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, lk[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\nint i, g; char b[9];\n" +
		"static void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_t *p = &lk[i]; pthread_mutex_unlock(&m); pthread_mutex_lock(p); g++; pthread_mutex_unlock(p); return 0; }\n"
	main := func(do string) string {
		return "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); " + do + " pthread_mutex_unlock(&m); pthread_create(&u, 0, f, 0); pthread_join(t, 0); pthread_join(u, 0); }\n"
	}
	checkRules(t, header, "g", []ruled{
		{"printed", main(`printf("a%d", i);`), scan.Locked},
		{"counted", main(`printf("a%n", &i);`), scan.Suspected},
		{"counted in a text", main(`snprintf(b, sizeof b, "a%n", &i);`), scan.Suspected},
	})
}

// TestCarried has pointers that go through pipes and sockets.
func TestCarried(t *testing.T) {
	const header = "#include <pthread.h>\n#include <stdio.h>\n#include <unistd.h>\n#include <sys/types.h>\nssize_t send(int, const void *, size_t, int), recv(int, void *, size_t, int);\n" +
		"struct msg { int kind; int *at; }; int fd[2], g, h; FILE *file;\n"
	program := func(take, give string) string {
		return "static void *f(void *a) { int *p; struct msg m; " + take + " *p = 1; return 0; }\n" +
			"int main(void) { pthread_t t; struct msg m = {1, &g}; int *p = &g, *q = &h; h = 2; if (pipe(fd)) return 1; pthread_create(&t, 0, f, 0); " + give + " g = 2; pthread_join(t, 0); }\n"
	}
	checkRules(t, header, "g", []ruled{
		{"a pipe", program("read(fd[0], &p, sizeof p);", "write(fd[1], &p, sizeof p);"), scan.Suspected},
		{"another pointer", program("read(fd[0], &p, sizeof p);", "write(fd[1], &q, sizeof q);"), scan.Ordered},
		{"a struct, by a socket", program("recv(fd[0], &m, sizeof m, 0); p = m.at;", "send(fd[1], &m, sizeof m, 0);"), scan.Suspected},
		{"the beginning of the struct", program("recv(fd[0], &m, sizeof m, 0); p = m.at;", "send(fd[1], &m, 8, 0);"), scan.Ordered},
		{"a stream", program("fread(&p, sizeof p, 1, file);", "fwrite(&p, sizeof p, 1, file);"), scan.Suspected},
		{"not read", program("p = &h;", "write(fd[1], &p, sizeof p);"), scan.Ordered},
	})
}
