package scan_test

import (
	"strings"
	"testing"

	"comus/internal/long"
)

// inCarrier is a program with a carrier that is written in some way before a thread gets it.
func inCarrier(refs, write string) string {
	return `struct arg { long id, more[3]; struct obj *o; };
static struct arg with(struct obj *o, int id) { struct arg a; a.id = id; a.o = o; return a; }
static void *worker(void *arg) { struct arg *a = arg; if (a->o) { use(a->o->n); put(a->o); } return 0; }
int main(int argc, char **argv) {
  struct obj *o = make(3);
  pthread_t t;
  struct arg *a = malloc(sizeof *a);
  if (!a) abort();
  ` + refs + `
  a->id = 1;
  a->o = o;
  ` + write + `
  if (pthread_create(&t, 0, worker, a)) abort();
  use(o->n);
  put(o);
  return 0;
}
`
}

// locking is a program in which a thread leaves an object to who is alone when it has ended.
func locking(unlock string) string {
	return `static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct obj *g;
static void *first(void *arg) { struct obj *o = make(1); pthread_mutex_lock(&m); g = o; ` + unlock + ` return 0; }
static void *worker(void *arg) { struct obj *o = arg; use(o->n); put(o); return 0; }
int main(void) {
  pthread_t t, u;
  if (pthread_create(&t, 0, first, 0)) abort();
  pthread_join(t, 0);
  struct obj *o = g;
  if (!o) return 1;
  g = 0;
  if (pthread_create(&t, 0, worker, o) || pthread_create(&u, 0, worker, o)) abort();
  return 0;
}
`
}

// rowed is a program with a row that is written before anything is allocated.
func rowed(begin, take, end string) string {
	return `static void *worker(void *arg) { struct obj *o = arg; use(o->n); put(o); return 0; }
int main(void) {
  pthread_t t;
  struct obj *row[4]` + begin + `
  for (int i = 0; i < 4; i++) row[i] = make(i);
  for (int i = 0; i < 4; i++) { ` + take + ` if (pthread_create(&t, 0, worker, row[i])) abort(); ` + end + ` }
  return 0;
}
`
}

// returned is a program in which a thread makes the name of an object, of two if they share it.
func returned(make, second string) string {
	return `static void drop(struct obj *o) { if (atomic_fetch_sub(&o->refs, 1) == 1) { free(o->name); free(o); } }
static void *maker(void *arg) { return strdup("abc"); }
static void *worker(void *arg) { struct obj *o = arg; use(strlen(o->name)); drop(o); return 0; }
int main(void) {
  pthread_t t, u;
  struct obj *o = make(1), *p = make(2);
  void *name;
  ` + make + `
  o->name = name;
  p->name = ` + second + `;
  if (pthread_create(&t, 0, worker, o) || pthread_create(&u, 0, worker, p)) abort();
  return 0;
}
`
}

// filledSlot is a program in which a slot is filled with a byte, and then used if it is empty.
func filledSlot(byt, after string) string {
	return "static volatile int none;\n" + strings.Replace(slotted("LOCK if (!slot.now) { UNLOCK continue; } o = get(slot.now); UNLOCK use(o->n); put(o);",
		"LOCK old = slot.now; memset(&slot.now, "+byt+", sizeof slot.now); if (!slot.now) slot.now = o; UNLOCK "+after+" if (old) put(old);"), "put(slot.now);\n  return", "return", 1)
}

const joinMaker = "if (pthread_create(&t, 0, maker, 0)) abort(); pthread_join(t, &name);"

// countingHoles are programs that were proved once and have a race, with right ones that differ by one thing.
var countingHoles = []countCase{
	{"a lock is kept at the end", locking(""), false},
	{"a lock is kept at the end by pthread_exit", locking("pthread_exit(0);"), false},
	{"a lock is given back, one reference for two", locking("pthread_mutex_unlock(&m);"), false},
	{"a lock is given back", locking("get(o); pthread_mutex_unlock(&m);"), false}, // that 2 are there is not known to who finds it

	{"a lock is kept at the end by a function", "static int bad; static void quit(void) { if (bad) pthread_exit(0); }\n" + locking("quit(); g = 0; pthread_mutex_unlock(&m); put(o);"), false},
	{"a function may end the thread", "static int bad; static void quit(void) { if (bad) pthread_exit(0); }\n" + passing("use(o->n); put(o); quit();", "get(o)", "put(o);"), true},
	{"a function may end the thread with a reference", "static int bad; static void quit(void) { if (bad) pthread_exit(0); }\n" + passing("use(o->n); quit(); put(o);", "get(o)", "put(o);"), false},

	{"for a function that may not be there", "void hook(void) __attribute__((weak));\n" + passing("if (!hook) put(o); use(o->n); put(o);", "get(o)", "put(o);"), false},
	{"for a variable that may not be there", "extern int hook __attribute__((weak));\n" + passing("if (!&hook) put(o); use(o->n); put(o);", "get(o)", "put(o);"), false},
	{"for a variable that is there", "static int hook;\n" + passing("int *h = &hook; if (h) use(o->n); put(o);", "get(o)", "put(o);"), true},
	{"after a jump", passing("use(o->n); put(o);", "get(o)", "void *buf[5]; volatile int k = 0; __builtin_setjmp(buf); put(o); if (k++ == 0) __builtin_longjmp(buf, 1);"), false},

	{"a carrier that is written", inCarrier("", "get(o);"), true},
	{"a carrier that is written, without a reference", inCarrier("", ""), false},
	{"a carrier that is a result", inCarrier("a->o = 0;", "a->o = 0; *a = with(o, 2);"), false},
	{"a carrier that is filled", inCarrier("get(o);", "if (argc < 4) { memset(a, 0, sizeof *a); put(o); }"), true},
	{"a carrier of which some is filled", inCarrier("get(o);", "if (argc < 4) { memset(a, 0, argc); put(o); }"), false},
	{"a carrier of which an element is filled", inCarrier("get(o);", "if (argc < 4) { memset(&a->more[argc - 1], 0, 8); put(o); }"), false},
	{"a carrier of which a half is filled", inCarrier("get(o);", "if (argc < 4) { memset(&a->o, 0, 4); put(o); }"), false},

	{"a row", rowed(";", "get(row[i]);", "put(row[i]);"), true},
	{"a row that begins empty", rowed(" = {0};", "get(row[i]);", "put(row[i]);"), true},
	{"a row that begins empty, without a reference", rowed(" = {0};", "", "put(row[i]);"), false},
	{"a row that is filled", rowed("; memset(row, 0, sizeof row);", "get(row[i]);", "put(row[i]);"), true},
	{"a row that is filled, used after", rowed("; memset(row, 0, sizeof row);", "", "use(row[i]->n);"), false},
	{"a row that is copied, used after", rowed(", *from[4] = {0}; memcpy(row, from, sizeof row);", "", "use(row[i]->n);"), false},
	{"a row that begins empty, and one object", `static void *worker(void *arg) { struct obj *o = arg; use(o->n); put(o); return 0; }
int main(void) {
  pthread_t t, u;
  struct obj *row[4], *from[4] = {0};
  memcpy(row, from, sizeof row);
  struct obj *o = make(1);
  row[0] = o;
  if (pthread_create(&t, 0, worker, o) || pthread_create(&u, 0, worker, o)) abort();
  return 0;
}`, false},

	{"names", returned("name = strdup(\"a\");", "strdup(\"b\")"), true},
	{"a cell that is filled", filledSlot("0", ""), true},
	{"a cell that is filled, dropped", filledSlot("0", "put(o);"), false},
	{"a cell that is filled with what may be 0", filledSlot("none", "put(o);"), false},
	{"a cell that is filled with what is 0 as a byte", filledSlot("256", "put(o);"), false},

	{"a cell that gets the value of a semaphore", "#include <semaphore.h>\nstatic sem_t s;\n" + slotted(slotRead, "LOCK old = slot.now; slot.now = o; sem_getvalue(&s, (int *)&slot.now); UNLOCK put(old);"), false},

	{"a thread that is free", passing("use(o->n); put(o);", "get(o)", "pthread_t u; if (pthread_create(&u, 0, (void *(*)(void *))free, o)) abort();"), false},
	{"a thread that calls free", "static void *end(void *o) { put(o); return 0; }\n" + passing("use(o->n); put(o);", "get(o)", "pthread_t u; if (pthread_create(&u, 0, end, o)) abort();"), true},

	{"names by a thread", returned(joinMaker, "strdup(\"b\")"), true}, // they go to threads with the objects (check/handover)
	{"a name by a thread for two", returned(joinMaker, "name"), false},
}

func TestCountedHoles(t *testing.T) {
	for _, c := range countingHoles {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 5)
			countingCase(t, c)
		})
	}
}
