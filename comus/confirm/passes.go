package comus

import (
	"fmt"

	"comus/ir"
	"comus/ir/passes"
	"comus/sequentialize/single"
)

// passes returns the names of the passes to apply.
func (o Options) passes() []string {
	if o.Passes == nil {
		return passes.Default()
	}
	return o.Passes
}

// maxPasses bounds a list of passes: a certificate names one, and must not keep the
// checker busy forever.
const maxPasses = 100

// transform applies passes and gives both programs their final numbering, which
// certificates refer to.
func transform(p *ir.Program, names []string) (*passes.Result, error) {
	if len(names) > maxPasses {
		return nil, fmt.Errorf("passes: there are %d, more than %d", len(names), maxPasses)
	}
	p.Renumber()
	last := len(names) > 0 && names[len(names)-1] == sequentialPass
	if last {
		names = names[:len(names)-1]
	}
	r, err := passes.Run(p, names)
	if err != nil {
		return nil, fmt.Errorf("passes: %w", err)
	}
	r.Program.Renumber()
	if last {
		if err := r.Program.Single(); err != nil {
			return nil, fmt.Errorf("passes: %s: %w", sequentialPass, err)
		}
		return sequentialized(r, single.Unbounded(r.Program)), nil
	}
	return r, nil
}

// passesExist returns an error if a name in a certificate's list is that of no pass.
func passesExist(names []string) error {
	if len(names) > maxPasses {
		return fmt.Errorf("passes: there are %d, more than %d", len(names), maxPasses)
	}
	if n := len(names); n > 0 && names[n-1] == sequentialPass {
		names = names[:n-1]
	}
	if err := passes.Known(names); err != nil {
		return fmt.Errorf("passes: %w", err)
	}
	return nil
}

// sequentialPass is the name, in a certificate's list of passes, of the sequentialization
// without bounds, which comes after all passes.
const sequentialPass = "sequentialize"

// sequentialized returns the program that a sequentialization makes of the result of
// passes. Its edges stand for those that its steps stand for.
func sequentialized(r *passes.Result, s *single.Program) *passes.Result {
	out := &passes.Result{Program: s.Program, Origin: map[*ir.Edge][]*ir.Edge{}}
	for e, o := range s.Origin {
		out.Origin[e] = r.Origin[o]
	}
	s.Renumber()
	return out
}
