package waits_test

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"comus/cir/interp/sample"
	"comus/internal/long"
)

// futures is a program with a thread for each future that others wait for; what is in some of its functions is given by their names, and taken from plainFutures otherwise.
func futures(parts map[string]string) string {
	text := head + `struct future { pthread_mutex_t lock; pthread_cond_t ready, other; int refs, done; };
struct job { struct future *f, *g; int input; };
static struct future *last; static struct future *all[9];
GLOBALS
static struct future *future_new(void) { struct future *f = malloc(sizeof *f); if (!f) exit(1); NEW return f; }
static void future_set(struct future *f) { SET }
static void future_get(struct future *f) { GET }
static void *keep(void *arg) { struct job *j = arg; KEEP return 0; }
static struct future *start(int input) { struct job *j = malloc(sizeof *j); pthread_t t; if (!j) exit(1); j->input = input; START }
static void *second(void *arg) { SECOND return 0; }
int main(int argc, char **argv) {
  struct future *f[4]; pthread_t v;
  for (int i = 0; i < 4; i++) { f[i] = start(i); LOOP }
  pthread_create(&v, 0, second, 0);
  for (int i = 0; i < 4; i++) { MAIN }
  pthread_join(v, 0);
  (void)last, (void)all;
  return 0;
}
`
	for name, plain := range map[string]string{
		"GLOBALS": "", "SECOND": "x++;", "LOOP": "",
		"NEW":   "pthread_mutex_init(&f->lock, 0); pthread_cond_init(&f->ready, 0); f->done = 0; f->refs = 2;",
		"SET":   "L(&f->lock); f->done = 1; pthread_cond_broadcast(&f->ready); U(&f->lock);",
		"GET":   "L(&f->lock); while (!f->done) pthread_cond_wait(&f->ready, &f->lock); U(&f->lock);",
		"KEEP":  "struct future *f = j->f; free(j); future_set(f);",
		"START": "j->f = future_new(); struct future *f = j->f; pthread_create(&t, 0, keep, j); return f;",
		"MAIN":  "future_get(f[i]);",
	} {
		if part, given := parts[name]; given {
			plain = part
		}
		text = strings.Replace(text, name, plain, 1)
	}
	return text
}

type parts = map[string]string

const create = "pthread_create(&t, 0, keep, j);"

// wrongFutures are parts of such programs: with what stands in «», somebody may wait for a flag in vain, or it is not understood that nobody does.
var wrongFutures = []struct {
	name  string
	parts parts
}{
	{"not in any case", parts{"KEEP": "struct future *f = j->f; «if (j->input != 2)» future_set(f);"}},
	{"an end before", parts{"KEEP": "struct future *f = j->f; «if (j->input == 2) pthread_exit(0);» future_set(f);"}},
	{"a loop for ever before", parts{"KEEP": "struct future *f = j->f; «if (j->input == 2) for (;;) x++;» future_set(f);"}},
	{"without the lock", parts{"SET": "«/*» L(&f->lock); «*/» f->done = 1; pthread_cond_broadcast(&f->ready); «/*» U(&f->lock); «*/»"}},
	{"with another lock", parts{"SET": "L(&f->lock); «U(&f->lock); L(&a);» f->done = 1; «U(&a); L(&f->lock);» pthread_cond_broadcast(&f->ready); U(&f->lock);"}},
	{"with the lock of another one", parts{"KEEP": "struct future *f = j->f; «last = f; f = j->g;» future_set(f);"}},
	{"told before", parts{"SET": "L(&f->lock); «pthread_cond_broadcast(&f->ready);» f->done = 1; «U(&f->lock); return;» pthread_cond_broadcast(&f->ready); U(&f->lock);"}},
	{"told behind", parts{"SET": "L(&f->lock); f->done = 1; U(&f->lock); «if (x)» pthread_cond_broadcast(&f->ready);"}},
	{"another condition variable", parts{"NEW": "pthread_mutex_init(&f->lock, 0); pthread_cond_init(&f->ready, 0); pthread_cond_init(&f->other, 0); f->done = 0;", "SET": "L(&f->lock); f->done = 1; pthread_cond_broadcast(&f->«other); U(&f->lock); return; pthread_cond_broadcast(&f->»ready); U(&f->lock);"}},
	{"a signal for two", parts{"SET": "L(&f->lock); f->done = 1; pthread_cond_signal(&f->ready); U(&f->lock);", "SECOND": "«future_get(all[0]);»", "LOOP": "all[i] = f[i];"}},
	{"a broadcast for two", parts{"SET": "L(&f->lock); f->done = 1; pthread_cond_«signal(&f->ready); U(&f->lock); return; pthread_cond_»broadcast(&f->ready); U(&f->lock);", "SECOND": "future_get(all[0]);", "LOOP": "all[i] = f[i];"}},
	{"a number that may be 0", parts{"SET": "L(&f->lock); f->done = 1 «* x»; pthread_cond_broadcast(&f->ready); U(&f->lock);"}},
	{"the flag of another one is read", parts{"GET": "L(&f->lock); «struct future *g = all[0];» while (!f->done «|| !g->done») pthread_cond_wait(&f->ready, &f->lock); U(&f->lock);", "LOOP": "all[i] = f[i];"}},
	{"with the mutex of another one", parts{"GET": "struct future *g = f; «g = last;» L(&f->lock); while (!f->done) pthread_cond_wait(&f->ready, &«g->lock); U(&g->lock); return; pthread_cond_wait(&f->ready, &»f->lock); U(&f->lock); (void)g;"}},
	{"more than the flag", parts{"GET": "L(&f->lock); while (!f->done «|| x») pthread_cond_wait(&f->ready, &f->lock); U(&f->lock);"}},
	{"the lock is given back meanwhile", parts{"GET": "L(&f->lock); while (!f->done) { «U(&f->lock); L(&f->lock);» pthread_cond_wait(&f->ready, &f->lock); } U(&f->lock);"}},
	{"reset by main", parts{"MAIN": "future_get(f[i]); «f[i]->done = 0;»"}},
	{"reset by its thread", parts{"KEEP": "struct future *f = j->f; future_set(f); «f->done = 0;»"}},
	{"reset when it is known", parts{"START": "j->f = future_new(); struct future *f = j->f; " + create + " «f->done = 0;» return f;"}},
	{"reset where it is made, too late", parts{"NEW": "pthread_mutex_init(&f->lock, 0); pthread_cond_init(&f->ready, 0); f->done = 0; last = f; «f->done = 0;»"}},
	{"reset where it is made, and told before", parts{"START": "struct future *f = «last =» malloc(sizeof *f); if (!f) exit(1); pthread_mutex_init(&f->lock, 0); pthread_cond_init(&f->ready, 0); f->done = 0; j->f = f; " + create + " return f;"}},
	{"reset where it is made, and told at once", parts{"START": "struct future *f; «last =» f = malloc(sizeof *f); if (!f) exit(1); pthread_mutex_init(&f->lock, 0); pthread_cond_init(&f->ready, 0); f->done = 0; j->f = f; " + create + " return f;"}},
	{"cleared", parts{"MAIN": "«memset(&f[i]->refs, 0, 8);» future_get(f[i]);"}},
	{"nobody is created perhaps", parts{"START": "j->f = future_new(); struct future *f = j->f; «if (input != 2)» " + create + " return f;"}},
	{"returned before", parts{"START": "j->f = future_new(); struct future *f = j->f; if (input == 7) return «f ? f :» 0; " + create + " return f;"}},
	{"waited for before", parts{"START": "j->f = future_new(); struct future *f = j->f; «if (input == 2) future_get(f);» " + create + " return f;"}},
	{"given another one", parts{"START": "j->f = future_new(); struct future *f = j->f; «j->f = last; last = f;» " + create + " return f;"}},
	{"exchanged when the thread is there", parts{"START": "j->f = future_new(); struct future *f = j->f; " + create + " «j->f = last; last = f;» return f;"}},
	{"exchanged by others", parts{"START": "j->f = future_new(); struct future *f = j->f; " + create + " return f;", "KEEP": "struct future *f = j->f; «j->f = last;» future_set(f);"}},
	{"another one is returned", parts{"START": "j->f = future_new(); struct future *f = j->f; " + create + " «f = future_new();» return f;"}},
	{"another one is returned perhaps", parts{"START": "j->f = future_new(); struct future *f = j->f; " + create + " return input == 2 «&& f» ? «future_new()» + 0 : f;"}},
	{"by a local", parts{"START": "struct future *f = future_new(); j->f = f; «j->f = last;» " + create + " return f;"}},
	{"by a local that is changed", parts{"START": "struct future *f = future_new(); j->f = f; «f = future_new();» " + create + " return f;"}},
	{"a job that has no thread", parts{"START": "struct job *k = malloc(sizeof *k); if (!k) exit(1); k->f = future_new(); struct future *f = k->f; pthread_create(&t, 0, keep, «j ? j :» k); return f;"}},
	{"two jobs", parts{"START": "j->f = future_new(); struct future *f = j->f; «struct job *k = j; j = malloc(sizeof *j); if (!j) exit(1); j->f = last; (void)k;» " + create + " return f;"}},
	{"made by main", parts{"MAIN": "«if (i == 2) f[i] = future_new();» future_get(f[i]);"}},
	{"made by another thread", parts{"LOOP": "all[i] = f[i];", "SECOND": "«all[1] = future_new();» x++;", "MAIN": "future_get(all[i]);"}},
	{"of another kind", parts{"LOOP": "last = f[i];", "MAIN": "future_get(last); «future_get((struct future *)((char *)f[i] + x));»"}},
	{"set for another one", parts{"KEEP": "struct future *f = j->f; «if (last) f = last;» future_set(f);", "LOOP": "last = f[i];"}},
	{"set by a function that is called for others, too", parts{"KEEP": "struct future *f = j->f; future_set(f);", "SET": "«if (f == last) return;» L(&f->lock); f->done = 1; pthread_cond_broadcast(&f->ready); U(&f->lock);", "MAIN": "future_get(f[i]); future_set(f[i]);"}},
	{"a lock that main holds", parts{"KEEP": "struct future *f = j->f; L(&a); x++; U(&a); future_set(f);", "MAIN": "«L(&a);» future_get(f[i]); «U(&a);»"}},
	{"a lock of main behind that", parts{"KEEP": "struct future *f = j->f; future_set(f); L(&a); x++; U(&a); «future_get(f);»", "MAIN": "L(&a); future_get(f[i]); U(&a);"}},
	{"waits for another one", parts{"KEEP": "struct future *f = j->f; «if (last && j->input == 0) future_get(last);» future_set(f);", "LOOP": "last = f[i];"}},
	{"waits for itself", parts{"KEEP": "struct future *f = j->f; «future_get(f);» future_set(f);"}},
	{"joined before", parts{"KEEP": "struct future *f = j->f; «if (x) pthread_join(u, 0);» future_set(f);", "LOOP": "if (i == 0) pthread_create(&u, 0, second, 0);", "SECOND": "«future_get(all[0]);» x++;", "MAIN": "all[0] = f[0]; future_get(f[i]);"}},
	{"destroyed before", parts{"KEEP": "struct future *f = j->f; «pthread_cond_destroy(&f->ready);» future_set(f);"}},
	{"the object as argument", parts{"GLOBALS": "static void future_set(struct future *f); static void *sets(void *p) { struct future *f = p; «if (x)» future_set(f); return 0; }", "START": "struct future *f = future_new(); pthread_create(&t, 0, sets, f); return f;"}},
	{"another object as argument", parts{"GLOBALS": "static void future_set(struct future *f); static void *sets(void *p) { struct future *f = p; future_set(f); return 0; }", "START": "struct future *f = future_new(); pthread_create(&t, 0, sets, «last ? last :» f); «last = f;» return f;"}},
	{"an element as argument", parts{"GLOBALS": "static void future_set(struct future *f); static void *sets(void *p) { struct future *f = p; future_set(f); return 0; }",
		"START": "struct future *f = malloc(3 * sizeof *f); if (!f) exit(1); pthread_mutex_init(&f->lock, 0); pthread_cond_init(&f->ready, 0); f->done = 0; pthread_create(&t, 0, sets, f «+ 1»); return f;"}},
	{"the next element", parts{"GLOBALS": "static void future_set(struct future *f); static void *sets(void *p) { struct future *f = p; future_set(f «+ 1»); return 0; }", "START": "struct future *f = malloc(3 * sizeof *f); if (!f) exit(1); pthread_mutex_init(&f->lock, 0); pthread_cond_init(&f->ready, 0); f->done = 0; pthread_create(&t, 0, sets, f); return f;"}},
}

// TestFutures has threads each of which sets the flag of an object that others wait for, and such of which some do not: what stands in «» makes the difference.
func TestFutures(t *testing.T) {
	for i, c := range wrongFutures {
		if !long.Turn(i, 6) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			text := futures(c.parts)
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

// TestRandomFutures puts parts of several such programs together: none of which there is a proof ends in a deadlock.
func TestRandomFutures(t *testing.T) {
	proved, stuck := 0, 0
	programs := long.N(300, 10)
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 37))
		all := parts{}
		for range 1 + r.IntN(3) {
			some := maps.Clone(wrongFutures[r.IntN(len(wrongFutures))].parts)
			for name, text := range some {
				if r.IntN(3) > 0 {
					text = wrong.ReplaceAllString(text, "")
				}
				all[name] = strings.NewReplacer("«", "", "»", "").Replace(text)
			}
		}
		if strings.Contains(all["START"], "sets") {
			all["GLOBALS"] = "static void future_set(struct future *f); static void *sets(void *p) { struct future *f = p; future_set(f); return 0; }"
		}
		text := futures(all)
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
