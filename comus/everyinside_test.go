package comus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/comus/engine"
	"comus/internal/long"
	"comus/threadmodular"
)

// insideText returns a random program with threads that are counted while they are inside, and others that find out whether
// somebody is: n of each are created, any number if n is negative.
func insideText(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 11))
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	in, out := "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
	by := pick("1", "1", "2")
	leave := in + " in -= " + by + "; " + out
	switch r.IntN(6) {
	case 0:
		leave = "in -= " + by + ";"
	case 1:
		leave = "for (int i = 0; i < 1; i++) { " + leave + " }"
	case 2:
		leave = pick(leave, "if (in > "+by+") { "+leave+" }")
	}
	enter := fmt.Sprintf("%s if (%s) { %s return 0; } in += %s; %s", in, pick("shut", "shut", "shut", "shut && in"), out, by, pick(out, out, out, out+in+out))
	inside := pick("assert(!shut);", "assert(!shut);", "assert(in >= 1);", "assert(!shut); "+in+" assert(in > 0); "+out)
	f := enter + " " + inside + " " + leave
	g := fmt.Sprintf("%s if (%s) { shut = 1; %s shut = 0; } %s", in, pick("in == 0", "in == 0", "in <= 0", "in <= 1"), pick("", "", "assert(in == 0);", out+in), out)
	create, last := "pthread_create(&p, 0, f, 0); pthread_create(&p, 0, g, 0);", ""
	if r.IntN(3) == 0 {
		create, last = "pthread_create(&p, 0, f, 0);", "pthread_create(&p, 0, g, 0);"
	}
	loop := "while (__VERIFIER_nondet_bool())"
	if n >= 0 {
		loop = fmt.Sprintf("for (int i = 0; i < %d; i++)", n)
	}
	return fmt.Sprintf(`#include <pthread.h>
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
int in, shut;
pthread_mutex_t m;
void *f(void *a) { %s return 0; }
void *g(void *a) { %s return 0; }
int main(void) { pthread_t p; %s %s { %s } return 0; }
`, f, g, last, loop, create)
}

// TestEveryInside proves random programs in which threads are counted where they are. None of them has a violation with 1 or 2 of a
// kind. More: COMUS_EVERY=500, from COMUS_SEED.
func TestEveryInside(t *testing.T) {
	long.Only(t)
	const limit = 4 * time.Second
	seeds, _ := randomSeeds(6)
	file := filepath.Join(t.TempDir(), "p.c")
	proofs, unsafe := map[string]int{}, 0
	for _, seed := range seeds {
		write := func(n int) {
			if err := os.WriteFile(file, []byte(insideText(seed, n)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(-1)
		p := template(t, file)
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		proof, err := threadmodular.Prove(ctx, p, hclog.NewNullLogger(), threadmodular.Options{})
		cancel()
		if err == nil {
			proofs[proof.Method.String()]++
			if err := check.Parametric(t.Context(), p, engine.CertificateOf(p, proof)); err != nil {
				t.Errorf("seed %d: the proof is not confirmed: %v\n%s", seed, err, insideText(seed, -1))
				continue
			}
		}
		for n := 1; n <= 2; n++ {
			write(n)
			if !violated(t, file) {
				continue
			}
			unsafe++
			if err == nil {
				t.Errorf("seed %d: proved (%s), but fails with %d of a kind\n%s", seed, proof.Method, n, insideText(seed, -1))
			}
			break
		}
	}
	t.Logf("%d programs: %d can fail, proofs: %v", len(seeds), unsafe, proofs)
	if len(proofs) == 0 || unsafe == 0 {
		t.Error("the programs are all of one kind")
	}
}

// TestInsideRefused shows a proof that readers and writers never meet to the checker, for programs that are not safe, and without
// the counters.
func TestInsideRefused(t *testing.T) {
	text := func(leave, test string) string {
		return `#include <pthread.h>
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
int in, shut;
pthread_mutex_t m;
void *f(void *a) { pthread_mutex_lock(&m); if (shut) { pthread_mutex_unlock(&m); return 0; } in++; pthread_mutex_unlock(&m);
	assert(!shut); ` + leave + ` return 0; }
void *g(void *a) { pthread_mutex_lock(&m); if (` + test + `) { shut = 1; shut = 0; } pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p; while (__VERIFIER_nondet_bool()) { pthread_create(&p, 0, f, 0); pthread_create(&p, 0, g, 0); } return 0; }
`
	}
	const leave = "pthread_mutex_lock(&m); in--; pthread_mutex_unlock(&m);"
	p, cert := census(t, text(leave, "in == 0"))
	if cert == nil || !cert.Parametric.Census {
		t.Fatal("no proof with a census")
	}
	for name, other := range map[string]string{
		"one may be in": text(leave, "in <= 1"),
		"out twice":     text(strings.Replace(leave, "in--", "in -= 2", 1), "in == 0"),
	} {
		if err := check.Parametric(t.Context(), template(t, source(t, other)), cert); err == nil {
			t.Errorf("%s: the proof of another program is accepted", name)
		}
	}
	cert.Parametric.Census = false
	if err := check.Parametric(t.Context(), p, cert); err == nil {
		t.Error("the proof is accepted without a census")
	}
}
