package cfront

import (
	"slices"

	"modernc.org/cc/v4"
)

// jumps tells which declarations of a function control can get past without
// meeting them. The variables keep what they held when the block was left the
// last time, unless they are given any value when it is entered anew.
type jumps struct {
	skipped map[cc.Node][]*cc.Declarator // by the block of the declaration
	sites   map[cc.Node]site             // labels, cases, gotos and switches
}

// site is a place in the text of a function.
type site struct {
	order  int
	blocks []cc.Node // around it, outermost first
}

// declSite is a declaration.
type declSite struct {
	site
	decl *cc.Declarator
}

// jumpFinder collects the places of a function.
type jumpFinder struct {
	sites  map[cc.Node]site
	decls  []declSite
	labels []*cc.LabeledStatement
	gotos  []*cc.JumpStatement
	n      int
}

// findJumps analyses the body of a function.
func findJumps(body *cc.CompoundStatement) *jumps {
	f := &jumpFinder{sites: map[cc.Node]site{}}
	f.walk(body, []cc.Node{body})
	j := &jumps{skipped: map[cc.Node][]*cc.Declarator{}, sites: f.sites}
	for _, d := range f.decls {
		if f.skips(d) {
			block := d.blocks[len(d.blocks)-1]
			j.skipped[block] = append(j.skipped[block], d.decl)
		}
	}
	return j
}

func (f *jumpFinder) walk(n any, blocks []cc.Node) {
	children(n, func(c cc.Node) bool {
		f.n++
		here := site{f.n, blocks}
		inner := blocks
		switch x := c.(type) {
		case *cc.CompoundStatement:
			inner = append(slices.Clone(blocks), x)
		case *cc.IterationStatement:
			if x.Case == cc.IterationStatementForDecl {
				inner = append(slices.Clone(blocks), x)
			}
		case *cc.SelectionStatement:
			f.sites[x] = here
		case *cc.LabeledStatement:
			f.sites[x] = here
			f.labels = append(f.labels, x)
		case *cc.JumpStatement:
			f.sites[x] = here
			if x.Case == cc.JumpStatementGoto {
				f.gotos = append(f.gotos, x)
			}
		case *cc.InitDeclarator:
			f.declare(x.Declarator, here)
		case *cc.Declaration:
			if x.Case == cc.DeclarationAuto {
				f.declare(x.Declarator, here)
			}
		}
		f.walk(c, inner)
		return false
	})
}

func (f *jumpFinder) declare(d *cc.Declarator, at site) {
	if d != nil && !d.IsTypename() && !d.IsStatic() && !isGlobal(d) && d.Type().Kind() != cc.Function {
		f.decls = append(f.decls, declSite{at, d})
	}
}

// skips reports whether some jump leads to where a variable is visible from
// before its declaration or from outside of its block.
func (f *jumpFinder) skips(d declSite) bool {
	block := d.blocks[len(d.blocks)-1]
	past := func(from cc.Node) bool {
		s := f.sites[from]
		return s.order < d.order || !slices.Contains(s.blocks, block)
	}
	for _, l := range f.labels {
		if s := f.sites[l]; s.order < d.order || !slices.Contains(s.blocks, block) {
			continue
		}
		if l.Case != cc.LabeledStatementLabel {
			if past(l.Switch()) {
				return true
			}
			continue
		}
		for _, g := range f.gotos {
			if g.Label() == cc.Node(l) && past(g) {
				return true
			}
		}
	}
	return false
}

// entered returns the blocks around a label that are not around a jump to it.
func (j *jumps) entered(from, to cc.Node) []cc.Node {
	around := j.sites[from].blocks
	return slices.DeleteFunc(slices.Clone(j.sites[to].blocks), func(n cc.Node) bool { return slices.Contains(around, n) })
}

// jumpsOf returns what is known about the jumps of the current function.
func (b *lowerer) jumpsOf() *jumps {
	info := b.fr.info
	if info.jumps == nil {
		info.jumps = findJumps(b.fr.fn.CompoundStatement)
	}
	return info.jumps
}

// enterBlock begins the lifetime of the variables of a block: those whose
// declaration control may not meet have any value.
func (b *lowerer) enterBlock(block cc.Node) {
	if b.cur == nil || b.fr == nil {
		return
	}
	for _, d := range b.jumpsOf().skipped[block] {
		t := b.typeOf(d.Type(), nil)
		if t.kind == tBad || t.kind == tArray && t.n < 0 {
			continue // rejected where it is used
		}
		b.simply(d, false, func() { b.uninitialised(d, b.local(d, nil)) })
	}
}

// enterBySwitch enters the blocks that the cases of a switch are in.
func (b *lowerer) enterBySwitch(x *cc.SelectionStatement) {
	var done []cc.Node
	for _, l := range x.LabeledStatements() {
		if l.Case == cc.LabeledStatementLabel {
			continue
		}
		for _, block := range b.jumpsOf().entered(x, l) {
			if !slices.Contains(done, block) {
				done = append(done, block)
				b.enterBlock(block)
			}
		}
	}
}

// enterByGoto enters the blocks around the label of a goto that it is not in.
func (b *lowerer) enterByGoto(x *cc.JumpStatement) {
	for _, block := range b.jumpsOf().entered(x, x.Label()) {
		b.enterBlock(block)
	}
}
