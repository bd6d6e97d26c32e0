package counted

import "comus/cir"

// instr is an instruction that is no terminator.
func (w *walk) instr(s *state, in cir.Instr, ch *choice) {
	f := s.top()
	c := w.copies[f.copy]
	switch in := in.(type) {
	case *cir.Load:
		w.load(s, in, ch)
	case *cir.Store:
		w.store(s, in, ch)
	case *cir.RMW:
		w.change(s, in, ch)
	case *cir.Call:
		w.call(s, in, ch)
	case *cir.Fence:
		if !in.Compiler && (in.Order == cir.Acquire || in.Order == cir.AcqRel || in.Order == cir.SeqCst) {
			s.late = false
		}
	case *cir.LifeStart:
		w.begins(s, in.Local, ch)
	case *cir.LifeEnd:
		delete(f.vars, in.Local.Index)
	case *cir.Copy:
		w.copyBytes(s, in, ch)
	case *cir.Fill:
		w.fill(s, in.Dst, in.Byte, c.Given(in.Size), in, ch)
	case *cir.Compare, *cir.Convert, *cir.Select, *cir.Offset, *cir.Binary:
		v := w.compute(s, in, ch)
		f.set(cir.Results(in)[0], v)
	default:
		for _, p := range touched(in) {
			if at := w.places(c, p); w.concerns(at) || w.toCells(at, -1) || w.toCarrier(at) || w.toRow(at) {
				w.no("an instruction is not followed", in)
			}
		}
		for _, r := range cir.Results(in) {
			f.set(r, value{})
		}
	}
	if len(s.frames) == 0 || s.top() != f {
		return
	}
	for _, r := range cir.Results(in) { // it is decided now, before the thread drops what it has of the object
		if _, known := f.regs[r.Index]; !known && !ch.dead && w.why == "" && w.toInner(w.places(c, r)) {
			w.value(s, r, ch)
		}
	}
}

// begins is the beginning of a local's life: cells in it may hold anything, but no object.
func (w *walk) begins(s *state, l *cir.Local, ch *choice) {
	f := s.top()
	delete(f.vars, l.Index)
	for k, c := range w.form.cells {
		if c.at.Obj.Local == l && c.at.Obj.Func == w.copies[f.copy].Func {
			if w.openCell(s, k, nil); w.why == "" {
				s.cells[k] = []value{zero, {kind: other}}[ch.pick(2)]
			}
		}
	}
}

// touched returns the operands by which other instructions may access memory.
func touched(in cir.Instr) (list []cir.Value) {
	switch in := in.(type) {
	case *cir.CmpXchg:
		return []cir.Value{in.Addr, in.New}
	case *cir.Intrinsic:
		if in.Op != cir.IsSet {
			return in.Args
		}
		return nil
	case *cir.Bitcast, *cir.Unary, *cir.Overflow, *cir.Distance, *cir.Fence, *cir.StackSave, *cir.StackRestore:
		return nil
	}
	cir.Operands(in, func(v cir.Value) { list = append(list, v) })
	return list
}

// compute returns what an instruction gives that accesses nothing.
func (w *walk) compute(s *state, in cir.Instr, ch *choice) value {
	switch in := in.(type) {
	case *cir.Compare:
		return compare(in.Pred, w.value(s, in.X, ch), w.value(s, in.Y, ch))
	case *cir.Select:
		yes, known := truth(w.value(s, in.Cond, ch))
		if !known {
			yes = ch.pick(2) == 0
		}
		if yes {
			return w.value(s, in.X, ch)
		}
		return w.value(s, in.Y, ch)
	case *cir.Convert:
		return w.convert(s, in, ch)
	case *cir.Binary:
		a, b := w.value(s, in.X, ch), w.value(s, in.Y, ch)
		if a.kind == index && b.kind == number && in.Op == cir.Add {
			return moved(in, a, b.n, ch)
		} else if a.kind == index && b.kind == number && in.Op == cir.Sub {
			return moved(in, a, -b.n, ch)
		}
		return binary(in, a, b)
	case *cir.Offset:
		v, d := w.value(s, in.P, ch), in.Disp
		if in.Index != nil {
			i, ok := in.Index.(cir.Int)
			if d += int64(i.Lo) * in.Scale; !ok {
				d = somewhere
			}
		}
		if v.kind == node || v.kind == within || v.kind == carrier {
			if v.off == somewhere || d == somewhere {
				v.off = somewhere
			} else {
				v.off += d
			}
		}
		if v.kind <= carrier && (v.kind != number || v.n == 0) {
			return v
		}
	}
	return value{}
}

func (w *walk) convert(s *state, in *cir.Convert, ch *choice) value {
	m := w.prog.Model
	v, from, to := w.value(s, in.X, ch), m.TypeOf(in.X), in.Dst.Type
	switch {
	case v.kind == neither:
		return v
	case to.IsFloat() || from.IsFloat():
	case to == cir.Bool:
		if yes, known := truth(v); known && yes {
			return value{kind: number, n: 1}
		} else if known {
			return zero
		}
		return value{kind: neither}
	case v.kind == number:
		if v.n >= 0 && v.n < 100 && (to.IsPointer() || to.Bits >= 8) {
			return v
		}
	case v.kind == least && to.IsInt() && to.Bits >= 32:
		return v
	case v.kind == more && to.IsInt() && to.Bits >= 32:
		return v
	case v.kind == index:
		if widens(from, to) {
			return v
		}
	case v.kind != least && v.kind != more && m.SizeOf(to) == w.word && m.SizeOf(from) == w.word:
		return v
	}
	return value{}
}

// binary is an operation on two numbers.
func binary(in *cir.Binary, a, b value) value {
	if a.kind != number && b.kind == number && in.Op == cir.Add || a.kind == number && b.kind != number && in.Op == cir.Add {
		if a.kind == number {
			a, b = b, a
		}
	}
	if b.kind != number {
		return value{}
	}
	d := b.n
	if in.Op == cir.Sub {
		d = -d
	}
	sum := in.Op == cir.Add || in.Op == cir.Sub
	switch {
	case a.kind == number && sum && a.off+b.off > 0: // of other numbers there may be many
		if n := a.n + d; n >= 0 && n <= 2*maxUnits {
			return value{number, n, 1}
		}
	case a.kind == number && a.n >= 0 && b.n >= 0 && in.Op == cir.And:
		return value{kind: number, n: a.n & b.n}
	case a.kind == number && a.n >= 0 && b.n >= 0 && in.Op == cir.Or:
		return value{kind: number, n: a.n | b.n}
	case a.kind == number && a.n >= 0 && b.n >= 0 && in.Op == cir.Xor:
		return value{kind: number, n: a.n ^ b.n}
	case a.kind == least && sum && a.n+d >= 0 && d < 8:
		return value{kind: least, n: a.n + d}
	case a.kind == more && sum && a.off+d >= 0 && d < 8:
		return value{more, a.n + d, a.off + d}
	}
	return value{}
}

// swapped has the comparisons with the operands the other way round.
var swapped = map[cir.Pred]cir.Pred{cir.Eq: cir.Eq, cir.Ne: cir.Ne, cir.Lt: cir.Gt, cir.Le: cir.Ge, cir.Gt: cir.Lt, cir.Ge: cir.Le}

// compare returns the result of a comparison, if it is known.
func compare(p cir.Pred, a, b value) value {
	is := func(yes bool) value {
		if yes {
			return value{kind: number, n: 1}
		}
		return zero
	}
	if a.kind == number && b.kind != number {
		a, b, p = b, a, swapped[p]
	}
	open := value{kind: neither}
	same := p == cir.Eq || p == cir.Ne
	switch {
	case a.kind == node && b.kind == node, a.kind == within && b.kind == within:
		if same && a.off != somewhere && b.off != somewhere {
			return is((a.off == b.off) == (p == cir.Eq))
		}
		return open
	case b.kind != number || b.n < 0:
		return open
	case a.kind == node || a.kind == within || a.kind == other || a.kind == carrier:
		if same && b.n == 0 {
			return is(p == cir.Ne)
		}
		return open
	case a.kind == number && a.n >= 0:
		n, m := a.n, b.n
		return is(map[cir.Pred]bool{cir.Eq: n == m, cir.Ne: n != m, cir.Lt: n < m, cir.Le: n <= m, cir.Gt: n > m, cir.Ge: n >= m}[p])
	case a.kind == least || a.kind == more:
		low, m := a.n, b.n
		if a.kind == more {
			low = a.off
		}
		switch {
		case same && m < low:
			return is(p == cir.Ne)
		case low > m && (p == cir.Gt || p == cir.Lt), low >= m && p == cir.Ge, low > m && p == cir.Le:
			return is(p == cir.Gt || p == cir.Ge)
		case low == m && p == cir.Lt:
			return is(false)
		}
	}
	return open
}
