package scan_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/pointsto"
)

// TestRandomCertificates checks the certificates of random programs: nothing with suspects is certified, and most of the rest is.
func TestRandomCertificates(t *testing.T) {
	free, certified := 0, 0
	var analysing, checking time.Duration
	for seed := range uint64(20) {
		if !long.Turn(int(seed), 5) {
			continue
		}
		p := load(t, text(t, randomProgram(seed))).Program
		pts, err := pointsto.AnalyseOpen(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		r, err := scan.Analyse(context.Background(), p, pts, scan.Options{Certificate: true})
		if err != nil {
			t.Fatal(err)
		}
		analysing += time.Since(start)
		start = time.Now()
		rep, err := scancheck.Check(context.Background(), p, pts, r.Certificate)
		if err != nil {
			t.Fatal(err)
		}
		checking += time.Since(start)
		for i, l := range r.Locations {
			switch {
			case l.Why == scan.Suspected && rep.Certified(i):
				t.Errorf("seed %d: %s is certified, but has suspects", seed, l.Name)
			case l.Why != scan.Suspected:
				free++
				if rep.Certified(i) {
					certified++
				} else {
					t.Logf("seed %d: %s (%v): %s", seed, l.Name, l.Why, rep.Wrong[i])
				}
			}
		}
	}
	t.Logf("of %d locations that are race-free %d are certified; analysed in %v, checked in %v", free, certified, analysing, checking)
	if certified < free/2 {
		t.Errorf("of %d locations that are race-free only %d are certified", free, certified)
	}
}

// TestAddresses has programs in which it matters what an address may be, or how it gets known, each beside one that differs by that.
func TestAddresses(t *testing.T) {
	exchange := `#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
struct node { int v; };
struct node *_Atomic head;
void *f(void *arg) {
  struct node *p = malloc(sizeof *p);
  p->v = 3;
  atomic_exchange_explicit(&head, p, ORDER);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  struct node *p = atomic_load_explicit(&head, memory_order_acquire);
  int r = p ? p->v : 0;
  pthread_join(t, 0);
  return r;
}
`
	copied := `#include <pthread.h>
#include <string.h>
struct message { MEMBERS } g, h;
unsigned long size = 12;
void *f(void *arg) {
  memcpy(TO, &h, size);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int r = g.n;
  pthread_join(t, 0);
  return r;
}
`
	for _, c := range []struct {
		name, src string
		put       []string
		free      bool
	}{
		{"published by an exchange that releases", exchange, []string{"ORDER", "memory_order_acq_rel"}, true},
		{"published by an exchange that only acquires", exchange, []string{"ORDER", "memory_order_acquire"}, false},
		{"a copy to a member", copied, []string{"MEMBERS", "int n; char name[8];", "TO", "g.name"}, true},
		{"a copy to a struct that begins with an array", copied, []string{"MEMBERS", "char name[8]; int n;", "TO", "&g"}, false},
	} {
		r := analyse(t, load(t, text(t, strings.NewReplacer(c.put...).Replace(c.src))).Program)
		if _, suspects := r.RaceFree(); (suspects == 0) != c.free {
			t.Errorf("%s: %d suspects", c.name, suspects)
		}
	}
}
