package confirm

import (
	"fmt"

	"comus/ir"
	"comus/ir/passes"
	"comus/sequentialize/single"
)

// maxPasses bounds a list of passes: a certificate names one, and must not keep the
// checker busy forever.
const maxPasses = 100

// transform applies passes and gives the result its final numbering, which certificates
// refer to.
func transform(p *ir.Program, names []string) (*passes.Result, error) {
	if len(names) > maxPasses {
		return nil, fmt.Errorf("passes: there are %d, more than %d", len(names), maxPasses)
	}
	names, last := withoutSequential(names)
	r, err := passes.Run(p, names)
	if err != nil {
		return nil, fmt.Errorf("passes: %w", err)
	}
	r.Program.Renumber()
	if last {
		if err := r.Program.Single(); err != nil {
			return nil, fmt.Errorf("passes: %s: %w", Sequential, err)
		}
		return sequentialized(r, single.Unbounded(r.Program)), nil
	}
	return r, nil
}

// Known returns an error if a name in a list is that of no pass.
func Known(names []string) error {
	if len(names) > maxPasses {
		return fmt.Errorf("passes: there are %d, more than %d", len(names), maxPasses)
	}
	names, _ = withoutSequential(names)
	if err := passes.Known(names); err != nil {
		return fmt.Errorf("passes: %w", err)
	}
	return nil
}

// withoutSequential takes the sequentialization from the end of a list of passes.
func withoutSequential(names []string) (rest []string, last bool) {
	if n := len(names); n > 0 && names[n-1] == Sequential {
		return names[:n-1], true
	}
	return names, false
}

// Sequential is the name, in a certificate's list of passes, of the sequentialization
// without bounds, which comes after all passes.
const Sequential = "sequentialize"

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
