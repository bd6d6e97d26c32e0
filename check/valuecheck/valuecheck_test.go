package valuecheck_test

import (
	"context"
	"os"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/valuecheck"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
	"comus/scan/values"
)

// subject is a program with what is claimed of it.
type subject struct {
	prog   *cir.Program
	pts    *pointsto.Result
	found  *values.Result
	claims *certificate.Values
	took   time.Duration
}

func analysed(ctx context.Context, src string) (*subject, error) {
	return analysedWith(ctx, src, values.Options{Plain: true})
}

func analysedWith(ctx context.Context, src string, opts values.Options) (*subject, error) {
	p, err := cfront.LoadText(ctx, command.Invocation{File: "t.c"}, []byte(src), cfront.Options{NoHost: true, Libraries: true})
	if err != nil {
		return nil, err
	}
	s := &subject{prog: p.Program}
	if s.pts, err = pointsto.AnalyseOpen(ctx, p.Program); err != nil {
		return nil, err
	}
	start := time.Now()
	if s.found, err = values.Analyse(ctx, p.Program, s.pts, opts); err != nil {
		return nil, err
	}
	s.took = time.Since(start)
	s.claims = s.found.Claims()
	return s, nil
}

func (s *subject) check(ctx context.Context) (*valuecheck.Report, error) {
	return valuecheck.Check(ctx, s.prog, s.pts, s.claims, valuecheck.Options{})
}

// TestFile measures a program: COMUS_FILE, without relations with COMUS_PLAIN.
func TestFile(t *testing.T) {
	name := os.Getenv("COMUS_FILE")
	if name == "" {
		t.Skip("no file")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := analysedWith(t.Context(), string(text), values.Options{Plain: os.Getenv("COMUS_PLAIN") != ""})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r, err := s.check(t.Context())
	took := time.Since(start)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	proved, confirmed := 0, 0
	for _, a := range s.found.Assertions() {
		if a.Proved {
			proved++
			if r.Confirmed[a.Instr] {
				confirmed++
			} else {
				t.Logf("%v: %s", a.Site.Pos, r.Open[a.Instr])
			}
		}
	}
	t.Logf("%d of %d confirmed (of %d); analysis %v (%d evaluations), check %v (%d), %d claims dropped, %d activations", confirmed, proved, len(s.found.Assertions()), s.took, s.found.Evals, took, r.Steps, r.Dropped, len(s.claims.Activations))
	for i, x := range r.Refused {
		if i < 40 {
			t.Log(x)
		}
	}
}
