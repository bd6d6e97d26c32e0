package scan_test

import (
	"slices"
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// closing is a program whose main does something first, and something once the threads are there, which use s as a lock.
func closing(more, first, then string) string {
	return "sem_t s, s2; int other; void unknown(void *); static void *use(void *p) { sem_wait(&s); g++; sem_post(&s); return 0; } " + more +
		" int main(int argc, char **argv) { " + first + " pthread_create(&a, 0, use, 0); pthread_create(&b, 0, use, 0); " + then + " pthread_join(a, 0); pthread_join(b, 0); return g; }"
}

// TestClosedSemaphores has semaphores that begin with 0, and are locks once main has opened them.
func TestClosedSemaphores(t *testing.T) {
	const init, open = "sem_init(&s, 0, 0);", "g = 5; sem_post(&s);"
	// thread has another body of the threads.
	thread := func(body, then string) string {
		return "sem_t s; static void *use(void *p) { " + body + " return 0; } int main(int argc, char **argv) { sem_init(&s, 0, 0); pthread_create(&a, 0, use, 0); pthread_create(&b, 0, use, 0); " + then + " return 0; }"
	}
	const twoHeld = "sem_t s, s2; int g2; static void *use(void *p) { sem_wait(&s); sem_wait(&s2); g++; g2++; sem_post(&s2); sem_post(&s); return 0; } "
	list := []ruled{
		{"opened once", closing("", init, open), scan.Locked},
		{"opened in a function", closing("static void open(void) { sem_post(&s); }", init, "g = 5; open();"), scan.Locked},
		{"closed in a function", closing("static void close(sem_t *x) { sem_init(x, 0, 0); }", "close(&s);", open), scan.Locked},
		{"closed in a function, by its name", closing("static void close(void) { sem_init(&s, 0, 0); }", "close();", open), scan.Locked},
		{"opened in two branches", closing("", init, "if (argc > 1) { g = 5; sem_post(&s); } else { g = 6; sem_post(&s); }"), scan.Locked},
		{"opened in one branch", closing("", init, "if (argc > 1) { g = 5; sem_post(&s); }"), scan.Locked},
		{"opened, and the program may end before", closing("", init, "if (argc > 4) exit(1); g = 5; sem_post(&s);"), scan.Locked},
		{"opened, and used by main", closing("", init, open+" sem_wait(&s); g = 7; sem_post(&s);"), scan.Locked},
		{"closed twice before there are threads", closing("", init+" sem_post(&s); sem_destroy(&s); sem_init(&s, 0, 0);", open), scan.Locked},
		{"a member", "struct box { int n; sem_t s; } box; static void *use(void *p) { sem_wait(&box.s); g++; sem_post(&box.s); return 0; } int main(void) { sem_init(&box.s, 0, 0); pthread_create(&a, 0, use, 0); pthread_create(&b, 0, use, 0); g = 3; sem_post(&box.s); return 0; }", scan.Locked},
		{"in an object", "struct box { int n; sem_t s; }; static void *use(void *p) { struct box *x = p; sem_wait(&x->s); g++; sem_post(&x->s); return 0; } int main(void) { struct box *x = calloc(1, sizeof *x); sem_init(&x->s, 0, 0); pthread_create(&a, 0, use, x); pthread_create(&b, 0, use, x); g = 3; sem_post(&x->s); return 0; }", scan.Locked},
		{"opened by who could take it", thread("if (sem_trywait(&s) == 0) { g++; sem_post(&s); }", open), scan.Locked},
		{"two", twoHeld + "int main(void) { sem_init(&s, 0, 0); sem_init(&s2, 0, 0); pthread_create(&a, 0, use, 0); pthread_create(&b, 0, use, 0); sem_post(&s2); g = 4; sem_post(&s); return 0; }", scan.Locked},
		{"two, the wrong one", twoHeld + "int main(void) { sem_init(&s, 0, 0); sem_init(&s2, 0, 0); pthread_create(&a, 0, use, 0); pthread_create(&b, 0, use, 0); sem_post(&s); sem_post(&s2); g = 4; return 0; }", scan.Suspected},

		{"opened twice", closing("", init, open+" sem_post(&s);"), scan.Suspected},
		{"perhaps opened twice", closing("", init, open+" if (argc > 1) sem_post(&s);"), scan.Suspected},
		{"opened in a loop", closing("", init, "g = 5; for (int i = 0; i < 2; i++) sem_post(&s);"), scan.Suspected},
		{"opened in a loop that may run once", closing("", init, "g = 5; do sem_post(&s); while (argc-- > 3);"), scan.Suspected},
		{"opened by a function that is called twice", closing("static void open(void) { sem_post(&s); }", init, "g = 5; open(); open();"), scan.Suspected},
		{"opened before", closing("", init, "sem_post(&s); g = 5;"), scan.Suspected},
		{"perhaps opened before", closing("", init, "if (argc > 1) sem_post(&s); g = 5; if (argc <= 1) sem_post(&s);"), scan.Suspected},
		{"open already", closing("", "sem_init(&s, 0, 1);", open), scan.Suspected},
		{"perhaps open", closing("", "sem_init(&s, 0, argc > 1);", open), scan.Suspected},
		{"perhaps open, in two branches", closing("", "if (argc > 1) sem_init(&s, 0, 0); else sem_init(&s, 0, 1);", open), scan.Suspected},
		{"never initialised", closing("", "", open), scan.Suspected},
		{"perhaps initialised", closing("", "if (argc > 1) sem_init(&s, 0, 0);", open), scan.Suspected},
		{"closed when there are threads", closing("", "", init+open), scan.Suspected},
		{"closed when there is another thread", closing("static void *first(void *p) { sem_wait(&s); g++; sem_post(&s); return 0; }", "pthread_t c; pthread_create(&c, 0, first, 0);"+init, open), scan.Suspected},
		{"closed by a thread", closing("static void *close(void *p) { sem_init(&s, 0, 0); g = 3; sem_post(&s); return 0; }", "pthread_t c; pthread_create(&c, 0, close, 0);", ""), scan.Suspected},
		{"opened by being initialised", closing("", init, "g = 5; sem_init(&s, 0, 1);"), scan.Suspected},
		{"opened, and initialised again", closing("", init, open+" sem_destroy(&s); sem_init(&s, 0, 1); sem_wait(&s); g = 7; sem_post(&s);"), scan.Suspected},
		{"opened, and closed again", closing("", init, open+" sem_destroy(&s); sem_init(&s, 0, 0); g = 7; sem_post(&s);"), scan.Suspected},
		{"closed in each turn", closing("", "", "for (int i = 0; i < 2; i++) { sem_init(&s, 0, 0); pthread_t c; pthread_create(&c, 0, use, 0); g = i; sem_post(&s); }"), scan.Suspected},
		{"opened by another one", closing("static void *open(void *p) { sem_post(&s); return 0; }", init, "g = 5; pthread_t c; pthread_create(&c, 0, open, 0);"), scan.Suspected},
		{"opened by another one, too", closing("static void *open(void *p) { sem_post(&s); return 0; }", init, "pthread_t c; pthread_create(&c, 0, open, 0);"+open), scan.Suspected},
		{"opened by a handler", closing("static void on(int n) { sem_post(&s); }", init, "signal(SIGINT, on);"+open), scan.Suspected},
		{"opened by a handler that is there first", closing("static void on(int n) { sem_post(&s); }", "signal(SIGINT, on);"+init, open), scan.Suspected},
		{"closed when a handler is there", closing("static void on(int n) { if (sem_trywait(&s) == 0) { g = 3; sem_post(&s); } }", "signal(SIGINT, on); sem_init(&s, 0, 1);"+init, open), scan.Suspected},
		{"opened at the end, too", closing("static void last(void) { sem_post(&s); }", "atexit(last);"+init, "g = 5; sem_post(&s); if (argc > 1) exit(1);"), scan.Suspected},
		{"another one is opened", closing("", init+" sem_init(&s2, 0, 1);", "sem_post(&s2); g = 5; sem_post(&s);"), scan.Locked}, // s2 is no lock, but s is
		{"another one is closed", closing("", "sem_init(&s2, 0, 0); sem_init(&s, 0, 1);", "g = 5; sem_post(&s2);"), scan.Suspected},
		{"one of two is closed", closing("", "sem_init(&s, 0, 1); sem_init(&s2, 0, 1); sem_t *x = argc > 1 ? &s : &s2; sem_init(x, 0, 0);", "g = 5; sem_post(x);"), scan.Suspected},
		{"one of two is opened", closing("", init+" sem_init(&s2, 0, 0); sem_t *x = argc > 1 ? &s : &s2; ", "sem_post(x); g = 5; sem_post(&s);"), scan.Suspected},
		{"known outside", closing("", init, "unknown(&s); g = 5; sem_post(&s);"), scan.Suspected},
		{"opened again behind a jump", "#include <setjmp.h>\njmp_buf j; " + closing("", init, "int n = setjmp(j); g = 5; sem_post(&s); if (n == 0) longjmp(j, 1);"), scan.Suspected},
		{"overwritten", closing("", init, "g = 5; sem_init(&s2, 0, 1); memcpy(&s, &s2, sizeof s);"), scan.Suspected},
		{"by a pointer to a function", closing("static void open(sem_t *x) { sem_post(x); } void (*how)(sem_t *) = open;", init, "g = 5; how(&s); how(&s);"), scan.Suspected},
		{"a thread opens it twice", thread("sem_wait(&s); g++; sem_post(&s); sem_post(&s);", open), scan.Suspected},
		{"a thread opens it without having it", thread("if (sem_trywait(&s) == 0) g++; sem_post(&s);", open), scan.Suspected},
		{"a thread does not wait", thread("g++;", open), scan.Suspected},
		{"a thread goes on behind", thread("sem_wait(&s); sem_post(&s); g++;", open), scan.Suspected},
		{"one of an array", "sem_t list[2]; static void *use(void *p) { sem_wait(&list[0]); g++; sem_post(&list[0]); return 0; } int main(void) { for (int i = 0; i < 2; i++) sem_init(&list[i], 0, 0); pthread_create(&a, 0, use, 0); pthread_create(&b, 0, use, 0); g = 3; sem_post(&list[0]); return 0; }", scan.Suspected}, // right, but there are two of them
		{"one of an array, the other one", "sem_t list[2]; static void *use(void *p) { sem_wait(&list[1]); g++; sem_post(&list[1]); return 0; } int main(void) { sem_init(&list[0], 0, 0); sem_init(&list[1], 0, 1); pthread_create(&a, 0, use, 0); pthread_create(&b, 0, use, 0); g = 3; sem_post(&list[0]); return 0; }", scan.Suspected},
		{"in one of two objects", "struct box { int n; sem_t s; } *kept; static struct box *make(int n) { struct box *x = calloc(1, sizeof *x); sem_init(&x->s, 0, n); return x; } static void *use(void *p) { struct box *x = p; sem_wait(&x->s); g++; sem_post(&x->s); return 0; } int main(void) { struct box *x = make(0), *y = make(1); pthread_create(&a, 0, use, y); pthread_create(&b, 0, use, y); g = 3; sem_post(&x->s); return 0; }", scan.Suspected},
	}
	checkRules(t, header+"\n#include <semaphore.h>\n", "g", list)
	for i, c := range list {
		if long.Turn(i, 6) {
			t.Run(c.name+", claimed", func(t *testing.T) { claimClosed(t, header+"\n#include <semaphore.h>\n"+c.src) })
		}
	}
}

// claimClosed sees that what is proved is certified, and claims that main holds the semaphore everywhere, and who uses it wherever g is accessed.
func claimClosed(t *testing.T, src string) {
	p := load(t, text(t, src)).Program
	pts, err := pointsto.AnalyseOpen(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Certificate
	rep, err := scancheck.Check(t.Context(), p, pts, c)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range r.Locations {
		if l.Name == "g" && l.Why != scan.Suspected && !rep.Certified(i) {
			t.Errorf("not certified: %s %v", rep.Wrong[i], rep.Refused)
		}
	}
	forge(c, certificate.Locked)
	for _, o := range pts.Objects {
		if o.Global == nil || o.Global.Name != "s" && o.Global.Name != "list" {
			continue
		}
		l := certificate.Lock{Names: []certificate.Name{{Base: "global:" + o.Global.Name}}, At: []certificate.At{{Object: o.ID}}}
		for i := range c.Activations {
			x := &c.Activations[i]
			if c.Copies[x.Copy].Func != "main" {
				continue
			}
			for b := 1; b < len(x.Blocks); b++ {
				if !x.Blocks[b].Never && !slices.ContainsFunc(x.Blocks[b].Held, func(h certificate.Lock) bool { return slices.Equal(h.Names, l.Names) }) {
					x.Blocks[b].Held = append(x.Blocks[b].Held, l)
				}
			}
		}
		for i := range c.Locations {
			for k := range c.Locations[i].Groups {
				g := &c.Locations[i].Groups[k]
				g.Locks = append(g.Locks, certificate.Held{Keys: []certificate.Key{{Kind: certificate.Absolute, Name: l.Names[0]}}})
			}
		}
	}
	if rep, err = scancheck.Check(t.Context(), p, pts, c); err != nil {
		t.Fatal(err)
	}
	for i, l := range r.Locations {
		if l.Name == "g" && l.Why == scan.Suspected && rep.Certified(i) {
			t.Error("certified")
		}
	}
}
