package story

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"comus/cir"
	"comus/cir/interp"
)

// knownOf says which object it is; whether its life has ended is not told.
func (r *recorder) knownOf(o *interp.Object) interp.Known {
	k, ok := r.known[o]
	if !ok {
		k = r.m.Known(o)
		r.known[o] = k
	}
	return k
}

// textOf returns what was read as C writes it, "" if that is not known.
func (r *recorder) textOf(x loaded) string {
	switch {
	case !x.known:
		return ""
	case x.key.object == nil:
		return r.valueOf(x.value, r.shapeOf(x.key.local.Addr, r.p.Model.SizeOf(x.key.local.Type)))
	}
	return r.valueOf(x.value, r.shapeAt(x.key, x.in))
}

// now returns what a place holds.
func (r *recorder) now(k placeKey) (text string, ok bool) {
	var in cir.Located
	for _, e := range r.accesses {
		if e.key == k {
			in = e.in
		}
	}
	return r.held(k, in)
}

// held returns what a place holds, which an instruction accesses: a scalar, or a string.
func (r *recorder) held(k placeKey, in cir.Located) (text string, ok bool) {
	shape := r.shapeAt(k, in)
	t, scalar := r.typeOf(k, in, shape)
	if !scalar {
		return "", false
	}
	if k.bits.Width > 0 {
		return r.bits(k, t)
	}
	v, known := r.m.Look(k.object, k.off, t)
	if !known {
		return "", false
	}
	return r.valueOf(v, shape), true
}

// typeOf returns the type of the scalar at a place.
func (r *recorder) typeOf(k placeKey, in cir.Located, shape *cir.Shape) (cir.Type, bool) {
	if a := accessOf(in); a != nil {
		return a.Type, true
	}
	if shape != nil && shape.Scalar.Kind != cir.None && shape.Size == k.n {
		return shape.Scalar, true
	}
	if shape == nil && (k.n == 4 || k.n == 8) { // what an atomic operation accesses, say
		return cir.Type{Kind: cir.IntKind, Bits: int(k.n) * 8, Signed: true}, true
	}
	return cir.Type{}, false
}

// bits returns the value of a bit-field.
func (r *recorder) bits(k placeKey, t cir.Type) (string, bool) {
	first := k.bits.Offset
	if k.bits.To > k.bits.From {
		first = k.bits.From
	}
	at := k.bits.Offset - first>>3<<3
	var all uint64
	for i := int64(0); i < k.n && i < 8; i++ {
		b, known := r.m.Look(k.object, k.off+i, cir.U8)
		if !known {
			return "", false
		}
		all |= b.Lo << (8 * i)
	}
	if at < 0 || at+k.bits.Width > 64 {
		return "", false
	}
	all = all << (64 - at - k.bits.Width)
	if t.Signed {
		return strconv.FormatInt(int64(all)>>(64-k.bits.Width), 10), true
	}
	return strconv.FormatUint(all>>(64-k.bits.Width), 10), true
}

// valueOf returns a value as C writes it.
func (r *recorder) valueOf(v interp.Value, shape *cir.Shape) string {
	t := v.Type
	switch {
	case t.IsPointer():
		return r.pointer(v)
	case t.IsFloat() && t.Bits == 64:
		return strconv.FormatFloat(math.Float64frombits(v.Lo), 'g', 6, 64)
	case t.IsFloat() && t.Bits == 32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v.Lo))), 'g', 6, 32)
	case !t.IsInt() || t.Bits > 64:
		return ""
	}
	if t == cir.Bool {
		return strconv.FormatBool(v.Lo != 0)
	}
	if shape != nil {
		if name := shape.Enumerator(int64(v.Lo)); name != "" {
			return name
		}
	}
	if t == cir.I8 && v.Lo >= ' ' && v.Lo <= '~' {
		return strings.Replace(strconv.QuoteRune(rune(v.Lo)), `\"`, `"`, 1)
	}
	if t.Signed {
		return strconv.FormatInt(int64(v.Lo), 10)
	}
	return strconv.FormatUint(v.Lo, 10)
}

// pointer returns what a pointer points to.
func (r *recorder) pointer(v interp.Value) string {
	switch {
	case v.Obj == nil && v.Lo == 0:
		return "NULL"
	case v.Obj == nil:
		return fmt.Sprintf("%#x", v.Lo)
	}
	if f := r.m.Code(v.Obj); f != nil {
		return f.Source
	}
	off, k := int64(v.Lo), r.knownOf(v.Obj)
	switch {
	case k.Global != nil && k.Global.Source == "":
		return "a string"
	case k.Global != nil:
		return "&" + k.Global.Source + begins(k.Global.Shape, off)
	}
	name := r.memory(v.Obj, k)
	if off != 0 {
		name += fmt.Sprintf("+%d", off)
	}
	if k.Born == nil {
		return "&" + name
	}
	if r.m.Dead(v.Obj) {
		name += ", which is freed"
	}
	return name
}

// memory names an object that is no variable with static storage: "memory of line 12".
func (r *recorder) memory(o *interp.Object, k interp.Known) string {
	if k.Born == nil {
		return strings.Trim(o.Name(), "'")
	}
	at := fmt.Sprintf("line %d", k.Born.Pos.Line)
	if len(r.p.Files) > 0 && k.Born.Pos.File != r.p.Files[0] {
		at = fmt.Sprintf("%s:%d", filepath.Base(k.Born.Pos.File), k.Born.Pos.Line)
	}
	i := slices.Index(r.heap[k.Born], o)
	if i < 0 {
		i = len(r.heap[k.Born])
		r.heap[k.Born] = append(r.heap[k.Born], o)
	}
	if i > 0 {
		return fmt.Sprintf("memory of %s (no. %d)", at, i+1)
	}
	return "memory of " + at
}

// begins returns the path to the largest part of an object that begins at an offset.
func begins(s *cir.Shape, off int64) string {
	if off == 0 {
		return ""
	}
	if s != nil && s.Elem != nil && s.Elem.Size > 0 && off >= 0 {
		return fmt.Sprintf("[%d]", off/s.Elem.Size) + begins(s.Elem, off%s.Elem.Size)
	}
	if s != nil {
		for i := range s.Fields {
			f := &s.Fields[i]
			if f.Bits == nil && off >= f.Offset && off < f.Offset+f.Shape.Size && f.Name != "" {
				return "." + f.Name + begins(f.Shape, off-f.Offset)
			}
		}
	}
	return fmt.Sprintf("+%d", off)
}

// part returns how C divides the scalar at a part of an object, nil if that is not known.
func part(s *cir.Shape, off, n int64) *cir.Shape {
	for s != nil {
		switch {
		case s.Elem != nil && s.Elem.Size > 0:
			s, off = s.Elem, off%s.Elem.Size
			continue
		case len(s.Fields) == 0:
			if off == 0 && s.Size == n {
				return s
			}
			return nil
		}
		i := slices.IndexFunc(s.Fields, func(f cir.Field) bool { return off >= f.Offset && off+n <= f.Offset+f.Shape.Size })
		if i < 0 {
			return nil
		}
		s, off = s.Fields[i].Shape, off-s.Fields[i].Offset
	}
	return nil
}

// shapeAt returns how C divides the scalar at a place that an instruction accesses, nil if that is not known.
func (r *recorder) shapeAt(k placeKey, in cir.Located) *cir.Shape {
	if k.object != nil {
		if g := r.knownOf(k.object).Global; g != nil {
			return part(g.Shape, k.off, k.n)
		}
	}
	switch in := in.(type) {
	case *cir.Load:
		return r.shapeOf(in.Addr, r.p.Model.SizeOf(in.Type))
	case *cir.Store:
		return r.shapeOf(in.Addr, r.p.Model.SizeOf(in.Type))
	}
	return nil
}

// shapeOf returns how C divides what an address says it is one of, as far as the program tells.
func (r *recorder) shapeOf(addr cir.Value, n int64) *cir.Shape {
	switch a := addr.(type) {
	case *cir.Local:
		return part(a.Shape, 0, n)
	case *cir.Global:
		return part(a.Shape, 0, n)
	case *cir.Reg:
		if o := r.paths[a]; o != nil && o.Of != nil {
			off := o.Disp - o.At
			return part(o.Of, off, n)
		}
	}
	return nil
}

// nameOf returns how C names a place.
func (r *recorder) nameOf(k placeKey) string {
	if k.object == nil {
		return lvalue(k.local.Site)
	}
	known := r.knownOf(k.object)
	if g := known.Global; g != nil && g.Source != "" {
		if path, shown := g.Shape.Path(k.off*8, min(k.n, 8)*8); shown && k.bits.Width == 0 {
			return g.Source + path
		}
	}
	name := ""
	for _, e := range slices.Backward(r.accesses) {
		if e.key == k {
			if name = lvalue(e.in.Meta().Site); name != "" {
				break
			}
		}
	}
	if name == "" {
		name = r.memory(k.object, known)
		if k.off != 0 {
			name += fmt.Sprintf("+%d", k.off)
		}
	}
	return name
}

// Expressions of places as C writes them: the first in a statement, or what functions for atomic accesses are given.
var (
	path     = `[A-Za-z_]\w*(?:->[A-Za-z_]\w*|\.[A-Za-z_]\w*|\[[^\[\]]*(?:\[[^\[\]]*\])?[^\[\]]*\])*`
	argument = regexp.MustCompile(`^\w*(?:atomic|sync|Interlocked)\w*\(\s*&?(` + path + `)\s*[,)]`)
	place    = regexp.MustCompile(`^(?:\+\+|--)?(\**` + path + `)\s*(?:\+\+|--|[-+*/%&|^]?=[^=]|<<=|>>=|$)`)
)

// lvalue returns the expression of the place that a statement accesses, "" if that is not plain to see.
func lvalue(s *cir.Site) string {
	if s == nil {
		return ""
	}
	for _, e := range []*regexp.Regexp{argument, place} {
		if m := e.FindStringSubmatch(s.Text); m != nil {
			return m[1]
		}
	}
	return ""
}
