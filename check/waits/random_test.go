package waits_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"comus/cir/interp/sample"
	"comus/internal/long"
)

// writer writes random programs with locks, in orders that are right for the most part, and a flag that somebody waits for.
type writer struct {
	*rand.Rand
	names int
}

func (w *writer) one(of ...string) string { return of[w.IntN(len(of))] }

// does returns what a thread does where it holds the locks before one, of a fixed order.
func (w *writer) does(from, depth int) string {
	var out strings.Builder
	for range 1 + w.IntN(2) {
		k := w.IntN(10)
		l := min(from+w.IntN(3), 2)
		switch {
		case k < 5 && depth < 3 && from < 3:
			if w.IntN(25) == 0 {
				l = w.IntN(3) // perhaps held already, or out of order
			}
			out.WriteString(w.section(fmt.Sprintf("&many[%d]", l), w.does(l+1, depth+1)))
		case k < 7 && depth < 2:
			out.WriteString(w.element(w.does(from, 2)))
		case k < 8 && depth < 3:
			fmt.Fprintf(&out, "if (x) { %s}\n", w.does(from, depth+1))
		case from == 0 && depth == 0:
			out.WriteString("L(&a); " + w.one("while", "while", "while", "while", "while", "while", "while", "if") + " (!done) pthread_cond_wait(&cv, &a); U(&a);\n")
		default:
			out.WriteString("x++;\n")
		}
	}
	return out.String()
}

// section returns a section of a lock.
func (w *writer) section(lock, inner string) string {
	switch w.IntN(8) {
	case 0:
		return fmt.Sprintf("if (pthread_mutex_trylock(%s) == 0) { %sU(%s); }\n", lock, inner, lock)
	case 1:
		w.names++
		return fmt.Sprintf("int r%d = pthread_mutex_trylock(%s); if (!r%d) { %sU(%s); }\n", w.names, lock, w.names, inner, lock)
	case 2:
		return fmt.Sprintf("L(%s); if (x) { %sU(%s); } else U(%s);\n", lock, inner, lock, lock)
	case 3:
		if w.IntN(6) == 0 {
			return fmt.Sprintf("L(%s); if (x) return; %sU(%s);\n", lock, inner, lock)
		}
	}
	return fmt.Sprintf("L(%s); %sU(%s);\n", lock, inner, lock)
}

// element returns a section of the lock of an object, by a pointer.
func (w *writer) element(inner string) string {
	w.names++
	q, at := fmt.Sprintf("q%d", w.names), w.one("heap[0]", "heap[1]", "heap[i]")
	take, give := w.one("L(&%s->m);", "lock(%s);"), w.one("U(&%s->m);", "unlock(%s);")
	if w.IntN(16) == 0 {
		inner += q + " = heap[1];\n"
	}
	return fmt.Sprintf("{ struct s *%s = %s; "+take+" %s"+give+" }\n", q, at, q, inner, q)
}

// closes returns how the flag is set, in most cases as it should be.
func (w *writer) closes() string {
	if w.IntN(5) > 0 {
		return "L(&a); done = 1; pthread_cond_broadcast(&cv); U(&a);\n"
	}
	return w.one("L(&a); done = 1; U(&a); pthread_cond_signal(&cv);\n", "done = 1; pthread_cond_broadcast(&cv);\n", "L(&a); done = 1; U(&a);\n", "L(&b); done = 1; pthread_cond_broadcast(&cv); U(&b);\n",
		"if (x) { L(&a); done = 1; pthread_cond_broadcast(&cv); U(&a); }\n", "L(&a); done = 1; pthread_cond_broadcast(&cv); done = x; U(&a);\n")
}

func (w *writer) program() string {
	out := head + "static void one(int i) {\n" + w.does(0, 0) + "}\nstatic void two(int i) {\n" + w.does(0, 0) + "}\n"
	third, main := w.closes(), w.does(0, 1)
	if w.IntN(2) == 0 {
		third, main = main, third
	}
	out += "static void three(int i) {\n" + third + "}\nstatic void rest(int i) {\n" + main + "}\n"
	for _, f := range []string{"one", "two", "three"} {
		out += "static void *f" + f + "(void *p) { " + f + "(0); return p; }\n"
	}
	return out + "int main(void) {\npthread_t v;\nfor (int i = 0; i < 2; i++) { heap[i] = calloc(1, sizeof *heap[i]); if (!heap[i]) return 1; pthread_mutex_init(&heap[i]->m, 0); }\n" +
		"pthread_create(&t, 0, fone, 0);\npthread_create(&u, 0, ftwo, 0);\npthread_create(&v, 0, fthree, 0);\n" +
		w.one("rest(0);\npthread_join(t, 0);\n", "rest(0);\npthread_join(t, 0);\n", "pthread_join(t, 0);\nrest(0);\n") + "pthread_join(u, 0);\npthread_join(v, 0);\nreturn 0; }\n"
}

// TestRandom runs random programs for which there is a proof: none of the runs ends in a deadlock. Of the others some have to.
func TestRandom(t *testing.T) {
	programs := long.N(80, 16)
	proved, stuck := 0, 0
	for seed := range uint64(programs) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 29))}
		text := w.program()
		p := loadText(t, text)
		found, _ := p.arranged(t)
		r, err := sample.Run(context.Background(), p.prog, sample.Options{Runs: 30, Seed: seed, Wakeups: true, MaxSteps: 20000})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case found != nil && len(r.Deadlocks) > 0:
			t.Errorf("seed %d: a run ends in a deadlock: %+v\n%s", seed, r.Deadlocks[0], text)
		case found != nil:
			proved++
		case len(r.Deadlocks) > 0:
			stuck++
		}
	}
	if t.Logf("%d proved, %d with a deadlock", proved, stuck); proved < programs/10 || stuck < programs/10 {
		t.Errorf("of %d programs, %d are proved, and %d have a deadlock: that says little", programs, proved, stuck)
	}
}

// rounds writes random programs with threads that meet at a barrier.
type rounds struct {
	*rand.Rand
	names int
}

func (w *rounds) one(of ...string) string { return of[w.IntN(len(of))] }

func (w *rounds) value() string {
	return w.one("me->id", "shared[0]", "shared[1]", "shared[0]", "shared[1]", "own", "own", "same", "same", "same", "argument", "argument")
}

func (w *rounds) does(depth int) string {
	var out strings.Builder
	for range 1 + w.IntN(3) {
		w.names++
		switch k := w.IntN(12); {
		case k < 4:
			out.WriteString("W;\n")
		case k < 5:
			fmt.Fprintf(&out, "if (me->id == 0) shared[%d] = %d;\n", w.IntN(2), w.IntN(3))
		case k < 6:
			fmt.Fprintf(&out, "%s = %s;\n", w.one("own", "own", "same"), w.value())
		case k < 7:
			fmt.Fprintf(&out, "if (%s == %d) same++;\n", w.value(), w.IntN(3))
		case k < 8:
			out.WriteString("L(&a); total++; U(&a);\n")
		case depth == 0:
		case k < 10:
			fmt.Fprintf(&out, "if (%s %s %d) { %s}\n", w.value(), w.one("==", "<", ">"), w.IntN(3), w.does(depth-1))
		case k < 11:
			i := fmt.Sprintf("k%d", w.names)
			fmt.Fprintf(&out, "for (int %s = 0; %s < %s %% 3; %s++) { %s%s}\n", i, i, w.value(), i, w.does(depth-1), w.one("", "", "if ("+w.value()+" == 2) break;\n"))
		default:
			fmt.Fprintf(&out, "if (%s == 2) %s", w.value(), w.one("return 0;\n", "pthread_exit(0);\n", "same = 1;\n"))
		}
	}
	return out.String()
}

func (w *rounds) program() string {
	many := "n"
	if w.IntN(12) == 0 {
		many = w.one("n + 1", "2", "argument")
	}
	return head + "struct w { int id; } w[3];\nstatic pthread_barrier_t bar; static _Atomic int shared[2]; static int total, argument;\n#define W pthread_barrier_wait(&bar)\nstatic void *f(void *p) { struct w *me = p; int own = me->id, same = argument;\n" +
		w.does(2) + "W;\n" + w.does(2) + "(void)own, (void)same; return 0; }\nint main(void) {\nint n = 2 + (rand() & 1); pthread_t v[3];\nargument = 2;\nshared[0] = 1;\npthread_barrier_init(&bar, 0, " + many + ");\n" +
		"for (int i = 0; i < n; i++) {\nw[i].id = i;\npthread_create(&v[i], 0, f, &w[i]);\n" + w.one("", "", "", "", "", "if (rand() & 1) break;\n", "L(&a); total++; U(&a);\n") + "}\nfor (int i = 0; i < n; i++) pthread_join(v[i], 0);\nreturn 0; }\n"
}

// TestRandomBarriers runs random programs of threads that meet at a barrier: none of which there is a proof ends in a deadlock. Of the others some have to.
func TestRandomBarriers(t *testing.T) {
	programs := long.N(300, 12)
	proved, stuck := 0, 0
	for seed := range uint64(programs) {
		w := &rounds{Rand: rand.New(rand.NewPCG(seed, 31))}
		text := w.program()
		p := loadText(t, text)
		found, _ := p.arranged(t)
		r, err := sample.Run(context.Background(), p.prog, sample.Options{Runs: 30, Seed: seed, Wakeups: true, MaxSteps: 20000})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case found != nil && len(r.Deadlocks) > 0:
			t.Errorf("seed %d: a run ends in a deadlock: %+v\n%s", seed, r.Deadlocks[0], text)
		case found != nil:
			proved++
		case len(r.Deadlocks) > 0:
			stuck++
		}
	}
	if t.Logf("%d proved, %d with a deadlock", proved, stuck); proved < programs/20 || stuck < programs/20 {
		t.Errorf("of %d programs, %d are proved, and %d have a deadlock: that says little", programs, proved, stuck)
	}
}
