package cfront

import (
	"fmt"
	"slices"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// Limits of what is built before a program is rejected as too large.
const (
	maxWork      = 300_000 // edges built in total, also those given up
	maxThreads   = 256
	maxUnrolled  = 20_000 // locations of one unrolled loop
	maxCallDepth = 200
)

// lowerer turns a type-checked program into threads.
type lowerer struct {
	opts   Options
	file   string
	prog   *ir.Program
	L      *logic.Store
	ptrInt ir.Type // the integer type that a pointer converts to
	src    *program

	types    map[cc.Type]*ctype
	globals  map[string]*object                // by name
	statics  map[*cc.Declarator]*object        // static locals
	literals map[*cc.PrimaryExpression]*object // string literals
	escaped  map[string]bool                   // keys of locals that other threads use
	cellOf   map[*ir.Var]*cell
	names    map[string]bool
	sources  map[cc.Node]string
	warned   map[string]bool

	threads     []*thread
	assumptions map[string]bool
	boundeds    []string
	cutCreates  bool // a loop that creates threads was cut off
	warnings    []string
	work        int

	th                  *thread
	fr                  *frame
	cur                 *flow // nil where control does not get to
	live                []*value
	spec                int // depth of speculation
	undo                []func()
	loops               []loop // around here that are not unrolled, outermost first
	mainSelf, mainExits bool   // main, which is lowered first, calls pthread_self, pthread_exit
	once                int    // calls of functions by pthread_once around here
	stmt                cc.Node
	unused              bool // the result of the call to evaluate next is not used

	symbols         map[*logic.Term]*ir.Var
	pointerType     *ctype
	tooLarge        map[cc.Node]bool // loops whose unrolling was given up for its size
	joins           []*laterJoin
	replicates      bool // a replicated thread was met
	barriers        map[*ir.Var]*barrier
	keys            map[*cell]int                   // the keys that variables get, from 0
	deletedKeys     map[int]*ir.Var                 // tell which keys were deleted
	checkedCleanups map[*cc.FunctionDefinition]bool // see checkCleanupJumps
	cleanups        []pushed                        // the handlers of pthread_cleanup_push here, innermost last
	named           map[string]*namedSem            // semaphores by name
	atexit          []registered                    // in the order of their execution
	exiting         bool                            // functions registered by atexit are called around here
	ending          int                             // calls of destructors or handlers at the end of a thread around here

	facts       *facts
	used        map[string]int  // sizes of sets of targets when they were first used
	plain       map[string]bool // keys of integer cells that were used as holding no addresses
	byID        map[string]*object
	several     map[string]bool // ids that several objects have
	addresses   map[string]int64
	nextAddress int64
	heap        map[string][]*object // the objects of heap sites, by id
	sites       map[string]int       // visits of calls that allocate memory
	frees       bool                 // something is freed
	counters    map[string]*ir.Var   // of the objects of a site in a loop
	hint        *ctype               // what the result of the allocation to evaluate next is cast to
}

// thread is one thread being lowered.
type thread struct {
	index          int
	name           string
	fn             string
	arg            *value  // the static argument, or nil
	argVar         *ir.Var // carries an argument that is not static
	created, ended *ir.Var
	ret            *ir.Var // carries the result
	locs           []*loc
	edges          []*edge
	entry          *loc
	ends           []*flow // where the thread returns
	objs           map[string]*object
	replicated     bool // stands for any number of threads
	anyArg         bool // the argument is any value
	joined         bool // some join waits for it
	temps          []*temp
	used           []*temp            // temporaries in use, as a stack
	slots          []*object          // the values of thread keys
	held           map[string]*ir.Var // how often it holds mutexes that it counts, by their names
}

// loc is a location being built. A location that was merged into another one
// refers to it by same.
type loc struct {
	id     int
	atomic bool
	err    bool
	dead   bool // the program has stopped
	text   string
	pos    ir.Pos
	same   *loc
	multi  bool // a step that touches several shared locations leads here
	outs   int
	out    *ir.Loc
}

type edge struct {
	from, to *loc
	cmds     []ir.Cmd
	kind     ir.EdgeKind
	thread   int
	mutex    *ir.Var
	pos      ir.Pos
	text     string
}

// flow is a point of control and what is known there.
type flow struct {
	at     *loc
	head   cc.Node // where b.loopHead made it, the loop or label
	depth  int     // of atomic sections
	consts map[*ir.Var]logic.Value
	ptrs   map[*cell]*value
}

// temp is a temporary variable, used again after its statement.
type temp struct {
	v    *ir.Var // an integer
	obj  *object // or a struct
	used bool
}

func (l *loc) find() *loc {
	for l.same != nil {
		l = l.same
	}
	return l
}

func (f *flow) clone() *flow {
	if f == nil {
		return nil
	}
	g := &flow{at: f.at, head: f.head, depth: f.depth, consts: make(map[*ir.Var]logic.Value, len(f.consts)), ptrs: make(map[*cell]*value, len(f.ptrs))}
	for k, v := range f.consts {
		g.consts[k] = v
	}
	for k, v := range f.ptrs {
		g.ptrs[k] = v
	}
	return g
}

// record notes how to take back a change, if code is being tried out.
func (b *lowerer) record(f func()) {
	if b.spec > 0 {
		b.undo = append(b.undo, f)
	}
}

// snapshot is a state that lowering can go back to.
type snapshot struct {
	undo, vars, threads, locs, edges, live, used, boundeds, warnings, joins int
	cur                                                                     *flow
	atomic                                                                  bool
}

// try starts building code that may be given up.
func (b *lowerer) try() snapshot {
	s := snapshot{len(b.undo), len(b.prog.Vars), len(b.threads), len(b.th.locs), len(b.th.edges), len(b.live),
		len(b.th.used), len(b.boundeds), len(b.warnings), len(b.joins), b.cur.clone(), false}
	if b.cur != nil {
		s.atomic = b.cur.at.find().atomic
	}
	b.spec++
	return s
}

// keep ends a try that succeeded.
func (b *lowerer) keep() {
	b.spec--
	if b.spec == 0 {
		b.undo = nil
	}
}

// giveUp ends a try that failed and restores the state before it.
func (b *lowerer) giveUp(s snapshot) {
	for i := len(b.undo) - 1; i >= s.undo; i-- {
		b.undo[i]()
	}
	b.undo = b.undo[:s.undo]
	for _, v := range b.prog.Vars[s.vars:] {
		delete(b.names, v.Name)
		delete(b.cellOf, v)
	}
	b.prog.Vars = b.prog.Vars[:s.vars]
	b.threads = b.threads[:s.threads]
	for _, e := range b.th.edges[s.edges:] {
		e.from.outs--
	}
	b.th.edges = b.th.edges[:s.edges]
	b.th.locs = b.th.locs[:s.locs]
	b.live = b.live[:s.live]
	for _, t := range b.th.used[min(s.used, len(b.th.used)):] {
		t.used = false
	}
	b.th.used = b.th.used[:min(s.used, len(b.th.used))]
	b.boundeds, b.warnings, b.joins = b.boundeds[:s.boundeds], b.warnings[:s.warnings], b.joins[:s.joins]
	b.cur = s.cur
	if b.cur != nil {
		b.cur.at.find().atomic = s.atomic
	}
	b.spec--
}

// newVar adds a variable with a name like this one.
func (b *lowerer) newVar(name, source string, t ir.Type, thread int) *ir.Var {
	unique := name
	for i := 2; b.names[unique]; i++ {
		unique = fmt.Sprintf("%s_%d", name, i)
	}
	b.names[unique] = true
	v := b.prog.NewVar(unique, t, thread)
	v.Source = source
	b.symbols[v.Sym] = v
	if b.fr != nil && b.stmt != nil {
		v.Pos = position(b.stmt)
	}
	if len(b.prog.Vars) > 200_000 {
		b.fail(b.stmt, "unsupported: more than 200000 variables")
	}
	return v
}

// newTemp returns a temporary of this type for the rest of the statement.
func (b *lowerer) newTemp(t ir.Type) *ir.Var {
	for _, x := range b.th.temps {
		if !x.used && x.v != nil && x.v.Type == t {
			x.used = true
			b.th.used = append(b.th.used, x)
			return x.v
		}
	}
	v := b.newVar(fmt.Sprintf("t%d.tmp", b.th.index), "", t, b.th.index)
	x := &temp{v: v, used: true}
	n := len(b.th.temps)
	th := b.th
	b.record(func() { th.temps = th.temps[:n] })
	b.th.temps = append(b.th.temps, x)
	b.th.used = append(b.th.used, x)
	return v
}

// release gives back the temporaries taken since the mark.
func (b *lowerer) release(mark int) {
	for _, t := range b.th.used[mark:] {
		t.used = false
	}
	b.th.used = b.th.used[:mark]
}

func (b *lowerer) newLoc(pos ir.Pos) *loc {
	l := &loc{id: len(b.th.locs), pos: pos}
	b.th.locs = append(b.th.locs, l)
	return l
}

// newLocHere returns a location that control can get to from here, atomic if we
// are in an atomic section.
func (b *lowerer) newLocHere(pos ir.Pos) *loc {
	l := b.newLoc(pos)
	l.atomic = b.cur != nil && b.cur.depth > 0
	return l
}

func (b *lowerer) newEdge(from, to *loc, pos ir.Pos, text string, cmds ...ir.Cmd) *edge {
	b.work++
	if b.work > maxWork {
		panic(errorf(pos, "unsupported: the program is too large after unrolling loops and inlining calls"))
	}
	from, to = from.find(), to.find()
	e := &edge{from: from, to: to, cmds: cmds, thread: -1, pos: pos, text: text}
	from.outs++
	b.th.edges = append(b.th.edges, e)
	return e
}

// emit adds an edge from here to a new location, which becomes the current one.
// Values in use have been settled.
func (b *lowerer) emit(n cc.Node, text string, cmds ...ir.Cmd) *edge {
	pos := position(n)
	if b.cur == nil {
		return &edge{}
	}
	e := b.newEdge(b.cur.at, b.newLocHere(pos), pos, text, cmds...)
	b.cur.at = e.to
	if b.cur.depth > 0 && !e.from.atomic && b.sharedLocations(cmds) > 1 {
		e.to.multi = true
	}
	for _, c := range cmds {
		b.learn(c)
	}
	return e
}

// learn updates what is known after a command.
func (b *lowerer) learn(c ir.Cmd) {
	if c.Var == nil || c.Var.Thread == ir.Shared {
		return
	}
	if c.Kind == ir.Assign {
		if k, ok := c.Expr.Const(); ok {
			b.cur.consts[c.Var] = k
			return
		}
	}
	delete(b.cur.consts, c.Var)
}

// jump lets control go on at l without a step.
func (b *lowerer) jump(l *loc, n cc.Node) {
	if b.cur == nil {
		return
	}
	from, to := b.cur.at.find(), l.find()
	b.cur = nil
	if from == to {
		return
	}
	if from.outs == 0 && from.atomic == to.atomic && from != b.th.entry && !from.err && !to.err {
		b.merge(from, to)
		return
	}
	b.newEdge(from, to, position(n), "")
}

// merge makes from, which has no edges out, the same location as to.
func (b *lowerer) merge(from, to *loc) {
	was := to.multi
	b.record(func() { from.same, to.multi = nil, was })
	from.same = to
	to.multi = was || from.multi
}

// join lets the flows meet and makes the meeting point the current one.
func (b *lowerer) join(n cc.Node, flows ...*flow) {
	flows = slices.DeleteFunc(slices.Clone(flows), func(f *flow) bool { return f == nil })
	b.cur = nil
	if len(flows) == 0 {
		return
	}
	if len(flows) == 1 {
		b.cur = flows[0].clone()
		return
	}
	flows = b.mergeIntegers(n, flows)
	out := flows[0].clone()
	for _, f := range flows[1:] {
		out.meet(f)
		if f.depth != out.depth {
			b.fail(n, "unsupported: control meets here from inside and from outside of an atomic section")
		}
	}
	target := b.newLoc(position(n))
	target.atomic = out.depth > 0
	for _, f := range flows {
		b.cur = f.clone()
		b.jump(target, n)
	}
	out.at = target
	b.cur = out
}

// meet keeps what is known in both flows.
func (f *flow) meet(g *flow) {
	for v, c := range f.consts {
		if d, ok := g.consts[v]; !ok || c != d {
			delete(f.consts, v)
		}
	}
	for c, v := range f.ptrs {
		if w, ok := g.ptrs[c]; !ok || !sameValue(v, w) {
			f.ptrs[c] = &value{kind: vUnknown, from: c}
		} else if v.kind == vInt && (v.to != nil || w.to != nil) {
			u := *v
			u.to = eitherOf(v, w)
			f.ptrs[c] = &u
		}
	}
	for c := range g.ptrs {
		if _, ok := f.ptrs[c]; !ok {
			f.ptrs[c] = &value{kind: vUnknown, from: c}
		}
	}
}

// pushFlow adds the current flow to a list and ends it here.
func (b *lowerer) pushFlow(list *[]*flow) {
	if b.cur == nil {
		return
	}
	old := *list // whose owner may begin another list
	b.record(func() { *list = old })
	*list = append(*list, b.cur)
	b.cur = nil
}

// fail rejects the program.
func (b *lowerer) fail(n cc.Node, format string, args ...any) {
	panic(errorf(b.errorPos(n), format, args...))
}

// failHint rejects the program and says what to do about it.
func (b *lowerer) failHint(n cc.Node, hint, format string, args ...any) {
	e := errorf(b.errorPos(n), format, args...)
	e.Hint = hint
	panic(e)
}

func (b *lowerer) errorPos(n cc.Node) ir.Pos {
	if n != nil {
		if p := position(n); p.Line > 0 {
			return p
		}
	}
	if b.stmt != nil {
		return position(b.stmt)
	}
	return ir.Pos{File: b.file}
}

// warn adds a warning, once.
func (b *lowerer) warn(n cc.Node, format string, args ...any) {
	w := oneLine(b.errorPos(n).String() + ": warning: " + fmt.Sprintf(format, args...))
	if !b.warned[w] {
		b.warned[w] = true
		b.record(func() { delete(b.warned, w) })
		b.warnings = append(b.warnings, w)
	}
}

// The assumptions a program may come with.
const (
	assumeOverflow = "no signed integer overflow"
	assumeDivision = "no division by zero"
	assumeBits     = "__builtin_clz and __builtin_ctz are not given 0"
	assumeBounds   = "array indices are in bounds"
	assumeShift    = "shift distances are in range"
	assumeMutex    = "a mutex is unlocked only by the thread that holds it"
	assumeNull     = "no null pointer is dereferenced"
	assumePointer  = "memory is accessed only through valid pointers"
	assumeTypes    = "objects are accessed as their own type only"
	assumeLayout   = "objects lie at the addresses that comus gives them"
	assumeMalloc   = "malloc does not return NULL"
	assumeFree     = "memory that was freed is not allocated again"
	assumeCount    = "the value of a semaphore stays below 2^31"
	assumeCreate   = "pthread_create does not fail"
	assumeAttached = "no thread is joined that was detached"
	assumeJoined   = "no thread is joined again"
	assumeRounds   = "fewer than 2^31 calls wait at a barrier"
	assumeOrder    = "memory orders are read as sequentially consistent"
	assumeApart    = "memcpy copies between parts of memory that do not overlap"
	assumeSizes    = "memset, memcpy and memmove are given the sizes of whole elements within their objects"
	assumeKeyOnce  = "a variable gets a key of threads only once"
	assumeKeyUse   = "keys of threads are used only after they are created"
	assumeReader   = "a read-write lock is not unlocked by a thread that does not hold it while others read, and has less than 2^31 readers"
	assumeRWLock   = "a read-write lock is unlocked only by a thread that holds it, not locked again by the thread that writes, and has less than 2^31 readers"
)

// assume adds a sentence to the program's assumptions.
func (b *lowerer) assume(sentence string) {
	if !b.assumptions[sentence] {
		b.assumptions[sentence] = true
		b.record(func() { delete(b.assumptions, sentence) })
	}
}

// position converts a position of cc.
func position(n cc.Node) ir.Pos {
	p := n.Position()
	return ir.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// text returns the source of a node in one line.
func (b *lowerer) text(n cc.Node) string {
	if s, ok := b.sources[n]; ok {
		return s
	}
	s := oneLine(cc.NodeSource(n))
	if len(s) > 200 {
		s = s[:200] + "..."
	}
	b.sources[n] = s
	return s
}
