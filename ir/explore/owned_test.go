package explore_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
)

// ways are locks that are no mutexes: their declarations, and what takes them and gives them back.
var ways = []struct{ declared, initial, take, give string }{
	{"#include <stdatomic.h>\ntypedef atomic_flag lock_t;\n", "ATOMIC_FLAG_INIT", "while (atomic_flag_test_and_set(%s))\n;", "atomic_flag_clear(%s)"},
	{"#include <stdatomic.h>\ntypedef atomic_int lock_t;\nstatic int taken(lock_t *l) { int z = 0; return !atomic_compare_exchange_strong(l, &z, 1); }\n", "0", "while (taken(%s))\n;", "atomic_store(%s, 0)"},
	{"#include <stdatomic.h>\ntypedef atomic_int lock_t;\n", "1", "while (atomic_exchange(%s, 0) == 0)\n;", "*(%s) = 1"},
	{"#include <stdatomic.h>\ntypedef atomic_int lock_t;\nstatic int tried(lock_t *l) { int z = 0; if (*l) return 16; if (atomic_compare_exchange_strong(l, &z, 1)) return 0; return 16; }\n",
		"0", "while (1) { int e = tried(%s); if (!e) break; }", "atomic_store(%s, 0)"},
	{"#include <semaphore.h>\ntypedef sem_t lock_t;\n", "", "sem_wait(%s)", "sem_post(%s)"},
}

// locked makes the mutexes of a random program locks of some way. Now and then one is not taken, or given back by who does not hold it.
func locked(text string, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	w := ways[r.IntN(len(ways))]
	swap := func(text, call, by string) string {
		parts := strings.Split(text, call+"(")
		for i, p := range parts[1:] {
			arg, rest, _ := strings.Cut(p, ")")
			now := fmt.Sprintf(by, arg)
			if r.IntN(12) == 0 {
				now = "(void)0"
			}
			parts[i+1] = now + rest
		}
		return strings.Join(parts, "")
	}
	text = swap(text, "pthread_mutex_lock", w.take)
	text = swap(text, "pthread_mutex_unlock", w.give)
	text = strings.ReplaceAll(text, "pthread_mutex_t", "lock_t")
	if w.initial == "" {
		text = strings.ReplaceAll(text, " = PTHREAD_MUTEX_INITIALIZER", "")
		text = strings.Replace(text, "    pthread_create(", "    sem_init(&m, 0, 1);\n    pthread_create(", 1)
	} else {
		text = strings.ReplaceAll(text, "PTHREAD_MUTEX_INITIALIZER", w.initial)
	}
	return strings.Replace(text, "#include <pthread.h>\n", "#include <pthread.h>\n"+w.declared, 1)
}

// TestOwned has random programs with locks of their own: that these have owners does not change what can fail, nor how many runs there are.
func TestOwned(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 60
	}
	found, tally := 0, map[explore.Verdict]int{}
	for seed := range uint64(n) {
		src := randprog.Generate(seed, randprog.Options{Features: randprog.Basic | randprog.Locks})
		if !strings.Contains(src, "pthread_mutex_lock") {
			continue
		}
		src = locked(src, seed)
		p := parse(t, src)
		p.Renumber()
		q, owners := p.Owned()
		if len(owners) == 0 {
			continue
		}
		if err := q.Check(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		found++
		a, b := explored(t, p, explore.Options{MaxStates: 200_000}), explored(t, q, explore.Options{MaxStates: 200_000})
		if a.Verdict != b.Verdict {
			t.Errorf("seed %d: %v, with owners %v\n%s", seed, a.Verdict, b.Verdict, src)
		}
		tally[a.Verdict]++
	}
	if found < n/10 || tally[explore.Safe] < found/5 || tally[explore.Unsafe] < found/5 {
		t.Errorf("locks in %d of %d programs: %v", found, n, tally)
	}
}

// TestOwnedLocks tells what is a lock, and what is not.
func TestOwnedLocks(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // the variables that have owners
	}{
		{"flag", `atomic_flag l = ATOMIC_FLAG_INIT; int x;
			void *f(void *a) { while (atomic_flag_test_and_set(&l)) ; x++; atomic_flag_clear(&l); return 0; }`, "l.__value.owner"},
		{"semaphore", `sem_t s; int x; void *f(void *a) { sem_wait(&s); x++; sem_post(&s); return 0; }`, "s.owner"},
		{"semaphore of two", `sem_t s; int x; void *f(void *a) { sem_wait(&s); x++; sem_post(&s); return 0; }
			int begin(void) { sem_init(&s, 0, 2); return 0; }`, ""},
		{"turn", `atomic_int turn; int x; void *f(void *a) { while (turn) ; x++; turn = 1; return 0; } void *g(void *a) { while (!turn) ; x++; turn = 0; return 0; }`, ""},
		{"given back by another thread", `atomic_int l; int x; void *f(void *a) { while (atomic_exchange(&l, 1)) ; x++; return 0; } void *g(void *a) { l = 0; return 0; }`, ""},
		{"tested first, not in one step", `atomic_int l; int x; void *f(void *a) { while (l) ; l = 1; x++; l = 0; return 0; }`, ""},
		{"given back by who only tried", `atomic_int l; int x; void *f(void *a) { if (!atomic_exchange(&l, 1)) x++; l = 0; return 0; }`, ""},
		{"taken by who tried", `atomic_int l; int x; void *f(void *a) { if (!atomic_exchange(&l, 1)) { x++; l = 0; } return 0; }`, "l.owner"},
		{"written before", `atomic_int l = 5; int x; void *f(void *a) { while (atomic_exchange(&l, 5) == 5) ; x++; l = 3; return 0; }
			int begin(void) { l = 3; return 0; }`, "l.owner"},
		{"a result that says so", `atomic_int l; int x; int lock(void) { if (atomic_exchange(&l, 1)) return 16; return 0; }
			void *f(void *a) { if (lock()) return 0; x++; l = 0; return 0; }`, "l.owner"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <assert.h>\n" + c.text
			begin, second := "", "f"
			if strings.Contains(c.text, "begin") {
				begin = "begin();"
			} else if strings.Contains(c.text, "sem_t") {
				begin = "sem_init(&s, 0, 1);"
			}
			if strings.Contains(c.text, "*g(") {
				second = "g"
			}
			text += "\nint main(void) { pthread_t t, u; " + begin + " pthread_create(&t, 0, f, 0); pthread_create(&u, 0, " + second + ", 0); pthread_join(t, 0); pthread_join(u, 0); assert(x < 3); return 0; }"
			p := parse(t, text)
			p.Renumber()
			q, owners := p.Owned()
			if got := names(owners); got != c.want {
				t.Fatalf("%q", got)
			}
			if err := q.Check(); err != nil {
				t.Fatal(err)
			}
			if a, b := explored(t, p, explore.Options{}), explored(t, q, explore.Options{}); a.Verdict != b.Verdict {
				t.Errorf("%v, with owners %v", a.Verdict, b.Verdict)
			}
		})
	}
}

func names(vars []*ir.Var) string {
	var all []string
	for _, v := range vars {
		all = append(all, v.Name)
	}
	return strings.Join(all, " ")
}
