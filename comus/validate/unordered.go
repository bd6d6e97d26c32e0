package validate

import (
	"context"
	"slices"

	"comus/cfront/command"
	"comus/comus"
	"comus/internal/deadline"
	"comus/seqmc"
	"comus/witness"
)

// A witness of an execution that is not sequentially consistent has no order of the threads: only where they are created, what inputs are, and where the property is violated. It is not put into the program, as
// what counts its waypoints would order the threads. Instead an execution of the program itself is looked for, and a witness is made of it, which has to tell the same.

// isUnordered reports whether a witness is such a one.
func isUnordered(e *witness.Entry) bool {
	if e.Type != witness.Violation {
		return false
	}
	for i, s := range e.Segments {
		for _, p := range s {
			if last := i == len(e.Segments)-1; p.Action != witness.Follow || last != (p.Type == witness.Target) || !last && p.Type != witness.FunctionEnter && p.Type != witness.FunctionReturn {
				return false
			}
		}
	}
	return len(e.Segments) > 0
}

// checkUnordered looks for an execution of a program with weak memory orders that a witness without an order of the threads is one of. It returns the source of the program itself; nil: it has found none.
func checkUnordered(ctx context.Context, units []command.Invocation, e *witness.Entry, opts comus.Options) (*comus.Source, *comus.Result) {
	if !isUnordered(e) {
		return nil, nil
	}
	w := &Writer{Units: units}
	plain := opts.Source
	plain.Weave = nil
	opts.Source.Weave = w.Look
	source, err := comus.Open(ctx, units, opts.Source)
	if err != nil || !source.IsWeak(opts.Question) {
		return nil, nil
	}
	part, stop := deadline.Share(ctx, followFor, 0)
	defer stop()
	opts.Strategy, opts.Engine = comus.Auto, nil
	res, err := source.Verify(part, opts)
	if err != nil || res.Verdict != seqmc.Unsafe {
		return nil, nil
	}
	if _, weak := res.Certificate.Weak(); !weak {
		return nil, nil // one that waypoints can be put into
	}
	own, err := w.Violation(res, opts)
	if err != nil || !tellsOf(e.Segments, own[0].Segments) {
		return nil, nil
	}
	if source, err = comus.Open(ctx, units, plain); err != nil {
		return nil, nil
	}
	return source, res
}

// tellsOf reports whether segments tell of an execution that others were made of, which are all that can be told.
func tellsOf(some, all []witness.Segment) bool {
	last, end := some[len(some)-1], all[len(all)-1]
	if len(last) != len(end) || slices.ContainsFunc(last, func(p witness.Waypoint) bool {
		return !slices.ContainsFunc(end, func(q witness.Waypoint) bool { return same(p, q) })
	}) {
		return false
	}
	at := 0
	for _, s := range some[:len(some)-1] {
		for _, p := range s {
			i := slices.IndexFunc(all[at:len(all)-1], func(t witness.Segment) bool { return same(p, t[0]) })
			if i < 0 {
				return false
			}
			at += i + 1
		}
	}
	return true
}

// same reports whether a waypoint, which need not say all, is another one.
func same(p, q witness.Waypoint) bool {
	a, b := p.Location, q.Location
	return p.Type == q.Type && a.File == b.File && a.Line == b.Line && (a.Column == 0 || a.Column == b.Column) && (p.Thread == nil || q.Thread != nil && *p.Thread == *q.Thread) &&
		(p.Constraint == nil) == (q.Constraint == nil) && (p.Constraint == nil || p.Constraint.Value == q.Constraint.Value)
}
