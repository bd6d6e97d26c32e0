package check_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/check"
	"comus/comus"
	"comus/comus/engine"
	"comus/internal/csource"
	"comus/ir"
	"comus/ir/passes"
	"comus/seqmc"
)

// handshake needs refinements when there are no seeds.
const handshake = `
#include <pthread.h>
#include <assert.h>
int data, ready;
void *writer(void *p) { data = 2; ready = 1; return 0; }
int main() {
	pthread_t t;
	pthread_create(&t, 0, writer, 0);
	if (ready) assert(data == 2);
	return 0;
}
`

// verified returns the program and the certificate that comus found for it.
func verified(t *testing.T, src string, opts comus.Options) (*ir.Program, *check.Certificate) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.c")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := comus.Verify(t.Context(), file, opts)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != seqmc.Safe {
		t.Fatalf("%v: %s", r.Verdict, r.Reason)
	}
	parsed, err := csource.ParseFile(file, opts.Question)
	if err != nil {
		t.Fatal(err)
	}
	parsed.Program.Renumber()
	simpler, err := passes.Run(parsed.Program, r.Certificate.Program.Passes)
	if err != nil {
		t.Fatal(err)
	}
	simpler.Program.Renumber()
	return simpler.Program, r.Certificate
}

// TestDamagedCertificates damages real certificates: it removes and exchanges
// parts, then changes bytes. The program stays safe, so nothing must be rejected;
// but each invariant is needed, and nothing may panic.
func TestDamagedCertificates(t *testing.T) {
	for _, noSeed := range []bool{false, true} {
		p, c := verified(t, handshake, comus.Options{Options: engine.Options{NoSeed: noSeed}})
		var file bytes.Buffer
		if err := c.Write(&file); err != nil {
			t.Fatal(err)
		}
		fresh := func() *check.Certificate {
			c, err := check.Read(bytes.NewReader(file.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		if err := check.Safe(t.Context(), p, fresh()); err != nil {
			t.Fatal(err)
		}
		rejected, all := 0, 0
		try := func(c *check.Certificate) bool {
			all++
			if check.Safe(t.Context(), p, c) != nil {
				rejected++
				return true
			}
			return false
		}
		for i := range c.Runs[0].Invariants {
			d := fresh()
			d.Runs[0].Invariants = append(d.Runs[0].Invariants[:i:i], d.Runs[0].Invariants[i+1:]...)
			if !try(d) {
				t.Errorf("the invariant %+v is not needed", c.Runs[0].Invariants[i])
			}
		}
		refinements := 0
		for i, lv := range c.Runs[0].Levels {
			for j, r := range lv.Refinements {
				refinements++
				d := fresh()
				x := &d.Runs[0].Levels[i].Refinements[j]
				x.Alpha, x.Beta = r.Beta, r.Alpha
				try(d)
				d = fresh()
				d.Runs[0].Levels[i].Refinements = append(lv.Refinements[:j:j], lv.Refinements[j+1:]...)
				try(d)
				d = fresh()
				d.Runs[0].Levels[i].Refinements[j].Invariants = nil
				if !try(d) {
					t.Errorf("refinement %d needs no invariants", r.Number)
				}
			}
		}
		if noSeed && refinements == 0 {
			t.Error("no refinements to damage")
		}
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 300 {
			text := bytes.Clone(file.Bytes())
			for range 1 + rnd.IntN(3) {
				text[rnd.IntN(len(text))] = "0123456789()= <+-\"x"[rnd.IntN(19)]
			}
			if d, err := check.Read(bytes.NewReader(text)); err == nil {
				d.Verdict = "SAFE"
				if err := check.Safe(t.Context(), p, d); err != nil && strings.Contains(err.Error(), "could not be checked") {
					t.Errorf("panic: %v\n%s", err, text)
				}
			}
		}
		t.Logf("%d refinements, %d of %d damaged certificates rejected", refinements, rejected, all)
	}
}
