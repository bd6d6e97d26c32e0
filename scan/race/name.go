package race

import (
	"fmt"
	"path/filepath"
	"strings"

	"comus/cir"
	"comus/scan/lockset"
	"comus/scan/points"
)

// objectName returns what a person calls an object, and the place of its declaration or allocation.
func objectName(o *points.Object) (name string, site *cir.Site) {
	switch {
	case o.External:
		return "memory outside of the program", nil
	case o.Global != nil && o.Global.Source != "":
		return o.Global.Source, &cir.Site{Pos: o.Global.Pos}
	case o.Global != nil:
		return o.Global.Name, &cir.Site{Pos: o.Global.Pos}
	case o.Local != nil && o.Local.Name != "":
		return o.Local.Name, &cir.Site{Pos: o.Local.Pos}
	case o.Local != nil:
		return "a temporary of " + o.Func.Source, &cir.Site{Pos: o.Func.Pos}
	}
	site = o.Site.Meta().Site
	what := "memory"
	if call := o.Ctx.Outer(); call != nil {
		site = call.Site
		if f, ok := call.Callee.(*cir.Func); ok {
			what = f.Source
		}
	}
	if site == nil {
		return "(" + what + ")", nil
	}
	return fmt.Sprintf("(%s at %s:%d)", what, filepath.Base(site.Pos.File), site.Pos.Line), site
}

// memberName returns the names of the members that an offset of a shape leads through: ".jobs.front", "[…].next", and the shape of
// the last one, whose bytes have to be within hi.
func memberName(s *cir.Shape, x extent) (path string, last *cir.Shape) {
	lo, hi := x.lo, x.hi
	for s != nil {
		if s.Elem != nil {
			if s.Elem.Size <= 0 {
				break
			}
			path += "[…]"
			s = s.Elem
			if hi-lo > s.Size {
				return path, s
			}
			continue
		}
		f := fieldAt(s, lo)
		if f == nil || lo+(hi-lo) > f.Offset+max(f.Shape.Size, 1) && f.Shape.Elem == nil || f.Shape == nil {
			if b := bitField(s, x); b != "" && lo >= 0 {
				return path + "." + b, s
			}
			return path, s
		}
		if f.Name != "" {
			path += "." + f.Name
		}
		lo, hi, s = lo-f.Offset, hi-f.Offset, f.Shape
	}
	return path, s
}

// bitField returns the name of the first bit-field in some bytes.
func bitField(s *cir.Shape, x extent) string {
	for _, f := range s.Fields {
		if f.Bits != nil && f.Name != "" && f.Offset+int64(f.Bits.Offset)/8 >= x.lo && f.Offset+int64(f.Bits.Offset)/8 < x.hi {
			return f.Name
		}
	}
	return ""
}

// nameOf returns what a person calls a segment of a place, and its type.
func nameOf(p place, s segment) (name, typ string) {
	if p.obj == nil {
		return "state '" + p.state + "' of the library", ""
	}
	name, _ = objectName(p.obj)
	switch p.state {
	case "":
	case freed:
		return "the life of " + name, ""
	default:
		return name + " (the library's object)", ""
	}
	shape := p.obj.Shape()
	if shape == nil {
		if p.obj.External {
			return name, ""
		}
		if t := spelled(s); t != "" {
			return name + t, ""
		}
		switch {
		case s.x.lo < 0 || s.x.lo == 0 && s.x.hi >= everywhere.hi:
			return name + "[…]", ""
		default:
			return fmt.Sprintf("%s+%d", name, s.x.lo), ""
		}
	}
	if s.x.lo < 0 {
		return name + rest(shape), shape.Name
	}
	path, last := memberName(shape, s.x)
	if last != nil {
		typ = last.Name
		if typ == "" && last.Scalar.Kind != cir.None {
			typ = last.Scalar.String()
		}
	}
	return name + path, typ
}

func rest(s *cir.Shape) string {
	if s.Elem != nil {
		return "[…]"
	}
	return ""
}

// spelled returns the member's name as the program's scalar accesses of a segment write it: ".next" of "p->next".
func spelled(s segment) string {
	best := ""
	for _, g := range s.groups {
		if !g.scalar {
			continue
		}
		for _, a := range g.list() {
			if a.node.Fn.Library {
				continue
			}
			if m := a.in.Meta().Site.Member(); m != "" && (best == "" || len(m) < len(best) || len(m) == len(best) && m < best) {
				best = m
			}
		}
	}
	return best
}

// LockName returns what a person calls a lock: by where it is, if that is one place, otherwise by how its address is made.
func LockName(l lockset.Held) string {
	if len(l.At) != 1 || l.At[0].Obj.External || l.At[0].Off == points.Any {
		return l.Name
	}
	name, _ := objectName(l.At[0].Obj)
	path, _ := memberName(l.At[0].Obj.Shape(), extent{l.At[0].Off, l.At[0].Off + 1})
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "."), ".")
	if first == "" && l.At[0].Off > 0 {
		return fmt.Sprintf("%s+%d", name, l.At[0].Off)
	}
	if first == "" {
		return name
	}
	return name + "." + first
}
