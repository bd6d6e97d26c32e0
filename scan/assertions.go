package scan

import (
	"context"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/values"
)

// Assertion is an assertion of the program, or a place that it says is an error to reach.
type Assertion struct {
	Func  *cir.Func
	Instr *cir.Intrinsic
	Site  *cir.Site
	Name  string // what is asserted
	// Proved tells that it never fails; Reason says why that is not known.
	Proved bool
	Reason string
}

// findAssertions proves assertions, or makes suspects of them.
func (r *Result) findAssertions(ctx context.Context, p *cir.Program, pts *pointsto.Result) error {
	v, err := values.Analyse(ctx, p, pts, values.Options{})
	if err != nil {
		return err
	}
	r.Points = pts
	for _, a := range v.Assertions() {
		r.Assertions = append(r.Assertions, &Assertion{Func: a.Func, Instr: a.Instr, Site: a.Site, Name: a.Instr.Name, Proved: a.Proved, Reason: a.Reason})
	}
	return nil
}
