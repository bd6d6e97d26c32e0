package scan_test

import (
	"slices"
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// again are programs that compute the address of an element once for its lock, and once more for what it guards. The second of a pair differs in that it is not the same address.
var again = []pair{
	{"local", "unsigned b = k % N; L(t->b[b]); t->b[b].v++; U(t->b[b]);", "unsigned b = k % N; L(t->b[b]); b = (b + 1) % N; t->b[b].v++; U(t->b[b]);"},
	{"parameter", "k %= N; L(t->b[k]); t->b[k].v++; U(t->b[k]);", "k %= N; L(t->b[k]); k = k ? k - 1 : 0; t->b[k].v++; U(t->b[k]);"},
	{"constant", "L(tab.b[3]); tab.b[3].v++; U(tab.b[3]);", "L(tab.b[k % 2]); tab.b[3].v++; U(tab.b[k % 2]);"},
	{"global", "int b = (int)(k % N); L(tab.b[b]); tab.b[b].v++; U(tab.b[b]);", "int b = (int)(k % N); L(tab.b[b]); tab.b[N - 1 - b].v++; U(tab.b[b]);"},
	{"another table", "unsigned long b = k % N; t = k & 64 ? &tab : &other; L(t->b[b]); t->b[b].v++; U(t->b[b]);",
		"unsigned long b = k % N; t = k & 64 ? &tab : &other; L(t->b[b]); t = &other; t->b[b].v++; U(tab.b[b]); U(other.b[b]);"},
	{"behind a branch", "unsigned b = k % N; L(t->b[b]); if (k > 20) x++; t->b[b].v += x; U(t->b[b]);", "unsigned b = k % N; L(t->b[b]); if (k > 20) b = 2; t->b[b].v += x; U(t->b[b]);"},
	{"in a branch", "unsigned b = k % N; L(t->b[b]); if (k > 20) t->b[b].v++; else t->b[b].v--; U(t->b[b]);", "unsigned b = k % N; L(t->b[b]); if (k > 20) b /= 2; else t->b[b].v--; if (k > 20) t->b[b].v++; U(t->b[b]);"},
	{"next one", "int b = (int)(k % (N - 1)); L(t->b[b + 1]); t->b[b + 1].v++; U(t->b[b + 1]);", "int b = (int)(k % (N - 1)); L(t->b[b + 1]); t->b[k % 2].v++; U(t->b[b + 1]);"},
	{"next one in between", "int b = (int)(k % (N - 1)); L(t->b[b + 1]); t->b[b + 1].v++; U(t->b[b + 1]);", "int b = (int)(k % (N - 1)); L(t->b[b + 1]); if (k > 20) b = 0; t->b[b + 1].v++; U(t->b[b + 1]);"},
	{"converted", "int b = (int)(k % N); L(t->b[(unsigned long)b]); t->b[(unsigned long)b].v++; U(t->b[(unsigned long)b]);", "int b = (int)(k % N); L(t->b[(unsigned long)b / 2]); t->b[(unsigned long)b].v++; U(t->b[(unsigned long)b / 2]);"},
	{"chosen", "unsigned b = k & 8 ? 1 : 2; L(t->b[b]); t->b[b].v++; U(t->b[b]);",
		"for (int r = 0; r < 2; r++) { unsigned b = r ? 3 : k % 3; if (!r) L(t->b[b]); t->b[b].v++; } U(t->b[k % 3]);"},
	{"counted on the way", "unsigned b = k % N; L(t->b[b]); t->b[b].v++; U(t->b[b]); b++;", "unsigned b = k % (N - 1); L(t->b[b++]); if (k > 20) b = 0; t->b[b].v++; U(t->b[k % (N - 1)]);"},
	{"in a loop", "for (unsigned i = 0; i < N; i++) { L(t->b[i]); t->b[i].v++; U(t->b[i]); }", "L(t->b[0]); for (unsigned i = 0; i < N; i++) t->b[i].v++; U(t->b[0]);"},
	{"loop inside", "unsigned b = k % N; L(t->b[b]); for (int i = 0; i < 3; i++) t->b[b].v++; U(t->b[b]);", "unsigned b = k % N; L(t->b[b]); for (int i = 0; i < 3; i++) { t->b[b].v++; b = (b + 1) % N; } U(t->b[b]);"},
	{"turn before", "for (unsigned i = 1; i < N; i++) { L(t->b[i]); t->b[i].v++; U(t->b[i]); }", "for (unsigned i = 1; i < N; i++) { L(t->b[i]); t->b[i - 1].v++; U(t->b[i]); }"},
	{"kept from a turn", "for (unsigned i = 0; i < N; i++) { struct e *p = &t->b[i]; L(*p); t->b[i].v++; U(t->b[i]); }",
		"struct e *p = &t->b[0]; for (unsigned i = 0; i < N; i++) { L(*p); t->b[i].v++; U(*p); p = &t->b[i]; }"},
	{"narrow", "unsigned b = k % N; L(t->b[b]); t->b[b].v++; U(t->b[b]);", "unsigned b = k % N; L(t->b[(unsigned char)(b * 64) / 64]); t->b[b].v++; U(t->b[b]);"},
	{"address taken", "unsigned b = k % N; L(t->b[b]); t->b[b].v++; U(t->b[b]); change(&x);", "unsigned b = k % N; L(t->b[b]); change(&b); t->b[b % N].v++; U(t->b[b % N]);"},
	{"others change it", "unsigned b = shared % N; L(t->b[b]); t->b[b].v++; U(t->b[b]);", "L(t->b[shared % N]); t->b[shared % N].v++; U(t->b[shared % N]);"},
	{"reading", "unsigned b = k % N; L(t->b[b]); long y = t->b[b].v; t->b[b].v = y + 1; U(t->b[b]);", "unsigned b = k % N; L(t->b[b]); long y = t->b[b].v; U(t->b[b]); t->b[b].v = y + 1;"},
	{"constant in a local", "int b = 3; L(t->b[b]); t->b[b].v++; U(t->b[b]);", "int b = 3; L(t->b[b]); if (k > 20) b = 2; t->b[b].v++; U(t->b[3]);"},
	{"jumps", "unsigned b = k % N; int n = 0; again: L(t->b[b]); t->b[b].v++; U(t->b[b]); if (n++ < 3) goto again;", "unsigned b = k % N; int n = 0; L(t->b[b]); again: t->b[b].v++; b = (b + 1) % N; if (n++ < 3) goto again; U(t->b[b]);"},
	{"switch", "unsigned b = k % N; L(t->b[b]); switch (k & 3) { case 0: x++; case 1: t->b[b].v++; break; default: t->b[b].v = 2; } U(t->b[b]);",
		"unsigned b = k % N; L(t->b[b]); switch (k & 3) { case 0: b = 5; case 1: t->b[b].v++; break; default: t->b[b].v = 2; } U(t->b[b]);"},
}

func againProgram(work string) string {
	return `#include <pthread.h>
enum { N = 8 };
struct e { pthread_mutex_t m; long v; };
struct table { struct e b[N]; } tab, other;
unsigned shared;
#define L(e) pthread_mutex_lock(&(e).m)
#define U(e) pthread_mutex_unlock(&(e).m)
static void change(unsigned *p) { *p = (*p + 1) % N; }
static void work(struct table *t, unsigned k) { unsigned x = 1; (void)x; (void)change; ` + work + ` }
static void *run(void *a) { for (unsigned i = 0; i < 100; i++) work(&tab, i + (unsigned)(unsigned long)a); return 0; }
static void *counts(void *a) { (void)a; return 0; }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < N; i++) { pthread_mutex_init(&tab.b[i].m, 0); pthread_mutex_init(&other.b[i].m, 0); }
  shared = 3;
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, i ? run : counts, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
`
}

// TestAgain: what is computed again is the same address, for the analysis and for the checker; where it is not, the checker refuses what is claimed of the right program.
func TestAgain(t *testing.T) {
	certified := func(t *testing.T, src string, locks map[string][]certificate.Held) (free bool, found map[string][]certificate.Held) {
		p := load(t, text(t, src)).Program
		pts, err := pointsto.AnalyseOpen(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true, Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		found = map[string][]certificate.Held{}
		forged := false
		for i := range r.Certificate.Locations {
			l := &r.Certificate.Locations[i]
			for k := range l.Groups {
				if g := &l.Groups[k]; locks == nil {
					found[l.Name] = append(found[l.Name], g.Locks...)
				} else if slices.Contains(l.Pairs, certificate.Suspect) {
					g.Locks = locks[l.Name]
					forged = forged || len(g.Locks) > 0
				}
			}
			for k, why := range l.Pairs {
				if locks != nil && why == certificate.Suspect {
					l.Suspected, l.Pairs[k] = false, certificate.Locked
				}
			}
		}
		if locks != nil && !forged {
			t.Error("nothing is claimed of the unsafe one")
		}
		rep, err := scancheck.Check(t.Context(), p, pts, r.Certificate)
		return err == nil && rep.RaceFree() == nil, found
	}
	for i, c := range again {
		if !long.Turn(i, 6) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			free, locks := certified(t, againProgram(c.safe), nil)
			if !free {
				t.Error("the safe one is not certified")
			}
			if free, _ := certified(t, againProgram(c.unsafe), locks); free {
				t.Error("the unsafe one is certified")
			}
		})
	}
}
