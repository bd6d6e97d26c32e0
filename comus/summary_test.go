package comus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/comus/engine"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/resourceinv"
	"comus/simulate"
)

// heapTop begins the programs of these tests.
const heapTop = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m;
`

// heapMain starts a thread of each function twice.
const heapMain = `
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, put, 0);
  pthread_create(&t, 0, get, 0);
  pthread_create(&t, 0, put, 0);
  pthread_create(&t, 0, get, 0);
  return 0;
}
`

// heaps are programs with any number of objects: what they put in, which decides whether they are safe, is a parameter.
var heaps = map[string]string{
	"list": `struct node { int v; struct node *next; } *head;
void *put(void *a) { for (;;) { struct node *n = malloc(sizeof *n); n->v = VALUE; pthread_mutex_lock(&m); n->next = head; head = n; pthread_mutex_unlock(&m); } }
void *get(void *a) { for (;;) { pthread_mutex_lock(&m); struct node *n = head; if (n) head = n->next; pthread_mutex_unlock(&m); if (n) { assert(n->v > 2); free(n); } } }`,
	"queue": `struct item { struct item *link; long key; } *first, *last;
void *put(void *a) {
  for (;;) {
    struct item *i = malloc(sizeof *i);
    i->key = VALUE; i->link = 0;
    pthread_mutex_lock(&m);
    if (last) last->link = i; else first = i;
    last = i;
    pthread_mutex_unlock(&m);
  }
}
void *get(void *a) {
  for (;;) {
    pthread_mutex_lock(&m);
    struct item *i = first;
    if (i) { first = i->link; if (!first) last = 0; }
    pthread_mutex_unlock(&m);
    if (i) { assert(i->key > 2); free(i); }
  }
}`,
	"treiber": `struct cell { struct cell *below; int val; };
_Atomic(struct cell *) top;
void *put(void *a) {
  for (;;) {
    struct cell *c = malloc(sizeof *c);
    c->val = VALUE;
    struct cell *old = top;
    do c->below = old; while (!atomic_compare_exchange_weak(&top, &old, c));
  }
}
void *get(void *a) {
  for (;;) {
    struct cell *c = top;
    while (c && !atomic_compare_exchange_weak(&top, &c, c->below)) ;
    if (c) assert(c->val > 2);
  }
}`,
	"walk": `struct node { int v; struct node *next; } *head;
void *put(void *a) { for (;;) { struct node *n = malloc(sizeof *n); n->v = VALUE; pthread_mutex_lock(&m); n->next = head; head = n; pthread_mutex_unlock(&m); } }
void *get(void *a) { for (;;) { pthread_mutex_lock(&m); for (struct node *p = head; p; p = p->next) { assert(p->v > 2); if (p->v < 50) p->v++; } pthread_mutex_unlock(&m); } }`,
	"slot": `struct box { int v; };
_Atomic(struct box *) slot;
void *put(void *a) { for (;;) { struct box *b = malloc(sizeof *b); b->v = -1; b->v = VALUE; slot = b; } }
void *get(void *a) { for (;;) { struct box *b = slot; if (b) assert(b->v > 2); } }`,
	"stage": `struct in { int v; struct in *next; } *ins;
struct out { struct out *next; int w; } *outs;
void *put(void *a) {
  for (;;) {
    struct in *i = malloc(sizeof *i); i->v = VALUE;
    pthread_mutex_lock(&m); i->next = ins; ins = i; pthread_mutex_unlock(&m);
  }
}
void *get(void *a) {
  for (;;) {
    pthread_mutex_lock(&m); struct in *i = ins; if (i) ins = i->next; pthread_mutex_unlock(&m);
    if (i) {
      struct out *o = malloc(sizeof *o); o->w = i->v; free(i);
      pthread_mutex_lock(&m); o->next = outs; outs = o; pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m); struct out *o = outs; if (o) outs = o->next; pthread_mutex_unlock(&m);
    if (o) { assert(o->w > 2); free(o); }
  }
}`,
}

// TestSummaries proves programs with any number of objects, and not their twins that fail: these have a violation within bounds.
func TestSummaries(t *testing.T) {
	for name, text := range heaps {
		t.Run(name, func(t *testing.T) {
			long.OneOf(t, 4)
			file := source(t, heapTop+strings.ReplaceAll(text, "VALUE", "3 + (__VERIFIER_nondet_int() & 7)")+heapMain)
			p := template(t, file)
			proof, _, err := resourceinv.Prove(t.Context(), hclog.NewNullLogger(), resourceinv.Options{}, p)
			if err != nil {
				t.Fatal(err)
			}
			if err := check.Parametric(t.Context(), p, safeBy(proof)); err != nil {
				t.Error(err)
			}
			file = source(t, heapTop+strings.ReplaceAll(text, "VALUE", "2 + (__VERIFIER_nondet_int() & 7)")+heapMain)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			if _, _, err := resourceinv.Prove(ctx, hclog.NewNullLogger(), resourceinv.Options{}, template(t, file)); err == nil {
				t.Error("the broken program is proved")
			}
			sim, err := simulate.New(csource.Program(t, "p.c", heapTop+strings.ReplaceAll(text, "VALUE", "2 + (__VERIFIER_nondet_int() & 1)")+heapMain, csource.Options{}))
			if err != nil {
				t.Fatal(err)
			}
			if sim.Search(t.Context(), simulate.Limits{Time: time.Minute}) == nil {
				t.Error("the broken program does not fail")
			}
		})
	}
}

// traps fail, each by what only one of the rules about summaries tells: that what was there may come back, that a stored pointer shares
// its object, that an access of an atomic section may not see the object of the one before, and so on.
var traps = map[string]string{
	"an older object": `struct n { int v; struct n *next; } *a, *b;
void *get(void *x) { struct n *p = a; if (p) assert(p->v == 1); return 0; }
int main(void) { pthread_t t; for (;;) { struct n *p = malloc(sizeof *p); p->v = __VERIFIER_nondet_bool() ? 3 : 1; if (p->v == 3) a = p; else { b = p; break; } } pthread_create(&t, 0, get, 0); return 0; }`,
	"two in an atomic section": `struct n { int v; } *a, *b;
void *put(void *x) { for (int k = 0; ; k ^= 1) { struct n *p = malloc(sizeof *p); p->v = k; if (k) a = p; else b = p; } }
void *get(void *x) { int i = 0, j = 0; __VERIFIER_atomic_begin(); if (a && b) { i = a->v; j = b->v; } __VERIFIER_atomic_end(); assert(i == j); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, put, 0); pthread_create(&t, 0, get, 0); return 0; }`,
	"two in a loop of an atomic section": `struct n { int v; struct n *next; } *a;
void *put(void *x) { for (int k = 0; ; k ^= 1) { struct n *p = malloc(sizeof *p); p->v = k; p->next = a; a = p; } }
void *get(void *x) { int s = 0, n = 0; __VERIFIER_atomic_begin(); for (struct n *p = a; p; p = p->next) { s += p->v; n++; } __VERIFIER_atomic_end(); assert(n < 2 || s != 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, put, 0); pthread_create(&t, 0, get, 0); return 0; }`,
	"shared by a pointer into it": `struct n { int u, v; }; _Atomic(int *) a;
void *put(void *x) { for (;;) { struct n *p = malloc(sizeof *p); p->v = 1; a = &p->v; p->v = 2; p->v = 1; a = 0; } }
void *get(void *x) { int *i = a; if (i) assert(*i == 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, put, 0); pthread_create(&t, 0, get, 0); return 0; }`,
	"shared as a part of a struct": `struct n { int v; }; struct h { struct n *p; int k; } a;
void *put(void *x) { for (;;) { struct n *p = malloc(sizeof *p); p->v = 1; struct h l = {p, 1}; a = l; while (__VERIFIER_nondet_bool()) ; p->v = 2; p->v = 1; a.p = 0; } }
void *get(void *x) { struct n *p = a.p; if (p) assert(p->v == 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, put, 0); pthread_create(&t, 0, get, 0); return 0; }`,
	"shared as an argument": `struct n { int v; };
void *get(void *x) { struct n *p = x; assert(p->v == 1); return 0; }
int main(void) { pthread_t t; for (;;) { struct n *p = malloc(sizeof *p); p->v = 1; pthread_create(&t, 0, get, p); p->v = 2; p->v = 1; } }`,
	"shared as a number": `struct n { int v; }; long a;
void *put(void *x) { for (;;) { struct n *p = malloc(sizeof *p); p->v = 1; a = (long)p + 1; p->v = 2; p->v = 1; a = 0; } }
void *get(void *x) { long i = a; if (i) { struct n *p = (struct n *)(i - 1); assert(p->v == 1); } return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, put, 0); pthread_create(&t, 0, get, 0); return 0; }`,
	"the one before the newest": `struct n { int v; };
void *put(void *x) { struct n *old = 0; for (;;) { struct n *p = malloc(sizeof *p); p->v = 1; if (old) { old->v = 2; assert(old->v != 2); } old = p; } }
int main(void) { pthread_t t; pthread_create(&t, 0, put, 0); return 0; }`,
	"written by memcpy": `struct n { int v; struct n *next; } *a;
void *put(void *x) { struct n l = {2, 0}; for (;;) { struct n *p = malloc(sizeof *p); p->v = 1; p->next = 0; a = p; *p = l; } }
void *get(void *x) { struct n *p = a; if (p) assert(p->v == 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, put, 0); pthread_create(&t, 0, get, 0); return 0; }`,
	"one of two fields": `struct n { int u, v; } *a;
void *put(void *x) { for (;;) { struct n *p = malloc(sizeof *p); p->u = 1; p->v = 1; a = p; int *i = __VERIFIER_nondet_bool() ? &p->u : &p->v; *i = 2; } }
void *get(void *x) { struct n *p = a; if (p) assert(p->v == 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, put, 0); pthread_create(&t, 0, get, 0); return 0; }`,
	"the object found is shared": `struct n { int v; struct n *next; } *a;
void *put(void *x) { for (;;) { struct n *p = malloc(sizeof *p); p->v = 1; p->next = a; a = p; if (p->next) p->next->v = 2; } }
void *get(void *x) { struct n *p = a; if (p && p->next) assert(p->next->v == 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, put, 0); pthread_create(&t, 0, get, 0); return 0; }`,
}

// TestSummaryTraps does not prove programs that fail.
func TestSummaryTraps(t *testing.T) {
	for name, text := range traps {
		t.Run(name, func(t *testing.T) {
			long.OneOf(t, 3)
			p := template(t, source(t, heapTop+text))
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			if _, _, err := resourceinv.Prove(ctx, hclog.NewNullLogger(), resourceinv.Options{}, p); err == nil {
				t.Errorf("it is proved:\n%s", p)
			}
			sim, err := simulate.New(csource.Program(t, "p.c", heapTop+text, csource.Options{MaxAllocs: 4}))
			if err != nil {
				t.Fatal(err)
			}
			if sim.Search(t.Context(), simulate.Limits{Time: 30 * time.Second}) == nil {
				t.Error("it does not fail")
			}
		})
	}
}

// safeBy returns the certificate of a proof.
func safeBy(proof *resourceinv.Proof) *check.Certificate {
	cert := engine.ResourceCertificate(proof, true)
	cert.Format, cert.Version, cert.Verdict = check.Format, check.Version, "SAFE"
	return cert
}

// heapText returns a random program whose threads make objects, hand them on and look at them.
func heapText(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 11))
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	k := func() string { return pick("1", "1", "2", "3") }
	p := func() string { return pick("p", "p", "q") }
	fresh := func() string {
		x := p()
		s := fmt.Sprintf("%s = malloc(sizeof *%s); ", x, x)
		if r.IntN(4) == 0 {
			return s + fmt.Sprintf("%s->n = g; %s->v = %s; ", x, x, k())
		}
		return s + fmt.Sprintf("%s->v = %s; %s->n = %s; ", x, k(), x, pick("0", "0", "g", "h", "p", "q"))
	}
	var statement func() string
	statement = func() string {
		x := p()
		switch r.IntN(17) {
		case 0, 1, 2:
			return fresh()
		case 3, 4, 5:
			return fmt.Sprintf("%s = %s; ", pick("g", "g", "h"), pick(p(), p(), "0"))
		case 6, 7, 8:
			return fmt.Sprintf("%s = %s; ", x, pick("g", "h", "g", "p", "q", "0"))
		case 9:
			return fmt.Sprintf("if (%s) %s = %s->n; ", x, pick("p", "q", "g"), x)
		case 10:
			return fmt.Sprintf("if (%s) %s->n = %s; ", x, x, pick("p", "q", "g", "0"))
		case 11:
			return fmt.Sprintf("if (%s) %s->v = %s; ", x, x, k())
		case 12:
			return pick("i = 0; if (p) i = &p->v; if (i) *i = "+k()+"; ", "if (p) { l = &p->v; } ", "i = l; if (i) *i = "+k()+"; ", "w = p; q = *&w; ",
				"s.n = p; o = s; q = o.n; ", "if (p && q) *p = *q; ", "if (p) s = *p; ")
		case 13:
			return "pthread_mutex_lock(&m); " + statement() + statement() + "pthread_mutex_unlock(&m); "
		case 14:
			return "__VERIFIER_atomic_begin(); " + statement() + statement() + "__VERIFIER_atomic_end(); "
		}
		return fmt.Sprintf("if (%s) assert(%s->v %s); ", x, x, pick("<= 2", "!= 3", "!= 2", "== 1", "<= 3", "!= 0"))
	}
	var b strings.Builder
	b.WriteString(heapTop + "struct node { signed char v; struct node *n; } *g, *h; signed char *l;\n")
	for i := range 2 {
		fmt.Fprintf(&b, "void *f%d(void *a) { struct node *p = 0, *q = 0, *w, s = {1, 0}, o; signed char *i;\n  while (__VERIFIER_nondet_bool()) { ", i)
		if i == 0 || r.IntN(3) == 0 {
			b.WriteString(fresh())
		}
		for range 1 + r.IntN(3) {
			b.WriteString(statement())
		}
		b.WriteString(pick("g = p; ", "pthread_mutex_lock(&m); if (p) p->n = g; g = p; pthread_mutex_unlock(&m); ", "h = q; ", "if (p) l = &p->v; ", ""))
		for range 1 + r.IntN(3) {
			b.WriteString(statement())
		}
		b.WriteString(pick("p = g; ", "q = g; if (q) p = q->n; ", "p = h; ", "") + "if (p) assert(p->v " + pick("<= 2", "!= 3", "!= 2", "== 1", "<= 3") + "); ")
		b.WriteString("}\n  return 0; }\n")
	}
	fmt.Fprintf(&b, "int main(void) { pthread_t t; struct node *p = 0, *q = 0;\n%s  pthread_create(&t, 0, f0, 0); pthread_create(&t, 0, f1, 0); return 0; }\n", pick("", "", "p = malloc(sizeof *p); p->v = 1; p->n = 0; g = p;\n"))
	return b.String()
}

// TestSummaryRandom proves random programs with any number of objects: none that is proved fails within bounds. More:
// COMUS_EVERY=2000, from COMUS_SEED.
func TestSummaryRandom(t *testing.T) {
	long.Only(t)
	seeds, _ := randomSeeds(8)
	proofs, unsafe, kept := 0, 0, 0
	for _, seed := range seeds {
		text := heapText(seed)
		file := source(t, text)
		p := template(t, file)
		if len(p.Replicated()) > 0 {
			kept++
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		proof, _, err := resourceinv.Prove(ctx, hclog.NewNullLogger(), resourceinv.Options{}, p)
		cancel()
		if err == nil {
			proofs++
			if err := check.Parametric(t.Context(), p, safeBy(proof)); err != nil {
				t.Errorf("seed %d: the proof is not confirmed: %v\n%s", seed, err, text)
			}
		}
		sim, errSim := simulate.New(csource.Program(t, "p.c", text, csource.Options{MaxAllocs: 4}))
		if errSim != nil {
			t.Fatal(errSim)
		}
		if sim.Search(t.Context(), simulate.Limits{Time: time.Second, Runs: 20_000}) != nil {
			unsafe++
			if err == nil {
				t.Errorf("seed %d: proved, but fails\n%s", seed, text)
			}
		}
	}
	t.Logf("%d programs, %d with summaries: %d can fail, %d proofs", len(seeds), kept, unsafe, proofs)
}
