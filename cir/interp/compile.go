package interp

import (
	"fmt"
	"slices"

	"comus/cir"
)

// compileError is what compiling panics with; Run returns it.
type compileError struct{ error }

// A compiler makes a function's code.
type compiler struct {
	*fn
	m        *Machine
	consts   map[cir.Value]int32
	local    map[*cir.Local]int32
	idle     map[*cir.Load]bool     // see isIdle
	defs     map[*cir.Reg]cir.Instr // what assigns a register
	site     *cir.Site
	at       *cir.Block          // whose code is made
	patches  []*[]int32          // block numbers that are to become places
	heads    map[*cir.Block]bool // where loops begin, with Options.Atomics; nil: not known yet
	liveIn   [][]bool            // which registers are live at the beginnings of blocks, with Options.Atomics; nil: not known yet
	branches []*extra            // of branches: block numbers, or, for n < 0, the place -n-1
	places   map[place]int32     // where the instructions are
	traces   func(cir.Located) bool
}

// bad stops compiling.
func (c *compiler) bad(format string, args ...any) {
	panic(compileError{errorf("function %s: %s", c.f.Name, fmt.Sprintf(format, args...))})
}

// compile makes the code of a function that has a body, once, or takes what an earlier run has made.
func (f *fn) compile() {
	if f.compiled {
		return
	}
	f.compiled = true
	kept := f.m.opt.Code
	if kept == nil || !kept.has(f) {
		f.translate()
		kept.keep(f)
	}
	f.link()
}

// translate makes the code of a function, of which nothing depends on the run.
func (f *fn) translate() {
	c := &compiler{fn: f, m: f.m, consts: map[cir.Value]int32{}, local: map[*cir.Local]int32{}, places: map[place]int32{}, defs: map[*cir.Reg]cir.Instr{}}
	if f.m.opt.Tracer != nil {
		c.traces = f.m.opt.Tracer.Traces(f.f)
	}
	if f.f.NumRegs < 0 || f.f.NumRegs > 1<<24 {
		c.bad("%d registers", f.f.NumRegs)
	}
	f.start = make([]slot, f.f.NumRegs)
	for _, p := range f.f.Params {
		c.reg(p.Reg)
	}
	c.findLocals()
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			for _, r := range results(in) {
				if r != nil {
					c.defs[r] = in
				}
			}
		}
	}
	for i, b := range f.f.Blocks {
		if b == nil || b.Index != i {
			c.bad("block %d has another index", i)
		}
		f.blocks = append(f.blocks, int32(len(f.code)))
		c.block(b)
	}
	for _, p := range c.patches {
		for i, b := range *p {
			(*p)[i] = f.blocks[b]
		}
	}
	for _, x := range c.branches {
		for i, b := range x.pcs {
			if b >= 0 {
				x.pcs[i] = f.blocks[b]
			} else {
				x.pcs[i] = -b - 1
			}
		}
	}
	for i := range f.code {
		if in := &f.code[i]; in.x != nil && in.x.retry < 0 {
			in.x.retry = int32(i)
		}
	}
}

// block makes a block's code.
func (c *compiler) block(b *cir.Block) {
	if h := c.headOf(b); h != nil {
		c.emit(inst{do: arrive, x: &extra{helper: true, instr: h}})
	}
	c.at = b
	for i, in := range b.Instrs {
		if in == nil {
			c.bad("block %d, instruction %d is nil", b.Index, i)
		}
		c.places[place{b.Index, i}] = int32(len(c.code))
		c.begin(in.Meta())
		if c.m.opt.Watched[in] {
			c.emit(inst{do: doWatch, x: &extra{helper: true, instr: in}})
		}
		if w, ok := in.(*cir.Intrinsic); ok && (w.Op == cir.Await || w.Op == cir.AwaitFrom) {
			c.await(b, i, w)
			continue
		}
		n := len(c.code)
		c.instr(in)
		c.traced(n, in)
	}
	if b.Term == nil {
		c.bad("block %d has no end", b.Index)
	}
	c.places[place{b.Index, len(b.Instrs)}] = int32(len(c.code))
	c.begin(b.Term.Meta())
	n := len(c.code)
	c.term(b.Term)
	if _, ok := b.Term.(*cir.Branch); !ok { // which sides follow
		c.traced(n, b.Term)
	}
}

// begin notes where an instruction comes from.
func (c *compiler) begin(i *cir.Info) {
	c.site = i.Site
	if i.Approx != "" {
		c.emit(inst{do: doApprox, x: &extra{helper: true, why: i.Approx}})
	}
}

// doApprox notes that the next instruction is an approximation.
func doApprox(t *thread, f *frame, in *inst) bool {
	t.left++
	t.m.approximate(in.x.why, in.x.site)
	return true
}

// doWatch tells that a thread comes to the next instruction.
func doWatch(t *thread, f *frame, in *inst) bool {
	t.left++
	if m := t.m; t.atomic == 0 && t.left > 0 && m.nested == 0 && m.opt.Before(t.id, in.x.instr.(cir.Instr), t.turn-t.left, m.chosen) {
		t.unused, t.left = t.unused+t.left, 0
	}
	return true
}

// emit adds an instruction and returns it, for the moment.
func (c *compiler) emit(in inst) *inst {
	if in.x == nil {
		in.x = &extra{}
	}
	if in.x.helper && in.x.flow == flowAll {
		in.x.flow = flowCall
	}
	in.x.site = c.site
	c.code = append(c.code, in)
	return &c.code[len(c.code)-1]
}

// reg returns a register's slot.
func (c *compiler) reg(r *cir.Reg) int32 {
	if r == nil || r.Index < 0 || r.Index >= c.f.NumRegs {
		c.bad("a register that is none of the function's")
	}
	return int32(r.Index)
}

// dst returns the slot of a result that may be unused.
func (c *compiler) dst(r *cir.Reg) int32 {
	if r == nil {
		return c.temp()
	}
	return c.reg(r)
}

// temp returns a slot of its own.
func (c *compiler) temp() int32 {
	c.start = append(c.start, slot{})
	return int32(len(c.start) - 1)
}

// constant returns the slot that holds a value from the beginning.
func (c *compiler) constant(v cir.Value, s slot) int32 {
	c.start = append(c.start, s)
	c.consts[v] = int32(len(c.start) - 1)
	return c.consts[v]
}

// arg returns the slot of an operand.
func (c *compiler) arg(v cir.Value) int32 {
	if r, ok := v.(*cir.Reg); ok {
		return c.reg(r)
	}
	if i, ok := c.consts[v]; ok {
		return i
	}
	switch v := v.(type) {
	case cir.Int:
		n := v.Normal()
		return c.constant(v, slot{lo: n.Lo, hi: n.Hi})
	case cir.Float:
		return c.constant(v, slot{lo: v.Lo, hi: v.Hi})
	case cir.Null:
		return c.constant(v, slot{lo: v.Addr})
	case cir.Undef:
		d := c.temp()
		c.emit(inst{do: doUndef, d: d, imm: 0, x: &extra{helper: true}})
		return d
	case *cir.Local:
		if i, ok := c.local[v]; ok && v != nil {
			return c.locals[i].slot
		}
		c.bad("a local that is none of the function's")
	case *cir.Block:
		if v == nil || v.Index < 0 || v.Index >= len(c.f.Blocks) || c.f.Blocks[v.Index] != v {
			c.bad("the address of a block that is none of the function's")
		}
		return c.symbol(v)
	case *cir.Global:
		if v != nil && v.ThreadLocal && !(v.External && v.Weak) {
			d := c.temp()
			c.emit(inst{do: doThreadLocal, d: d, x: &extra{helper: true, instr: v}})
			return d
		}
		return c.symbol(v)
	case *cir.Func:
		return c.symbol(v)
	}
	c.bad("operand %T", v)
	return 0
}

// symbol returns the slot of an address, which each run has for itself.
func (c *compiler) symbol(v cir.Symbol) int32 {
	i := c.constant(v, slot{})
	c.symbols = append(c.symbols, symbolIn{i, v})
	return i
}

// calls returns the index of a function among those that are called.
func (c *compiler) calls(f *cir.Func) int {
	i := slices.Index(c.called, f)
	if i < 0 {
		i = len(c.called)
		c.called = append(c.called, f)
	}
	return i
}

// doUndef makes a value that is indeterminate.
func doUndef(t *thread, f *frame, in *inst) bool {
	t.left++
	f.s[in.d] = slot{}
	f.blur(in.d, ^uint64(0))
	return true
}

// doThreadLocal gets the address of a thread's own object.
func doThreadLocal(t *thread, f *frame, in *inst) bool {
	t.left++
	o, err := t.m.object(in.x.instr.(*cir.Global))
	if err != nil {
		return t.m.fail(err)
	}
	f.s[in.d] = slot{obj: o}
	return true
}

// typ is the type of an operand.
func (c *compiler) typ(v cir.Value) cir.Type {
	if r, ok := v.(*cir.Reg); ok && r == nil {
		c.bad("a register is nil")
	}
	t := c.m.prog.Model.TypeOf(v)
	c.check(t)
	return t
}

// check checks that a type is one of a scalar.
func (c *compiler) check(t cir.Type) cir.Type {
	switch {
	case t.IsInt() && t.Bits >= 1 && t.Bits <= 128:
	case t.IsFloat() && (t.Bits == 16 || t.Bits == 32 || t.Bits == 64 || t.Bits == 80 || t.Bits == 128):
	case t.IsPointer():
	default:
		c.bad("type %s of %d bits", t, t.Bits)
	}
	return t
}

// same checks that operands have one type, but for the sign if they are integers.
func (c *compiler) same(ts ...cir.Type) cir.Type {
	for _, t := range ts[1:] {
		if t.Kind != ts[0].Kind || t.Bits != ts[0].Bits && !t.IsPointer() {
			c.bad("operands of types %s and %s at %v", ts[0], t, c.where())
		}
	}
	return ts[0]
}

// where is the place of the instruction, for messages.
func (c *compiler) where() string {
	if c.site == nil {
		return "an unknown place"
	}
	return c.site.Pos.String() + " " + c.site.Text
}

// findLocals gives each local a slot and finds out which ones are known outside.
func (c *compiler) findLocals() {
	for i, l := range c.f.Locals {
		if l == nil || l.Size < 0 {
			c.bad("local %d is nil or of negative size", i)
		}
		c.local[l] = int32(i)
		name := l.Name
		if name == "" {
			name = "temporary of " + c.f.Name
		}
		c.start = append(c.start, slot{})
		c.locals = append(c.locals, local{slot: int32(len(c.start) - 1), size: l.Size, align: l.Align, name: name, scoped: l.Scoped,
			pooled: l.Size <= int64(len(allOnes))})
	}
	for l, t := range c.scalars() {
		i := c.local[l]
		c.locals[i].promoted, c.locals[i].pooled = t, false
	}
	for v := range c.escaping() {
		if l, ok := v.(*cir.Local); ok {
			if i, ok := c.local[l]; ok {
				c.locals[i].pooled = false
			}
		}
	}
}

// escaping returns the locals and registers whose value may be kept by something other than this
// activation's registers.
func (c *compiler) escaping() map[cir.Value]bool {
	esc := map[cir.Value]bool{}
	from := map[cir.Value][]cir.Value{} // the address that a register is an offset of
	for _, b := range c.f.Blocks {
		if b == nil || b.Term == nil {
			c.bad("a block is incomplete")
		}
		for _, in := range b.Instrs {
			if o, ok := in.(*cir.Offset); ok {
				from[o.Dst] = append(from[o.Dst], o.P)
				continue
			}
			for _, v := range kept(in) {
				esc[v] = true
			}
		}
		for _, v := range keptTerm(b.Term) {
			esc[v] = true
		}
	}
	for again := true; again; {
		again = false
		for d, ps := range from {
			if !esc[d] {
				continue
			}
			for _, p := range ps {
				if !esc[p] {
					esc[p], again = true, true
				}
			}
		}
	}
	return esc
}
