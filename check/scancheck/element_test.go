package scancheck_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/scan"
	"comus/scan/certificate"
)

const elementProgram = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a, b; };
struct box { FIRST pthread_mutex_t m; int n; struct pair v[4]; short grid[3][5]; pthread_mutex_t other; int last[2]; }; struct old { pthread_mutex_t m; int n, one[1]; };
STORE
static void use(struct box *p, unsigned k) { BODY }
static void *run(void *arg) { for (unsigned i = 0; i < 9; i++) { WORK } return arg; }
int main(int argc, char **argv) {
  pthread_t t, u;
  int count = 4;
  ALLOCATE
  for (int i = 0; i < count; i++) { pthread_mutex_init(&boxes[i].m, 0); pthread_mutex_init(&boxes[i].other, 0); }
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, run, &t);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
`

// elements are uses of one box of an array of boxes, and whether no two threads race.
var elements = []struct {
	body, work string
	safe       bool
}{
	{"LOCK p->v[k % 4].a = 1; UNLOCK", "", true},
	{"LOCK if (p->n < 4) p->v[p->n++].b = p->v[k & 3].a; UNLOCK", "", true},
	{"LOCK struct pair x = p->v[k % 4]; p->v[3] = x; UNLOCK", "", true},
	{"struct pair *q = &p->v[k % 4]; LOCK q = &p->v[k % 3]; q->a++; q->b++; UNLOCK", "", true},
	{"LOCK p->grid[k % 3][k % 5] = 1; UNLOCK", "", true},
	{"LOCK p->last[k % 2] = 1; p->head[k % 2] = 1; UNLOCK", "", true},
	{"LOCK p->v[k % 4].a = 1; UNLOCK", "unsigned c = i % 4; struct box *p = &boxes[c]; LOCK struct pair x = {1, 2}; p->v[i & 1] = x; UNLOCK", true},
	{"LOCK p->v[k % 4].a = 1; UNLOCK", "struct box *p = &boxes[i % 2]; LOCK p->v[i % 4].a = 1; UNLOCK", true},
	{"p = &boxes[k * 5 % 4]; LOCK if (p->n < 4) p->v[p->n++].a = 1; else while (p->n > 0) p->v[--p->n].b = 2; UNLOCK", "", true},
	{"p = &boxes[k * 5 % 4]; LOCK if (k & 1) p = &boxes[k % 4]; p->v[k % 4].a = 1; pthread_mutex_unlock(&boxes[k * 5 % 4].m);", "", false},
	{"p = &boxes[k * 5 % 4]; LOCK while (k-- > 4) { p->v[k % 4].a = 1; p = &boxes[k % 4]; } UNLOCK", "", false},
	// The lock of another element, or another lock of it.
	{"LOCK p->v[k % 4].a = 1; p[1].v[k % 4].a = 1; UNLOCK", "use(&boxes[i % 3], i);", false},
	{"LOCK p[k % 2].v[k % 4].a = 1; UNLOCK", "use(&boxes[i % 3], i);", false},
	{"LOCK boxes[k * 7 % 4].v[k % 4].a = 1; UNLOCK", "", false},
	{"LOCK p->v[k % 4].a = 1; UNLOCK", "pthread_mutex_lock(&boxes[i % 4].other); boxes[i % 4].v[1].a = 1; pthread_mutex_unlock(&boxes[i % 4].other);", false},
	{"pthread_mutex_lock(&boxes[0].m); p->v[k % 4].a = 1; pthread_mutex_unlock(&boxes[0].m);", "if (arg) { struct box *p = &boxes[i % 4]; LOCK p->v[i % 4].a = 1; UNLOCK } else use(&boxes[i % 4], i);", false},
	{"LOCK ((struct old *)p)->one[k % 4] = 1; UNLOCK", "", false}, // old programs go on behind such a member
	// An address that was made before p led elsewhere.
	{"struct pair *q = &p->v[k % 4]; p = &boxes[k * 5 % 4]; LOCK q->a = 1; UNLOCK", "", false},
	{"LOCK struct box *q = p; p = &boxes[k * 5 % 4]; p->v[k % 4].a = 1; p = q; UNLOCK", "", false},
	// After the lock is given back, without it, and both for reading.
	{"LOCK p->n++; UNLOCK p->v[k % 4].a = 1;", "", false},
	{"if (k % 2) { LOCK p->v[k % 4].a = 1; UNLOCK } else p->v[k % 4].a = 1;", "", false},
	// More than the element.
	{"LOCK memset(p->v, 0, sizeof p->v + sizeof *p); UNLOCK", "use(&boxes[i % 3], i);", false},
	{"LOCK ((char *)p->v)[k * 77 % 600] = 1; UNLOCK", "use(&boxes[i % 2], i);", false},
	{"LOCK struct pair *q = p->v; q[k * 8].a = 1; UNLOCK", "use(&boxes[i % 2], i);", false},
	{"LOCK int *q = (int *)((char *)p + 40); q[k * 8 % 160] = 1; UNLOCK", "use(&boxes[i % 2], i);", false},
	{"LOCK struct box *q = (struct box *)((char *)&p->head[0]); q[k % 2].head[k % 2] = 1; UNLOCK", "use(&boxes[i % 3], i);", false},
}

// TestElements has arrays in elements of arrays, with a lock in each, and claims of all that is suspected that the lock of the element guards it.
func TestElements(t *testing.T) {
	stores := []struct{ store, allocate string }{
		{"static struct box *boxes;", "count += argc; boxes = calloc(count, sizeof *boxes); if (!boxes) return 1;"},
		{"static struct box boxes[4];", ""},
		{"static struct { int x; struct box in[4]; } all;\n#define boxes all.in", ""},
	}
	for i, e := range elements {
		st := stores[i%len(stores)]
		work := e.work
		if work == "" {
			work = "use(&boxes[i % 4], i);"
		}
		src := strings.NewReplacer("FIRST", "int head[2];", "STORE", st.store, "BODY", e.body, "WORK", work, "ALLOCATE", st.allocate).Replace(elementProgram)
		src = strings.NewReplacer("UNLOCK", "pthread_mutex_unlock(&p->m);", "LOCK", "pthread_mutex_lock(&p->m);").Replace(src)
		file := filepath.Join(t.TempDir(), "t.c")
		if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		s := load(t, file)
		r := s.check(t, s.res.Certificate)
		suspected := 0
		for i, l := range s.res.Locations {
			switch {
			case l.Why == scan.Suspected:
				suspected++
			case !r.Certified(i):
				t.Errorf("%s, %s: %s (%v) is not certified: %s", e.body, e.work, l.Name, l.Why, r.Wrong[i])
			}
		}
		if e.safe != (suspected == 0) {
			t.Errorf("%s, %s: %d suspected", e.body, e.work, suspected)
		}
		if !e.safe {
			forgeElements(t, s, fmt.Sprintf("%s, %s", e.body, e.work))
		}
	}
}

// forgeElements claims of all locks that are held that each is in the element that is accessed, or the object, and excludes all that is suspected.
func forgeElements(t *testing.T, s *scanned, what string) {
	for _, kind := range []string{certificate.Element, certificate.Object} {
		c := clone(t, s.res.Certificate)
		places := map[int64][]certificate.At{}
		var offs []int64
		for _, a := range c.Activations {
			for _, b := range a.Blocks {
				for _, l := range b.Held {
					for _, at := range l.At {
						if places[at.Off] == nil {
							offs = append(offs, at.Off)
						}
						places[at.Off] = []certificate.At{at}
					}
				}
			}
		}
		for i := range c.Locations {
			l := &c.Locations[i]
			for k := range l.Groups {
				for _, off := range offs {
					key := certificate.Key{Kind: kind, Name: certificate.Name{Off: off}}
					l.Groups[k].Locks = append(l.Groups[k].Locks, certificate.Held{Keys: []certificate.Key{key}, At: places[off]})
				}
			}
			for k, p := range l.Pairs {
				if p == certificate.Suspect {
					l.Pairs[k], l.Suspected = certificate.Locked, false
				}
			}
		}
		r := s.check(t, c)
		all := true
		for i := range c.Locations {
			all = all && r.Certified(i)
		}
		if all {
			t.Errorf("%s: that the lock is of the same %s is confirmed of all", what, kind)
		}
	}
}
