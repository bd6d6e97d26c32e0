package valuecheck

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/tools/container/intsets"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Options say how a program is read.
type Options struct {
	// Wrap tells that signed overflow wraps around; otherwise no execution of the program has it.
	Wrap bool
}

// Report tells what of a certificate is right.
type Report struct {
	// Refused are the claims that could not be confirmed, at most [MaxRefused].
	Refused []string
	// Dropped counts them.
	Dropped int
	// Confirmed are the assertions that never fail, as far as those before it in an execution do not.
	Confirmed map[*cir.Intrinsic]bool
	// Open says of others why not.
	Open map[*cir.Intrinsic]string
	// Undefined is the arithmetic that may be undefined in C, and why: signed overflow, division by zero, shifts.
	Undefined map[cir.Instr]string
	// Arithmetic is how many operations were looked at of which some may have no meaning, by their types.
	Arithmetic int
	// Assumptions are the sentences that this is based on, sorted.
	Assumptions []string
	// Steps counts how many blocks were looked at.
	Steps int
}

// MaxRefused bounds the claims that are listed.
const MaxRefused = 100

// maxRounds bounds how often all is looked at again because claims of memory were dropped.
const maxRounds = 40

// checker verifies claims.
type checker struct {
	*memory
	opts    Options
	acts    []*activation
	roots   map[int]int // activations for whoever begins with a copy, by copies
	changes []*intsets.Sparse
	queue   []blockKey
	visited []blockKey
	seen    map[blockKey]bool
	all     bool // a claim of memory was dropped: everything is looked at again
	// relations are those that are claimed somewhere, by number; nil: there are none. relating are the cells that they are about, free has what is
	// claimed of locks that are free, and symbols is how many symbols there are.
	relations  []*relation
	relating   map[int]bool
	free       map[int][]*relation
	symbols    int
	arithmetic map[cir.Instr]bool
	stop       error
	view       func(cir.Located, View) // is told of each instruction; nil: nobody
	rep        *Report
	assumed    map[string]bool
}

// Check verifies a certificate of a program, of which pointsto.AnalyseOpen found pts. The error is that of ctx, or that nothing can be confirmed.
func Check(ctx context.Context, prog *cir.Program, pts *pointsto.Result, c *certificate.Values, opts Options) (*Report, error) {
	x, err := checked(ctx, prog, pts, c, opts)
	if err != nil {
		return nil, err
	}
	return x.rep, nil
}

// checked returns a checker that has nothing more to drop.
func checked(ctx context.Context, prog *cir.Program, pts *pointsto.Result, c *certificate.Values, opts Options) (*checker, error) {
	switch {
	case c.Version != certificate.ValuesVersion:
		return nil, fmt.Errorf("claims of values of version %d, not %d", c.Version, certificate.ValuesVersion)
	case pts == nil || !pts.Open():
		return nil, errors.New("functions that are called from outside of the program were not followed")
	case prog.Entry == nil:
		return nil, errors.New("the program has no entry")
	}
	x := &checker{opts: opts, roots: map[int]int{}, seen: map[blockKey]bool{}, arithmetic: map[cir.Instr]bool{}, assumed: map[string]bool{},
		rep: &Report{Confirmed: map[*cir.Intrinsic]bool{}, Open: map[*cir.Intrinsic]string{}, Undefined: map[cir.Instr]string{}}}
	p := newProgram(prog, pts)
	x.memory = newMemory(p, c, x.refuse)
	x.changes = changes(p, c)
	if err := x.readRelations(c); err != nil {
		return nil, err
	}
	r := &reader{sets: map[string]set{}, mem: x.memory, relations: x.relationsOf}
	for i := range c.Activations {
		a, err := r.activation(p, &c.Activations[i], i)
		if err != nil {
			return nil, err
		}
		x.acts = append(x.acts, a)
		if _, had := x.roots[a.copy]; !had && c.Activations[i].Root {
			x.roots[a.copy] = i
		}
	}
	if err := x.run(ctx); err != nil {
		return nil, err
	}
	x.conclude()
	return x, nil
}

// refuse notes a claim that is not confirmed.
func (x *checker) refuse(format string, args ...any) {
	x.rep.Dropped++
	if len(x.rep.Refused) < MaxRefused {
		x.rep.Refused = append(x.rep.Refused, fmt.Sprintf(format, args...))
	}
}

// fail gives up: there is something in the program that is not looked at.
func (x *checker) fail(in cir.Located, format string, args ...any) {
	if x.stop == nil {
		at := "?"
		if in != nil && in.Meta().Site != nil {
			at = in.Meta().Site.Pos.String()
		}
		x.stop = fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...))
	}
}

// run looks at all blocks that control gets to, and again at those of which claims were dropped that they rest on, until no more are.
func (x *checker) run(ctx context.Context) error {
	for round := 0; ; round++ {
		x.all = false
		x.begin()
		for len(x.queue) > 0 && x.stop == nil {
			s := x.queue[len(x.queue)-1]
			x.queue = x.queue[:len(x.queue)-1]
			x.claimAt(s).queued = false
			x.block(s)
			if x.rep.Steps++; x.rep.Steps%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		switch {
		case x.stop != nil:
			return x.stop
		case !x.all:
			return ctx.Err()
		case round > maxRounds:
			return errors.New("too many claims of memory do not hold")
		}
		for _, s := range x.visited {
			x.push(s)
		}
	}
}

func (x *checker) claimAt(s blockKey) *claim { return &x.acts[s.act].flows[s.mode].blocks[s.block] }

// push has a block looked at.
func (x *checker) push(s blockKey) {
	if c := x.claimAt(s); !c.queued {
		c.queued = true
		x.queue = append(x.queue, s)
	}
	if !x.seen[s] {
		x.seen[s] = true
		x.visited = append(x.visited, s)
	}
}

// root returns the activation of a copy for whoever begins with it. If nothing is claimed, it is one of which nothing is known.
func (x *checker) root(copy int) *activation {
	id, ok := x.roots[copy]
	if !ok {
		f := x.copies[copy].Func
		id = len(x.acts)
		x.acts = append(x.acts, &activation{id: id, copy: copy, fn: f, flows: [2]*flow{newFlow(f), newFlow(f)}})
		x.roots[copy] = id
	}
	return x.acts[id]
}

// conclude finds out which assertions are confirmed: those that hold wherever control gets to them.
func (x *checker) conclude() {
	for _, s := range x.visited {
		for in, why := range x.claimAt(s).open {
			x.rep.Open[in] = why
		}
		maps.Copy(x.rep.Undefined, x.claimAt(s).undefined)
	}
	for _, f := range x.prog.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Assert && x.rep.Open[i] == "" {
					x.rep.Confirmed[i] = true
				}
			}
		}
	}
	x.rep.Arithmetic = len(x.arithmetic)
	x.assumed[assumeBounds], x.assumed[assumeIDs] = true, true
	if x.pts.Parts {
		x.assumed[assumeWhole] = true
	}
	if slices.ContainsFunc(x.visited, func(s blockKey) bool { return s.mode == among }) {
		x.assumed[assumeNoRace] = true
	}
	for s := range x.assumed {
		x.rep.Assumptions = append(x.rep.Assumptions, s)
	}
	slices.Sort(x.rep.Assumptions)
}
