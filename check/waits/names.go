package waits

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
)

// name is a value by how it is computed: an expression, plus a constant. It is made of parameters (p0;), of what registers were given the latest time (r5;), of what locals hold
// that are followed (L2;), and of addresses of globals and locals (gNAME; and l2;). base "" is no name.
type name struct {
	base string
	off  int64
}

// function is what is known of a function, whoever calls it.
type function struct {
	fn *cir.Func
	// plain are those of cir.PlainLocals. given are those of them that hold a parameter all the time.
	plain map[*cir.Local]bool
	given map[*cir.Local]int
	// defs are the instructions that registers get their values from, one for each.
	defs map[int]cir.Instr
	// parts are the names that are computed of others.
	parts map[string]part
	// tests are what branches tell of the results of calls.
	tests map[*cir.Branch]test
}

// part says how a name's expression is computed: what an address leads to by an index, or, if that has no name, a value that is converted.
type part struct {
	of, index name
	scale     int64
	from, to  cir.Type // of what is converted, or of the index
}

// test is a branch that tells whether what an instruction of its block, a call or load, has given is 0.
type test struct {
	in   cir.Instr
	zero bool // it is where the condition holds
}

func (p *program) function(f *cir.Func) *function {
	if x := p.funcs[f]; x != nil {
		return x
	}
	x := &function{fn: f, plain: cir.PlainLocals(f), given: map[*cir.Local]int{}, defs: map[int]cir.Instr{}, parts: map[string]part{}, tests: map[*cir.Branch]test{}}
	p.funcs[f] = x
	x.findDefs()
	x.findGiven()
	for _, b := range f.Blocks {
		if br, ok := b.Term.(*cir.Branch); ok && br.Then != br.Else {
			if t, ok := x.testOf(b, br.Cond, true); ok {
				x.tests[br] = t
			}
		}
	}
	return x
}

func (x *function) findDefs() {
	twice := map[int]bool{}
	note := func(r *cir.Reg, in cir.Instr) {
		if _, known := x.defs[r.Index]; known {
			twice[r.Index] = true
		}
		x.defs[r.Index] = in
	}
	for _, p := range x.fn.Params {
		note(p.Reg, nil)
	}
	for _, b := range x.fn.Blocks {
		for _, r := range b.Params {
			note(r, nil)
		}
		for _, in := range b.Instrs {
			for _, r := range cir.Results(in) {
				if r != nil {
					note(r, in)
				}
			}
		}
	}
	for r := range twice {
		x.defs[r] = nil
	}
}

// findGiven finds the locals that are stored to once, a parameter, at the very beginning.
func (x *function) findGiven() {
	stores := map[*cir.Local]int{}
	for _, b := range x.fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Store:
				if l, ok := in.Addr.(*cir.Local); ok {
					stores[l]++
				}
			case *cir.LifeStart:
				stores[in.Local]++
			}
		}
	}
	if len(x.fn.Blocks) == 0 {
		return
	}
	for _, in := range x.fn.Blocks[0].Instrs {
		s, ok := in.(*cir.Store)
		if !ok {
			return
		}
		l, ok := s.Addr.(*cir.Local)
		for i, p := range x.fn.Params {
			if ok && s.X == cir.Value(p.Reg) && p.ByVal == nil && x.plain[l] && stores[l] == 1 {
				x.given[l] = i
			}
		}
	}
}

// testOf returns what a condition at the end of a block tells of what a call or load has given, if that and all that is computed of it is in the block. some tells whether v is not 0
// where the condition holds; it is 0 there otherwise.
func (x *function) testOf(b *cir.Block, v cir.Value, some bool) (test, bool) {
	for range 8 {
		r, ok := v.(*cir.Reg)
		if !ok || !slices.Contains(b.Instrs, x.defs[r.Index]) {
			return test{}, false
		}
		switch in := x.defs[r.Index].(type) {
		case *cir.Call:
			return test{in, !some}, true
		case *cir.Compare:
			c, isConst := in.Y.(cir.Int)
			if !isConst || c.Lo != 0 || c.Hi != 0 || in.Pred != cir.Eq && in.Pred != cir.Ne {
				return test{}, false
			}
			if in.Pred == cir.Eq {
				some = !some
			}
			v = in.X
		case *cir.Convert:
			if in.Dst.Type != cir.Bool && !widens(in) {
				return test{}, false
			}
			v = in.X
		case *cir.Load:
			if v = x.storedBefore(b, in); v == nil {
				return test{in, !some}, true
			}
		default:
			return test{}, false
		}
	}
	return test{}, false
}

// storedBefore returns what a load of a plain local gets, if that was stored before it in the block.
func (x *function) storedBefore(b *cir.Block, load *cir.Load) (v cir.Value) {
	l, ok := load.Addr.(*cir.Local)
	if !ok || !x.plain[l] {
		return nil
	}
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *cir.Store:
			if in.Addr == cir.Value(l) {
				v = in.X
			}
		case *cir.LifeStart:
			if in.Local == l {
				v = nil
			}
		case *cir.Load:
			if in == load {
				return v
			}
		}
	}
	return nil
}

// widens reports whether an integer is converted to one that is no smaller: it is 0 if the other one is.
func widens(in *cir.Convert) bool {
	from := typeOf(in.X)
	return from.IsInt() && in.Dst.Type.IsInt() && from.Bits <= in.Dst.Type.Bits
}

// keepsValue reports whether a conversion of integers keeps each value.
func keepsValue(in *cir.Convert) bool {
	from, to := typeOf(in.X), in.Dst.Type
	switch {
	case !from.IsInt() || !to.IsInt():
		return false
	case from.Signed == to.Signed:
		return from.Bits <= to.Bits
	}
	return to.Signed && from.Bits < to.Bits
}

// values are the names of registers within a block.
type values map[int]name

// of returns the name of an operand.
func (vs values) of(v cir.Value) name {
	switch v := v.(type) {
	case *cir.Reg:
		if n, ok := vs[v.Index]; ok {
			return n
		}
		return name{base: regToken(v.Index)}
	case cir.Int:
		if n, ok := v.Int64(); ok && n < 1<<40 && n > -1<<40 {
			return name{base: "0;", off: n}
		}
	case *cir.Global:
		return name{base: "g" + v.Name + ";"}
	case *cir.Local:
		return name{base: fmt.Sprintf("l%d;", v.Index)}
	}
	return name{}
}

func regToken(i int) string          { return fmt.Sprintf("r%d;", i) }
func localToken(l *cir.Local) string { return fmt.Sprintf("L%d;", l.Index) }
func paramToken(i int) string        { return fmt.Sprintf("p%d;", i) }

// rests reports whether a name rests on a token. One is never the end of another: each begins with its letter, behind the end of one, a bracket, or nothing.
func (n name) rests(token string) bool {
	for s := n.base; ; {
		i := strings.Index(s, token)
		if i < 0 {
			return false
		}
		if i == 0 || strings.IndexByte(";[(*", s[i-1]) >= 0 {
			return true
		}
		s = s[i+1:]
	}
}

// maxName bounds the length of names.
const maxName = 200

// compute returns the name of what an instruction computes, "" if there is none but that of its register.
func (vs values) compute(x *function, in cir.Instr) name {
	switch in := in.(type) {
	case *cir.Load:
		l, ok := in.Addr.(*cir.Local)
		if !ok || !x.plain[l] {
			return name{}
		}
		if i, ok := x.given[l]; ok {
			return name{base: paramToken(i)}
		}
		return name{base: localToken(l)}
	case *cir.Offset:
		n := vs.of(in.P)
		if n.base == "" {
			return name{}
		}
		if in.Index != nil {
			i := vs.of(in.Index)
			switch {
			case i.base == "" || in.Scale > 1<<30 || in.Scale < -1<<30 || i.off > 1<<30 || i.off < -1<<30:
				return name{}
			case i.base == "0;":
				n.off += i.off * in.Scale
			default:
				// What the type of an index is, its name does not say.
				of := part{of: name{base: n.base}, index: i, scale: in.Scale, from: typeOf(in.Index)}
				n.base = fmt.Sprintf("[%s(%s%d)*%d];", n.base, i.base, i.off, in.Scale)
				x.note(n.base, of)
			}
		}
		n.off += in.Disp
		return n.short()
	case *cir.Convert:
		n := vs.of(in.X)
		switch {
		case n.base == "" || n.base == "0;":
			return name{}
		case in.Dst.Type.IsPointer() && typeOf(in.X).IsPointer():
			return n
		}
		base := fmt.Sprintf("(%s%d)%v;", n.base, n.off, in.Dst.Type)
		x.note(base, part{of: n, from: typeOf(in.X), to: in.Dst.Type})
		return name{base: base}.short()
	}
	return name{}
}

// note keeps how a name is computed. It is not known of one that is computed in two ways.
func (x *function) note(base string, of part) {
	if old, known := x.parts[base]; known && old != of {
		of = part{of: name{}, index: name{base: "?"}}
	}
	x.parts[base] = of
}

func (n name) short() name {
	if len(n.base) > maxName || n.off > 1<<50 || n.off < -1<<50 {
		return name{}
	}
	return n
}

// typeOf returns the type of a value if it is a register, and that of no value otherwise.
func typeOf(v cir.Value) cir.Type {
	if r, ok := v.(*cir.Reg); ok {
		return r.Type
	}
	return cir.Type{}
}
