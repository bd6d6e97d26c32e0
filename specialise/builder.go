package specialise

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// builder makes an ir.Program of a cir.Program.
type builder struct {
	ctx    context.Context
	opts   Options
	cp     *cir.Program
	m      cir.Model
	pts    *pointsto.Result
	facts  *facts
	flowOf map[*cir.Func]*shape // control flow of functions, analysed once

	conditions int64 // 1 + what [builder.whoWaits] returned

	prog    *ir.Program
	L       *logic.Store
	names   map[string]bool
	symbols map[*logic.Term]*ir.Var
	cellOf  map[*ir.Var]*cell
	objects map[string]*object
	at      map[int64]*object // by address

	threads     []*thread
	assumptions map[string]bool
	boundeds    []string
	cutCreates  bool
	full        string // no more threads are created here, and why
	hasAsserts  bool
	warnings    []string
	work        int

	th      *thread
	beyond  bool // what a function outside accesses is looked at, which is called here
	fr      *frame
	cur     *flow // nil where control does not get to
	site    *cir.Site
	visits  map[string]int // of places that make objects, and those places, in order
	visited []string
	scopes  []*scope   // of blocks that are waited for, innermost last
	held    []*value   // in use, but in no register
	blk     *cir.Block // being run
	step    int        // the instruction of blk being run
	origin  int        // its number
	running cir.Instr  // it, nil where a block ends
	numbers map[cir.Located]int
	readAt  map[*ir.Var]int // the instruction that read a shared variable last, whose step may come later
	rows    map[string]*row // arrays that one cell is shown of, and the index of that cell
	index   *ir.Var
	indexed map[string]bool // arrays that are accessed at an index that is not constant
	leaves  bool            // calls have been left out
	loops   int             // around here that are not unrolled
	created int             // threads and objects on the heap that were made, each once
	deep    int             // calls beyond the bound of recursion, see goesOn
	// tooLarge are loops whose unrolling was given up for its size.
	tooLarge      map[loopAt]bool
	counters      map[string]*ir.Var // of the objects of a place in a loop
	endedLater    map[int]*ir.Var    // of threads that are not created yet
	written       map[string]write   // what was assigned to variables of objects, for [facts]
	left          []leaving
	published     map[*object][]map[*ir.Var]*value // constants in objects of the heap, wherever they are published
	sizes         map[*logic.Term]int              // of terms, see sizeOf
	touched       map[string]touch                 // who accesses variables of objects
	made          []blueprint                      // of the objects that come to be
	delivering    []*handler                       // see handlers.go
	handled       handled                          // in a thread of handlers
	handling      *handling
	alones        []alone                          // steps after which a thread is the only one
	watch         map[int]*ir.Var                  // what a thread stands before, see race.go
	ofMany        map[int]int                      // which threads are told or replicated
	parts         map[*pointsto.Object]extents     // of what is not tracked, see starts.go
	slots         map[*pointsto.Object]slots       // where ids of threads are stored, see whereabouts.go
	accessed      map[string]accesses              // of objects, by threads that are not alone
	noted         []noted                          // all accesses
	lockCells     map[string]int                   // what is taken and given back as a lock, and its kinds
	vagueBy       map[*pointsto.Object]users       // accesses that are not tracked
	flags         map[string]*ir.Var               // of happens-before and deadlocks
	waitings      []*waiting                       // places where threads may have to wait
	endOf         map[*logic.Term]*logic.Term      // the threads whose ends conditions are
	stale         map[*ir.Var]bool                 // see noteStale
	branched      bool                             // in an atomic section, on shared variables
	updating      bool                             // a store is that of a read-modify-write
	onlyIf        *logic.Term                      // the condition under which that store is made; nil: always
	failure       cir.Order                        // the order of that store's read where it is not made
	sawWeak       bool                             // an atomic access that is not sequentially consistent, or a lock that is tried
	continues     map[string][]int                 // threads that store to a variable with a weak order
	whereAt       *ir.Var                          // the byte of memory that is not tracked that is watched
	spans         map[*pointsto.Object]int64       // the bytes of each of the objects that an abstract one stands for, 0 for not known
	absBy         map[*pointsto.Object]users       // all accesses, by threads that are not alone
	accessNoted   bool                             // what is havocked has been told as an access
	ends          []*programEnd                    // where the program may end, see leak.go
	dangling      map[string]bool                  // locals that are accessed where they may have ended
	returned      bool                             // main has
	exitCall      *cir.Call                        // that of exit where main has returned
	freed         map[*pointsto.Object]bool        // of which it is not known which object is freed
	calls         *cir.Func                        // being called; nil in its steps
	stretches     map[*cell][]*stretch             // the parts of scalars, see uninit.go
	unset         unset                            // for [facts]
	idle          map[*cir.Func]map[*cir.Load]bool // loads of what is only copied
	copying       bool                             // what is loaded is only copied
	partly        bool                             // what is written may be, or not
	summaries     map[*pointsto.Object]*summary    // nil for what has none
	summed        []*summary                       // in the order in which they were made
	addresses     map[*ir.Var]*newest              // by the variables that have them
	blurred       map[*pointsto.Object]bool        // whose summaries are given up
	readBy        readers
	argv          vector       // the arguments of the program
	imprecise     string       // with [Options.Orders]: an access that cannot be shown
	atomicOrigins map[int]bool // see [builder.atomically]
	// environmentWritten tells that the value of a variable of the environment may be changed in place.
	environmentWritten bool
}

// write is what all assignments to a variable have in common.
type write struct {
	value  logic.Value
	stable bool     // the same constant always, and before another thread could see the object
	change bool     // some give it another value than it has from the beginning
	late   bool     // some were made when main was no longer alone
	rng    interval // that they all are in, with the initial value, if ranged
	ranged bool
}

// touch is who accesses a variable.
type touch struct {
	thread  int
	several bool
}

// touch notes that the current thread accesses a cell.
func (b *builder) touch(c *cell) {
	t, ok := b.touched[c.key]
	if !ok {
		t.thread = b.th.index
	}
	t.several = t.several || t.thread != b.th.index || b.th.replicated && c.obj.shared
	b.touched[c.key] = t
}

// touchAll notes that the current thread accesses the cells that a term mentions.
func (b *builder) touchAll(x *logic.Term) {
	if x == nil {
		return
	}
	for _, s := range logic.FreeVars(x) {
		if c := b.cellOf[b.symbols[s]]; c != nil {
			b.touch(c)
		}
	}
}

// thread is one thread being taken apart.
type thread struct {
	graph
	index          int
	parent         int // which thread creates it
	name           string
	fn             *cir.Func
	args           []*value // constants, or variables that carry them
	created, ended *ir.Var
	gone           *ir.Var // it is in another process, see gone.go; nil: it never is
	joined         bool
	replicated     bool      // stands for any number of threads
	single         bool      // is one of any number, told apart
	handed         *ir.Var   // of these: an argument waits to be taken
	from           *frame    // where it is created
	madeIn         *ir.Frame // the calls there
	site           ir.Pos
	tries          bool // takes locks in ways that may fail
	ctx            pointsto.Context
	ends           []*flow
	temps          []*ir.Var
}

// frame is an activation of a function.
type frame struct {
	fn       *cir.Func
	ctx      pointsto.Context
	parent   *frame
	path     string // names it: "t1.f.g"
	locals   map[*cir.Local]*object
	saved    map[int]*value // the registers of the caller that are needed after the call
	user     *cir.Site      // of a function of the library: the call in the program's own code
	call     ir.Pos
	shown    *ir.Frame // in findings, if it was asked for
	depth    int       // of atomic sections at the call
	rets     []ret
	args     []*value
	given    []cir.Value        // the operands of the caller that they are
	params   []*object          // structs that are passed
	stack    []*object          // those of alloca, and arrays of variable length
	lives    map[*cir.Local]int // how many lives of locals of blocks have ended, see [builder.lifeStart]
	rest     []*value           // the variable arguments
	shape    *shape
	destAt   *value     // where a struct goes that is returned
	blk      *cir.Block // the caller's, and the call in it
	step     int
	calledBy cir.Instr // that call; nil for what a thread begins with
	used     bool      // the result is
	reads    bool      // of what it is given from outside, it reads strings only
}

// ret is a flow that returns, with the result.
type ret struct {
	f *flow
	v *value
}

// flow is a point of control and what is known there.
type flow struct {
	at        *loc
	depth     int // of atomic sections
	regs      map[int]*value
	consts    map[*ir.Var]*value  // what private variables hold, where it is a constant
	undef     map[*cell]bool      // cells that hold nothing yet: any value, chosen when they are read
	unescaped map[*object]bool    // objects on the heap that no other thread can know yet
	lists     map[*object]vaList  // where the lists of variable arguments stand
	jumps     map[buffer]*landing // what longjmp goes back to, nil where that is not known; not changed, but replaced
	seen      map[*summary]bool   // what has been accessed in the atomic section; not changed, but replaced
	newest    map[about]bool      // see newest.go
	alone     bool                // of main: no other thread has been created
	wrote     *wrote              // what control has come by a write of
	set       map[*stretch]bool   // what has been written for sure, see uninit.go
}

func (f *flow) clone() *flow {
	if f == nil {
		return nil
	}
	g := &flow{at: f.at, depth: f.depth, regs: make(map[int]*value, len(f.regs)), consts: make(map[*ir.Var]*value, len(f.consts)), undef: make(map[*cell]bool, len(f.undef)), unescaped: make(map[*object]bool, len(f.unescaped))}
	for k, v := range f.regs {
		g.regs[k] = v
	}
	for k, v := range f.consts {
		g.consts[k] = v
	}
	for k := range f.undef {
		g.undef[k] = true
	}
	for k := range f.unescaped {
		g.unescaped[k] = true
	}
	g.lists, g.jumps, g.seen, g.newest = maps.Clone(f.lists), f.jumps, f.seen, maps.Clone(f.newest)
	g.alone, g.wrote, g.set = f.alone, f.wrote, maps.Clone(f.set)
	return g
}

// internal is a bug of ours, found while building.
type internal struct{ msg string }

func (b *builder) bugf(format string, args ...any) {
	where := ""
	if b.site != nil {
		where = b.site.Pos.String() + ": "
	}
	panic(internal{where + fmt.Sprintf(format, args...)})
}

// fail gives up: a limit was exceeded.
func (b *builder) fail(format string, args ...any) {
	panic(&Error{Pos: b.pos(), Msg: fmt.Sprintf(format, args...)})
}

// here returns the site to report: in a function of the library, that of the call.
func (b *builder) here() *cir.Site {
	if b.fr != nil && b.fr.user != nil {
		return b.fr.user
	}
	if b.site == nil {
		return &cir.Site{}
	}
	return b.site
}

func (b *builder) pos() cir.Pos { return b.here().Pos }

func (b *builder) irPos() ir.Pos {
	return posOf(b.pos())
}

func posOf(p cir.Pos) ir.Pos { return ir.Pos{File: p.File, Line: p.Line, Col: p.Col} }

// text returns what the current step is called.
func (b *builder) text() string { return b.here().Text }

// assume notes what the program's verdict rests on.
func (b *builder) assume(sentence string) { b.assumptions[sentence] = true }

// newVar adds a variable with a name like this one.
func (b *builder) newVar(name, source string, t ir.Type, thread int) *ir.Var {
	unique := name
	for i := 2; b.names[unique]; i++ {
		unique = fmt.Sprintf("%s_%d", name, i)
	}
	b.names[unique] = true
	v := b.prog.NewVar(unique, t, thread)
	v.Source = source
	b.symbols[v.Sym] = v
	if len(b.prog.Vars) > maxVars {
		b.fail("more than %d variables", maxVars)
	}
	return v
}

// newTemp returns a temporary of this type whose value nobody needs.
func (b *builder) newTemp(t ir.Type, also ...*flow) *ir.Var {
	used := b.mentioned(also...)
	for _, v := range b.th.temps {
		if v.Type == t && !used[v.Sym] {
			return v
		}
	}
	v := b.newVar(fmt.Sprintf("t%d.tmp", b.th.index), "", t, b.th.index)
	b.th.temps = append(b.th.temps, v)
	return v
}

// mentioned returns the symbols that values in use mention.
func (b *builder) mentioned(also ...*flow) map[*logic.Term]bool {
	used := map[*logic.Term]bool{}
	add := func(v *value) {
		for _, s := range logic.FreeVars(v.terms()...) {
			used[s] = true
		}
	}
	flows := also
	if b.cur != nil {
		flows = append(slices.Clone(also), b.cur)
	}
	for _, f := range flows {
		for _, v := range f.regs {
			add(v)
		}
		for _, v := range f.consts {
			add(v)
		}
	}
	for _, v := range b.held {
		add(v)
	}
	for fr := b.fr; fr != nil; fr = fr.parent {
		if fr.destAt != nil {
			add(fr.destAt)
		}
		for _, v := range fr.saved {
			add(v)
		}
		for _, v := range fr.rest {
			add(v)
		}
		for _, r := range fr.rets {
			if r.v != nil {
				add(r.v)
			}
		}
	}
	for _, s := range b.scopes {
		for _, as := range s.waiting {
			for _, a := range as {
				for _, v := range a.f.regs {
					add(v)
				}
				for _, v := range a.args {
					add(v)
				}
			}
		}
	}
	return used
}

// isTemp reports whether a term is a temporary of this thread.
func (b *builder) isTemp(s *logic.Term) bool {
	v := b.symbols[s]
	return v != nil && slices.Contains(b.th.temps, v)
}

// newEdge adds an edge.
func (b *builder) newEdge(from, to *loc, text string, cmds ...ir.Cmd) *edge {
	if b.work%256 == 0 {
		b.goOn()
	}
	if b.work++; b.work > maxWork {
		b.fail("the program is too large after unrolling loops and inlining calls")
	}
	origin := b.originOf(from, cmds)
	cmds = slices.Clone(cmds)
	for i := range cmds {
		if cmds[i].Origin == 0 {
			cmds[i].Origin = origin
		}
	}
	e := &edge{from: from, to: to, cmds: cmds, thread: -1, pos: b.irPos(), text: text, origin: origin}
	for _, c := range cmds {
		for _, x := range c.Reads() {
			b.touchAll(x)
		}
	}
	from.outs++
	b.th.edges = append(b.th.edges, e)
	return e
}

// originOf returns the number of the instruction that an edge is a step of: of one that reads a shared variable
// and writes none, that is the load, which may have been some instructions before.
func (b *builder) originOf(from *loc, cmds []ir.Cmd) int {
	origin := b.origin
	if from.atomic {
		return origin
	}
	for _, c := range cmds {
		if c.Var != nil && c.Var.Thread == ir.Shared {
			return b.origin
		}
		for _, x := range c.Reads() {
			for _, s := range logic.FreeVars(x) {
				if v := b.symbols[s]; v != nil && v.Thread == ir.Shared && b.readAt[v] != 0 {
					origin = b.readAt[v]
				}
			}
		}
	}
	return origin
}

// newLocHere returns a location that control can get to from here, atomic if we
// are in an atomic section.
func (b *builder) newLocHere() *loc {
	l := b.th.newLoc(b.irPos())
	l.atomic = b.cur != nil && b.cur.depth > 0
	return l
}

// emit adds an edge from here to a new location, which becomes the current one.
// Values in use have been settled.
func (b *builder) emit(text string, cmds ...ir.Cmd) *edge {
	if b.cur == nil {
		return &edge{}
	}
	cmds = slices.DeleteFunc(cmds, func(c ir.Cmd) bool { return c.Kind == ir.Assume && c.Cond.IsTrue() })
	e := b.newEdge(b.cur.at, b.newLocHere(), text, cmds...)
	if b.cur.depth > 0 && !e.from.atomic && b.sharedLocations(cmds) > 1 {
		e.to.multi = true
	}
	b.noteLockWrite(e)
	b.cur.at = e.to
	for _, c := range cmds {
		b.learn(c)
	}
	return e
}

// learn updates what is known after a command.
func (b *builder) learn(c ir.Cmd) {
	if b.opts.Check.Deadlock {
		b.noteStale(c)
	}
	if c.Var == nil {
		b.learnCond(c.Cond)
		return
	}
	b.learnNewest(c)
	x := b.cellOf[c.Var]
	if x != nil {
		delete(b.cur.undef, x)
		b.noteWrite(x, c)
		b.cur.wrote = b.cur.wrote.with(x)
	}
	delete(b.cur.consts, c.Var)
	if c.Kind == ir.Assign && x != nil && b.keepsHere(c.Var) {
		if _, ok := c.Expr.Const(); ok {
			b.cur.consts[c.Var] = &value{t: c.Expr}
		}
	}
}

// keepsHere reports whether no other thread can change a variable now: it is private, or of an object that no
// other thread knows, or we are in an atomic section.
func (b *builder) keepsHere(v *ir.Var) bool {
	x := b.cellOf[v]
	if x != nil && x.obj.tuple && x.obj.shared {
		return false // that of another object may be there at any time
	}
	return v.Thread != ir.Shared || b.cur.alone || b.cur.depth > 0 || x != nil && b.cur.unescaped[x.obj]
}

// learnCond notes what variables hold after a condition was assumed.
func (b *builder) learnCond(cond *logic.Term) {
	for _, c := range logic.Conjuncts(cond) {
		eq, not := c, false
		if c.Op() == logic.OpNot {
			eq, not = c.Args()[0], true
		}
		if eq.Op() != logic.OpEq {
			continue
		}
		x, k := eq.Args()[0], eq.Args()[1]
		if _, ok := x.Const(); ok {
			x, k = k, x
		}
		v := b.symbols[x]
		n, ok := k.Const()
		if v == nil || !ok || not && v.Type != ir.Flag || b.cellOf[v] == nil && !b.isEnded(v) || !b.keepsHere(v) && !b.isEnded(v) {
			continue
		}
		if not {
			n = logic.IntValue(1).Sub(n)
		}
		b.cur.consts[v] = &value{t: b.L.Value(n)}
	}
}

// isEnded reports whether a variable tells that a thread has ended, which it has for good.
func (b *builder) isEnded(v *ir.Var) bool {
	return slices.ContainsFunc(b.threads, func(t *thread) bool { return t.ended == v })
}

// forgetShared forgets what other threads may change, at the end of an atomic section.
func (b *builder) forgetShared() {
	for v := range b.cur.consts {
		if !b.keepsHere(v) && !b.isEnded(v) {
			delete(b.cur.consts, v)
		}
	}
}

// noteWrite keeps what all assignments to a cell have in common.
func (b *builder) noteWrite(x *cell, c ir.Cmd) {
	b.touch(x)
	w := write{late: !b.cur.alone, change: !keeps(c)}
	if c.Kind == ir.Assign {
		if b.cur.unescaped[x.obj] {
			w.value, w.stable = c.Expr.Const()
		}
		if x.v.Init != nil {
			w.rng, w.ranged = b.boundsOf(c.Expr)
			w.rng = w.rng.hull(interval{*x.v.Init, *x.v.Init})
		}
	}
	if old, ok := b.written[x.key]; ok {
		w.stable = w.stable && old.stable && old.value == w.value
		w.late, w.change = w.late || old.late, w.change || old.change
		w.ranged, w.rng = w.ranged && old.ranged, w.rng.hull(old.rng)
	}
	b.written[x.key] = w
}

// errorIf adds an edge to an error, the violation of a property, that is taken if a condition holds.
func (b *builder) errorIf(check, text string, bad *logic.Term, side []*logic.Term) {
	if b.cur == nil || bad.IsFalse() || b.isKnownError(check, b.irPos()) {
		return
	}
	b.hasAsserts = true
	to := b.newLocHere()
	to.err, to.text, to.check, to.frame = true, text, check, b.standing()
	cmds := assumes(side)
	if !bad.IsTrue() {
		cmds = append(cmds, ir.AssumeCmd(bad))
	}
	b.newEdge(b.cur.at, to, text, cmds...)
}

// assumes returns the commands that assume conditions.
func assumes(side []*logic.Term) []ir.Cmd {
	var cmds []ir.Cmd
	for _, s := range side {
		if !s.IsTrue() {
			cmds = append(cmds, ir.AssumeCmd(s))
		}
	}
	return cmds
}

func (b *builder) bounded(s string) {
	if !slices.Contains(b.boundeds, s) {
		b.boundeds = append(b.boundeds, s)
	}
}

// anything returns any value of a type, chosen here.
func (b *builder) anything(t cir.Type, approx string, site *cir.Site) *value {
	v := b.newTemp(irType(t))
	e := b.emit("", ir.HavocCmd(v, ""))
	e.approx = approx
	w := b.val(t, v.Sym)
	w.site = site
	return w
}
