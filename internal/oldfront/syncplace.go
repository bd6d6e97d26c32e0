package cfront

import (
	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// A library object is found like any other: through the place that an argument
// points to. If an index decides which of several objects that is, the call is
// lowered for each of them, behind a step that knows the index.

// syncNames are the kinds of library objects in error messages.
var syncNames = map[tkind]string{tMutex: "mutex", tSem: "semaphore", tRWLock: "read-write lock",
	tBarrier: "barrier", tOnce: "pthread_once_t", tMutexAttr: "pthread_mutexattr_t"}

// syncPlace returns the place of the library object that v points to.
func (b *lowerer) syncPlace(c call, v *value, kind tkind) place {
	if v.kind != vPtr {
		if w, ok := b.address(c.n, v); ok && w.to != nil {
			p := b.derefKind(c.n, w, kind)
			b.checkAccess(c.n, p)
			return p
		}
		b.fail(c.n, "unsupported: %s with a %s that is not known here", c.name, syncNames[kind])
	}
	p := b.deref(c.n, v, nil)
	for p.typ.kind != kind {
		switch {
		case p.typ.kind == tStruct && len(p.typ.fields) > 0 && p.typ.fields[0].off == 0: // the first member
			p = p.member(p.typ.fields[0])
		case p.typ.kind == tArray && p.typ.n > 0:
			p = p.at(b.constInt(0, b.ptrInt))
		default:
			b.fail(c.n, "unsupported: %s with a %s that is not known here", c.name, syncNames[kind])
		}
	}
	return p
}

// atSync evaluates the arguments of a call and lowers it with op for each object
// that argument arg may point to. op returns the flows it ends in with the results
// of the call there.
func (b *lowerer) atSync(c call, arg int, kind tkind, op func(x *ir.Var) []flagValue) *value {
	b.want(c, arg+1)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	return b.forSync(c, vals[arg], kind, op)
}

// forSync is atSync with arguments that have been evaluated.
func (b *lowerer) forSync(c call, v *value, kind tkind, op func(x *ir.Var) []flagValue) *value {
	p := b.syncPlace(c, v, kind)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	if k, ok := p.fixed(); ok {
		return b.byResult(c, op(p.obj.cells[k].v))
	}
	mark := b.holdPlace(p)
	for _, x := range p.idx {
		if b.pending(x.val) {
			b.materialise(x.val)
		}
	}
	b.letGo(mark)
	side, choices := b.bounds(p), b.choices(p)
	if len(choices) == 0 {
		b.warnInvalid(c.n, p)
		b.stop()
		return b.constInt(0, intT)
	}
	b.settleAll()
	start := b.cur
	var ways []flagValue
	for _, ch := range choices {
		var cmds []ir.Cmd
		for _, s := range append(side[:len(side):len(side)], ch.cond) {
			if !s.IsTrue() {
				cmds = append(cmds, ir.AssumeCmd(s))
			}
		}
		b.cur = start.clone()
		b.emit(c.n, b.text(c.n)+" with "+ch.cell.name, cmds...)
		b.refine(ch.cond)
		ways = append(ways, op(ch.cell.v)...)
	}
	return b.byResult(c, ways)
}

// succeeds is the result of an operation that ends here with 0.
func (b *lowerer) succeeds() []flagValue { return []flagValue{{b.cur, 0}} }

// byResult lets the ways of a call meet, first those with the same result.
func (b *lowerer) byResult(c call, ways []flagValue) *value {
	var results []int64
	flows := map[int64][]*flow{}
	for _, w := range ways {
		if w.f == nil {
			continue
		}
		if flows[w.v] == nil {
			results = append(results, w.v)
		}
		flows[w.v] = append(flows[w.v], w.f)
	}
	var met []flagValue
	for _, v := range results {
		b.join(c.n, flows[v]...)
		met = append(met, flagValue{b.cur, v})
	}
	return b.merged(c.n, met...)
}

// misuse lets the program fail where cond holds, if locks are checked.
func (b *lowerer) misuse(c call, what string, cond *logic.Term) {
	if b.opts.Check.Locks && b.cur != nil && !cond.IsFalse() {
		b.settleAll()
		b.errorEdge(c.n, b.text(c.n)+": "+what, ir.AssumeCmd(cond))
	}
}

// assumeUnchecked adds a sentence about misuse of locks, if that is not checked.
func (b *lowerer) assumeUnchecked(sentence string) {
	if !b.opts.Check.Locks {
		b.assume(sentence)
	}
}

// opaqueInit checks the initialiser of the library object in cell c: zero is a plain
// mutex or read-write lock, and a function that has not been called once.
func (b *lowerer) opaqueInit(i *cc.Initializer, k tkind, c *cell) {
	if k == tOpaque {
		return
	}
	if kind := b.initialKind(i, k); kind != mutexDefault {
		if k != tMutex || c == nil || c.typ.kind != tMutex {
			b.fail(i, "unsupported: library object with this initialiser")
		}
		b.setKind(i, c, kind)
	} else if k == tMutex && c != nil && c.typ.kind == tMutex {
		b.setKind(i, c, mutexDefault)
	}
}

// initialKind returns what the initialiser of a library object makes of it, 0 if all
// its scalars are 0: for a mutex its kind, which may only be where the embedded header
// or glibc has it.
func (b *lowerer) initialKind(i *cc.Initializer, k tkind) mutexKind {
	if i.Case == cc.InitializerExpr {
		v := b.literalOf(i.AssignmentExpression)
		switch {
		case v != nil && v.isNull():
			return mutexDefault
		case v != nil && v.kind == vInt && k == tMutex && i.Field() != nil && (i.Field().Name() == "__value" || i.Field().Name() == "__kind"):
			if n, ok := v.constant(); ok && n.Sign() > 0 {
				n, _ := n.Int64()
				return mutexKind(n)
			}
		}
		b.fail(i, "unsupported: library object with this initialiser")
	}
	kind := mutexDefault
	for l := i.InitializerList; l != nil; l = l.InitializerList {
		if x := b.initialKind(l.Initializer, k); x != mutexDefault {
			kind = x
		}
	}
	return kind
}
