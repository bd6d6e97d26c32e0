package validate

import (
	"slices"

	"comus/cfront/types"
	"comus/cfront/weave"
	"comus/cir"
)

// An update of ghost variables is one step with its statement, which therefore has to be at most one step of the program that other threads
// can tell from none: were it two, nobody could come between them any more, and what the program does then would
// never be looked at. That is judged on the program that was read, between the beginning and the end of what was woven.

// single returns an error if an update's statement may be more than one step.
func (s *claims) single(p *cir.Program) error {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for k, in := range b.Instrs {
				n, ok := s.wovenUpdate(in, cir.AtomicBegin)
				if !ok {
					continue
				}
				st := &statement{claims: s, fn: f, line: n, seen: map[*cir.Block]int{}}
				why := ""
				switch steps := st.steps(b, k+1); {
				case steps > 1:
					why = "other threads may come between the steps of the statement"
				case !st.closed(b):
					why = "control comes into the statement, or leaves it, elsewhere"
				}
				if u := s.updates[n-updateLines]; why != "" {
					return s.at(u.At, "the update cannot be one step with the statement at %s: %s", oneLine(u.Location.String()), why)
				}
			}
		}
	}
	return nil
}

// wovenUpdate returns the line of an update's text, if the instruction is an intrinsic of it.
func (s *claims) wovenUpdate(in cir.Instr, op cir.IntrinsicOp) (line int, ok bool) {
	i, ok := in.(*cir.Intrinsic)
	if !ok || i.Op != op || !isWoven(in) {
		return 0, false
	}
	n := i.Site.Pos.Line
	return n, n >= updateLines && n-updateLines < len(s.updates)
}

// isWoven reports whether an instruction is none of the program's.
func isWoven(in cir.Instr) bool {
	site := in.Meta().Site
	return site != nil && weave.IsWoven(types.Pos(site.Pos))
}

// statement is the statement of an update, or a function of the library that it calls.
type statement struct {
	claims *claims
	fn     *cir.Func
	line   int                // of the update's text; 0 in a function
	seen   map[*cir.Block]int // the steps from their beginnings; -1: on the way here
	leaves bool
	calls  int // within one another
}

// manySteps is what there is no need to count.
const manySteps = 2

// steps returns the largest number of steps from an instruction on that others can tell, or manySteps.
func (s *statement) steps(b *cir.Block, from int) int {
	n := 0
	for _, in := range b.Instrs[from:] {
		if line, ok := s.claims.wovenUpdate(in, cir.AtomicEnd); ok && line == s.line {
			return n
		}
		if !isWoven(in) {
			n += s.instr(in)
		}
	}
	if _, ok := b.Term.(*cir.Return); ok || b.Term == nil {
		s.leaves = true
	}
	most := 0
	cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
		k, ok := s.seen[to]
		if !ok {
			s.seen[to] = -1
			k = s.steps(to, 0)
			s.seen[to] = k
		}
		if k < 0 { // a loop
			k = manySteps
		}
		most = max(most, k)
	})
	return min(n+most, manySteps)
}

// closed reports whether control comes into the statement at its beginning only, and leaves it at its end.
func (s *statement) closed(first *cir.Block) bool {
	if s.leaves {
		return false
	}
	for _, b := range s.fn.Blocks {
		if _, ok := s.seen[b]; ok || b == first {
			continue
		}
		into := false
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			_, ok := s.seen[to]
			into = into || ok
		})
		if into {
			return false
		}
	}
	return true
}

// instr returns the number of steps of an instruction.
func (s *statement) instr(in cir.Instr) int {
	switch in := in.(type) {
	case *cir.Load:
		return s.access(in.Addr)
	case *cir.Store:
		return s.access(in.Addr)
	case *cir.RMW:
		return s.access(in.Addr)
	case *cir.CmpXchg:
		return s.access(in.Addr)
	case *cir.Call:
		return s.call(in)
	case *cir.Intrinsic:
		switch in.Op {
		case cir.Nondet, cir.ThreadSelf, cir.Assume, cir.Assert, cir.Undefined, cir.Assumed, cir.Approximation, cir.Readers, cir.Wakeups:
			return 0
		case cir.Lock, cir.Unlock, cir.ThreadCreate:
			return 1
		}
		return manySteps
	case *cir.Copy, *cir.Fill, *cir.VaStart, *cir.VaArg, *cir.VaCopy:
		return manySteps
	}
	return 0
}

// access returns the number of steps of an access: none for a variable of this activation that nobody else knows.
func (s *statement) access(addr cir.Value) int {
	l, ok := addr.(*cir.Local)
	if !ok || escapes(s.fn, l) {
		return 1
	}
	return 0
}

// escapes reports whether the address of a local is used for anything but an access.
func escapes(f *cir.Func, l *cir.Local) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			uses := 0
			cir.Operands(in, func(v cir.Value) {
				if v == cir.Value(l) {
					uses++
				}
			})
			switch in := in.(type) {
			case *cir.Load:
				uses = 0
			case *cir.Store:
				if in.X != cir.Value(l) {
					uses = 0
				}
			}
			if uses > 0 {
				return true
			}
		}
		used := false
		cir.Succs(b.Term, func(_ *cir.Block, args []cir.Value) { used = used || slices.Contains(args, cir.Value(l)) })
		if used {
			return true
		}
	}
	return false
}

// oneStep are the models of the library's functions that are one step, beside accesses of what nobody changes.
var oneStep = map[string]bool{
	"pthread_mutex_lock": true, "pthread_mutex_unlock": true, "pthread_spin_lock": true, "pthread_spin_unlock": true,
	"mtx_lock": true, "mtx_unlock": true,
}

// call returns the number of steps of a call.
func (s *statement) call(in *cir.Call) int {
	f, ok := in.Callee.(*cir.Func)
	switch {
	case !ok || len(f.Blocks) == 0 || s.calls > 3:
		return manySteps
	case f.Atomic || f.Library && oneStep[f.Source]:
		return 1
	case !f.Library:
		return manySteps
	}
	body := &statement{claims: s.claims, fn: f, seen: map[*cir.Block]int{f.Blocks[0]: -1}, calls: s.calls + 1}
	return body.steps(f.Blocks[0], 0)
}
