package waits_test

import (
	"strings"
	"testing"

	"comus/internal/long"
)

// meeting is a program whose threads meet at a barrier: body is what they do, and some is what main does before it makes the barrier, behind that, in the loop in which it creates them, and behind that.
func meeting(globals, body, before, made, loop, after string) string {
	return head + `#include <stdio.h>
struct w { int id, rounds; };
static pthread_barrier_t bar, bar2;
static int limit, cell[8], stop, total;
static struct w w[8];
#define W pthread_barrier_wait(&bar)
static void sync(void) { int r = W; if (r != 0 && r != PTHREAD_BARRIER_SERIAL_THREAD) abort(); }
` + globals + `
static void *f(void *p) { struct w *me = p; ` + body + ` return 0; }
static void *g(void *p) { L(&b); limit = 7; U(&b); return 0; }
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3, k = argc;
  pthread_t t[8];
  if (n < 1 || n > 8) return 2;
  limit = argc;
  ` + before + `
  pthread_barrier_init(&bar, 0, n);
  ` + made + `
  for (int i = 0; i < n; i++) {
    w[i].id = i; w[i].rounds = k;
    if (pthread_create(&t[i], 0, f, &w[i]) != 0) { perror("pthread_create"); exit(1); }
    ` + loop + `
  }
  ` + after + `
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  (void)f, (void)g, (void)sync;
  return 0;
}
`
}

// counting are programs that tell the number of threads in other ways than meeting does: MANY is what the barrier is for.
var counting = []struct{ name, globals, main string }{
	{"a constant", "#define MANY 4\n", "S(for (int i = 0; i < 4 «- 1»; i++))"},
	{"from one", "#define MANY n\n", "S(for (int i = 1; i <= n «- 1»; i++))"},
	{"the other way round", "#define MANY n\n", "S(for (int i = 0; n «+ 1» > i; i++))"},
	{"one thread", "#define MANY 1 «+ 1»\n", "pthread_create(&v[0], 0, f, 0);"},
	{"one more than a number", "#define MANY n + 1 - 1 «+ 1»\n", "S(for (int i = 0; i < n; i++))"},
	{"a number in memory", "#define MANY conf.many\n", "«conf.many--;» S(for (int i = 0; i < conf.many; i++))"},
	{"a number in memory that threads change", "#define MANY conf.many\n#define THERE «conf.many--»\n", "S(for (int i = 0; i < conf.many; i++))"},
	{"a number in memory that is loaded as another one", "#define MANY conf.many\n", "S(for (int i = 0; i < *(«short» int *)&conf.many; i++))"},
	{"a number that a struct holds, and main", "#define MANY own.many\n", "S(for (int i = 0; i < n «- 1»; i++))"},
	{"a number of another type", "#define MANY (unsigned «char»)n\n", "S(for (unsigned i = 0; i < (unsigned)n; i++))"},
	{"a number with a default", "#define MANY nthr\n", "«nthr = 5;» S(for (int i = 0; i < nthr; i++))"},
	{"a function that creates them", "static void start(int n) { S(for (int i = 0; i < n; i++)) }\n#define MANY n\n", "start(n); «start(n);»"},
	{"a function that creates them in a loop", "static void start(int n) { S(for (int i = 0; i < n; i++)) }\n#define MANY n\n", "«for (int k = 0; k < 2; k++)» start(n);"},
	{"a function that creates one", "static void one(int i) { «if (i)» pthread_create(&v[i], 0, f, 0); }\n#define MANY n\n", "for (int i = 0; i < n; i++) one(i);"},
	{"a function that creates one, and is called once more", "static void one(int i) { pthread_create(&v[i], 0, f, 0); }\n#define MANY n\n", "for (int i = 0; i < n; i++) one(i); «one(7);»"},
	{"a variable that is changed by its address", "#define MANY n\n", "int *q = &x; «q = &n; (*q)--;» S(for (int i = 0; i < n; i++))"},
	{"a loop in a loop", "#define MANY n\n", "«for (int k = 0; k < 2; k++)» S(for (int i = 0; i < n; i++))"},
	{"a loop that goes on", "#define MANY n\n", "for (int i = 0; i < n; i++) { «if (i == 1) continue;» pthread_create(&v[i], 0, f, 0); }"},
	{"a loop that begins anew", "#define MANY n\n", "for (int i = 0; i < n; i++) { pthread_create(&v[i], 0, f, 0); «if (i == 1 && x++ == 0) i = 0;» }"},
	{"a signed and an unsigned one", "#define MANY n\n", "S(for (unsigned i = 0; i < (unsigned)n «/ 2»; i++))"},
	{"a choice", "#define MANY n\n", "int m = n; «if (x) m--;» S(for (int i = 0; i < m; i++))"},
	{"a bound that a loop computes", "#define MANY n\n", "S(for (int i = 0; i < n «- x»; i++))"},
}

// TestCounting has barriers for as many threads as there are, and for others.
func TestCounting(t *testing.T) {
	for i, c := range counting {
		if !long.Turn(i, 8) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			text := head + "static pthread_barrier_t bar; static pthread_t v[8]; static struct { int many; } conf; static int nthr = 3;\n#define S(loop) loop pthread_create(&v[i], 0, f, 0);\n#define THERE x++\nstatic void *f(void *p);\n" +
				strings.Replace(c.globals, "#define THERE", "#undef THERE\n#define THERE", 1) + "static void *f(void *p) { pthread_barrier_wait(&bar); L(&a); THERE; U(&a); return 0; }\n" +
				"int main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 3; if (n < 1 || n > 8) return 1; struct { int many; } own; own.many = n; conf.many = n; if (argc > 2) nthr = n; (void)nthr, (void)own;\n" +
				"pthread_barrier_init(&bar, 0, MANY);\n" + c.main + "\npthread_join(v[0], 0); return 0; }\n"
			with, without := strings.NewReplacer("«", "", "»", "").Replace(text), wrong.ReplaceAllString(text, "")
			if c.name == "a number in memory that threads change" {
				without = strings.Replace(without, "#define THERE \n", "#define THERE x++\n", 1)
			}
			if found, _ := loadText(t, with).arranged(t); found != nil {
				t.Errorf("it is proved: %v", found.Order)
			}
			if _, why := loadText(t, without).arranged(t); why != nil {
				t.Errorf("without what is wrong: %v", why)
			}
		})
	}
}

// meetings are programs of that kind: with what stands in «» some threads wait for others that do not come, or it is not understood that they do.
var meetings = []struct{ name, globals, body, before, made, loop, after string }{
	{"one wait", "", "total++; W; «if (me->id == 0) W;»", "", "", "", ""},
	{"one less before the end", "", "total++; «if (me->id == 1) return 0;» W;", "", "", "", ""},
	{"an end", "", "«if (me->id == 1) pthread_exit(0);» W; pthread_exit(0);", "", "", "", ""},
	{"an end in a callee", "static void end(int k) { if (k) pthread_exit(0); }", "W; end(me->id); «W;»", "", "", "", ""},
	{"the end of the program", "", "if (me->id == 7) exit(1); W; «if (me->id == 2) return 0;» W;", "", "", "", ""},
	{"a constant number of rounds", "", "for (int k = 0; k < 4 «+ me->id»; k++) W;", "", "", "", ""},
	{"a number of rounds from main", "", "for (int k = 0; k < limit; k++) { cell[me->id]++; W; «limit = 3;» }", "", "", "", ""},
	{"a number of rounds that main changes", "", "for (int k = 0; k < limit; k++) W;", "", "", "", "«limit = 2;»"},
	{"a number of rounds that another thread changes", "", "for (int k = 0; k < limit; k++) W;", "", "«pthread_create(&u, 0, g, 0);»", "", ""},
	{"a number of rounds for each", "", "for (int k = 0; k < «me->rounds *» 3; k++) W;", "", "", "", ""},
	{"a random number", "", "for (int k = 0; k < 3 «+ rand() % 2»; k++) W;", "", "", "", ""},
	{"a number that was drawn", "static _Atomic int next;", "for (int k = 0; k < 3 «+ next++»; k++) W;", "", "", "", ""},
	{"a number of each thread", "static _Thread_local int mine;", "mine = me->id; for (int k = 0; k < 3 «+ mine»; k++) W;", "", "", "", ""},
	{"a variable without a value", "", "int k; «if (me->id)» k = 0; for (; k < 3; k++) W;", "", "", "", ""},
	{"a break that all take", "", "for (;;) { cell[me->id]++; W; int s = 0; for (int k = 0; k < 8; k++) s += cell[k]; W; if (s > 9) break; «if (cell[me->id] > 3) break;» }", "", "", "", ""},
	{"what is read is written behind another wait", "", "while (!stop) { W; if (me->id == 0) stop = total++ > 3; W; «if (me->id == 0) stop = 1;» }", "", "", "", ""},
	{"the same by a function", "", "while (!stop) { sync(); if (me->id == 0) stop = total++ > 3; sync(); «if (me->id == 0) stop = 1;» }", "", "", "", ""},
	{"a function that writes behind its wait", "static void step(int id) { W; «if (id == 0) stop = 1;» }", "while (!stop) { step(me->id); if (me->id == 0) total++; step(me->id); }", "", "", "", ""},
	{"what is read is written between waits of another loop", "", "for (int k = 0; k < 3; k++) { W; if (me->id == 0) limit = 5; W; } for (int k = 0; k < limit; k++) { W; «if (me->id == 0) limit = 2;» }", "", "", "", ""},
	{"floats", "static double diff[8];", "for (;;) { double worst = 0; diff[me->id] = 1.0 / (1 + me->id); W; for (int k = 0; k < 8; k++) if (diff[k] > worst) worst = diff[k]; «worst += diff[me->id];» W; if (worst < 0.5) break; }", "", "", "", ""},
	{"a sum that each has a part of", "", "for (;;) { int s = 0; for (int k = 0; k < «me->id +» 4; k++) s += k; W; if (s > 3) break; }", "", "", "", ""},
	{"a choice of a value", "", "int s = limit > 2 «|| me->id == 1» ? 3 : 4; for (int k = 0; k < s; k++) W;", "", "", "", ""},
	{"a value that some choose", "", "int s = 2; if (me->id == 1) { total++; «s = 3;» } for (int k = 0; k < s; k++) W;", "", "", "", ""},
	{"a value of a switch", "", "int s = 2; switch (me->id) { case 1: total++; «s = 3;» } while (s--) W;", "", "", "", ""},
	{"a result", "static int rounds(int k) { if (k > 2) return 3; return 2; }", "for (int k = 0, m = rounds(limit «+ me->id»); k < m; k++) W;", "", "", "", ""},
	{"a result of which each has its own", "static int rounds(int k) { int s = 2; for (int i = 0; i < k; i++) s = 3; return s; }", "for (int k = 0, m = rounds(limit «- me->id»); k < m; k++) W;", "", "", "", ""},
	{"the one that waits last", "", "int r = W; if (r == PTHREAD_BARRIER_SERIAL_THREAD) { total++; «W;» }", "", "", "", ""},
	{"a try", "", "if (pthread_mutex_trylock(&a) == 0) { total++; U(&a); «W;» }", "", "", "", ""},
	{"a lock", "", "L(&a); total++; U(&a); W; «L(&a); W; U(&a);»", "", "", "", ""},
	{"a lock that another one holds meanwhile", "", "if (me->id) { L(&a); total++; U(&a); } «else { L(&a); W; U(&a); return 0; }» W;", "", "", "", ""},
	{"main waits for a lock before all are there", "", "«L(&a);» W; «U(&a);»", "", "", "L(&a); total++; U(&a);", ""},
	{"main joins one before all are there", "", "W;", "", "", "«if (i == 0) pthread_join(t[0], 0);»", ""},
	{"main ends before all are there", "", "W;", "", "", "«if (k > 1) pthread_exit(0);»", ""},
	{"main ends behind that", "", "W; «if (me->id) W;»", "", "", "", "if (k > 1) pthread_exit(0);"},
	{"main runs for ever before all are there", "", "W;", "", "", "«if (k > 1) for (;;) k++;»", ""},
	{"a flag that main sets", "", "L(&a); while (!done) pthread_cond_wait(&cv, &a); U(&a); W;", "", "", "", "«pthread_join(t[0], 0);» L(&a); done = 1; pthread_cond_broadcast(&cv); U(&a);"},
	{"a flag that one of them sets", "", "W; «L(&a); if (me->id == 0) { W; done = 1; pthread_cond_broadcast(&cv); } while (!done) pthread_cond_wait(&cv, &a); U(&a);»", "", "", "", ""},
	{"one thread less", "", "W;", "", "«n--;»", "", ""},
	{"one thread less in the loop", "", "W;", "", "", "«if (i == 1) n--;»", ""},
	{"the loop is left", "", "W;", "", "", "«if (k > 1) break;»", "if (k > 1) { pthread_join(t[0], 0); return 0; }"},
	{"a step more", "", "W;", "", "", "«i++;»", ""},
	{"two threads at a time", "", "W;", "", "", "«pthread_create(&u, 0, f, &w[i]);»", ""},
	{"another thread", "", "W;", "", "«pthread_create(&u, 0, f, &w[7]);»", "", ""},
	{"another thread by another call", "static void *h(void *p) { «W;» return 0; }", "W;", "", "", "", "pthread_create(&u, 0, h, 0); pthread_join(u, 0);"},
	{"main waits, too", "", "W;", "", "", "", "«W;»"},
	{"one more", "", "W;", "«n++;»", "«n--;»", "", ""},
	{"the barrier is made anew", "", "W;", "", "«pthread_barrier_destroy(&bar); pthread_barrier_init(&bar, 0, n + 1);»", "", ""},
	{"the barrier is made perhaps for others", "", "W;", "", "«if (k > 1) pthread_barrier_init(&bar, 0, 2);»", "", ""},
	{"the barrier is made in the loop", "", "W;", "", "", "«pthread_barrier_init(&bar, 0, n);»", ""},
	{"a barrier is copied", "static pthread_barrier_t third;", "W;", "pthread_barrier_init(&third, 0, n + 1);", "«bar = third;»", "", ""},
	{"a barrier is cleared", "", "W;", "memset(&bar, 0, sizeof bar);", "«memset(&bar, 0, sizeof bar);»", "", ""},
	{"the barrier is written", "", "W;", "", "«memset(&bar, 1, 4);»", "", ""},
	{"two barriers", "", "W; pthread_barrier_wait(&bar2); W; «if (me->id % 2) { pthread_barrier_wait(&bar2); W; } else { W; pthread_barrier_wait(&bar2); }»", "pthread_barrier_init(&bar2, 0, n);", "", "", ""},
	{"two barriers for others", "", "W; pthread_barrier_wait(&bar2);", "pthread_barrier_init(&bar2, 0, n «+ 1»);", "", "", ""},
	{"one of two barriers", "", "«pthread_barrier_t *q = limit > 1 ? &bar : &bar2; pthread_barrier_wait(q);» W;", "pthread_barrier_init(&bar2, 0, n);", "", "", ""},
	{"functions by a pointer", "static void one(void) { W; } static void none(void) { «W;» total++; } static void (*const table[2])(void) = {none, none};", "one(); table[me->id % 2](); if (me->id) none();", "", "", "", ""},
	{"recursion", "static void down(int k) { W; «if (k) down(k - 1);» }", "down(2);", "", "", "", ""},
	{"some run for ever", "", "W; «if (me->id == 0) for (;;) total++;»", "", "", "", ""},
	{"a function that waits is called by some", "", "sync(); if (me->id) { total++; «sync();» }", "", "", "", ""},
	{"done once", "static pthread_once_t once = PTHREAD_ONCE_INIT; static void init(void) { total++; «W;» }", "pthread_once(&once, init); W;", "", "", "", ""},
	{"by goto", "", "int k = 0; again: W; if (++k < limit) goto again; «if (k++ < me->id) goto again;»", "", "", "", ""},
	{"do while", "", "int k = 0; do { W; «if (me->id == k) k++;» } while (++k < limit);", "", "", "", ""},
	{"by an address", "", "int own = 3; «int *q = &own; *q += me->id;» for (int k = 0; k < own; k++) W;", "", "", "", ""},
	{"a pointer that may be null", "", "int *q = «me->id ? 0 :» &limit; if (q) W;", "", "", "", ""},
	{"an element of each", "", "for (int k = 0; k < cell[«me->id +» 1]; k++) W;", "for (int i = 0; i < 8; i++) cell[i] = i;", "", "", ""},
}

// TestBarriers has threads that meet at a barrier, and such of which some wait for others that do not come.
func TestBarriers(t *testing.T) {
	for i, c := range meetings {
		if !long.Turn(i, 8) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			text := meeting(c.globals, c.body, c.before, c.made, c.loop, c.after)
			if !strings.Contains(text, "«") {
				t.Fatal("nothing is wrong")
			}
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
