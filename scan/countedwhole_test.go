package scan_test

import (
	"strings"
	"testing"

	"comus/internal/long"
)

// session counts by functions that know nothing of the object, and call back who frees it.
const session = `struct kref { atomic_uint count; };
static void kref_get(struct kref *k) { atomic_fetch_add_explicit(&k->count, 1, memory_order_relaxed); }
static int kref_put(struct kref *k, void (*release)(struct kref *)) {
  if (atomic_fetch_sub_explicit(&k->count, 1, memory_order_acq_rel) == 1) { release(k); return 1; }
  return 0;
}
struct session { int id; char *user; struct kref ref; };
static void session_release(struct kref *k) {
  struct session *s = (struct session *)((char *)k - __builtin_offsetof(struct session, ref));
  free(s->user);
  free(s);
}
static void *serve(void *arg) {
  struct session *s = arg;
  printf("%d %s\n", s->id, s->user);
  kref_put(&s->ref, session_release);
  return 0;
}
int main(void) {
  pthread_t t[3];
  struct session *s = calloc(1, sizeof *s);
  if (!s) return 1;
  s->user = strdup("joe");
  if (!s->user) { free(s); return 1; }
  atomic_init(&s->ref.count, 1);
  for (int i = 0; i < 3; i++) {
    kref_get(&s->ref);
    if (pthread_create(&t[i], 0, serve, s)) { kref_put(&s->ref, session_release); exit(1); }
  }
  printf("%s\n", s->user);
  kref_put(&s->ref, session_release);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
`

// tables has one lock for the current table and all counters.
const tables = `struct table { int nrefs; int size; int *data; };
static struct table *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table *acquire(void) {
  struct table *t;
  pthread_mutex_lock(&lock);
  t = current;
  if (t) t->nrefs++;
  pthread_mutex_unlock(&lock);
  return t;
}
static void release(struct table *t) {
  int left;
  if (!t) return;
  pthread_mutex_lock(&lock);
  left = --t->nrefs;
  pthread_mutex_unlock(&lock);
  if (left == 0) { free(t->data); free(t); }
}
static void install(struct table *t) {
  struct table *old;
  pthread_mutex_lock(&lock);
  old = current;
  current = t;
  pthread_mutex_unlock(&lock);
  release(old);
}
static struct table *build(int size) {
  struct table *t = malloc(sizeof *t);
  if (!t) return 0;
  t->data = malloc(size * sizeof *t->data);
  if (!t->data) { free(t); return 0; }
  for (int i = 0; i < size; i++) t->data[i] = i * i;
  t->size = size;
  t->nrefs = 1;
  return t;
}
static void *reader(void *arg) {
  for (int i = 0; i < 100; i++) {
    struct table *t = acquire();
    if (!t) continue;
    for (int k = 0; k < t->size; k++) use(t->data[k]);
    release(t);
  }
  return 0;
}
static void *updater(void *arg) {
  for (int i = 1; i < 10; i++) { struct table *t = build(i * 10); if (t) install(t); }
  return 0;
}
int main(void) {
  pthread_t r[4], u;
  install(build(5));
  for (int i = 0; i < 4; i++) pthread_create(&r[i], 0, reader, 0);
  pthread_create(&u, 0, updater, 0);
  for (int i = 0; i < 4; i++) pthread_join(r[i], 0);
  pthread_join(u, 0);
  install(0);
  return 0;
}
`

// TestCountedWhole has whole programs proved, and none in which something is changed that matters.
func TestCountedWhole(t *testing.T) {
	for _, c := range []struct {
		name, src, old, by string
		proved             bool
	}{
		{"session", session, "", "", true},
		{"session, used after the drop", session, "  kref_put(&s->ref, session_release);\n  return 0;\n}\nint main", "  kref_put(&s->ref, session_release);\n  printf(\"%s\", s->user);\n  return 0;\n}\nint main", false},
		{"session, main uses it after the drop", session, "  printf(\"%s\\n\", s->user);\n  kref_put(&s->ref, session_release);", "  kref_put(&s->ref, session_release);\n  printf(\"%s\\n\", s->user);", false},
		{"session, released at 2", session, "== 1)", "== 2)", false},
		{"session, not taken", session, "    kref_get(&s->ref);\n", "", false},
		{"session, taken by the thread", session, "  struct session *s = arg;", "  struct session *s = arg; kref_get(&s->ref); kref_put(&s->ref, session_release);", true},
		{"session, the name is freed early", session, "  printf(\"%d %s\\n\", s->id, s->user);", "  free(s->user);", false},
		{"session, the name is cleared", session, "  printf(\"%s\\n\", s->user);", "  s->user = 0;", false},
		{"session, the number is set late", session, "  printf(\"%s\\n\", s->user);", "  s->id = 3;", false},
		{"session, the number is set early", session, "  atomic_init(", "  s->id = 3; atomic_init(", true},
		{"tables", tables, "", "", true},
		{"tables, counted without the lock", tables, "  if (t) t->nrefs++;\n  pthread_mutex_unlock(&lock);", "  pthread_mutex_unlock(&lock);\n  if (t) t->nrefs++;", false},
		{"tables, counted in another section", tables, "  if (t) t->nrefs++;\n  pthread_mutex_unlock(&lock);", "  pthread_mutex_unlock(&lock);\n  pthread_mutex_lock(&lock);\n  if (t) t->nrefs++;\n  pthread_mutex_unlock(&lock);", false},
		{"tables, not counted", tables, "  if (t) t->nrefs++;\n", "", false},
		{"tables, freed at 1", tables, "left == 0", "left <= 1", false},
		{"tables, freed by another counter", tables, "left = --t->nrefs;", "left = 0;", false},
		{"tables, the old one is kept", tables, "  release(old);\n", "", false}, // right, but not proved: it is a leak
		{"tables, the new one is dropped, too", tables, "  release(old);\n", "  release(old); if (t) release(t);\n", false},
		{"tables, filled after the installation", tables, "if (t) install(t);", "if (t) { install(t); t->data[0] = 1; }", false},
		{"tables, filled by a reader", tables, "use(t->data[k])", "t->data[k] = 0", false},
		{"tables, used after the release", tables, "    release(t);\n", "    release(t); use(t->size);\n", false},
		{"tables, installed without the lock", tables, "  pthread_mutex_lock(&lock);\n  old = current;\n  current = t;\n  pthread_mutex_unlock(&lock);", "  old = current;\n  current = t;", false},
		{"tables, begins with no reference", tables, "t->nrefs = 1", "t->nrefs = 0", false},
		{"tables, begins with two references", tables, "t->nrefs = 1", "t->nrefs = 2", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 6)
			if c.old != "" && strings.Count(c.src, c.old) != 1 {
				t.Fatal("there is no such place in the program, or several")
			}
			src := c.src
			if c.old != "" {
				src = strings.Replace(src, c.old, c.by, 1)
			}
			countingCase(t, countCase{c.name, src, c.proved})
		})
	}
}
