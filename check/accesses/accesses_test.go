package accesses_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/accesses"
	"comus/check/valuecheck"
	"comus/cir"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/pointsto"
	"comus/scan/values"
)

// loaded is a program with what is claimed of it.
type loaded struct {
	prog   *cir.Program
	pts    *pointsto.Result
	values *certificate.Values
	scan   *certificate.Certificate
}

func load(t *testing.T, text string) *loaded {
	t.Helper()
	o := cfront.Options{NoHost: true}
	if strings.Contains(text, mayFail) {
		o.MayFail = "pthread_create"
	}
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: "p.c"}, []byte(text), o)
	if err != nil {
		t.Fatal(err)
	}
	x := &loaded{prog: p.Program}
	if x.pts, err = pointsto.AnalyseOpen(t.Context(), x.prog); err != nil {
		t.Fatal(err)
	}
	found, err := scan.Analyse(t.Context(), x.prog, x.pts, scan.Options{Certificate: true})
	if err != nil {
		t.Fatal(err)
	}
	v, err := values.Analyse(t.Context(), x.prog, x.pts, values.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	x.scan, x.values = found.Certificate, v.Claims()
	return x
}

// open returns what is left of a program, as lines.
func (x *loaded) open(ctx context.Context) (list []string, err error) {
	r, err := accesses.Check(ctx, x.prog, x.pts, x.values, x.scan, valuecheck.Options{})
	if err != nil {
		return nil, err
	}
	for in, why := range r.Open {
		list = append(list, in.Meta().Site.Pos.String()+": "+why)
	}
	return list, nil
}

// mayFail says in a program that pthread_create may fail.
const mayFail = "/* pthread_create may fail */"

const head = `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
`

// TestPrograms proves programs, and does not prove others, which differ from them by little and are wrong.
func TestPrograms(t *testing.T) {
	for _, c := range slices.Concat(programs, members, filled, written, twice, shared, sized, tested, counting, handed, emptied) {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 5)
			t.Parallel()
			for _, s := range []struct {
				text string
				safe bool
			}{{c.safe, true}, {c.bad, false}} {
				if s.text == "" {
					continue
				}
				list, err := load(t, head+s.text).open(t.Context())
				switch {
				case s.safe && (err != nil || len(list) > 0):
					t.Errorf("%s\nnot proved: %v\n%s", s.text, err, strings.Join(list, "\n"))
				case !s.safe && err == nil && len(list) == 0:
					t.Errorf("%s\nproved, but wrong", s.text)
				}
			}
		})
	}
}
