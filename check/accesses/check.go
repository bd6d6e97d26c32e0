package accesses

import (
	"context"
	"errors"
	"slices"

	"comus/check/scancheck"
	"comus/check/valuecheck"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Report tells what of a program is proved.
type Report struct {
	// Accesses counts what may access memory, Open says of those that are not proved why not.
	Accesses int
	Open     map[cir.Located]string
	// Assumptions are the sentences that the rest is based on, sorted.
	Assumptions []string
}

// Sentences that this rests on, as others word them.
const (
	assumeName    = "main is given the name of the program: argc is not 0"
	assumeIDs     = "ids of threads, locks and conditions are used as POSIX demands (--check=locks asks about that)"
	assumeOutside = "pointers that code outside of the program returns, or that come out of files, pipes, sockets and texts (%p), lead to no object of the program"
	assumeTypes   = "memory that the program declares is accessed as its type, or by characters (C11 6.5p7), as gcc relies on without -fno-strict-aliasing"
	assumeBounds  = "the program accesses no memory out of the bounds of an array or object, or after its life" // what is proved here
)

// Check verifies which accesses of a program are valid, as far as that follows from claims about values and threads. pts is what pointsto.AnalyseOpen found of the program.
func Check(ctx context.Context, prog *cir.Program, pts *pointsto.Result, values *certificate.Values, threads *certificate.Certificate, opts valuecheck.Options) (*Report, error) {
	p, r, err := newProgram(ctx, prog, pts, values, threads, opts)
	if err != nil {
		return nil, err
	}
	p.find()
	p.begin()
	p.solve()
	return p.report(r), ctx.Err()
}

// newProgram verifies claims about values and threads, and returns the program with what follows from them.
func newProgram(ctx context.Context, prog *cir.Program, pts *pointsto.Result, values *certificate.Values, threads *certificate.Certificate, opts valuecheck.Options) (*program, *valuecheck.Report, error) {
	switch {
	case values == nil || threads == nil:
		return nil, nil, errors.New("there are no claims about values, or about threads")
	case pts == nil || !pts.Open():
		return nil, nil, errors.New("functions that are called from outside of the program were not followed")
	case prog.Model.PointerBits != 64:
		return nil, nil, errors.New("programs of 32 bits are not looked at")
	case len(pts.KnownOutside()) > 0:
		return nil, nil, errors.New("code outside of the program may call functions of it")
	case pts.Parts:
		return nil, nil, errors.New("the program may take addresses apart")
	case slices.ContainsFunc(slices.Concat(prog.Constructors, prog.Destructors), func(f *cir.Func) bool { return !f.Library }):
		return nil, nil, errors.New("constructors and destructors are not looked at")
	}
	running, err := scancheck.CheckRunning(ctx, prog, pts, threads)
	if err != nil {
		return nil, nil, err
	}
	p := &program{prog: prog, pts: pts, running: running, wraps: opts.Wrap, copies: pts.Copies(), number: map[pointsto.Copy]int{}, word: int64(prog.Model.PointerBits / 8), funcs: map[*cir.Func]*function{},
		facts: map[operandAt]fact{}, argc: map[place]int64{}, reached: map[place]bool{}, calls: map[place][]int{}, callers: map[int][]place{}, starts: map[place][]int{},
		regs: map[register]attr{}, cells: map[pointsto.Location]attr{}, writes: map[*pointsto.Object][]write{}, begun: map[pointsto.Location]bool{}, settled: map[pointsto.Location]map[place]bool{}, tested: map[pointsto.Location]map[place]bool{}, early: map[place]bool{}, narrow: map[register][2]int64{},
		touched: map[*pointsto.Object][]place{}, deaths: map[*pointsto.Object][]place{}, live: map[*pointsto.Object]string{}, assumed: map[string]bool{},
		nums: map[register]num{}, found: map[place]num{}, once: map[int]bool{}, numberCells: map[numberCell]num{}, bounds: &bounds{&polys{map[string]*poly{}}, map[string]*upper{}}, symbols: symbolIDs{}}
	for i, c := range p.copies {
		p.number[c] = i
	}
	r, err := valuecheck.CheckViewed(ctx, prog, pts, values, opts, p.view)
	return p, r, err
}

// find finds out what is written, and what is read only after that.
func (p *program) find() {
	p.findCalls()
	p.findWrites()
	cells := p.candidates()
	p.findBegun(cells)
	p.findInitialised(cells)
}

// begin says what the program's first function is given.
func (p *program) begin() {
	for c := range p.copies {
		if p.copies[c].Func == p.prog.Entry {
			for _, x := range p.prog.Entry.Params {
				p.regs[register{c, x.Reg.Index}] = wildPointer
				p.nums[register{c, x.Reg.Index}] = anyNumber
			}
		}
	}
}

// report checks all accesses.
func (p *program) report(values *valuecheck.Report) *Report {
	r := &Report{Open: map[cir.Located]string{}}
	asked := map[cir.Located]bool{}
	p.each(func(at place) {
		why, asks := p.obligation(at)
		if why == "" {
			why = p.undefined(at)
		}
		if asks {
			asked[at.in] = true
		}
		if why != "" && r.Open[at.in] == "" {
			r.Open[at.in] = why
		}
	})
	for _, o := range p.pts.Objects {
		for _, at := range p.touched[o] {
			if why := p.livesAt(o, at); why != "" && r.Open[at.in] == "" {
				r.Open[at.in] = o.String() + ": " + why
			}
		}
	}
	r.Accesses = len(asked)
	p.assumed[assumeIDs], p.assumed[assumeOutside] = true, true
	if p.pts.Typed {
		p.assumed[assumeTypes] = true
	}
	for _, s := range values.Assumptions {
		if s != assumeBounds {
			p.assumed[s] = true
		}
	}
	for s := range p.assumed {
		r.Assumptions = append(r.Assumptions, s)
	}
	slices.Sort(r.Assumptions)
	return r
}

// livesAt says why an object may not live where it is accessed.
func (p *program) livesAt(o *pointsto.Object, at place) string {
	if o.Local != nil && p.copies[at.copy] == (pointsto.Copy{Func: o.Func, Ctx: o.Ctx}) {
		f := p.function(o.Func)
		named := true // by its name alone
		p.operands(at.in, func(v cir.Value) {
			if slices.ContainsFunc(p.places(at.copy, v), func(l pointsto.Location) bool { return l.Obj == o }) {
				named = named && f.root(v) == o.Local
			}
		})
		if named {
			if f.living[at.in][o.Local] {
				return ""
			}
			return "its life may not have begun, or may have ended"
		}
	}
	return p.lives(o)
}

// operands calls f with the pointers that an instruction uses.
func (p *program) operands(in cir.Located, f func(cir.Value)) {
	pointer := func(v cir.Value) {
		if p.prog.Model.TypeOf(v).IsPointer() {
			f(v)
		}
	}
	switch in := in.(type) {
	case cir.Instr:
		cir.Operands(in, pointer)
	case cir.Term:
		cir.TermOperands(in, pointer)
	}
}
