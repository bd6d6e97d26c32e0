package scancheck

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
)

// An address that is computed again from the same parts is the same: &t->bucket[i + 1] of the lock, and of what it guards. So the address of an element has a second name, by the register that was
// given it first, and numbers have one, too ("available expressions", Aho, Lam, Sethi and Ullman 2006, 9.2.6). They are known at the beginning of a block if they are wherever control comes from.

// expr is what an instruction computes: an operation of some operands, with their types and that of the result.
type expr struct {
	kind  kindOfExpr
	op    cir.Op // of an arithmetic one
	x, y  name
	types [3]cir.Type
	scale int64 // of an element
}

type kindOfExpr uint8

const (
	element kindOfExpr = iota
	arithmetic
	conversion
)

// rests reports whether an expression means something else when a symbol does.
func (e expr) rests(base string) bool { return e.x.Base == base || e.y.Base == base }

// exprOf returns the expression that an instruction computes, but for a constant that is added to it.
func (x *locks) exprOf(in cir.Instr, s *state) (e expr, plus int64, ok bool) {
	m := x.prog.Model
	operand := func(v cir.Value) (n name) {
		n, known := s.value(v)
		if again, ok := s.secondName(n); ok {
			n = again
		}
		ok = ok && known
		return n
	}
	ok = true
	switch in := in.(type) {
	case *cir.Offset:
		if in.Index == nil {
			return e, 0, false
		}
		p, t := operand(in.P), m.TypeOf(in.Index)
		e = expr{kind: element, x: name{Base: p.Base}, y: operand(in.Index), types: [3]cir.Type{t}, scale: in.Scale}
		plus = p.Off + in.Disp
		ok = ok && t.IsInt() && e.x.Base != "" && e.y.Base != "" && plus < maxApart && plus > -maxApart
	case *cir.Binary:
		e = expr{kind: arithmetic, op: in.Op, x: operand(in.X), y: operand(in.Y), types: [3]cir.Type{m.TypeOf(in.X), m.TypeOf(in.Y), in.Dst.Type}}
		ok = ok && in.Dst.Type.IsInt() && e.types[0].IsInt() && e.types[1].IsInt()
	case *cir.Convert:
		e = expr{kind: conversion, x: operand(in.X), types: [3]cir.Type{m.TypeOf(in.X), in.Dst.Type}}
		ok = ok && in.Dst.Type.IsInt() && e.types[0].IsInt()
	default:
		return e, 0, false
	}
	return e, plus, ok
}

// computed notes that a register was given what an expression is, and the name that it has from before. The expression is what it was before the register was given anything.
func (s *state) computed(e expr, plus int64, r *cir.Reg) {
	own := fresh(r)
	if e.rests(own.Base) {
		return
	}
	if n, have := s.exprs[e]; have {
		s.again[own.Base] = name{Base: n.Base, Off: n.Off + plus}
	} else {
		s.exprs[e] = name{Base: own.Base, Off: -plus}
	}
}

// secondName returns the other name of an address.
func (s *state) secondName(n name) (name, bool) {
	m, ok := s.again[n.Base]
	return name{Base: m.Base, Off: m.Off + n.Off}, ok
}

// forget takes out what rests on a symbol.
func (s *state) forget(base string) {
	for k, n := range s.exprs {
		if k.rests(base) || n.Base == base {
			delete(s.exprs, k)
		}
	}
	for b, n := range s.again {
		if b == base || n.Base == base {
			delete(s.again, b)
		}
	}
}

// arrive notes which expressions are known where control comes to a block. It reports whether these are others than before.
func (c *claim) arrive(s *state, b *cir.Block) (changed bool) {
	kept := map[expr]name{}
	renewed := func(base string) bool {
		return strings.HasPrefix(base, fmt.Sprintf("meet:%d:", b.Index)) || slices.ContainsFunc(b.Params, func(p *cir.Reg) bool { return fresh(p).Base == base })
	}
	for k, n := range s.exprs {
		if !renewed(k.x.Base) && !renewed(k.y.Base) && !renewed(n.Base) {
			kept[k] = n
		}
	}
	if !c.reached {
		c.reached, c.exprs = true, kept
		return len(kept) > 0
	}
	for k, n := range c.exprs {
		if kept[k] != n {
			delete(c.exprs, k)
			changed = true
		}
	}
	return changed
}

// constant returns the number that an index is in any case. One that went through a local is no negative one, and of a type in which it is the same with and without a sign.
func (x *locks) constant(v cir.Value, s *state) (int64, bool) {
	if i, known := v.(cir.Int); known {
		return int64(i.Lo), true
	}
	n, known := s.value(v)
	t := x.prog.Model.TypeOf(v)
	return n.Off, known && n.Base == "" && n.Off >= 0 && n.Off <= 1<<30 && t.Kind == cir.IntKind && t.Bits >= 32
}
