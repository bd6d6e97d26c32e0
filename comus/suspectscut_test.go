package comus_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"comus/cir"
	"comus/cir/interp/sample"
	"comus/comus"
	"comus/scan"
	"comus/scan/cut"
	"comus/scan/directed"
	"comus/seqmc"
	"comus/specialise"
)

// decideAt asks about a pair of accesses, with calls left out up to a depth.
func decideAt(t *testing.T, s *comus.Source, x *scan.Suspect, depth int, limit time.Duration) *comus.Result {
	t.Helper()
	about, err := specialise.About(s.Program(), [][2]cir.Instr{{x.A.Instr, x.B.Instr}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	res, err := s.Verify(ctx, comus.Options{Question: specialise.Options{Check: specialise.Checks{NoAssert: true, Race: true}, About: about, Cut: depth}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestCut has calls that can be left out, and such that must not be.
func TestCut(t *testing.T) {
	none := [cut.Depths]bool{}
	const busy = "static int busy(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * n; y = s; return s; }\n"
	for _, c := range []struct {
		name, more, f, main string
		safe                [cut.Depths]bool // at which depths it is proved
	}{
		{"beside a lock", busy, "pthread_mutex_lock(&m);\nx = busy(__VERIFIER_nondet_int()); /*A*/\npthread_mutex_unlock(&m);",
			"busy(__VERIFIER_nondet_int());\npthread_mutex_lock(&m);\nx = 2; /*B*/\npthread_mutex_unlock(&m);", [cut.Depths]bool{true, true, true, true}},
		{"of a constructor", busy + "__attribute__((constructor)) static void first(void) { for (int i = 0; i < 3; i++) y += i; }\n", "pthread_mutex_lock(&m);\nx = 1; /*A*/\npthread_mutex_unlock(&m);",
			"pthread_mutex_lock(&m);\nx = 2; /*B*/\npthread_mutex_unlock(&m);", [cut.Depths]bool{true, true, true, true}},
		{"a race behind it", busy, "x = busy(__VERIFIER_nondet_int()); /*A*/", "busy(__VERIFIER_nondet_int());\nx = 2; /*B*/", none},
		{"its result decides", "static int seven(int n) { int k = 0; for (int i = 0; i < 3; i++) k += n; return k / 3; }\n", "if (seven(turn) == 7)\nx = 1; /*A*/", "if (turn != 7)\nx = 2; /*B*/",
			[cut.Depths]bool{true, false, false, false}},
		{"it sets a flag", "static void set(int *p) { for (int i = 0; i < 3; i++) *p = 1; }\n", "if (get(&y) == 1)\nx = 1; /*A*/", "set(&y);\nx = 2; /*B*/", none},
		{"it sets a pointer", "static int *p = &y; static void set(void) { for (int i = 0; i < 3; i++) p = &x; }\n", "pthread_mutex_lock(&m);\n*p = 1; /*A*/\npthread_mutex_unlock(&m);", "pthread_mutex_lock(&m);\nset();\npthread_mutex_unlock(&m);\nx = 2; /*B*/", none},
		{"it calls what is asked about", "static void write(void) {\nx = 1; /*A*/\n}\nstatic void wrap(void) { for (int i = 0; i < 3; i++) write(); }\n", "wrap();", "x = 2; /*B*/", none},
		{"by a pointer", "static void write(void) {\nx = 1; /*A*/\n}\nstatic void (*fn)(void) = write; static void wrap(void) { for (int i = 0; i < 3; i++) fn(); }\n", "wrap();", "x = 2; /*B*/", none},
		{"it gives the lock back", "static void leave(void) { for (int i = 0; i < 1; i++) pthread_mutex_unlock(&m); }\n", "pthread_mutex_lock(&m);\nleave();\nx = 1; /*A*/", "pthread_mutex_lock(&m);\nx = 2; /*B*/\npthread_mutex_unlock(&m);", none},
		{"it makes an object", "static int *make(void) { int *q = malloc(4); for (int i = 0; i < 1; i++) *q = i; return q; }\n", "heap = make();\nturn = 7;\nx = 1; /*A*/", "if (get(&turn) == 7) {\nint *q = heap; *q = 1;\nx = 2; /*B*/\n}", none},
		{"it shows a local", "static int *shown; static void wait(void) { int v = 0; shown = &v; while (get(&v) != 1) ; }\n", "wait();\nx = 1; /*A*/", "int *q = shown;\nif (q) { locked(q, 1);\nx = 2; /*B*/\n}", none},
		{"it ends the thread", "static void end(int n) { for (int i = 0; i < n; i++) y++; pthread_exit(0); }\n", "end(turn);", "pthread_create(&u, 0, g, 0);\npthread_join(t, 0);\nx = 2; /*B*/", none},
		{"it creates a thread", "static void start(pthread_t *t) { for (int i = 0; i < 1; i++) pthread_create(t, 0, g, 0); }\n", "y = 1;", "start(&u);\nx = 2; /*B*/", none},
		{"created and joined", busy, "x = busy(turn); /*A*/", "busy(turn);\npthread_join(t, 0);\nx = 2; /*B*/\nreturn 0;", [cut.Depths]bool{true, true, true, true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			other := "void *g(void *arg) {\nreturn 0; }\n"
			if !strings.Contains(c.f+c.more, "/*A*/") {
				other = "void *g(void *arg) {\nx = 1; /*A*/\nreturn 0; }\n"
			}
			text := suspectsHead + other + c.more + "void *f(void *arg) {\n" + c.f + "\nreturn 0; }\nint main(void) {\npthread_t t, u; turn = __VERIFIER_nondet_int();\npthread_create(&t, 0, f, 0);\n" +
				c.main + "\npthread_join(t, 0);\nreturn 0; }\n"
			s, _ := sourceOf(t, text)
			x := &scan.Suspect{A: accessAt(t, s.Program(), text, "A"), B: accessAt(t, s.Program(), text, "B")}
			for depth := range cut.Depths {
				if depth == cut.None && !c.safe[depth] { // the program itself is for TestSuspects
					continue
				}
				limit := time.Second
				if c.safe[depth] {
					limit = 20 * time.Second
				}
				res := decideAt(t, s, x, depth, limit)
				if got := res.Verdict == seqmc.Safe; got != c.safe[depth] && !(strings.Contains(res.Reason, "no call that can be left out")) {
					t.Errorf("depth %d: %s %s", depth, res.Verdict, res.Reason)
				}
				if depth > 0 && res.Verdict == seqmc.Unsafe {
					t.Errorf("depth %d: %s", depth, res.Verdict)
				}
			}
		})
	}
}

// calling writes random programs whose threads call functions that call one another.
type calling struct {
	r     *rand.Rand
	funcs int // those that may be called
}

func (g *calling) pick(s ...string) string { return s[g.r.IntN(len(s))] }

func (g *calling) v() string { return g.pick("x", "y", "z") }

// body returns some statements, one a line, so that accesses are told apart.
func (g *calling) body(depth int) string {
	out := ""
	for range 1 + g.r.IntN(3) {
		switch k := g.r.IntN(12); {
		case k < 3:
			out += fmt.Sprintf("%s = %d;\n", g.v(), g.r.IntN(3))
		case k < 5 && g.funcs > 0:
			out += fmt.Sprintf("g%d(%s);\n", g.r.IntN(g.funcs), g.pick("&x", "&y", "&z", "p"))
		case k < 6 && depth > 0:
			out += fmt.Sprintf("if (%s == %d) {\n%s}\n", g.v(), g.r.IntN(3), g.body(depth-1))
		case k < 7 && depth > 0:
			out += "pthread_mutex_lock(&m);\n" + g.body(0) + "pthread_mutex_unlock(&m);\n"
		case k < 8 && depth > 0:
			out += fmt.Sprintf("for (int i = 0; i < %d; i++) {\n%s}\n", 1+g.r.IntN(2), g.body(0))
		case k < 9:
			out += fmt.Sprintf("*p = %d;\n", g.r.IntN(3))
		case k < 10:
			out += fmt.Sprintf("q = %s;\n", g.pick("&x", "&y", "&z", "p"))
		case k < 11 && g.funcs > 0:
			out += fmt.Sprintf("%s = g%d(q);\n", g.v(), g.r.IntN(g.funcs))
		default:
			out += fmt.Sprintf("*q = %s;\n", g.v())
		}
	}
	return out
}

func callingProgram(seed uint64) string {
	g := &calling{r: rand.New(rand.NewPCG(seed, 3))}
	text := "#include <pthread.h>\nint x, y, z; int *q = &x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
	for ; g.funcs < 4; g.funcs++ {
		text += fmt.Sprintf("int g%d(int *p) {\n%sreturn %s; }\n", g.funcs, g.body(1), g.pick("x", "*p", "1"))
	}
	head := "int *p = &z;\n"
	return text + "void *f(void *arg) {\n" + head + g.body(1) + "return 0; }\nint main(void) {\n" + head + "pthread_t t;\n" + g.body(0) + "pthread_create(&t, 0, f, 0);\n" + g.body(1) +
		g.pick("pthread_join(t, 0);\n", "") + g.body(0) + "return 0; }\n"
}

// TestCutRandom asks about races that runs of random programs show, at all depths: none of them is impossible.
func TestCutRandom(t *testing.T) {
	first, n := uint64(0), uint64(4)
	if testing.Short() {
		n = 2
	}
	tally := map[string]int{}
	for seed := first; seed < first+n; seed++ {
		s, file := sourceOf(t, callingProgram(seed))
		r, err := sample.Run(context.Background(), s.Program(), sample.Options{Runs: 60, Races: true})
		if err != nil {
			t.Fatal(err)
		}
		all := accessesOf(s.Program())
		shown := map[[2]int]bool{}
		for k := range r.Races {
			for i, a := range all {
				for j := i; j < len(all) && len(shown) <= k; j++ {
					x := &scan.Suspect{A: a, B: all[j]}
					if shown[[2]int{i, j}] || !directed.Shows(x, &r.Races[k].What) {
						continue
					}
					shown[[2]int{i, j}] = true
					for depth := 1; depth < cut.Depths && len(shown) < 4; depth++ {
						res := decideAt(t, s, x, depth, 300*time.Millisecond)
						if tally[fmt.Sprint(depth, res.Verdict)]++; res.Verdict == seqmc.Safe {
							t.Errorf("%s (seed %d), depth %d: %v %v are proved to be no race, but a run shows it", file, seed, depth, a.Site.Pos, all[j].Site.Pos)
						}
					}
				}
			}
		}
		for range 2 { // and what can be proved
			x := &scan.Suspect{A: all[int(seed)%len(all)], B: all[len(all)-1-int(seed)%len(all)]}
			for depth := 1; depth < cut.Depths; depth++ {
				if res := decideAt(t, s, x, depth, 300*time.Millisecond); res.Verdict == seqmc.Safe {
					tally[fmt.Sprint(depth, " proved")]++
				}
			}
		}
	}
	t.Log(tally)
}
