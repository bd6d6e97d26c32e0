package cfront

import (
	"fmt"
	"slices"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// lower turns a type-checked program into IR. It starts anew whenever it turns
// out that a local variable is shared with other threads.
func lower(file string, ast *cc.AST, opts Options) (*Result, error) {
	src := collect(ast)
	if src.funcs["main"] == nil {
		return nil, errorf(ir.Pos{File: file}, "no function main")
	}
	known := newFacts()
	for {
		b := newLowerer(file, opts, src, known)
		if b.attempt() {
			return b.finish(), nil
		}
	}
}

func newLowerer(file string, opts Options, src *program, known *facts) *lowerer {
	prog := ir.NewProgram(file)
	b := &lowerer{
		opts: opts, file: file, prog: prog, L: prog.L, src: src, facts: known, escaped: known.escaped,
		ptrInt: ir.Type{Bits: 64, Signed: true}, types: known.types, globals: map[string]*object{},
		statics: map[*cc.Declarator]*object{}, literals: map[*cc.PrimaryExpression]*object{}, cellOf: map[*ir.Var]*cell{}, names: map[string]bool{},
		sources: map[cc.Node]string{}, warned: map[string]bool{}, assumptions: map[string]bool{},
		symbols: map[*logic.Term]*ir.Var{}, tooLarge: map[cc.Node]bool{}, barriers: map[*ir.Var]*barrier{}, keys: map[*cell]int{}, deletedKeys: map[int]*ir.Var{}, named: map[string]*namedSem{}, checkedCleanups: map[*cc.FunctionDefinition]bool{},
		used: map[string]int{}, plain: map[string]bool{}, byID: map[string]*object{}, several: map[string]bool{}, addresses: map[string]int64{}, nextAddress: firstAddress,
		heap: map[string][]*object{}, sites: map[string]int{}, counters: map[string]*ir.Var{},
	}
	if opts.DataModel == ILP32 {
		b.ptrInt.Bits = 32
	}
	b.pointerType = &ctype{kind: tPtr, cells: 1, size: int64(b.ptrInt.Bits / 8), it: b.ptrInt}
	return b
}

// attempt lowers all threads. It returns false if it has to be done again.
func (b *lowerer) attempt() (done bool) {
	b.facts.stale = false
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(restart); !ok {
				if !b.facts.stale || b.facts.restarts > maxRestarts {
					panic(r)
				}
				b.facts.restarts++ // what went wrong may be because of what was taken for granted
			}
			done = false
		}
	}()
	b.initNamed()
	b.newThread(nil, "main")
	for i := 0; i < len(b.threads); i++ {
		b.lowerThread(b.threads[i])
	}
	b.checkBarriers()
	if b.facts.stale || !b.factsStable() {
		b.again(nil)
	}
	if b.replicates && b.facts.results {
		b.fail(nil, "unsupported: pointers that threads return, together with any number of threads")
	}
	return true
}

// hasAssertions reports whether the threads' code contains something that can
// fail, even if it turned out that it does not.
func (b *lowerer) hasAssertions() bool {
	var roots []string
	for _, t := range b.threads {
		roots = append(roots, t.fn)
	}
	roots = append(roots, b.src.destructors...)
	for _, r := range b.atexit {
		roots = append(roots, r.fn)
	}
	return b.src.asserts(roots...)
}

// lowerThread lowers the code of one thread.
func (b *lowerer) lowerThread(t *thread) {
	b.th, b.fr, b.live, b.loops = t, nil, nil, nil
	fn := b.src.funcs[t.fn]
	pos := position(fn.Declarator)
	t.entry = b.newLoc(pos)
	b.cur = &flow{at: t.entry, consts: map[*ir.Var]logic.Value{}, ptrs: map[*cell]*value{}}
	b.stmt = fn.Declarator
	b.initHeld()
	b.initSlots()
	b.fr = b.newFrame(t.fn, fn, nil)
	b.fr.call = fn.Declarator
	fr := b.fr
	ft := fn.Declarator.Type().(*cc.FunctionType)
	if t.index == 0 {
		b.mainGlobals()
		b.mainParams(ft)
	} else {
		b.startThread(t, ft, fn.Declarator)
	}
	b.fr = nil
	if isAtomicName(t.fn) { // until endThread
		b.cur.depth++
	}
	b.lowerBody(fr)
	b.fr = fr
	b.endThreads(fn.Declarator, fr)
}

// startThread emits a thread's first edge and binds its parameter.
func (b *lowerer) startThread(t *thread, ft *cc.FunctionType, n cc.Node) {
	cmds := []ir.Cmd{ir.AssumeCmd(b.L.Eq(t.created.Sym, b.L.Int(1)))}
	params := parameters(ft)
	if len(params) > 1 {
		b.fail(n, "unsupported: thread function '%s' with more than one parameter", t.fn)
	}
	start := func() {
		e := b.emit(n, "thread starts", cmds...)
		e.kind = ir.Start
	}
	if len(params) == 0 || params[0] == nil {
		start()
		return
	}
	o := b.local(params[0], nil)
	c := o.cells[0]
	switch {
	case t.anyArg && (o.typ.kind == tPtr || o.typ.kind == tInt):
		b.startWithAny(n, o, cmds)
	case o.typ.kind != tPtr && o.typ.kind != tInt:
		b.fail(n, "unsupported: parameter of thread function '%s'", t.fn)
	case t.argVar == nil:
		start()
		b.store(n, o.whole(), b.cast(n, t.arg, o.typ), "")
	default:
		v := b.intValue(t.argVar.Sym, b.ptrInt)
		v.to = b.pointsTo(t.argVar.Name)
		if o.typ.kind == tInt {
			v = b.convert(n, v, o.typ.it)
		} else if !b.isDynamicCell(c) && c.v == nil {
			b.setCellVar(c, b.newVar(c.name, c.obj.source, b.ptrInt, t.index))
		}
		cmds = append(cmds, ir.AssignCmd(c.v, v.t))
		b.keepTargets(n, o.whole(), []choice{{b.L.True(), c}}, v)
		start()
		if o.typ.kind == tPtr && !c.dyn {
			b.bind(c, b.inCell(c, v.to))
		}
	}
}

// mainGlobals makes the globals that only main uses; their values are known when
// the program starts.
func (b *lowerer) mainGlobals() {
	used := map[string]bool{}
	for f := range b.src.reach("main") {
		for g := range b.src.info[f].globals {
			used[g] = true
		}
	}
	for _, name := range b.src.order {
		if !used[name] || !b.src.mainOnly[name] || b.src.globals[name].decl.IsThreadLocal() {
			continue
		}
		t := b.typeOf(b.src.globals[name].decl.Type(), nil)
		if t.kind == tBad || t.kind == tVoid || t.kind == tFunc || t.kind == tArray && t.n < 0 {
			continue
		}
		for _, c := range b.global(b.stmt, name).cells {
			switch {
			case b.isDynamicCell(c) || c.v != nil:
				b.cur.consts[c.v] = *c.v.Init
			case c.target != nil:
				v := *c.target
				v.maybeNull = false
				b.bind(c, &v)
			default:
				b.bind(c, b.constInt(0, b.ptrInt))
			}
		}
	}
}

// mainParams gives argc any positive value. What argv points to comes from outside.
func (b *lowerer) mainParams(ft *cc.FunctionType) {
	for i, d := range parameters(ft) {
		if d == nil {
			continue
		}
		o := b.local(d, nil)
		if i > 0 || o.typ.kind != tInt {
			for _, c := range o.cells {
				b.bind(c, &value{kind: vOutside})
			}
			continue
		}
		if b.src.usesParam(d) {
			v := o.cells[0].v
			b.emit(d, d.Name(), ir.HavocCmd(v, d.Name()), ir.AssumeCmd(b.L.Ge(v.Sym, b.L.Int(1))))
		}
	}
}

// finish builds the program.
func (b *lowerer) finish() *Result {
	b.completeJoins()
	for _, t := range b.threads {
		t.clean(b)
	}
	b.dropUnread()
	seen := map[string]int{}
	for _, t := range b.threads {
		name := t.name
		if seen[t.name]++; seen[t.name] > 1 {
			name = fmt.Sprintf("%s_%d", t.name, seen[t.name])
		}
		b.build(t, b.prog.NewThread(name))
	}
	b.dropVars()
	if b.frees && len(b.heap) > 0 {
		b.assumptions[assumeFree] = true
	}
	for s := range b.assumptions {
		b.prog.Assumptions = append(b.prog.Assumptions, s)
	}
	slices.Sort(b.prog.Assumptions)
	b.prog.Bounded = b.boundeds
	res := &Result{Program: b.prog, Warnings: b.warnings, HasAssertions: b.hasAssertions(),
		BoundedThreads: b.cutCreates}
	for _, t := range b.prog.Threads {
		res.HasAssertions = res.HasAssertions || t.HasErrors()
	}
	return res
}

// build makes the thread of the program.
func (b *lowerer) build(t *thread, out *ir.Thread) {
	order := t.reversePostorder()
	for i, l := range order {
		if i == 0 {
			l.out = out.Entry
			l.out.Pos = l.pos
		} else {
			l.out = out.NewLoc(l.pos)
		}
		l.out.Atomic, l.out.Error = l.atomic, l.err
		if l.err {
			l.out.Text = l.text
		}
	}
	mentioned := map[*ir.Var]bool{}
	for _, e := range t.edges {
		if e.from.out == nil || e.to.out == nil {
			continue
		}
		f := out.NewEdge(e.from.out, e.to.out, e.pos, e.text, e.cmds...)
		f.Kind, f.Thread, f.Mutex = e.kind, e.thread, e.mutex
		for _, c := range e.cmds {
			mentioned[c.Var] = true
		}
	}
	out.Created, out.Replicated = t.created, t.replicated
	if t.ended != nil && (mentioned[t.ended] || b.joined(t)) {
		out.Ended = t.ended
	}
}

// joined reports whether some edge waits for the end of the thread.
func (b *lowerer) joined(t *thread) bool {
	for _, u := range b.threads {
		for _, e := range u.edges {
			if e.kind == ir.Join && (e.thread == t.index || e.thread < 0) {
				return true
			}
		}
	}
	return false
}

// dropVars removes the variables that no edge mentions.
func (b *lowerer) dropVars() {
	used := map[*ir.Var]bool{}
	for _, t := range b.prog.Threads {
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				if c.Var != nil {
					used[c.Var] = true
				}
				for _, x := range []*logic.Term{c.Cond, c.Expr} {
					if x == nil {
						continue
					}
					for _, s := range logic.FreeVars(x) {
						if v := b.varOf(s); v != nil {
							used[v] = true
						}
					}
				}
			}
		})
	}
	for _, t := range b.prog.Threads {
		for _, v := range []*ir.Var{t.Created, t.Ended} {
			if v != nil {
				used[v] = true
			}
		}
	}
	b.prog.Vars = slices.DeleteFunc(b.prog.Vars, func(v *ir.Var) bool { return !used[v] })
	for i, v := range b.prog.Vars {
		v.Index = i
	}
}
