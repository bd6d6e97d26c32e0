package specialise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/cut"
	"comus/scan/pointsto"
)

// maxApart bounds the objects with arrays that are not shown by one cell after all.
const maxApart = 16

// maxRounds bounds the runs until no more objects turn up.
const maxFactRounds = 8

// Specialise makes the program of ir for a question. The error is an *Error if a limit was exceeded, and the context's if it
// ended.
func Specialise(ctx context.Context, p *cir.Program, pts *pointsto.Result, opts Options) (res *Result, err error) {
	opts = opts.withDefaults()
	switch {
	case opts.Check.Deadlock && opts.Check != Checks{NoAssert: true, Deadlock: true}:
		return nil, &Error{Msg: "deadlocks are asked about alone"}
	case opts.Orders && (opts.AtomicStatements || opts.Parametric || opts.Open || opts.Check.asksMoreThanOrders()):
		return nil, &Error{Msg: "memory orders are looked at where assertions and overflows are asked about, in steps"}
	case opts.Check.Memory && opts.AnyReads != "":
		return nil, &Error{Msg: "reads return any value where it is not asked whether what they return was ever written"}
	case opts.Orders && opts.AnyReads != "":
		return nil, &Error{Msg: "reads return any value where memory is sequentially consistent, and not where memory orders are looked at"}
	case opts.Check.Race && opts.AtomicStatements:
		return nil, &Error{Msg: "data races are not asked about where statements are atomic"}
	case opts.About != "" && opts.Check != Checks{NoAssert: true, Race: true} && opts.Check != Checks{}:
		return nil, &Error{Msg: "places are named for data races alone, or for assertions alone"}
	}
	if opts.Cut != cut.None && (opts.About == "" || opts.Cut < 0 || opts.Cut >= cut.Depths) {
		return nil, &Error{Msg: "calls are left out where data races or assertions are asked about at some places"}
	}
	facts := newFacts()
	facts.apart = opts.Check.Memory
	if facts.asked, err = newAsked(p, opts); err != nil {
		return nil, &Error{Msg: err.Error()}
	}
	flows := map[*cir.Func]*shape{}
	for i := 0; ; i++ {
		b := newBuilder(p, pts, opts, facts, flows)
		b.ctx = ctx
		if h := b.handles(); opts.Cut != cut.None && h.some { // what a handler does is done to the variables of the thread that it interrupts, too
			return nil, &Error{Msg: "no call is left out of a program that has handlers of signals"}
		}
		if opts.Orders && b.handles().some {
			return nil, &Error{Msg: "memory orders are not looked at in a program that has handlers of signals"}
		}
		switch err := b.build(); {
		case err == errAgain && len(facts.apartFor) < maxApart:
			i--
			continue
		case err != nil:
			return nil, err
		}
		if opts.Evident && i > 0 && len(b.lockCells) == 0 && b.asksAbout(Race) {
			return nil, ErrNotEvident
		}
		enough := len(b.threads) <= facts.threads // what ends was asked of those
		if facts.threads = len(b.threads); opts.Cut != cut.None && !b.leaves {
			return nil, &Error{Msg: "there is no call that can be left out"}
		}
		if facts.learn(b) && enough {
			if b.imprecise != "" {
				return nil, &Error{Msg: b.imprecise}
			}
			if res, err = b.finish(); err != nil {
				return nil, err
			}
			return res, res.Program.Sound("specialise")
		}
		if i >= maxFactRounds+2*len(facts.blurred) { // each summary that is given up changes the program
			return nil, &Error{Msg: "objects of memory turn up without end"}
		}
	}
}

// ErrNotEvident is the error of a question with Options.Evident about a program without locks in which threads access the same memory.
var ErrNotEvident = errors.New("it is not evident that there are no races")

// asksAbout reports whether there is an error location of a property.
func (b *builder) asksAbout(property string) bool {
	for _, t := range b.threads {
		if slices.ContainsFunc(t.edges, func(e *edge) bool { return e.to.err && e.to.check == property }) {
			return true
		}
	}
	return false
}

func newBuilder(p *cir.Program, pts *pointsto.Result, opts Options, facts *facts, flows map[*cir.Func]*shape) *builder {
	prog := ir.NewProgram("")
	if len(p.Files) > 0 {
		prog.File = p.Files[0]
	}
	return &builder{opts: opts, cp: p, m: p.Model, pts: pts, facts: facts, flowOf: flows, prog: prog, L: prog.L,
		names: map[string]bool{}, symbols: map[*logic.Term]*ir.Var{}, cellOf: map[*ir.Var]*cell{}, objects: map[string]*object{}, at: map[int64]*object{},
		assumptions: map[string]bool{}, visits: map[string]int{}, tooLarge: map[loopAt]bool{}, counters: map[string]*ir.Var{}, written: map[string]write{}, published: map[*object][]map[*ir.Var]*value{}, touched: map[string]touch{}, sizes: map[*logic.Term]int{}, endedLater: map[int]*ir.Var{}, numbers: cir.Number(p), readAt: map[*ir.Var]int{}, accessed: map[string]accesses{}, vagueBy: map[*pointsto.Object]users{}, absBy: map[*pointsto.Object]users{}, flags: map[string]*ir.Var{}, freed: map[*pointsto.Object]bool{}, dangling: map[string]bool{}, spans: map[*pointsto.Object]int64{}, watch: map[int]*ir.Var{}, ofMany: map[int]int{}, parts: map[*pointsto.Object]extents{}, slots: map[*pointsto.Object]slots{}, continues: map[string][]int{}, endOf: map[*logic.Term]*logic.Term{}, stretches: map[*cell][]*stretch{}, unset: newUnset(), idle: map[*cir.Func]map[*cir.Load]bool{}, lockCells: map[string]int{}, rows: map[string]*row{}, indexed: map[string]bool{}, summaries: map[*pointsto.Object]*summary{}, addresses: map[*ir.Var]*newest{}, blurred: map[*pointsto.Object]bool{}, readBy: newReaders()}
}

// shape returns the control flow of a function.
func (b *builder) shape(f *cir.Func) *shape {
	if b.flowOf[f] == nil {
		b.flowOf[f] = shapeOf(f)
	}
	return b.flowOf[f]
}

// build takes all threads apart.
func (b *builder) build() (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		case internal:
			err = errors.New("internal error: " + r.msg)
		case again:
			err = errAgain
		case stopped:
			err = r.err
		default:
			panic(r)
		}
	}()
	b.newThread(b.cp.Entry, b.cp.Entry.Source, nil)
	for i := 0; i < len(b.threads); i++ {
		b.run(b.threads[i])
	}
	b.leaks()
	b.guardAll()
	if b.opts.Check.Locks {
		b.warnOfCopies()
	}
	return nil
}

// stopped is that the context has ended while building.
type stopped struct{ err error }

// goOn panics with stopped if the context has ended.
func (b *builder) goOn() {
	if err := b.ctx.Err(); err != nil {
		panic(stopped{err})
	}
}

// finish builds the program. The error is that of the context.
func (b *builder) finish() (*Result, error) {
	b.findGone()
	b.deadlocks()
	b.chooseVictims()
	b.stopOthers()
	b.clean()
	if err := b.dropUnread(); err != nil {
		return nil, err
	}
	b.clean()
	if b.waitForHandlers() {
		b.clean()
	}
	seen := map[string]int{}
	for _, t := range b.threads {
		name := t.name
		if seen[t.name]++; seen[t.name] > 1 {
			name = fmt.Sprintf("%s_%d", t.name, seen[t.name])
		}
		b.buildThread(t, b.prog.NewThread(name))
	}
	b.keepers()
	b.dropVars()
	if err := b.sharesMany(); err != nil {
		return nil, err
	}
	b.nameObjects(b.numberAllocated())
	b.tellTaken()
	for s := range b.assumptions {
		b.prog.Assumptions = append(b.prog.Assumptions, s)
	}
	if b.opts.About != "" && b.opts.Check.Race {
		b.prog.Assumptions = append(b.prog.Assumptions, AssumeElsewhere)
	}
	slices.Sort(b.prog.Assumptions)
	b.prog.Bounded, b.prog.Wraps = b.boundeds, b.opts.Overflow == OverflowWrap
	res := &Result{Program: b.prog, Warnings: b.warnings, HasAssertions: b.hasAsserts, BoundedThreads: b.cutCreates, Scalars: b.scalars()}
	res.HasAssertions = res.HasAssertions || CanFail(b.cp, b.opts)
	return res, nil
}

// scalars returns the variables that stand for scalars of static objects, of those that are left.
func (b *builder) scalars() map[Scalar]*ir.Var {
	out := map[Scalar]*ir.Var{}
	for _, v := range b.prog.Vars {
		if c := b.cellOf[v]; c != nil && c.obj.global != nil && c.bit >= 0 && c.bit%8 == 0 && c.bits%8 == 0 && c.v == v && v.Cell == ir.NoCell {
			out[Scalar{c.obj.global, c.bit / 8, c.bits / 8}] = v
		}
	}
	return out
}

// clean makes the threads smaller.
func (b *builder) clean() {
	for _, t := range b.threads {
		t.clean(b.sharedLocations)
	}
}

// asserts reports whether the program's own code contains something that can fail, whether or not control gets there.
func asserts(p *cir.Program) bool {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Assert {
					return true
				}
			}
		}
	}
	return false
}

// sharedLocations counts the shared locations that commands touch.
func (b *builder) sharedLocations(cmds []ir.Cmd) int {
	return len(ir.SymTable(b.symbols).SharedLocations(b.L, cmds, nil))
}

// dropUnread removes the assignments to variables that nothing reads.
func (b *builder) dropUnread() error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	read := b.readVars()
	for _, t := range b.threads {
		for _, e := range t.edges {
			chose := e.approx != "" && !doubtful(e)
			e.cmds = slices.DeleteFunc(e.cmds, func(c ir.Cmd) bool { return c.Var != nil && !read[c.Var] })
			if chose && doubtful(e) {
				e.approx = "" // nothing depends on what it chose
			}
		}
	}
	return nil
}

// readVars returns the variables that something depends on: a condition, what is assigned to another of them, or what a report tells of locks.
func (b *builder) readVars() map[*ir.Var]bool {
	read := map[*ir.Var]bool{}
	given := map[*ir.Var][]*logic.Term{} // what is assigned to variables
	var todo []*ir.Var
	need := func(v *ir.Var) {
		if v != nil && !read[v] {
			read[v] = true
			todo = append(todo, v)
		}
	}
	needTerm := func(x *logic.Term) {
		for _, s := range logic.FreeVars(x) {
			need(b.symbols[s])
		}
	}
	told := (b.opts.Check.Race || b.opts.Check.Deadlock) && !b.opts.Parametric // what is held, with an execution
	for _, h := range b.delivering {                                           // what all threads look at in the end
		need(h.victim)
	}
	for _, t := range b.threads {
		need(t.created)
		need(t.ended)
		for _, e := range t.edges {
			need(e.mutex)
			for _, c := range e.cmds {
				if b.opts.Orders && c.Var != nil && b.atomically(c.Origin) {
					need(c.Var)
				}
				if c.Cond != nil {
					needTerm(c.Cond)
				}
				if told && c.Var != nil && c.Var.Holder != ir.NoLock {
					need(c.Var)
				}
				if c.Of != nil {
					given[c.Var] = append(given[c.Var], c.Of.Sym, c.At)
				}
				if c.Expr != nil {
					given[c.Var] = append(given[c.Var], c.Expr)
				}
			}
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, x := range given[v] {
			needTerm(x)
		}
		delete(given, v)
	}
	return read
}

// buildThread makes a thread of the program.
func (b *builder) buildThread(t *thread, out *ir.Thread) {
	for i, l := range t.reversePostorder() {
		if i == 0 {
			l.out = out.Entry
			l.out.Pos = l.pos
		} else {
			l.out = out.NewLoc(l.pos)
		}
		l.out.Atomic, l.out.Error = l.atomic, l.err
		if l.err {
			l.out.Text, l.out.Frame = l.text, l.frame
			if l.check != Assert {
				l.out.Check = l.check
			}
		}
	}
	mentioned := map[*ir.Var]bool{}
	for _, e := range t.edges {
		if e.from.out == nil || e.to.out == nil {
			continue
		}
		f := out.NewEdge(e.from.out, e.to.out, e.pos, e.text, e.cmds...)
		f.Kind, f.Thread, f.Mutex, f.Approx, f.Origin, f.Tells = e.kind, e.thread, e.mutex, e.approx, e.origin, e.tells
		for _, c := range e.cmds {
			mentioned[c.Var] = true
		}
	}
	out.Created, out.Replicated = t.created, t.replicated
	if t.ended != nil && (mentioned[t.ended] || t.joined) {
		out.Ended = t.ended
	}
}

// dropVars removes the variables that no edge mentions, and says whose the others are.
func (b *builder) dropVars() {
	used := map[*ir.Var]bool{}
	for _, t := range b.prog.Threads {
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				if c.Var != nil {
					used[c.Var] = true
				}
				for _, x := range c.Reads() {
					for _, s := range logic.FreeVars(x) {
						if v := b.symbols[s]; v != nil {
							used[v] = true
						}
					}
				}
			}
		})
		for _, v := range []*ir.Var{t.Created, t.Ended} {
			if v != nil {
				used[v] = true
			}
		}
	}
	if b.index != nil {
		used[b.index] = slices.ContainsFunc(b.prog.Vars, func(v *ir.Var) bool { return v.Cell == ir.Cell && used[v] })
	}
	b.prog.Vars = slices.DeleteFunc(b.prog.Vars, func(v *ir.Var) bool { return !used[v] })
	for i, v := range b.prog.Vars {
		v.Index = i
	}
}
