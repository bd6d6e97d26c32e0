package accesses

import (
	"cmp"
	"maps"
	"slices"

	"comus/cir"
)

// function is what is known of a function without its callers: where registers come from, which stores a load of a local may find, and which locals live where.
type function struct {
	fn      *cir.Func
	defs    map[int]cir.Instr // by registers; those of block parameters have none
	plain   map[*cir.Local]bool
	argc    *cir.Local // holds the number of arguments, as main was given it
	argv    *cir.Local
	finds   map[*cir.Load]found
	living  map[cir.Located]map[*cir.Local]bool // those whose life has begun, in any case
	blockOf map[cir.Located]*cir.Block
	passed  map[int]bool // registers that are parameters of blocks
	tested  map[*cir.Load]bool
	same    map[*cir.Load]bool // give no null pointer, as an earlier load did not
	limits  map[*cir.Load][]limit
	setIn   map[int]*cir.Block // registers
	cyclic  map[*cir.Block]bool
}

// found are the stores of which a load of a plain local finds the latest one; unset tells that it may find none.
type found struct {
	stores []*cir.Store
	unset  bool
}

// function returns what is known of a function.
func (p *program) function(fn *cir.Func) *function {
	f := p.funcs[fn]
	if f == nil {
		f = &function{fn: fn, defs: map[int]cir.Instr{}, plain: map[*cir.Local]bool{}, finds: map[*cir.Load]found{}, living: map[cir.Located]map[*cir.Local]bool{},
			blockOf: map[cir.Located]*cir.Block{}, passed: map[int]bool{}, tested: map[*cir.Load]bool{}, setIn: map[int]*cir.Block{}, cyclic: map[*cir.Block]bool{}}
		p.funcs[fn] = f
		f.look()
		f.findStores()
		f.findLives()
		f.same, f.limits = p.findSame(f), p.findLimits(f)
		if fn == p.prog.Entry {
			f.argc, f.argv = f.given(0), f.given(1)
		}
	}
	return f
}

// look finds where registers come from, and which locals are accessed by their names only, each as a whole and as one type.
func (f *function) look() {
	types := map[*cir.Local]cir.Type{}
	for _, l := range f.fn.Locals {
		f.plain[l] = true
	}
	taken := func(v cir.Value) {
		if l, ok := v.(*cir.Local); ok {
			delete(f.plain, l)
		}
	}
	access := func(addr cir.Value, a cir.Access, size int64) {
		l, ok := addr.(*cir.Local)
		if !ok {
			return
		}
		if t, had := types[l]; a.Bits != nil || a.Order != cir.Plain || a.Volatile || size != l.Size || had && t != a.Type {
			delete(f.plain, l)
		}
		types[l] = a.Type
	}
	for _, b := range f.fn.Blocks {
		for _, r := range b.Params {
			f.passed[r.Index], f.setIn[r.Index] = true, b
		}
		for _, in := range b.Instrs {
			f.blockOf[in] = b
			for _, r := range cir.Results(in) {
				f.defs[r.Index], f.setIn[r.Index] = in, b
			}
			switch in := in.(type) {
			case *cir.Load:
				access(in.Addr, in.Access, sizeOf(in.Type))
			case *cir.Store:
				access(in.Addr, in.Access, sizeOf(in.Type))
				taken(in.X)
			case *cir.LifeStart, *cir.LifeEnd:
			default:
				cir.Operands(in, taken)
			}
		}
		f.blockOf[b.Term] = b
		cir.TermOperands(b.Term, taken)
	}
}

// sizeOf returns the size of a scalar of at most 64 bits; -1 of others.
func sizeOf(t cir.Type) int64 {
	if t.Bits > 64 {
		return -1
	}
	return int64(max(t.Bits, 8) / 8)
}

// given returns the plain local that only holds what the function was given.
func (f *function) given(i int) *cir.Local {
	if i >= len(f.fn.Params) || f.fn.Params[i].ByVal != nil {
		return nil
	}
	var local *cir.Local
	count := map[*cir.Local]int{}
	for _, b := range f.fn.Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*cir.Store); ok {
				if l, ok := s.Addr.(*cir.Local); ok {
					if count[l]++; b.Index == 0 && s.X == cir.Value(f.fn.Params[i].Reg) && f.plain[l] {
						local = l
					}
				}
			}
		}
	}
	if local == nil || count[local] != 1 {
		return nil
	}
	return local
}

// reaching is which stores each plain local may hold the value of; nil stands for none, when its life has just begun.
type reaching map[*cir.Local]map[*cir.Store]bool

func (x reaching) clone() reaching {
	y := reaching{}
	for l, s := range x {
		y[l] = maps.Clone(s)
	}
	return y
}

// join adds what holds on another way, and reports whether that is new.
func (x reaching) join(y reaching) (changed bool) {
	for l, s := range y {
		if x[l] == nil {
			x[l] = map[*cir.Store]bool{}
		}
		for st := range s {
			if !x[l][st] {
				x[l][st], changed = true, true
			}
		}
	}
	return changed
}

// findStores finds which stores loads of plain locals find (reaching definitions).
func (f *function) findStores() {
	begin := reaching{}
	for l := range f.plain {
		begin[l] = map[*cir.Store]bool{nil: true}
	}
	at := make([]reaching, len(f.fn.Blocks))
	if len(at) == 0 {
		return
	}
	at[0] = begin
	for work := []int{0}; len(work) > 0; {
		b := f.fn.Blocks[work[len(work)-1]]
		work = work[:len(work)-1]
		s := at[b.Index].clone()
		for _, in := range b.Instrs {
			f.steps(s, in)
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if at[to.Index] == nil {
				at[to.Index] = s.clone()
				work = append(work, to.Index)
			} else if at[to.Index].join(s) {
				work = append(work, to.Index)
			}
		})
	}
	for i, b := range f.fn.Blocks {
		if at[i] == nil {
			continue
		}
		for _, in := range b.Instrs {
			if load, ok := in.(*cir.Load); ok {
				if l, ok := load.Addr.(*cir.Local); ok && f.plain[l] {
					x := found{unset: at[i][l][nil]}
					for st := range at[i][l] {
						if st != nil {
							x.stores = append(x.stores, st)
						}
					}
					slices.SortFunc(x.stores, func(a, b *cir.Store) int {
						x, y := f.blockOf[a], f.blockOf[b]
						return cmp.Or(cmp.Compare(x.Index, y.Index), cmp.Compare(slices.Index(x.Instrs, cir.Instr(a)), slices.Index(y.Instrs, cir.Instr(b))))
					})
					f.finds[load] = x
				}
			}
			f.steps(at[i], in)
		}
	}
}

// steps carries which stores locals hold over an instruction.
func (f *function) steps(s reaching, in cir.Instr) {
	switch in := in.(type) {
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); ok && f.plain[l] {
			s[l] = map[*cir.Store]bool{in: true}
		}
	case *cir.LifeStart:
		if f.plain[in.Local] {
			s[in.Local] = map[*cir.Store]bool{nil: true}
		}
	case *cir.LifeEnd:
		if f.plain[in.Local] {
			s[in.Local] = map[*cir.Store]bool{nil: true}
		}
	}
}

// findLives finds which locals live in any case where instructions are.
func (f *function) findLives() {
	first := map[*cir.Local]bool{}
	for _, l := range f.fn.Locals {
		if !l.Scoped {
			first[l] = true
		}
	}
	lives := func(s map[*cir.Local]bool, in cir.Instr) {
		switch in := in.(type) {
		case *cir.LifeStart:
			s[in.Local] = true
		case *cir.LifeEnd:
			delete(s, in.Local)
		}
	}
	at := atEntries(f.fn.Blocks, first, func(b *cir.Block, s map[*cir.Local]bool, next func(*cir.Block, map[*cir.Local]bool)) {
		for _, in := range b.Instrs {
			lives(s, in)
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { next(to, s) })
	})
	for i, b := range f.fn.Blocks {
		if at[i] == nil {
			continue
		}
		for _, in := range b.Instrs {
			f.living[in] = maps.Clone(at[i])
			lives(at[i], in)
		}
		f.living[b.Term] = at[i]
	}
}

// root returns the local that a pointer is computed of by its name alone, nil if that is not so.
func (f *function) root(v cir.Value) *cir.Local {
	for range 100 {
		switch x := v.(type) {
		case *cir.Local:
			return x
		case *cir.Reg:
			switch in := f.defs[x.Index].(type) {
			case *cir.Offset:
				v = in.P
				continue
			case *cir.Convert:
				if in.Dst.Type.IsPointer() {
					v = in.X
					continue
				}
			}
		}
		break
	}
	return nil
}

// notNull reports whether a pointer that is loaded from a plain local was found not to be null when it was put there: control only gets here by a branch on the register that was stored.
func (f *function) notNull(load *cir.Load) bool {
	yes, known := f.tested[load]
	if !known {
		yes = f.findNotNull(load)
		f.tested[load] = yes
	}
	return yes
}

func (f *function) findNotNull(load *cir.Load) bool {
	x := f.finds[load]
	if x.unset || len(x.stores) != 1 {
		return false
	}
	st := x.stores[0]
	r, ok := st.X.(*cir.Reg)
	def := cir.Instr(nil)
	if ok {
		def = f.defs[r.Index]
	}
	b := f.blockOf[st]
	if def == nil || f.blockOf[def] != b || slices.Index(b.Instrs, def) > slices.Index(b.Instrs, cir.Instr(st)) {
		return false
	}
	for _, c := range f.fn.Blocks {
		t, ok := c.Term.(*cir.Branch)
		if !ok || t.Then == t.Else {
			continue
		}
		v, isReg := t.Cond.(*cir.Reg)
		if !isReg {
			continue
		}
		in, isCompare := f.defs[v.Index].(*cir.Compare)
		if !isCompare || in.X != cir.Value(r) || !isNull(in.Y) || in.Pred != cir.Ne && in.Pred != cir.Eq {
			continue
		}
		to := t.Then
		if in.Pred == cir.Eq {
			to = t.Else
		}
		if !f.reachesBut(c, to, f.blockOf[load]) {
			return true
		}
	}
	return false
}

// reachesBut reports whether control may get from the function's beginning to a block without going from one block to another.
func (f *function) reachesBut(from, to, goal *cir.Block) bool {
	seen := map[*cir.Block]bool{f.fn.Blocks[0]: true}
	for work := []*cir.Block{f.fn.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(b.Term, func(next *cir.Block, _ []cir.Value) {
			if !seen[next] && (b != from || next != to) {
				seen[next] = true
				work = append(work, next)
			}
		})
	}
	return seen[goal]
}

// cycles reports whether control may come from a block to itself again.
func (f *function) cycles(b *cir.Block) bool {
	if yes, known := f.cyclic[b]; known {
		return yes
	}
	seen := map[*cir.Block]bool{}
	work := []*cir.Block{b}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(x.Term, func(to *cir.Block, _ []cir.Value) {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		})
	}
	f.cyclic[b] = seen[b]
	return seen[b]
}
