package build

import (
	"comus/cfront/tree"
	"comus/cir"
)

// scope is what ends when control leaves a part of a function.
type scope struct {
	parent  *scope
	depth   int
	locals  []*cir.Local // live from the beginning of the scope to its end
	mark    cir.Value    // of the stack, given back at the end
	cleanup *tree.Var    // whose cleanup function is called at the end
}

// push opens a scope.
func (f *fn) push(s *scope) {
	s.parent = f.scope
	if f.scope != nil {
		s.depth = f.scope.depth + 1
	}
	f.scope = s
}

// openVars opens a scope with the lives of automatic variables.
func (f *fn) openVars(vars []*tree.Var) *scope {
	s := &scope{}
	f.push(s)
	for _, v := range vars {
		f.declare(v)
	}
	return s
}

// declare begins the life of an automatic variable in the current scope. Those of variable size and those with
// a cleanup function begin where their declaration stands.
func (f *fn) declare(v *tree.Var) {
	if v.Storage != tree.Auto || f.vars[v] != nil || v.Type.Size < 0 {
		return
	}
	l := f.local(v.Name, v.Type, v.Align, &v.Site)
	f.bind(v, l)
	if f.nest != nil && f.nest.slots[v] != nil {
		return // nested functions know its address from the beginning
	}
	l.Scoped = true
	f.scope.locals = append(f.scope.locals, l)
	old := f.enter(&v.Site)
	f.emit(&cir.LifeStart{Local: l})
	f.site = old
}

// closeTo ends the scopes up to, but not including, s, at the end of their text.
func (f *fn) closeTo(s *scope) {
	f.leave(s)
	f.scope = s
}

// leave emits what ends the scopes from the current one up to s, on a way out of them.
func (f *fn) leave(s *scope) {
	old := f.scope
	for x := f.scope; x != s; x = x.parent {
		// What ends a scope runs in the one around.
		f.scope = x.parent
		f.leaveOne(x)
	}
	f.scope = old
}

// leaveOne emits what ends a scope.
func (f *fn) leaveOne(s *scope) {
	if s.cleanup != nil {
		f.callCleanup(s.cleanup)
	}
	if s.mark != nil {
		f.emit(&cir.StackRestore{Mark: s.mark})
	}
	for i := len(s.locals) - 1; i >= 0; i-- {
		f.emit(&cir.LifeEnd{Local: s.locals[i]})
	}
}

// callCleanup calls a variable's cleanup function with its address.
func (f *fn) callCleanup(v *tree.Var) {
	old := f.enter(&v.Site)
	f.emit(&cir.Call{Callee: f.u.fun(v.Cleanup), Args: []cir.Arg{{X: f.varAddr(v, &v.Site)}}, Result: f.u.result(v.Cleanup.Type.Elem), Fixed: 1, Returns: true})
	f.site = old
}

// common returns the innermost scope that is around both.
func common(a, b *scope) *scope {
	for a != b {
		switch {
		case a == nil || b == nil:
			return nil
		case a.depth > b.depth:
			a = a.parent
		case b.depth > a.depth:
			b = b.parent
		default:
			a, b = a.parent, b.parent
		}
	}
	return a
}

// reenter emits the beginnings of the lives that a jump from s into the scope to begins.
func (f *fn) reenter(from, to *scope) {
	if to == from || to == nil {
		return
	}
	f.reenter(from, to.parent)
	for _, l := range to.locals {
		f.emit(&cir.LifeStart{Local: l})
	}
}

// label is a label of the function.
type label struct {
	block *cir.Block
	scope *scope
	seen  bool // its place is known
}

// fixup is a jump to a label whose scope was not known yet: an empty block to be filled.
type fixup struct {
	block *cir.Block
	from  *scope // the jump's; its ends are emitted in the block, too
	label *label
	site  *cir.Site
	name  *tree.Label
}

// label returns what is known of a label.
func (f *fn) label(t *tree.Label) *label {
	l := f.labels[t]
	if l == nil {
		l = &label{block: f.newBlock()}
		l.block.Label = t.Name
		f.labels[t] = l
	}
	return l
}

// jumpTo goes to a label from the current block, which it ends.
func (f *fn) jumpTo(t *tree.Label) {
	f.terminate(&cir.Jump{To: f.edge(t)})
	f.block = f.newBlock()
}

// edge returns a block from which a jump to a label goes on, from the current scope.
func (f *fn) edge(t *tree.Label) *cir.Block {
	b := f.newBlock()
	f.fixups = append(f.fixups, fixup{block: b, from: f.scope, label: f.label(t), site: f.site, name: t})
	return b
}

// fix fills the blocks of jumps to labels, whose scopes are known now.
func (f *fn) fix() {
	f.fixComputed()
	for i := 0; i < len(f.fixups); i++ {
		x := f.fixups[i]
		f.block, f.scope, f.site = x.block, x.from, x.site
		if !x.label.seen {
			refuse(&tree.Site{Pos: f.tree.Site.Pos}, "label '%s' of '%s' is not defined", x.name.Name, f.tree.Name)
		}
		c := common(x.from, x.label.scope)
		f.leave(c)
		f.reenter(c, x.label.scope)
		f.terminate(&cir.Jump{To: x.label.block})
	}
}
