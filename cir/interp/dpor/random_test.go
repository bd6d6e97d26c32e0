package dpor_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/cir/interp"
	"comus/cir/interp/dpor"
	"comus/cir/interp/sample"
)

// statements are what threads of random programs do. @ is the thread's number.
var statements = []string{
	"x = 1@;", "y = 1@;", "out[@] = x;", "out[@] += 2 * y;", "x++;", "n = 1@;", "out[@] = n;", "n++;",
	lock + "n++;" + unlock, lock + "n = 2@; y = 3;" + unlock,
	"pthread_mutex_lock(&k);" + lock + "n++;" + unlock + "pthread_mutex_unlock(&k);",
	lock + "pthread_mutex_lock(&k); n = 7@; pthread_mutex_unlock(&k);" + unlock,
	"if (pthread_mutex_trylock(&m) == 0) { n = 4@;" + unlock + "}",
	"sem_post(&s);", "sem_wait(&s);", "if (sem_trywait(&s) == 0) out[@] += 100;",
	lock + "while (!x) pthread_cond_wait(&c, &m); out[@] = 1;" + unlock,
	lock + "x = 2; pthread_cond_signal(&c);" + unlock, lock + "x = 3; pthread_cond_broadcast(&c);" + unlock,
	"pthread_cond_signal(&c);",
	section("out[@]++;"), section("n++;"), "n = 1@; atomic_store_explicit(&y, 1, memory_order_relaxed);" + section("out[@] = 1;"),
	"if (atomic_load_explicit(&y, memory_order_relaxed) == 1) {" + section("out[@] = 3;") + "out[@] += n; }",
	"while (!y) ;", "assert(x != 13);", "assert(n < 3 || y);",
	"{ int *q = malloc(8); *q = @; q = atomic_exchange(&shared, q); if (q) out[@] = *q; }",
	"{ int *q = atomic_exchange(&shared, 0); if (q) free(q); }",
	"{ int *q = shared; if (q) out[@] = q[0]; }",
	"if (x == 13) exit(@);", "if (!x) exit(4@);", "if (!y) abort();", "for (int i = 0; i < 2; i++) y += x;",
	"pthread_t u; pthread_create(&u, 0, child, 0); x++; pthread_join(u, 0);",
	"pthread_rwlock_rdlock(&rw); out[@] = n; pthread_rwlock_unlock(&rw);", "pthread_rwlock_wrlock(&rw); n = 5@; pthread_rwlock_unlock(&rw);",
	"{ int e = 0; if (atomic_compare_exchange_strong(&x, &e, 9)) y = 9; out[@] += e; }", "out[@] += atomic_exchange(&z, 1@);",
}

func section(body string) string {
	return "__VERIFIER_atomic_begin();" + body + "__VERIFIER_atomic_end();"
}

// randomProgram returns a program of main and one or two threads.
func randomProgram(r *rand.Rand) string {
	n := 2 + r.IntN(4)/3
	var bodies []string
	for i := range n {
		var s strings.Builder
		for range 1 + r.IntN(5-n) {
			s.WriteString("{" + strings.ReplaceAll(statements[r.IntN(len(statements))], "@", string(rune('0'+i))) + "}")
		}
		bodies = append(bodies, s.String())
	}
	text := threads(`printf("%d %d %d %d, %d %d %d\n", x, y, z, n, out[0], out[1], out[2]);`, bodies[1:]...)
	text = strings.Replace(text, "pthread_join", bodies[0]+"\npthread_join", 1)
	return strings.Replace(text, "int n;\n", "int n, out[3]; int *_Atomic shared; pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER; void *child(void *p) { y = 5; return 0; }\n", 1)
}

// TestRandom compares with all executions, and with some that are interleaved between any two instructions. The environment variable COMUS_RANDOM says how many programs there are.
func TestRandom(t *testing.T) {
	n, most, runs := 12, 200, 500
	if s := os.Getenv("COMUS_RANDOM"); s != "" {
		n, _ = strconv.Atoi(s)
		most, runs = 4000, 20_000
	}
	compared, classes, all := 0, 0, 0
	for seed := range uint64(n) {
		text := randomProgram(rand.New(rand.NewPCG(seed, 17)))
		p := load(t, text)
		r, ends := explore(t, p, dpor.Options{Runs: runs})
		if !r.Complete {
			if !strings.HasPrefix(r.Why, "a run ") && !strings.HasPrefix(r.Why, "there are more ") {
				t.Fatalf("seed %d: %s\n%s", seed, r.Why, text)
			}
			continue
		}
		for i := range uint64(40) {
			opt := options(nil)
			opt.Races, opt.Scheduler = true, sample.Schedule(i)
			res, err := interp.Run(t.Context(), p, opt)
			if err != nil {
				t.Fatal(err)
			}
			if e := end(res); !slices.Contains(ends, e) {
				t.Fatalf("seed %d: a run ends otherwise: %s, none of %q of %+v:\n%s", seed, e, ends, *r, text)
			}
		}
		every, want := explore(t, p, dpor.Options{Runs: most}.Everything())
		if every.Complete && !slices.Equal(ends, want) || slices.ContainsFunc(want, func(e string) bool { return !slices.Contains(ends, e) }) {
			t.Fatalf("seed %d: %d classes, %d executions:\n%q\n%q\n%s", seed, r.Runs, every.Runs, ends, want, text)
		}
		if every.Complete {
			compared, classes, all = compared+1, classes+r.Runs, all+every.Runs
		}
	}
	t.Logf("%d programs with %d executions, %d classes", compared, all, classes)
}
