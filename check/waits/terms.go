package waits

import (
	"fmt"
	"math/big"

	"comus/cir"
	"comus/logic"
)

// What registers and locals hold on a path are terms over integers, within the range of their types; addresses are integers, too. An operation that is not
// known gives anything of its type.

const assumeOverflow = "no signed integer overflow"

// bounded reports whether values of a type are integers that terms are made of.
func bounded(t cir.Type) bool {
	return (t.IsInt() || t.IsPointer()) && t.Bits >= 1 && t.Bits <= 64
}

// ends returns the least and the greatest value of a type.
func ends(t cir.Type) (lo, hi logic.Value) {
	if t.Signed && t.IsInt() {
		half := power(t.Bits - 1)
		return logic.IntValue(0).Sub(half), half.Sub(logic.IntValue(1))
	}
	return logic.IntValue(0), power(t.Bits).Sub(logic.IntValue(1))
}

func power(n int) logic.Value {
	v := logic.IntValue(1)
	for ; n > 0; n -= min(n, 32) {
		v = v.Mul(logic.IntValue(1 << min(n, 32)))
	}
	return v
}

// any returns a new value of a type.
func (w *walker) any(p *path, t cir.Type) *logic.Term {
	v := w.l.FreshVar("v", logic.Int)
	if bounded(t) {
		p.conds = append(p.conds, w.fits(v, t))
	}
	return v
}

// fits is the formula that a value is one of a type.
func (w *walker) fits(v *logic.Term, t cir.Type) *logic.Term {
	lo, hi := ends(t)
	return w.l.And(w.l.Le(w.l.Value(lo), v), w.l.Le(v, w.l.Value(hi)))
}

func (w *walker) constant(v cir.Int) *logic.Term { return w.l.Value(logic.BigValue(v.Big())) }

// value returns what an operand is.
func (w *walker) value(p *path, v cir.Value) *logic.Term {
	switch v := v.(type) {
	case *cir.Reg:
		if t := p.regs[v.Index]; t != nil {
			return t
		}
		t := w.any(p, v.Type)
		p.regs[v.Index] = t
		return t
	case cir.Int:
		return w.constant(v)
	case cir.Null:
		return w.l.Value(logic.BigValue(new(big.Int).SetUint64(v.Addr)))
	case *cir.Global:
		return w.l.Var("g "+v.Name, logic.Int)
	case *cir.Local:
		return w.l.Var(fmt.Sprintf("l %d", v.Index), logic.Int)
	}
	return w.l.FreshVar("v", logic.Int)
}

// named returns the value that a name stands for. ok is false if that is not known on this path.
func (w *walker) named(p *path, n name) (t *logic.Term, ok bool) {
	switch part, made := w.x.parts[n.base]; {
	case made && part.index.base == "":
		if t, ok = w.named(p, part.of); ok {
			t = w.converted(p, t, part.from, part.to)
		}
	case made:
		i, known := w.named(p, part.index)
		if t, ok = w.named(p, part.of); !known || !ok {
			return nil, false
		}
		t = w.l.Add(t, w.l.Mul(w.l.Int(part.scale), w.distance(i, part.from)))
	default:
		t, ok = w.token(p, n.base)
	}
	if !ok {
		return nil, false
	}
	return w.l.Add(t, w.l.Int(n.off)), true
}

// token returns the value of a name that is not computed.
func (w *walker) token(p *path, base string) (*logic.Term, bool) {
	var k int
	switch base {
	case "":
		return nil, false
	case "0;":
		return w.l.Int(0), true
	}
	if i := paramOf(name{base: base}); i >= 0 && i < len(w.x.fn.Params) && w.x.fn.Params[i].ByVal == nil {
		return p.regs[w.x.fn.Params[i].Reg.Index], true
	}
	if n, _ := fmt.Sscanf(base, "r%d;", &k); n == 1 && base == regToken(k) {
		t := p.regs[k]
		return t, t != nil
	}
	if n, _ := fmt.Sscanf(base, "L%d;", &k); n == 1 {
		for l, t := range p.locals {
			if localToken(l) == base {
				return t, true
			}
		}
		return nil, false
	}
	if n, _ := fmt.Sscanf(base, "l%d;", &k); n == 1 && base == fmt.Sprintf("l%d;", k) {
		return w.l.Var(fmt.Sprintf("l %d", k), logic.Int), true
	}
	if base[0] == 'g' {
		return w.l.Var("g "+base[1:len(base)-1], logic.Int), true
	}
	return nil, false
}

// distance returns by how many elements an index of a type goes, as a signed number: a wide index without a sign that is very large goes backwards.
func (w *walker) distance(i *logic.Term, t cir.Type) *logic.Term {
	if t.Bits < 64 || t.Signed {
		return i
	}
	return w.l.Ite(w.l.Lt(i, w.l.Value(power(63))), i, w.l.Sub(i, w.l.Value(power(64))))
}

// exec takes an instruction's step.
func (w *walker) exec(p *path, in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		if l, ok := in.Addr.(*cir.Local); ok && w.x.plain[l] {
			if p.locals[l] == nil {
				p.locals[l] = w.any(p, in.Type)
			}
			p.regs[in.Dst.Index] = p.locals[l]
			return
		}
		if w.steady != nil && bounded(in.Type) {
			if at, ok := w.steady(w.copy, in); ok {
				v := w.kept(at, in.Type)
				p.conds = append(p.conds, w.fits(v, in.Type))
				p.regs[in.Dst.Index] = v
				return
			}
		}
		if w.indexed != nil && w.lock.Object != 0 && bounded(in.Type) {
			if x := w.indexed(w.copy, in, w.lock); x != nil {
				v := w.any(p, in.Type)
				p.numbers = append(p.numbers, numbered{w.value(p, in.Addr), v, x})
				p.regs[in.Dst.Index] = v
				return
			}
		}
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); ok && w.x.plain[l] {
			p.locals[l] = w.value(p, in.X)
		}
		return
	case *cir.LifeStart:
		delete(p.locals, in.Local)
		return
	case *cir.Binary:
		if t := w.binary(p, in); t != nil {
			p.regs[in.Dst.Index] = t
			return
		}
	case *cir.Compare:
		if bounded(w.prog.Model.TypeOf(in.X)) && bounded(w.prog.Model.TypeOf(in.Y)) {
			p.regs[in.Dst.Index] = w.truth(w.compared(in.Pred, w.value(p, in.X), w.value(p, in.Y)))
			return
		}
	case *cir.Convert:
		if from := w.prog.Model.TypeOf(in.X); bounded(from) && bounded(in.Dst.Type) {
			p.regs[in.Dst.Index] = w.converted(p, w.value(p, in.X), from, in.Dst.Type)
			return
		}
	case *cir.Select:
		if bounded(in.Dst.Type) {
			p.regs[in.Dst.Index] = w.l.Ite(w.l.Ne(w.value(p, in.Cond), w.l.Int(0)), w.value(p, in.X), w.value(p, in.Y))
			return
		}
	case *cir.Offset:
		t := w.l.Add(w.value(p, in.P), w.l.Int(in.Disp))
		if in.Index != nil {
			from := w.prog.Model.TypeOf(in.Index)
			if !bounded(from) {
				break
			}
			t = w.l.Add(t, w.l.Mul(w.l.Int(in.Scale), w.distance(w.value(p, in.Index), from)))
		}
		p.regs[in.Dst.Index] = t
		return
	}
	for _, r := range cir.Results(in) {
		if r != nil {
			p.regs[r.Index] = w.any(p, r.Type)
		}
	}
}

func (w *walker) truth(f *logic.Term) *logic.Term { return w.l.Ite(f, w.l.Int(1), w.l.Int(0)) }

func (w *walker) compared(pred cir.Pred, x, y *logic.Term) *logic.Term {
	switch pred {
	case cir.Eq:
		return w.l.Eq(x, y)
	case cir.Ne:
		return w.l.Ne(x, y)
	case cir.Lt:
		return w.l.Lt(x, y)
	case cir.Le:
		return w.l.Le(x, y)
	case cir.Gt:
		return w.l.Lt(y, x)
	}
	return w.l.Le(y, x)
}

// converted returns a value as one of another type.
func (w *walker) converted(p *path, v *logic.Term, from, to cir.Type) *logic.Term {
	if !bounded(from) || !bounded(to) {
		return w.any(p, to)
	}
	if to == cir.Bool {
		return w.truth(w.l.Ne(v, w.l.Int(0)))
	}
	fl, fh := ends(from)
	tl, th := ends(to)
	switch {
	case tl.Cmp(fl) <= 0 && fh.Cmp(th) <= 0:
		return v
	case to.IsInt() && !to.Signed:
		return w.l.Mod(v, w.l.Value(power(to.Bits)))
	}
	out := w.any(p, to)
	p.conds = append(p.conds, w.l.Or(w.l.Not(w.fits(v, to)), w.l.Eq(out, v)))
	return out
}

// binary returns what an operation gives; nil if that is not known.
func (w *walker) binary(p *path, in *cir.Binary) *logic.Term {
	t := in.Dst.Type
	if !bounded(t) || !t.IsInt() {
		return nil
	}
	x, y := w.value(p, in.X), w.value(p, in.Y)
	_, constX := x.Const()
	k, constY := y.Const()
	var exact *logic.Term
	switch {
	case in.Op == cir.Add:
		exact = w.l.Add(x, y)
	case in.Op == cir.Sub:
		exact = w.l.Sub(x, y)
	case in.Op == cir.Mul && (constX || constY):
		exact = w.l.Mul(x, y)
	case in.Op == cir.Div && constY && k.Sign() > 0:
		return w.l.TruncDiv(x, y)
	case in.Op == cir.Rem && constY && k.Sign() > 0:
		return w.l.TruncMod(x, y)
	default:
		return nil
	}
	switch {
	case !t.Signed:
		return w.l.Mod(exact, w.l.Value(power(t.Bits)))
	case in.Wrap:
		return nil
	}
	p.conds = append(p.conds, w.fits(exact, t))
	w.overflow = true
	return exact
}
