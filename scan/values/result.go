package values

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Result is what the analysis found.
type Result struct {
	a          *analysis
	assertions []*Assertion
	index      map[*cir.Intrinsic]*Assertion
	// Evals counts the evaluations of blocks, Instances the copies of functions for chains of calls.
	Evals, Instances int
}

// Assertion is an assertion of the program.
type Assertion struct {
	Func  *cir.Func
	Instr *cir.Intrinsic
	Site  *cir.Site
	// Proved tells that it never fails; Reason why it is not.
	Proved bool
	Reason string
}

// result looks at each place once more.
func (a *analysis) result() *Result {
	r := &Result{a: a, index: map[*cir.Intrinsic]*Assertion{}, Evals: a.solution.Evals, Instances: len(a.list)}
	a.seen = r
	// Those that are never reached are proved.
	for _, c := range a.order {
		for _, b := range c.f.Blocks {
			for _, in := range b.Instrs {
				if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Assert {
					r.assertion(c.f, i)
				}
			}
		}
	}
	a.solution.Visit()
	for f := range r.a.outside {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Assert {
					x := r.assertion(f, i)
					x.Proved, x.Reason = false, "code outside of the program may call "+f.Source
				}
			}
		}
	}
	slices.SortFunc(r.assertions, func(x, y *Assertion) int { return r.a.number[x.Instr] - r.a.number[y.Instr] })
	return r
}

// findOutside finds the functions that code outside of the program may call, with those that these call. Nothing is claimed of
// them. What they change is known where package pointsto has them as roots; otherwise that they change nothing that matters is an assumption.
func (a *analysis) findOutside() {
	a.outside = map[*cir.Func]bool{}
	var add func(f *cir.Func)
	add = func(f *cir.Func) {
		if len(f.Blocks) == 0 || a.outside[f] {
			return
		}
		a.outside[f] = true
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				cir.Operands(in, func(v cir.Value) {
					if g, ok := v.(*cir.Func); ok {
						add(g)
					}
				})
			}
		}
	}
	for _, c := range a.pts.KnownOutside() { // by a contract, too, that says what it is given
		add(c.Func)
	}
	for _, o := range a.pts.Objects {
		if o.External {
			for _, l := range a.pts.Held(o) {
				if l.Obj.IsFunc() {
					add(l.Obj.Func)
				}
			}
		}
	}
}

func (r *Result) assertion(f *cir.Func, in *cir.Intrinsic) *Assertion {
	y := r.index[in]
	if y == nil {
		y = &Assertion{Func: f, Instr: in, Site: in.Site, Proved: true}
		r.index[in] = y
		r.assertions = append(r.assertions, y)
	}
	return y
}

// Assertions returns the assertions of all that the program may run, in the order in which they stand.
func (r *Result) Assertions() []*Assertion { return r.assertions }

// Contexts returns the contexts of a function that the program may run.
func (r *Result) Contexts(f *cir.Func) []pointsto.Context {
	var list []pointsto.Context
	for _, c := range r.a.order {
		if c.f == f {
			list = append(list, c.ctx)
		}
	}
	return list
}

// code returns a function's copy, nil if it was not reached.
func (r *Result) code(f *cir.Func, ctx pointsto.Context) *code {
	return r.a.codes[codeKey{f, r.a.pts.CanonicalContext(f, ctx)}]
}

// Reached reports whether control may get to a block of a function's copy.
func (r *Result) Reached(f *cir.Func, ctx pointsto.Context, b *cir.Block) bool {
	c := r.code(f, ctx)
	return r.a.outside[f] || c != nil && c.reached[b.Index]
}

// Int returns what a register of a function's copy may be, whenever it is assigned: nothing, if it never is.
func (r *Result) Int(f *cir.Func, ctx pointsto.Context, x *cir.Reg) Value {
	c := r.code(f, ctx)
	switch {
	case r.a.outside[f]:
		return all(x.Type)
	case c == nil:
		return Value{}
	}
	return c.regs[x.Index]
}
