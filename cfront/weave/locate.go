package weave

import (
	"slices"

	"comus/cfront/syntax"
	"comus/cfront/types"
)

// The places of witnesses are a file, a line and perhaps a column. If there is none, 0, it is the leftmost one of the
// line where there is what is looked for.

// matches reports whether a token is at a place.
func (o *Outline) matches(i int32, at types.Pos) bool {
	if i < 0 || int(i) >= len(o.in.Tokens) {
		return false
	}
	p := o.in.Tokens[i].Pos
	return p.Line == at.Line && (at.Col == 0 || p.Col == at.Col) && isFile(p, at.File)
}

// StatementAt returns the statement that begins at a place, or else the innermost one that the place is in, in a file and function; nil
// if there is none.
func (o *Outline) StatementAt(at types.Pos) *Statement {
	var best *Statement
	for _, s := range o.Statements { // an outer one comes before those in it
		if o.matches(s.first, at) && (best == nil || o.in.Pos(s.first).Col < best.Pos.Col) {
			best = s
		}
	}
	if best != nil || at.Col == 0 {
		return best
	}
	return o.StatementAround(at)
}

// StatementAround returns the innermost statement with a token at a place, outside of the statements in it; nil if there is none.
func (o *Outline) StatementAround(at types.Pos) *Statement {
	var best *Statement
	for _, s := range o.Statements {
		for i := s.first; i <= s.head; i++ {
			if o.matches(i, at) && (best == nil || s.last-s.first < best.last-best.first && s.Pos != best.Pos) {
				best = s
			}
		}
	}
	return best
}

// CallAt returns the call whose parentheses, or whose function's name, are at a place.
func (o *Outline) CallAt(at types.Pos) *Call {
	var best *Call
	for _, c := range o.Calls {
		if at.Col == 0 {
			if o.matches(c.close, at) && (best == nil || o.in.Pos(c.close).Col < o.in.Pos(best.close).Col) {
				best = c
			}
			continue
		}
		if o.matches(c.close, at) || o.matches(c.open, at) || o.matches(c.Node.First, at) {
			return c
		}
	}
	return best
}

// Close returns where the parenthesis is that ends a call.
func (o *Outline) Close(c *Call) types.Pos { return o.in.Pos(c.close) }

// CallIn returns the call of a function at a place or, if the place is not that of a call, in a statement; nil unless there is exactly one.
func (o *Outline) CallIn(s *Statement, p types.Pos, is func(name string) bool) *Call {
	var here, all []*Call
	for _, c := range o.Calls {
		at := c.Node.At()
		if c.Name == "" || !is(c.Name) || at.First < s.first || at.Last > s.head {
			continue
		}
		all = append(all, c)
		if o.in.Pos(at.First) == p {
			here = append(here, c)
		}
	}
	switch {
	case len(here) == 1:
		return here[0]
	case len(here) == 0 && len(all) == 1:
		return all[0]
	}
	return nil
}

// CallsAny reports whether a statement, outside of those in it, calls one of some functions, or through a pointer.
func (o *Outline) CallsAny(s *Statement, funcs func(name string) bool) bool {
	return slices.ContainsFunc(o.Calls, func(c *Call) bool {
		at := c.Node.At()
		return at.First >= s.first && at.Last <= s.head && (c.Name == "" || funcs(c.Name))
	})
}

// LoopAt returns the condition of the loop at a place, and BranchAt that of what branches there.
func (o *Outline) LoopAt(at types.Pos) *Condition {
	return o.conditionAt(at, func(c *Condition) bool { return c.Loop })
}

// BranchAt returns the condition of what branches at a place: the keyword of a statement, or a question mark.
func (o *Outline) BranchAt(at types.Pos) *Condition {
	return o.conditionAt(at, func(*Condition) bool { return true })
}

func (o *Outline) conditionAt(at types.Pos, is func(*Condition) bool) *Condition {
	var best *Condition
	for _, c := range o.Conditions {
		if !c.useless && is(c) && o.matches(c.at, at) && (best == nil || o.in.Pos(c.at).Col < o.in.Pos(best.at).Col) {
			best = c
		}
	}
	return best
}

// IsSimple reports whether a statement has no statements in it and is evaluated as often as it is reached: no loop.
func (s *Statement) IsSimple() bool {
	switch s.Node.(type) {
	case *syntax.While, *syntax.For, *syntax.StaticAssert, *syntax.LabelDecl:
		return false
	}
	return true
}

// Loops reports whether a statement is a loop.
func (s *Statement) Loops() bool {
	switch s.Node.(type) {
	case *syntax.While, *syntax.For:
		return true
	}
	return false
}

// Closing returns the function whose body ends at a place.
func (o *Outline) Closing(at types.Pos) *Function {
	for _, f := range o.Funcs {
		if o.matches(f.close, at) {
			return f
		}
	}
	return nil
}

// EndOf returns where the body of a function ends.
func (o *Outline) EndOf(f *Function) types.Pos { return o.in.Pos(f.close) }

// Places returns the places of a statement's tokens, outside of the statements in it.
func (o *Outline) Places(s *Statement) map[types.Pos]bool {
	out := map[types.Pos]bool{}
	for i := s.first; i <= s.head; i++ {
		out[o.in.Tokens[i].Pos] = true
	}
	return out
}

// Fixed reports whether nothing can be put before a statement: it is a declaration that does nothing.
func (s *Statement) Fixed() bool {
	switch s.Node.(type) {
	case *syntax.StaticAssert, *syntax.LabelDecl:
		return true
	}
	return false
}
