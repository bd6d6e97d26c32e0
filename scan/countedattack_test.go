package scan_test

import (
	"testing"

	"comus/internal/long"
)

// named returns a program as passing does, with objects that have a name.
func named(init, work, after, drop string) string {
	return `static void *drop(struct obj *o) { if (atomic_fetch_sub(&o->refs, 1) == 1) { ` + drop + ` } return 0; }
static char *kept;
static struct obj *first;
static void *worker(void *arg) { struct obj *o = arg; ` + work + ` return 0; }
int main(void) {
  pthread_t t[2];
  struct obj *o = make(3);
  ` + init + `
  for (int i = 0; i < 2; i++) if (pthread_create(&t[i], 0, worker, get(o))) abort();
  ` + after + `
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
`
}

const freeBoth = "free(o->name); free(o);"

// countingMore are more of these: what belongs to objects, and ways around the rule.
var countingMore = []countCase{
	{"with a name", named("o->name = strdup(\"a\");", "use(strlen(o->name)); drop(o);", "drop(o);", freeBoth), true},
	{"with a name, used after the drop", named("o->name = strdup(\"a\");", "char *s = o->name; drop(o); use(strlen(s));", "drop(o);", freeBoth), false},
	{"with a name, used before the drop", named("o->name = strdup(\"a\");", "char *s = o->name; use(strlen(s)); drop(o);", "drop(o);", freeBoth), true},
	{"with a name that is written while shared", named("o->name = strdup(\"a\");", "o->name[0] = 'b'; drop(o);", "drop(o);", freeBoth), false},
	{"with a name that is written before", named("o->name = strdup(\"a\"); o->name[0] = 'b';", "use(o->name[0]); drop(o);", "drop(o);", freeBoth), true},
	{"with a name that is written by a variable after", named("char *s = strdup(\"a\"); o->name = s;", "use(o->name[0]); drop(o);", "s[0] = 'b'; drop(o);", freeBoth), false},
	{"with a name that is kept elsewhere", named("o->name = strdup(\"a\"); kept = o->name;", "use(o->name[0]); drop(o); kept[0] = 'b';", "drop(o);", freeBoth), false},
	{"with a name that is freed by who is not the last one", named("o->name = strdup(\"a\");", "use(o->name[0]); free(o->name); drop(o);", "drop(o);", "free(o);"), false},
	{"with a name of two objects", named("struct obj *p = make(4); o->name = strdup(\"a\"); p->name = o->name;", "use(o->name[0]); drop(o);", "free(p->name); drop(o);", "free(o);"), false},
	{"with a name that is part of another one", named("o->name = strdup(\"a\");", "char *s = strchr(o->name, 'a'); drop(o); if (s) use(*s);", "drop(o);", freeBoth), false},
	{"with a name that is part of another one, in time", named("o->name = strdup(\"a\");", "char *s = strchr(o->name, 'a'); if (s) use(*s); drop(o);", "drop(o);", freeBoth), true},
	{"with a name that is replaced while shared", named("o->name = strdup(\"a\");", "char *s = o->name; o->name = strdup(\"b\"); free(s); drop(o);", "drop(o);", freeBoth), false},
	{"with a name, a copy of the struct is used after the drop", named("o->name = strdup(\"a\");", "struct obj c; memcpy(&c, o, sizeof c); drop(o); use(c.name[0]);", "drop(o);", freeBoth), false},
	{"with a name, by its address as a number", named("o->name = strdup(\"a\");", "unsigned long s = (unsigned long)o->name | 1; drop(o); use(*(char *)(s & ~1ul));", "drop(o);", freeBoth), false},

	{"two pointers", passing("struct obj *p = o; put(p); use(o->n);", "get(o)", "put(o);"), false},
	{"put where anybody finds it", `static struct obj *g;
static void *worker(void *arg) { struct obj *o = arg; g = o; use(o->n); put(o); return 0; }
static void *other(void *arg) { struct obj *o = g; if (o) use(o->n); return 0; }
int main(void) {
  pthread_t t[2];
  struct obj *o = make(3);
  if (pthread_create(&t[0], 0, worker, get(o)) || pthread_create(&t[1], 0, other, 0)) abort();
  put(o);
  pthread_join(t[0], 0), pthread_join(t[1], 0);
  return 0;
}`, false},
	{"put where anybody finds it, atomically", `static struct obj *_Atomic g;
static void *worker(void *arg) { struct obj *o = arg; g = o; use(o->n); put(o); return 0; }
static void *other(void *arg) { struct obj *o = g; if (o) { get(o); use(o->n); put(o); } return 0; }
int main(void) {
  pthread_t t[2];
  struct obj *o = make(3);
  if (pthread_create(&t[0], 0, worker, get(o)) || pthread_create(&t[1], 0, other, 0)) abort();
  put(o);
  pthread_join(t[0], 0), pthread_join(t[1], 0);
  return 0;
}`, false},
	{"filled while shared", passing("use(o->n); put(o);", "get(o)", "memset(o, 0, sizeof *o); put(o);"), false},
	{"counter filled while shared", passing("put(o);", "get(o)", "memset(&o->refs, 0, 4); put(o);"), false},
	{"a byte of the counter written while shared", passing("put(o);", "get(o)", "*(volatile char *)&o->refs = 1; put(o);"), false},
	{"an array of objects", `static void *worker(void *arg) { struct obj *o = arg; use(o[1].n); put(o); return 0; }
int main(void) {
  pthread_t t;
  struct obj *o = malloc(2 * sizeof *o);
  atomic_init(&o[0].refs, 2), atomic_init(&o[1].refs, 1);
  o[0].n = o[1].n = 0;
  if (pthread_create(&t, 0, worker, o)) abort();
  if (atomic_fetch_sub(&o[1].refs, 1) == 1) o[1].n = 5;
  pthread_join(t, 0);
  return 0;
}`, false},
	{"enlarged while shared", passing("use(o->n); put(o);", "get(o)", "o = realloc(o, 400); put(o);"), false},
	{"by way of compare and exchange", passing("int n = atomic_load(&o->refs); while (n && !atomic_compare_exchange_weak(&o->refs, &n, n + 1)) ; use(o->n); put(o); put(o);", "get(o)", "put(o);"), false},
	{"a thread ends with its reference", passing("use(o->n);", "get(o)", "put(o);"), false},
	{"a thread ends with its reference, by a function", passing("use(o->n); pthread_exit(0); put(o);", "get(o)", "put(o);"), false},
	{"used after all have ended", passing("use(o->n); put(o);", "get(o)", "use(o->n);"), true},
	{"a thread of a thread", `static void *inner(void *arg) { struct obj *o = arg; use(o->n); put(o); return 0; }
static void *outer(void *arg) { struct obj *o = arg; pthread_t t; if (pthread_create(&t, 0, inner, get(o))) abort(); use(o->n); put(o); pthread_join(t, 0); return 0; }
int main(void) { pthread_t t; struct obj *o = make(1); if (pthread_create(&t, 0, outer, o)) abort(); pthread_join(t, 0); return 0; }`, true},
	{"a thread of a thread, and used after the drop", `static void *inner(void *arg) { struct obj *o = arg; use(o->n); put(o); return 0; }
static void *outer(void *arg) { struct obj *o = arg; pthread_t t; if (pthread_create(&t, 0, inner, get(o))) abort(); put(o); use(o->n); pthread_join(t, 0); return 0; }
int main(void) { pthread_t t; struct obj *o = make(1); if (pthread_create(&t, 0, outer, o)) abort(); pthread_join(t, 0); return 0; }`, false},
	{"a callback of the library uses it", "static int later(const void *a, const void *b) { use((*(struct obj *const *)a)->n); return 0; }\n" + passing("struct obj *p[2] = {o, o}; put(o); qsort(p, 2, sizeof p[0], later);", "get(o)", "put(o);"), false},
	{"used at the end", `static struct obj *g;
static void last(void) { if (g) { use(g->n); free(g); } }
` + passing("g = o; use(o->n); put(o);", "get(o)", "atexit(last); put(o);"), false},
	{"a lock that is only tried", slotted("pthread_mutex_trylock(&slot.m); o = get(slot.now); UNLOCK use(o->n); put(o);", slotWrite), false},
	{"a lock that is tried", slotted("if (!pthread_mutex_trylock(&slot.m)) { o = get(slot.now); UNLOCK use(o->n); put(o); }", slotWrite), true},
	{"a lock that is begun anew", slotted("pthread_mutex_init(&slot.m, 0); "+slotRead, slotWrite), false},
	{"a lock that is written over", slotted("memset(&slot.m, 0, sizeof slot.m); "+slotRead, slotWrite), false},
	{"in two slots", slotted(slotRead, "static struct obj *second; LOCK old = slot.now; slot.now = o; struct obj *p = second; second = o; UNLOCK put(old); if (p) put(p);"), false},
	{"in two slots, counted twice", slotted(slotRead, "static struct obj *second; get(o); LOCK old = slot.now; slot.now = o; struct obj *p = second; second = o; UNLOCK put(old); if (p) put(p);"), true},
	{"a small counter", `struct tiny { _Atomic unsigned char refs; int n; };
static void drop(struct tiny *o) { if (atomic_fetch_sub(&o->refs, 1) == 1) free(o); }
static void *worker(void *arg) { struct tiny *o = arg; use(o->n); drop(o); return 0; }
int main(void) {
  struct tiny *o = malloc(sizeof *o);
  atomic_init(&o->refs, 1), o->n = 3;
  for (int i = 0; i < 300; i++) { pthread_t t; atomic_fetch_add(&o->refs, 1); if (pthread_create(&t, 0, worker, o)) abort(); }
  drop(o);
  return 0;
}`, false},
	{"a large counter", `struct wide { atomic_long n; int x; atomic_size_t refs; };
static void drop(struct wide *o) { if (1 == atomic_fetch_sub(&o->refs, 1)) { o->x = 0; free(o); } }
static void *worker(void *arg) { struct wide *o = arg; use(o->x); drop(o); return 0; }
int main(void) {
  struct wide *o = calloc(1, sizeof *o);
  o->refs++;
  for (int i = 0; i < 3; i++) { pthread_t t; atomic_fetch_add(&o->refs, 1); if (pthread_create(&t, 0, worker, o)) abort(); }
  drop(o);
  return 0;
}`, true},
	{"a large counter, not counted in the beginning", `struct wide { atomic_long n; int x; atomic_size_t refs; };
static void drop(struct wide *o) { if (1 == atomic_fetch_sub(&o->refs, 1)) { o->x = 0; free(o); } }
static void *worker(void *arg) { struct wide *o = arg; use(o->x); drop(o); return 0; }
int main(void) {
  struct wide *o = calloc(1, sizeof *o);
  for (int i = 0; i < 3; i++) { pthread_t t; atomic_fetch_add(&o->refs, 1); if (pthread_create(&t, 0, worker, o)) abort(); }
  drop(o);
  return 0;
}`, false},
	{"of two objects one", `static void *worker(void *arg) { struct obj *o = arg, *p = make(2); put(p); use(o->n); put(o); return 0; }
int main(void) { pthread_t t; struct obj *o = make(1); if (pthread_create(&t, 0, worker, get(o))) abort(); use(o->n); put(o); pthread_join(t, 0); return 0; }`, true},
	{"of two objects the other one", `static void *worker(void *arg) { struct obj *o = arg, *p = make(2); if (p->n) p = o; put(p); use(o->n); put(o); return 0; }
int main(void) { pthread_t t; struct obj *o = make(1); if (pthread_create(&t, 0, worker, get(o))) abort(); use(o->n); put(o); pthread_join(t, 0); return 0; }`, false},
}

// TestCountedMore has those proved that are right.
func TestCountedMore(t *testing.T) {
	for _, c := range countingMore {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 6)
			countingCase(t, c)
		})
	}
}
