package race

import (
	"fmt"
	"path/filepath"
	"strings"

	"comus/cir"
	"comus/scan/lockset"
	"comus/scan/pointsto"
)

// objectName returns what a person calls an object, and the place of its declaration or allocation.
func objectName(o *pointsto.Object) (name string, site *cir.Site) {
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
	if call := allocation(o.Ctx); call != nil {
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

// allocation returns the call by which memory is allocated, as the program sees it: that of the outermost wrapper, but for what creates the thread that calls it.
func allocation(ctx pointsto.Context) (call *cir.Call) {
	for at := &ctx; at != nil; at = at.Up {
		if at.Call == nil {
			continue
		}
		f, ok := at.Call.Callee.(*cir.Func)
		if creates := ok && f.Library && (f.Source == "pthread_create" || f.Source == "thrd_create"); call == nil || !creates {
			call = at.Call
		}
	}
	return call
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

// LockName returns what a person calls a lock: by where it is, if that is one place, otherwise by how its address is made, as far as the program has names for that.
func LockName(l lockset.Held) string {
	if len(l.At) == 1 && namedAt(l.At[0]) {
		return lockAt(l.At[0])
	}
	if !strings.ContainsAny(l.Name, "%@") { // no register, nor what a local holds somewhere
		return l.Name
	}
	names := map[string]bool{}
	first := ""
	for _, at := range l.At {
		if !namedAt(at) {
			return "a lock"
		}
		name := lockAt(at)
		names[name] = true
		if first == "" || name < first {
			first = name
		}
	}
	switch len(names) {
	case 0:
		return "a lock"
	case 1:
		return first
	}
	return first + " or another lock"
}

// namedAt reports whether a person has a name for a location.
func namedAt(l pointsto.Location) bool { return !l.Obj.External && l.Off != pointsto.Any }

// lockAt returns what a person calls a lock at a location.
func lockAt(l pointsto.Location) string {
	name, _ := objectName(l.Obj)
	path, _ := memberName(l.Obj.Shape(), extent{l.Off, l.Off + 1})
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "."), ".")
	if first == "" && l.Off > 0 {
		return fmt.Sprintf("%s+%d", name, l.Off)
	}
	if first == "" {
		return name
	}
	return name + "." + first
}
