package scan_test

import (
	"slices"
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/scan"
)

// sentinel is a list under a lock, whose ends are a member beside the lock: what threads free may look like that member. LIST is what is in the list's struct before its end, K how many bytes are before the link of an element.
const sentinel = `#include <pthread.h>
#include <stdlib.h>
struct link { struct link *next, *prev; };
struct list { LIST struct link ends; int n; };
struct item { char pad[K]; struct link link; };
struct list *l;
static void put(void) {
	struct item *x = malloc(sizeof *x); if (!x) return;
	pthread_mutex_lock(&l->m);
	struct link *e = &x->link; e->next = l->ends.next; e->prev = &l->ends; l->ends.next->prev = e; l->ends.next = e;
	l->n++;
	pthread_mutex_unlock(&l->m);
}
static void get(void) {
	pthread_mutex_lock(&l->m);
	struct link *e = l->ends.prev;
	if (l->n > 0) { e->prev->next = e->next; e->next->prev = e->prev; free((char *)e - K); BEFORE l->n--; AFTER }
	pthread_mutex_unlock(&l->m);
}
static void *work(void *arg) { for (int i = 0; i < 9; i++) if (i % 2) put(); else get(); return 0; }
int main(void) {
	pthread_t t[3];
	l = malloc(sizeof *l); pthread_mutex_init(&l->m, 0); l->ends.next = l->ends.prev = &l->ends; l->n = 0;
	for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
	while (l->n > 0) get();
	free(l);
	return 0;
}
`

func sentinels(list, k, before, after string) string {
	s := strings.NewReplacer("LIST", list, "BEFORE", before, "AFTER", after).Replace(sentinel)
	return strings.ReplaceAll(s, "K]", k+"]")
}

// TestSentinels has lists whose ends are a member of an object with their lock. That what may be the ends is freed does not end the lock, as they are not the beginning of an allocation.
func TestSentinels(t *testing.T) {
	const lock, other = "pthread_mutex_t m;", "pthread_mutex_t m; long pad;"
	certified := map[string]*scan.Result{}
	for _, c := range []struct {
		name, list, k, before, after string
		free                         bool
	}{
		{"elements begin with their link", lock, "0", "", "", true},
		{"elements have it further behind", lock, "16", "", "", true},
		{"they have it where the list has its ends", lock, "40", "", "", false},
		{"they have it there, and the ends are further behind", other, "40", "", "", true},
		{"the lock is given back before", lock, "0", "pthread_mutex_unlock(&l->m);", "pthread_mutex_lock(&l->m);", false},
		{"the lock is given back behind it", lock, "0", "", "pthread_mutex_unlock(&l->m); l->n = 0; pthread_mutex_lock(&l->m);", false},
		{"the list is freed", lock, "0", "if (l->n == 3) free(l);", "", false},
		{"it is found by its ends and freed", lock, "0", "", "if (e == &l->ends) free((char *)e - 40);", false},
	} {
		src := strings.ReplaceAll(sentinels(c.list, c.k, c.before, c.after), "e - K", "e - "+c.k)
		p := load(t, text(t, src)).Program
		r, err := scan.Analyse(t.Context(), p, nil, scan.Options{Certificate: true})
		if err != nil {
			t.Fatal(err)
		}
		certified[c.name] = r
		rep, err := scancheck.Check(t.Context(), p, r.Points, r.Certificate)
		if err != nil {
			t.Fatal(err)
		}
		_, suspects := r.RaceFree()
		if all := !slices.ContainsFunc(rep.Wrong, func(s string) bool { return s != "" }); (suspects == 0) != c.free || all != c.free {
			t.Errorf("%s: %d suspects, certified: %v %q", c.name, suspects, all, rep.Wrong)
		}
		if c.k != "40" || c.list != lock {
			continue
		}
		// What is claimed if the lock stays is refused where it may not.
		rep, err = scancheck.Check(t.Context(), p, r.Points, certified["elements have it further behind"].Certificate)
		if err != nil || !slices.ContainsFunc(rep.Refused, func(s string) bool { return strings.Contains(s, "held at block") }) {
			t.Error("it is certified that a lock is held that may have been freed")
		}
	}
}
