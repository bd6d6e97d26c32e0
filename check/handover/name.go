package handover

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// A place in memory may hold a pointer into the region of the first thread, until it is written again: an element of an array, say. It has a name that says how its address is made, of constants and
// what other places hold, in parentheses; so a name means something else once one of these is written. Only places that no other thread writes have names, and only in functions that
// only the first thread runs.

// nameOf is the name of a plain local.
func nameOf(l *cir.Local) string { return fmt.Sprintf("l%d", l.Index) }

func isLocal(name string) bool { return name[0] == 'l' }

// cell returns the name of the place that an access goes to, "" if it has none, and the objects that have what its address is made of.
func (r *rule) cell(b *body, s *state, addr cir.Value, a cir.Access) (name string, of map[*pointsto.Object]bool) {
	if !b.first || !a.Type.IsPointer() || a.Bits != nil || a.Volatile || a.Order != cir.Plain {
		return "", nil
	}
	on := map[*pointsto.Object]bool{}
	name, ok := r.made(b, s, addr, on)
	if !ok || !r.firsts(b, addr) {
		return "", nil
	}
	of = maps.Clone(on)
	for _, l := range r.places(b, addr) {
		on[l.Obj] = true
	}
	name = "m" + name
	key := inBody{b, name}
	if r.cells[key] == nil {
		r.cells[key] = on
	}
	maps.Copy(r.cells[key], on)
	return name, of
}

// inBody is a name in a function.
type inBody struct {
	b    *body
	name string
}

// maxName bounds the lengths of names.
const maxName = 200

// made says how a value is made, and adds the objects that have what it is made of.
func (r *rule) made(b *body, s *state, v cir.Value, on map[*pointsto.Object]bool) (string, bool) {
	switch v := v.(type) {
	case *cir.Local:
		return fmt.Sprintf("&%d", v.Index), !b.plain[v]
	case *cir.Global:
		return "&" + v.Name, !v.ThreadLocal
	case cir.Int:
		return fmt.Sprintf("%s %d:%d", v.Type, v.Lo, v.Hi), true
	case *cir.Reg:
		if of := s.of[v.Index]; of != "" {
			maps.Copy(on, r.cells[inBody{b, of}])
			return "(" + of + ")", len(of) < maxName
		}
		switch in := b.defs[v.Index].(type) {
		case *cir.Offset:
			p, ok := r.made(b, s, in.P, on)
			i, also := "", true
			if in.Index != nil {
				i, also = r.made(b, s, in.Index, on)
			}
			return fmt.Sprintf("[%s,%s,%d,%d]", p, i, in.Scale, in.Disp), ok && also
		case *cir.Convert:
			x, ok := r.made(b, s, in.X, on)
			return fmt.Sprintf("<%s,%s>", in.Dst.Type, x), ok && in.Dst.Type != cir.Bool
		}
	}
	return "", false
}

// firsts reports whether a pointer leads only to what no thread but the first one writes.
func (r *rule) firsts(b *body, addr cir.Value) bool {
	to := r.places(b, addr)
	return len(to) > 0 && !slices.ContainsFunc(to, func(l pointsto.Location) bool {
		return l.Obj.External || l.Obj.IsFunc() || r.pts.Outside(l.Obj) || r.others(l.Obj)
	})
}

// others reports whether other threads than the first one may write an object.
func (r *rule) others(o *pointsto.Object) bool {
	yes, known := r.written[o]
	if !known {
		for _, b := range r.order {
			yes = yes || !b.first && r.writesObject(b, o)
		}
		r.written[o] = yes
	}
	return yes
}

func (r *rule) writesObject(b *body, o *pointsto.Object) bool {
	for _, at := range b.Func.Blocks {
		if slices.ContainsFunc(at.Instrs, func(in cir.Instr) bool { return r.pts.MayWrite(b.Copy, in, o) }) {
			return true
		}
	}
	return false
}

// assign is what a plain local holds from now on; what another one holds is nothing when its life begins or ends.
func (s *state) assign(b *body, l *cir.Local, own bool) {
	s.own[b.local(l)] = own
	s.lose(nameOf(l), fmt.Sprintf("&%d", l.Index))
}

// lose forgets what a place holds, and what names mean that mention it.
func (s *state) lose(name, address string) {
	in := "(" + name + ")"
	lost := func(c string) bool {
		return c == name || strings.Contains(c, in) || address != "" && strings.Contains(c, address)
	}
	for i, of := range s.of {
		if of != "" && lost(of) {
			s.of[i] = ""
		}
	}
	for c := range s.cells { // order does not matter: each is judged by itself
		if lost(c) {
			delete(s.cells, c)
		}
	}
}

// overwrite forgets what places hold that an instruction may write.
func (r *rule) overwrite(b *body, s *state, in cir.Instr) {
	if !b.first {
		return
	}
	names := map[string]bool{}
	for c := range s.cells {
		names[c] = true
	}
	for _, of := range s.of {
		if of != "" && !isLocal(of) {
			names[of] = true
		}
	}
	for name := range names { // order does not matter: each is judged by itself
		for o := range r.cells[inBody{b, name}] {
			if r.pts.MayWrite(b.Copy, in, o) {
				s.lose(name, "")
				break
			}
		}
	}
}
