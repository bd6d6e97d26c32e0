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
	"comus/internal/long"
	"comus/ir"
	"comus/threadmodular"
)

// joinedText returns a random program with 5 threads that each change x and y in a few steps; some of them are joined, and
// then something checks what x and y are.
func joinedText(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 8))
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	var body []string
	for range 1 + r.IntN(2) {
		body = append(body, pick("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); x++; y--; pthread_mutex_unlock(&m);",
			"atomic_fetch_add(&z, 2);", "atomic_fetch_add(&z, 1);", "pthread_mutex_lock(&m); x += 2; pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m); if (x < 3) x++; pthread_mutex_unlock(&m);",
			"t = z; z = t + 1;", "if (z == 2) return 0;", "pthread_mutex_lock(&m); y = x; pthread_mutex_unlock(&m);"))
	}
	made := pick("for (int i = 0; i < 5; i++) pthread_create(&p[i], 0, f, 0);", "int k = 0; while (k < 5) pthread_create(&p[k++], 0, f, 0);")
	joins := pick("for (int i = 0; i < 5; i++) pthread_join(p[i], 0);", "for (int i = 0; i < 5; i++) pthread_join(p[i], 0);", "for (int i = 4; i > 0; i--) pthread_join(p[i], 0);",
		"for (int i = 0; i < 5; i++) pthread_join(p[4 - i], 0);", "for (int i = 0; i < 4; i++) pthread_join(p[i], 0); pthread_detach(p[4]);")
	check := pick("x == 5", "x == 10", "x + y == 0", "z == 5", "z == 10", "z >= 4", "x >= 5", "x <= 10", "x >= 4", "y == -5", "z == 2 * x", "x == z && y <= 0")
	return fmt.Sprintf(`#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
int x, y;
atomic_int z;
pthread_mutex_t m;
pthread_t p[5];
void *f(void *a) { int t; %s return 0; }
int main(void) { %s %s pthread_mutex_lock(&m); assert(%s); return 0; }
`, strings.Join(body, " "), made, joins, check)
}

// TestEveryJoined reads random programs with 5 threads, most of which are joined, as ones with any number: what is proved has no
// violation. More: COMUS_EVERY=500, from COMUS_SEED.
func TestEveryJoined(t *testing.T) {
	long.Only(t)
	seeds, _ := randomSeeds(6)
	proofs, unsafe := map[string]int{}, 0
	for _, seed := range seeds {
		text := joinedText(seed)
		file := source(t, text)
		p := template(t, file)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		proof, err := threadmodular.Prove(ctx, p, hclog.NewNullLogger(), threadmodular.Options{})
		cancel()
		if err == nil {
			proofs[proof.Method.String()]++
			if err := check.Parametric(t.Context(), p, engine.CertificateOf(p, proof)); err != nil {
				t.Errorf("seed %d: the proof is not confirmed: %v\n%s", seed, err, text)
				continue
			}
		}
		if violated(t, file) {
			unsafe++
			if err == nil {
				t.Errorf("seed %d: proved (%s), but fails\n%s", seed, proof.Method, text)
			}
		}
	}
	t.Logf("%d programs: %d can fail, proofs: %v", len(seeds), unsafe, proofs)
	if len(proofs) == 0 || unsafe == 0 {
		t.Error("the programs are all of one kind")
	}
}

// countsText is a program whose proof needs a census.
func countsText(body, joins, check string) string {
	return fmt.Sprintf(`#include <pthread.h>
#include <assert.h>
int x, y;
pthread_mutex_t m, k;
pthread_t p[100];
void *f(void *a) { %s return 0; }
int main(void) { for (int i = 0; i < 100; i++) pthread_create(&p[i], 0, f, 0); %s assert(%s); return 0; }
`, body, joins, check)
}

const (
	lockedStep = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
	allJoined  = "for (int i = 0; i < 100; i++) pthread_join(p[i], 0);"
)

// census proves a program; nil if that fails.
func census(t *testing.T, text string) (*ir.Program, *check.Certificate) {
	t.Helper()
	p := template(t, source(t, text))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	proof, err := threadmodular.Prove(ctx, p, hclog.NewNullLogger(), threadmodular.Options{})
	if err != nil {
		return p, nil
	}
	cert := engine.CertificateOf(p, proof)
	if err := check.Parametric(t.Context(), p, cert); err != nil {
		t.Errorf("the proof is not confirmed: %v\n%s", err, text)
	}
	return p, cert
}

// TestCensus proves programs that count.
func TestCensus(t *testing.T) {
	for name, text := range map[string]string{
		"a step":        countsText(lockedStep, allJoined, "x == 100"),
		"up and down":   countsText(lockedStep+" pthread_mutex_lock(&k); y--; pthread_mutex_unlock(&k);", allJoined, "x + y == 0"),
		"contributions": countsText("pthread_mutex_lock(&m); x += 7; y += 3; pthread_mutex_unlock(&m);", allJoined, "3 * x == 7 * y"),
		"one is left":   countsText(lockedStep, "for (int i = 0; i < 99; i++) pthread_join(p[i], 0); pthread_mutex_lock(&m);", "x >= 99 && x <= 100"),
		"two ways":      countsText("int c; if (c) { "+lockedStep+" } else { pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m); }", allJoined, "x + y == 100"),
	} {
		t.Run(name, func(t *testing.T) {
			long.OneOf(t, 3)
			if _, cert := census(t, text); cert == nil || !cert.Parametric.Census {
				t.Error("there is no proof with a census")
			}
		})
	}
}

// TestCensusRefused shows proofs of a program to the checker that are none: of another one, without a cut-point, and with
// formulas that say something else.
func TestCensusRefused(t *testing.T) {
	long.Only(t)
	text := countsText(lockedStep, allJoined, "x == 100")
	p, cert := census(t, text)
	if cert == nil {
		t.Fatal("no proof")
	}
	for name, other := range map[string]string{
		"by 2":         countsText(strings.Replace(lockedStep, "x++", "x += 2", 1), allJoined, "x == 100"),
		"one is left":  countsText(lockedStep, strings.Replace(allJoined, "100", "99", 1), "x == 100"),
		"one too many": countsText(lockedStep, allJoined, "x == 101"),
		"other lock":   countsText(strings.ReplaceAll(lockedStep, "m", "k"), "pthread_mutex_lock(&m); x--; "+allJoined, "x == 100"),
	} {
		if err := check.Parametric(t.Context(), template(t, source(t, other)), cert); err == nil {
			t.Errorf("%s: the proof of another program is accepted", name)
		}
	}
	refused := func(name string, edit func(c *check.Certificate)) {
		t.Helper()
		c, proof := *cert, *cert.Parametric
		c.Parametric = &proof
		c.Threads = append([]check.Thread(nil), cert.Threads...)
		proof.Invariants = append([]check.ParametricInvariant(nil), cert.Parametric.Invariants...)
		edit(&c)
		if err := check.Parametric(t.Context(), p, &c); err == nil {
			t.Errorf("%s: the proof is accepted", name)
		}
	}
	refused("no census", func(c *check.Certificate) { c.Parametric.Census = false })
	refused("two kinds of counters", func(c *check.Certificate) { c.Parametric.Counted = true })
	refused("the end is no cut-point", func(c *check.Certificate) {
		cuts := c.Threads[1].Cuts
		c.Threads[1].Cuts = cuts[:len(cuts)-1]
	})
	for i, in := range cert.Parametric.Invariants {
		refused(fmt.Sprintf("without invariant %d", i+1), func(c *check.Certificate) {
			c.Parametric.Invariants = append(c.Parametric.Invariants[:i:i], c.Parametric.Invariants[i+1:]...)
		})
		if in.At[0].Thread == 0 && strings.Contains(in.Formula, "(- 100)") {
			refused(fmt.Sprintf("another number in invariant %d", i+1), func(c *check.Certificate) {
				c.Parametric.Invariants[i].Formula = strings.ReplaceAll(in.Formula, "(- 100)", "(- 101)")
			})
		}
	}
}
