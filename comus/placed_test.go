package comus

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/comus/engine"
	"comus/internal/long"
	"comus/threadmodular"
)

// threeAdd is a program in which three threads add to x once each, the last one last.
func threeAdd(last string) string {
	return everyHead + fmt.Sprintf(`int v;
void *f(void *a) { __VERIFIER_atomic_begin(); v = v + 1; __VERIFIER_atomic_end(); return 0; }
void *g(void *a) { __VERIFIER_atomic_begin(); v = v + 1; __VERIFIER_atomic_end(); return 0; }
void *h(void *a) { __VERIFIER_atomic_begin(); v = v + %s; __VERIFIER_atomic_end(); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); pthread_create(&p, 0, g, 0); pthread_create(&p, 0, h, 0); assert(v <= 3); return 0; }
`, last)
}

// TestPlaced proves what depends on the places of three other threads, and changes the
// certificate such that it proves nothing.
func TestPlaced(t *testing.T) {
	long.Only(t)
	p := template(t, source(t, threeAdd("1")))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	proof, err := threadmodular.Prove(ctx, p, hclog.NewNullLogger(), threadmodular.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if proof.Method != (threadmodular.Method{Threads: 1, Placed: true}) {
		t.Errorf("proved %s", proof.Method)
	}
	good := engine.CertificateOf(p, proof)
	if err := check.Parametric(t.Context(), p, good); err != nil {
		t.Fatal(err)
	}
	if err := check.Parametric(t.Context(), template(t, source(t, threeAdd("2"))), good); err == nil {
		t.Error("the proof is accepted for a program that fails")
	}
	for i, in := range good.Parametric.Invariants {
		c := clone(t, good)
		c.Parametric.Invariants[i].Formula = "false"
		if err := check.Parametric(t.Context(), p, c); err == nil {
			t.Errorf("no thread gets to %v, says a certificate that is accepted", in.At)
		}
	}
	own := fmt.Sprintf("(= pc%d 0)", good.Parametric.Invariants[0].At[0].Thread)
	for what, tt := range map[string]struct {
		want   string
		change func(c *check.ParametricProof)
	}{
		"places not allowed":      {"unknown variable", func(c *check.ParametricProof) { c.Placed = false }},
		"places of the thread":    {"unknown variable", func(c *check.ParametricProof) { c.Invariants[0].Formula = own }},
		"places beside two":       {"know the places", func(c *check.ParametricProof) { c.Size = 2 }},
		"places of other threads": {"unknown variable", func(c *check.ParametricProof) { c.Invariants[0].Formula = "(= pc9 0)" }},
	} {
		c := clone(t, good)
		tt.change(c.Parametric)
		if err := check.Parametric(t.Context(), p, c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// Of a replicated thread there is not one place.
	many, cert := proved(t, everyHead+lockedCounter+anyMain)
	cert = clone(t, cert)
	cert.Parametric.Placed = true
	if err := check.Parametric(t.Context(), many, cert); err != nil {
		t.Error(err)
	}
	for i := range cert.Parametric.Invariants {
		if in := &cert.Parametric.Invariants[i]; in.At[0].Thread == 0 {
			in.Formula = "(or (= pc1 0) (not (= pc1 0)))"
			break
		}
	}
	if err := check.Parametric(t.Context(), many, cert); err == nil || !strings.Contains(err.Error(), "unknown variable") {
		t.Error(err)
	}
}
