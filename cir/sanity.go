package cir

import (
	"errors"
	"fmt"
	"slices"
)

// Check reports what is wrong with the program: it returns nil if every function is well formed.
// A register is assigned once, and before every use on every way; operands have the
// types that instructions ask for; blocks, locals and globals are numbered as they stand and belong to the
// program; jumps give blocks' parameters values of their types. Phases call it
// on what they made; a failure is a bug of comus.
func (p *Program) Check() error {
	c := &checker{m: p.Model, globals: map[*Global]bool{}, funcs: map[*Func]bool{}}
	names := map[string]bool{}
	for _, g := range p.Globals {
		c.globals[g] = true
		c.unique(names, g.Name)
	}
	for _, f := range p.Funcs {
		c.funcs[f] = true
		c.unique(names, f.Name)
	}
	for _, g := range p.Globals {
		c.global(g)
	}
	for _, f := range p.Funcs {
		c.function(f)
	}
	if p.Entry == nil || !c.funcs[p.Entry] || len(p.Entry.Blocks) == 0 {
		c.failf("the entry is no function of the program with a body")
	}
	for _, f := range slices.Concat(p.Constructors, p.Destructors) {
		if !c.funcs[f] {
			c.failf("constructor or destructor %s is not in the program", f.Name)
		}
	}
	return errors.Join(c.errs...)
}

// maxErrors bounds what Check reports.
const maxErrors = 20

type checker struct {
	m       Model
	globals map[*Global]bool
	funcs   map[*Func]bool
	errs    []error

	f       *Func
	block   *Block
	at      *Info
	defined map[*Reg]*Block // where a register is assigned; nil: a parameter of the function
	place   map[*Reg]int    // its place in that block, -1 for parameters
	idom    []int
	index   int // of the instruction looked at
}

func (c *checker) failf(format string, args ...any) {
	if len(c.errs) >= maxErrors {
		return
	}
	where := ""
	if c.f != nil {
		where = c.f.Name + ": "
		if c.block != nil {
			where += fmt.Sprintf("b%d: ", c.block.Index)
		}
		if c.at != nil && c.at.Site != nil {
			where += c.at.Site.Pos.String() + ": "
		}
	}
	c.errs = append(c.errs, fmt.Errorf("%s%s", where, fmt.Sprintf(format, args...)))
}

func (c *checker) unique(names map[string]bool, name string) {
	if name == "" || names[name] {
		c.failf("the name %q is not unique", name)
	}
	names[name] = true
}

func (c *checker) global(g *Global) {
	switch {
	case g.Size < 0 || g.Align < 1 || g.Align&(g.Align-1) != 0:
		c.failf("global %s: size %d align %d", g.Name, g.Size, g.Align)
	case int64(len(g.Data)) > g.Size:
		c.failf("global %s: %d bytes of data in %d", g.Name, len(g.Data), g.Size)
	}
	end := int64(0)
	for _, r := range g.Relocs {
		if r.Offset < end || r.Offset+int64(c.m.PointerBits/8) > g.Size {
			c.failf("global %s: an address at %d overlaps or is out of bounds", g.Name, r.Offset)
		}
		end = r.Offset + int64(c.m.PointerBits/8)
		if _, label := r.Target.(*Block); !label {
			c.operand(r.Target)
		}
	}
}

func (c *checker) function(f *Func) {
	c.f, c.block, c.at = f, nil, nil
	defer func() { c.f = nil }()
	if len(f.Blocks) == 0 {
		return
	}
	if len(f.Blocks[0].Params) > 0 {
		c.failf("the entry has parameters")
	}
	for i, l := range f.Locals {
		if l.Index != i || l.Size < 0 || l.Align < 1 {
			c.failf("local %d is broken", i)
		}
	}
	for i, b := range f.Blocks {
		if b.Index != i || b.Term == nil {
			c.failf("block %d is broken: index %d, terminator %v", i, b.Index, b.Term)
			return
		}
	}
	c.define(f)
	c.idom = dominators(f)
	for _, b := range f.Blocks {
		if c.idom[b.Index] < 0 && b.Index > 0 {
			continue // never reached: what dominates it has no meaning
		}
		c.block = b
		for i, in := range b.Instrs {
			c.at, c.index = in.Meta(), i
			Operands(in, c.operand)
			c.instr(in)
		}
		c.at, c.index = b.Term.Meta(), len(b.Instrs)
		TermOperands(b.Term, c.operand)
		c.term(b.Term)
	}
}

// define notes where registers are assigned.
func (c *checker) define(f *Func) {
	c.defined, c.place = map[*Reg]*Block{}, map[*Reg]int{}
	numbers := map[int]bool{}
	def := func(r *Reg, b *Block, i int) {
		if r == nil {
			c.failf("a parameter without a register")
			return
		}
		if _, twice := c.defined[r]; twice || numbers[r.Index] || r.Index < 0 || r.Index >= f.NumRegs {
			c.failf("register %%%d is assigned twice or has no number", r.Index)
		}
		numbers[r.Index] = true
		c.defined[r], c.place[r] = b, i
	}
	for _, p := range f.Params {
		def(p.Reg, nil, -1)
	}
	for _, b := range f.Blocks {
		for _, r := range b.Params {
			def(r, b, -1)
		}
		for i, in := range b.Instrs {
			for _, r := range Results(in) {
				def(r, b, i)
			}
		}
	}
}

// operand checks that an operand belongs here.
func (c *checker) operand(v Value) {
	switch v := v.(type) {
	case *Reg:
		b, ok := c.defined[v]
		switch {
		case !ok:
			c.failf("%%%d is not assigned in the function", v.Index)
		case b == c.block && c.place[v] >= c.index:
			c.failf("%%%d is used before it is assigned", v.Index)
		case b != nil && b != c.block && !c.dominates(b.Index, c.block.Index):
			c.failf("%%%d is used where it may not be assigned", v.Index)
		}
	case *Global:
		if !c.globals[v] {
			c.failf("global %s is not in the program", v.Name)
		}
	case *Func:
		if !c.funcs[v] {
			c.failf("function %s is not in the program", v.Name)
		}
	case *Local:
		if c.f == nil || v.Index >= len(c.f.Locals) || c.f.Locals[v.Index] != v {
			c.failf("local %q is not one of the function", v.Name)
		}
	case *Block:
		if c.f == nil || v.Index >= len(c.f.Blocks) || c.f.Blocks[v.Index] != v {
			c.failf("block %d is not one of the function", v.Index)
		}
	case Int:
		if !v.Type.IsInt() || v.Type.Bits < 1 || v.Type.Bits > 128 || v != v.Normal() {
			c.failf("constant %+v is not one of its type", v)
		}
	}
}

func (c *checker) dominates(a, b int) bool {
	for b != a {
		if b <= 0 {
			return false
		}
		b = c.idom[b]
	}
	return true
}

// dominators returns the immediate dominator of each block, -1 for the entry and for those
// that are not reached (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm).
func dominators(f *Func) []int {
	n := len(f.Blocks)
	order, number := postorder(f)
	preds := make([][]int, n)
	for _, b := range order {
		Succs(f.Blocks[b].Term, func(to *Block, _ []Value) { preds[to.Index] = append(preds[to.Index], b) })
	}
	idom := make([]int, n)
	for i := range idom {
		idom[i] = -1
	}
	idom[0] = 0
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			b, dom := order[i], -1
			for _, p := range preds[b] {
				switch {
				case idom[p] < 0:
				case dom < 0:
					dom = p
				default:
					dom = meet(idom, number, p, dom)
				}
			}
			if idom[b] != dom {
				idom[b], changed = dom, true
			}
		}
	}
	idom[0] = -1
	return idom
}

func meet(idom, number []int, a, b int) int {
	for a != b {
		for number[a] < number[b] {
			a = idom[a]
		}
		for number[b] < number[a] {
			b = idom[b]
		}
	}
	return a
}

// postorder returns the blocks that are reached, the entry last, and their numbers.
func postorder(f *Func) (order, number []int) {
	number = make([]int, len(f.Blocks))
	seen := make([]bool, len(f.Blocks))
	type frame struct {
		block int
		succs []int
	}
	frameOf := func(b int) frame {
		fr := frame{block: b}
		Succs(f.Blocks[b].Term, func(to *Block, _ []Value) { fr.succs = append(fr.succs, to.Index) })
		return fr
	}
	seen[0] = true
	stack := []frame{frameOf(0)}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.succs) == 0 {
			number[top.block] = len(order)
			order = append(order, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		s := top.succs[0]
		top.succs = top.succs[1:]
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frameOf(s))
		}
	}
	return order, number
}
