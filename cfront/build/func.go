package build

import (
	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// fn builds a function.
type fn struct {
	u      *unit
	tree   *tree.Func
	out    *cir.Func
	block  *cir.Block // where instructions go; never nil
	scope  *scope
	site   *cir.Site // of the expression being built
	full   *cir.Site // of the statement or full expression
	fullOf *tree.Site
	sites  map[*tree.Site]*cir.Site

	vars     map[*tree.Var]cir.Value // addresses
	counts   map[*types.VLA]*cir.Local
	labels   map[*tree.Label]*label
	fixups   []fixup
	targets  []*tree.Label  // labels whose address is taken
	gotoPtrs []computedGoto // goto *x
	brk      []target       // where break leads
	cont     []target       // where continue leads
	switches []*switched    // the switch statements around
	temps    []*cir.Local   // what lives until the full expression ends
	open     map[cir.Pos]bool
	nest     *nesting  // what it shares with nested functions
	outer    *fn       // of a nested function
	chain    cir.Value // of a nested function: the address of its outer function's frame
}

// body builds a function's body, and those of its nested functions.
func (u *unit) body(t *tree.Func) {
	f := u.newFn(t, nil)
	f.build()
}

// newFn begins a function.
func (u *unit) newFn(t *tree.Func, outer *fn) *fn {
	f := &fn{
		u:      u,
		tree:   t,
		out:    u.fun(t),
		sites:  map[*tree.Site]*cir.Site{},
		vars:   map[*tree.Var]cir.Value{},
		counts: map[*types.VLA]*cir.Local{},
		labels: map[*tree.Label]*label{},
		open:   map[cir.Pos]bool{},
		outer:  outer,
	}
	f.begin(&t.Site)
	f.block = f.newBlock()
	f.nest = u.nesting(t)
	return f
}

// build builds the function.
func (f *fn) build() {
	f.enterNested()
	f.params()
	f.stmt(f.tree.Body)
	f.begin(&f.tree.Site)
	f.fallOff()
	f.fix()
	f.tidy()
}

// params stores the parameters into objects of their own.
func (f *fn) params() {
	for i, v := range f.tree.Params {
		pt := v.Type
		if i < len(f.tree.Type.Params) && !f.tree.Type.NoProto {
			pt = f.tree.Type.Params[i]
		}
		p := f.u.param(f.out, pt)
		p.Name = v.Name
		switch {
		case p.ByVal != nil:
			f.bind(v, p.Reg)
		default:
			if f.tree.Type.NoProto {
				// The caller has passed the promoted type.
				p.Reg.Type = argumentType(p.Reg.Type)
			}
			l := f.local(v.Name, v.Type, v.Align, &v.Site)
			f.bind(v, l)
			to := lval{base: l, align: l.Align, t: unqual(v.Type)}
			if as := passedAs(pt); as != pt {
				to.t = as
			}
			f.store(to, val{v: f.convert(p.Reg, f.u.scalar(to.t))})
		}
		f.out.Params = append(f.out.Params, p)
	}
}

// argumentType is what C's default argument promotions make of a type.
func argumentType(t cir.Type) cir.Type {
	if t == cir.F32 {
		return cir.F64
	}
	return promoted(t)
}

// fallOff ends the function behind its last statement.
func (f *fn) fallOff() {
	r := f.out.Result
	switch {
	case f.out.NoReturn:
		f.end(&cir.Unreachable{Why: "a noreturn function returns"})
	case r.Shape != nil:
		tmp := f.temp(f.tree.Type.Elem)
		f.end(&cir.Return{X: f.address(tmp)})
	case r.Type.Kind == cir.None:
		f.end(&cir.Return{})
	case f.tree.Name == "main":
		f.end(&cir.Return{X: zeroOf(r.Type)})
	default:
		f.end(&cir.Return{X: cir.Undef{Type: r.Type}})
	}
}

// bind makes addr the address of a variable.
func (f *fn) bind(v *tree.Var, addr cir.Value) {
	f.vars[v] = addr
	f.captured(v, addr)
}

// local makes an object of the activation. Its life is the activation's unless a scope says otherwise.
func (f *fn) local(name string, t *types.Type, align int64, site *tree.Site) *cir.Local {
	l := &cir.Local{
		Index: len(f.out.Locals),
		Name:  name,
		Size:  max(t.Size, 0),
		Align: max(align, t.Align, 1),
		Shape: f.u.shape(t),
	}
	if site != nil {
		l.Pos = cir.Pos(site.Pos)
	}
	f.out.Locals = append(f.out.Locals, l)
	return l
}

// reg makes a register.
func (f *fn) reg(t cir.Type) *cir.Reg {
	r := &cir.Reg{Index: f.out.NumRegs, Type: t}
	f.out.NumRegs++
	return r
}

// newBlock adds a block with these parameters.
func (f *fn) newBlock(params ...*cir.Reg) *cir.Block {
	b := &cir.Block{Index: len(f.out.Blocks), Params: params}
	f.out.Blocks = append(f.out.Blocks, b)
	return b
}

// emit adds an instruction to the current block.
func (f *fn) emit(i cir.Instr) {
	i.Meta().Site = f.site
	f.block.Instrs = append(f.block.Instrs, i)
}

// end ends the current block and begins another one, to which nothing leads.
func (f *fn) end(t cir.Term) {
	f.terminate(t)
	f.block = f.newBlock()
}

// terminate ends the current block.
func (f *fn) terminate(t cir.Term) {
	t.Meta().Site = f.site
	f.block.Term = t
}

// jump ends the current block with a jump to b and goes on there.
func (f *fn) jump(b *cir.Block, args ...cir.Value) {
	f.terminate(&cir.Jump{To: b, Args: args})
	f.block = b
}

// begin begins a statement or full expression.
func (f *fn) begin(s *tree.Site) {
	if s == nil || s == f.fullOf {
		return
	}
	clear(f.sites)
	f.full = &cir.Site{Pos: cir.Pos(s.Pos), Text: s.Text}
	f.fullOf = s
	f.site = f.full
}

// enter makes s the site of what is emitted, and returns the one before.
func (f *fn) enter(s *tree.Site) *cir.Site {
	old := f.site
	switch {
	case s == nil:
	case s == f.fullOf:
		f.site = f.full
	default:
		c := f.sites[s]
		if c == nil {
			c = &cir.Site{Pos: cir.Pos(s.Pos), Text: s.Text, Stmt: f.full}
			f.sites[s] = c
		}
		f.site = c
	}
	return old
}
