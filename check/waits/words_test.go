package waits_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"comus/cir/interp/sample"
	"comus/internal/long"
)

// TestWords has threads of several classes that meet at barriers, main among them, and such of which some wait in vain: what stands in «» makes the difference.
func TestWords(t *testing.T) {
	const both = "pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);"
	for i, c := range []struct{ name, f, g, many, main string }{
		{"three", "W; W;", "W; «if (x)» W;", "3", both + "W; W;"},
		{"one more", "W; W;", "W; W; «W;»", "3", both + "W; W;"},
		{"main perhaps", "W;", "W;", "3", both + "«if (x)» W;"},
		{"main in vain", "W;", "W;", "2", both + "«W;»"},
		{"fewer", "W;", "W;", "3 «+ 1»", both + "W;"},
		{"main does not wait", "W;", "W;", "2 «+ 1»", both},
		{"without one", "W;", "x++;", "2", both + "W; «pthread_create(&v, 0, g, 0); W;»"},
		{"main before all are there", "W;", "W;", "3", "pthread_create(&t, 0, f, 0); «W;» pthread_create(&u, 0, g, 0); «return 0;» W;"},
		{"one that is there perhaps", "W;", "W;", "3", "pthread_create(&t, 0, f, 0); «if (x)» pthread_create(&u, 0, g, 0); W;"},
		{"three calls", "W;", "x++;", "3", "pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); «pthread_create(&v, 0, f, 0);» W;"},
		{"two barriers", "W; V;", "W; V;", "3", both + "«V; if (0)» W; V;"},
		{"the other way round", "W; V;", "«V;» W; «return 0;» V;", "3", both + "W; V;"},
		{"rounds", "for (int i = 0; i < 3; i++) W;", "for (int i = 0; i < 3 «+ 1»; i++) W;", "3", both + "for (int i = 1; i <= 3; i++) W;"},
		{"rounds of two", "for (int i = 0; i < 3; i++) { W; V; }", "for (int i = 0; i < 3; i++) { W; V; }", "3", both + "for (int i = 0; i < 3; i++) { «V;» W; «if (0)» V; }"},
		{"rounds that are read", "for (int i = 0; i < rounds; i++) W;", "for (int i = 0; i < rounds; i++) { W; «rounds = 2;» }", "3", both + "for (int i = 0; i < rounds; i++) W;"},
		{"rounds that are read, and one more", "for (int i = 0; i < rounds; i++) W;", "for (int i = 0; i <«=» rounds; i++) W;", "3", both + "for (int i = 0; i < rounds; i++) W;"},
		{"rounds that main changes", "for (int i = 0; i < rounds; i++) W;", "for (int i = 0; i < rounds; i++) W;", "3", both + "«rounds = 3;» for (int i = 0; i < rounds; i++) W;"},
		{"a round less", "for (int i = 0; i < 3; i++) W;", "for (int i = 0; i < 3; i++) { «if (x && i == 2) break;» W; }", "3", both + "for (int i = 0; i < 3; i++) W;"},
		{"a round more", "for (int i = 0; i < 3; i++) W;", "for (int i = 0; i < 3; i++) { W; «if (x && i == 2) i = 0;» }", "3", both + "for (int i = 0; i < 3; i++) W;"},
		{"some rounds without", "for (int i = 0; i < 3; i++) W;", "for (int i = 0; i < 3; i++) { «if (i == x) continue;» W; }", "3", both + "for (int i = 0; i < 3; i++) W;"},
		{"a loop in a loop", "for (int i = 0; i < 3; i++) W;", "for (int i = 0; i < 3; i++) { «for (int k = 0; k < 2; k++)» W; }", "3", both + "for (int i = 0; i < 3; i++) W;"},
		{"a loop and one more", "W; for (int i = 0; i < 3; i++) W;", "W; for (int i = 0; i < 3; i++) W;", "3", both + "«V;» W; for (int i = 0; i < 3; i++) W;"},
		{"by functions", "step(); step();", "step(); «if (x)» step();", "3", both + "step(); step();"},
		{"by main's own call", "W; V;", "x++;", "2", "pthread_create(&t, 0, f, 0); f(0); «f(0);»"},
		{"an end", "W;", "«if (x) pthread_exit(0);» W;", "3", both + "W;"},
		{"the end of the program", "W;", "if (x) exit(1); W; «if (x) return 0; W;»", "3", both + "W;"},
		{"main returns before", "W;", "W;", "3", both + "if (x) return 1; W; «W;»"},
		{"main ends before", "W;", "W;", "3", both + "«if (x) pthread_exit(0);» W;"},
		{"main runs for ever", "W;", "W;", "3", both + "«if (x) for (;;) x++;» W;"},
		{"one runs for ever", "W;", "«if (x) for (;;) x++;» W;", "3", both + "W;"},
		{"main joins before", "W; W;", "W; W;", "3", both + "W; «pthread_join(t, 0);» W;"},
		{"one joins another one before", "W; W;", "W; «pthread_join(t, 0);» W;", "3", both + "W; W;"},
		{"main holds a lock", "L(&a); x++; U(&a); W;", "W;", "3", both + "«L(&a);» W; «U(&a);»"},
		{"a lock before", "W; L(&a); x++; U(&a);", "W; L(&a); U(&a);", "3", both + "L(&a); x++; U(&a); W; «L(&a); V; U(&a);»"},
		{"a flag behind", "W; L(&a); while (!done) pthread_cond_wait(&cv, &a); U(&a);", "W;", "3", both + "W; L(&a); done = 1; pthread_cond_broadcast(&cv); U(&a); «W;»"},
		{"a flag before", "«L(&a); while (!done) pthread_cond_wait(&cv, &a); U(&a);» W;", "W;", "3", both + "W; L(&a); done = 1; pthread_cond_broadcast(&cv); U(&a);"},
		{"many and main", "W;", "x++;", "n + 1", "for (int i = 0; i < n; i++) pthread_create(&many_t[i], 0, f, 0); «pthread_join(many_t[0], 0);» W;"},
		{"many and main, one less", "W;", "x++;", "n + 1", "for (int i = «1 +» 0; i < n; i++) pthread_create(&many_t[i], 0, f, 0); W;"},
		{"many, main and one more", "W;", "W;", "«n +» 2", "for (int i = 0; i < «n + 0 *» 1; i++) pthread_create(&many_t[i], 0, f, 0); pthread_create(&u, 0, g, 0); «W;»"},
		{"two times many", "W;", "W;", "«n +» 3", "for (int i = 0; i < «n + 0 *» 2; i++) pthread_create(&many_t[i], 0, f, 0); for (int i = 0; i < «n + 0 *» 1; i++) pthread_create(&v, 0, g, 0);"},
		{"in a handler", "W;", "W;", "2", "«signal(1, on);» " + both},
	} {
		if !long.Turn(i, 6) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			joins := "pthread_join(t, 0);"
			if strings.Contains(c.main, "many_t") {
				joins = "pthread_join(many_t[0], 0);"
			}
			text := "#include <signal.h>\n" + head + "static pthread_barrier_t bar, bar2; static pthread_t v, many_t[9]; static int rounds, n;\n#define W pthread_barrier_wait(&bar)\n#define V pthread_barrier_wait(&bar2)\nstatic void step(void) { W; x++; V; }\nstatic void on(int s) { W; }\n" +
				"static void *f(void *p) { " + c.f + " return 0; }\nstatic void *g(void *p) { " + c.g + " return 0; }\nint main(int argc, char **argv) {\nrounds = argc; n = argc; (void)step, (void)on, (void)f, (void)g;\n" +
				"pthread_barrier_init(&bar, 0, " + c.many + "); pthread_barrier_init(&bar2, 0, " + c.many + ");\n" + c.main + "\n" + joins + "\nreturn 0; }\n"
			with, without := strings.NewReplacer("«", "", "»", "").Replace(text), wrong.ReplaceAllString(text, "")
			if found, _ := loadText(t, with).arranged(t); found != nil {
				t.Errorf("it is proved: %v", found.Order)
			}
			if _, why := loadText(t, without).arranged(t); why != nil {
				t.Errorf("without what is wrong: %v", why)
			}
		})
	}
}

// TestRandomWords runs random programs of two threads and main that meet at barriers: none of which there is a proof ends in a deadlock.
func TestRandomWords(t *testing.T) {
	proved, stuck := 0, 0
	programs := long.N(300, 10)
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 41))
		one := func(of ...string) string { return of[r.IntN(len(of))] }
		var word []string
		for range 1 + r.IntN(3) {
			word = append(word, one("W;", "V;", "step();", "for (int i = 0; i < 2; i++) W;", "for (int i = 0; i < rounds; i++) { V; W; }", "L(&a); W; U(&a);"))
		}
		body := func() string {
			var out strings.Builder
			for _, w := range word {
				switch r.IntN(24) {
				case 0:
					w = one("if (rand() & 1) ", "if (x) ", "") + w
				case 1:
					w += one("W;", "V;", "return 0;", "if (rand() & 1) return 0;")
				case 2:
					w = one("", "for (int i = 0; i < 2; i++) { x++; if (rand() & 1) break; W; }", "for (int k = 0; k < 2; k++) "+w)
				case 3, 4:
					w += one("L(&a); x++; U(&a);", "if (rand() & 1) x++;", "if (x > 7) exit(0);", "rounds = 2;", "if (rand() & 1) rounds = 1;")
				case 5:
					w = "L(&b); x++; U(&b);" + w
				}
				out.WriteString(w)
			}
			return out.String()
		}
		text := head + "static pthread_barrier_t bar, bar2; static _Atomic int rounds;\n#define W pthread_barrier_wait(&bar)\n#define V pthread_barrier_wait(&bar2)\nstatic void step(void) { W; x++; V; }\n" +
			"static void *f(void *p) { " + body() + " return 0; }\nstatic void *g(void *p) { " + body() + " return 0; }\nint main(void) {\nrounds = 2; (void)step;\n" +
			"pthread_barrier_init(&bar, 0, " + one("3", "3", "3", "3", "3", "2") + "); pthread_barrier_init(&bar2, 0, 3);\npthread_create(&t, 0, f, 0);\n" + one("", "", "", "L(&b); U(&b);", "if (rand() & 1) x++;") +
			one("", "", "", "", "if (rand() & 1) ") + "pthread_create(&u, 0, g, 0);\n" + body() + "\npthread_join(t, 0);\nreturn 0; }\n"
		p := loadText(t, text)
		found, _ := p.arranged(t)
		runs, err := sample.Run(t.Context(), p.prog, sample.Options{Runs: 30, Seed: seed, Wakeups: true, MaxSteps: 20000})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case found != nil && len(runs.Deadlocks) > 0:
			t.Errorf("seed %d: a run ends in a deadlock: %+v\n%s", seed, runs.Deadlocks[0], text)
		case found != nil:
			proved++
		case len(runs.Deadlocks) > 0:
			stuck++
		}
	}
	if t.Logf("%d proved, %d with a deadlock", proved, stuck); proved == 0 || stuck == 0 {
		t.Errorf("of %d programs, %d are proved, and %d have a deadlock: that says little", programs, proved, stuck)
	}
}
