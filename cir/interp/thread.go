package interp

import (
	"bytes"
	"fmt"

	"comus/cir"
	"comus/cir/interp/happens"
)

// fn is a function as the interpreter runs it.
type fn struct {
	f        *cir.Func
	m        *Machine
	compiled bool
	outside  bool // External performs it
	known    role // if it is the library's, and somebody asked
	code     []inst
	blocks   []int32 // where they begin
	start    []slot  // what the slots of an activation are at its beginning
	locals   []local
	symbols  []symbolIn
	called   []*cir.Func
	callees  []*fn // the same in this run
	free     []*frame
}

// local is what is known of a function's local.
type local struct {
	slot   int32
	size   int64
	pooled bool // small, and its address is not known outside: the object serves many activations
	scoped bool
	// promoted says that the slot has the value itself: of a scalar that is only loaded and stored as a whole.
	promoted bool
	name     string
	align    int64
}

// handler performs an instruction. It reports whether the thread goes on: if not, its event says why.
type handler func(t *thread, f *frame, in *inst) bool

// inst is an instruction: operands and results are the indices of slots.
type inst struct {
	do         handler
	d, a, b, c int32
	imm        uint64
	x          *extra
}

// extra is what few instructions need, or none when all is well.
type extra struct {
	site   *cir.Site
	traced cir.Located // a tracer is told of it
	instr  any         // the instruction of cir that this is of
	helper bool
	flow   flow // how indeterminate values go through it
	idle   bool // of a load: indeterminate bits are only copied
	binary bool // b is an operand, too
	over   bool // c is a result, too
	acc    cir.Access
	types  []cir.Type // of a, b
	args   []int32
	pcs    []int32
	moves  []move
	why    string
	cases  []cir.Case
	retry  int32 // of Await: where to start again
}

// move is an assignment to a block's parameter.
type move struct{ to, from int32 }

// frame is an activation of a function.
type frame struct {
	fn      *fn
	code    []inst
	pc      int32
	s       []slot
	taint   []uint64 // the indeterminate bits of the registers, if tainted
	tainted bool
	bottom  bool // the run that called it goes on when it returns
	atomic  bool // it is one step
	caller  *frame
	serial  uint64
	objs    []*Object // the locals
	owned   []*Object // copies of arguments, and what Alloca made
	va      []Value   // the variable arguments
	vas     []uint64  // the va_lists that refer to them
	self    *Object   // what FrameAddress tells
	node    uint32    // its number among places, if nodeOf is its serial
	nodeOf  uint64
}

// event is why a thread stops.
type event uint8

const (
	goesOn event = iota
	yields       // another thread may be chosen
	returned
)

// thread is a thread of the program.
type thread struct {
	m        *Machine
	id       int
	fr       *frame
	depth    int
	ended    bool
	gone     bool   // it is in another process, of which this one is a copy: it takes no more steps
	waits    bool   // it is blocked, as long as the version is
	since    uint64 // the version
	left     int64  // steps of its slice
	turn     int64  // how many those were at its beginning
	unused   int64  // steps that the slice was cut by
	ev       event
	atomic   int    // how many atomic sections it is in
	outer    *frame // and where the outermost began
	outerPC  int32
	outerSn  uint64
	began    uint64 // the version then
	failed   uint64 // 1 + the version at which an await failed last
	globals  map[*cir.Global]*Object
	held     []Held              // with Options.Held
	hb       *threadOrder        // nil: races are not looked for
	parent   int                 // the thread that created it
	signals  bool                // it waits for signals, and runs their handlers
	within   *thread             // of a handler of signals: the thread that it interrupts; nil: none
	own      ownState            // what that has in its place meanwhile
	by       *thread             // the handler that interrupts it; nil: none
	born     uint64              // the place where it was created; 0: of the first thread, or races are not looked for
	used     uint64              // with an observer: how much of its part of the memory it has used
	fails    bool                // with Options.Atomics: a weak compare and exchange, without a reason
	stuck    bool                // with Options.Atomics: it takes no more steps
	section  *weakSection        // with Options.Atomics: the section of the library that it is in, if that is an access
	passed   passage             // with Options.Atomics: how it has given a lock back last
	effects  uint64              // with Options.Atomics: grows with all that a loop does which is no iteration that waits
	arrivals map[loopKey]arrival // and where it has begun iterations of loops
	result   slot                // of the outermost activation
	rtaint   uint64
}

// newThread adds a thread.
func (m *Machine) newThread() *thread {
	t := &thread{m: m, id: len(m.threads), globals: map[*cir.Global]*Object{}}
	m.threads = append(m.threads, t)
	switch {
	case m.races == nil:
	case m.cur == nil:
		t.hb = &threadOrder{Thread: happens.NewThread(t.id, nil)}
	case m.cur.hb != nil:
		t.hb = &threadOrder{Thread: happens.NewThread(t.id, m.cur.hb.Thread)}
	}
	return t
}

// site is the place of the instruction that is being performed.
func (f *frame) site() *cir.Site {
	if i := f.pc - 1; i >= 0 && int(i) < len(f.code) && f.code[i].x != nil {
		return f.code[i].x.site
	}
	return nil
}

// inside reports whether an atomic section may go on without steps left. One that goes on for as many as a whole run may take
// ends the run: nothing else could.
func (t *thread) inside() bool {
	if t.atomic == 0 {
		return false
	}
	if t.left > -t.m.opt.MaxSteps {
		return true
	}
	t.m.stop(Limit, "", fmt.Sprintf("%d steps in an atomic section", -t.left))
	return false
}

// run performs instructions as long as there are steps left.
func (t *thread) run() {
	if t.m.opt.Tracer != nil {
		t.runTraced()
		return
	}
	t.ev = goesOn
	for t.left > 0 || t.inside() {
		t.left--
		f := t.fr
		in := &f.code[f.pc]
		f.pc++
		if f.tainted {
			if !t.tainted(f, in) {
				return
			}
		} else if !in.do(t, f, in) {
			return
		}
	}
}

// slice runs a thread for n steps, or less.
func (m *Machine) slice(t *thread, n int64) error {
	t.left, t.waits, t.unused, t.turn = n, false, 0, n
	if m.opt.Observer != nil && !m.opt.Observer.Turn(t.id) {
		m.stop(Limit, "", "the observer ends the run")
		return nil
	}
	t.run()
	m.steps += n - t.left - t.unused
	if m.err != nil || m.done {
		return m.err
	}
	if t.ev == returned {
		if t.id == 0 {
			if err := m.nextPending(t); err != nil {
				return err
			}
		} else {
			m.endThread(t)
		}
	}
	if m.opt.Observer != nil && !m.done {
		m.opt.Observer.Over()
	}
	return nil
}

// endThread ends a thread.
func (m *Machine) endThread(t *thread) {
	t.ended = true
	m.observe(placeOfEnd(uint64(t.id)), 8, true)
	t.clear()
	for _, o := range t.globals {
		t.end(o)
	}
	m.version++
}

// clear drops a thread's activations.
func (t *thread) clear() {
	for t.fr != nil {
		f := t.fr
		t.fr = f.caller
		t.release(f)
	}
	t.atomic, t.depth = 0, 0
	if t.hb != nil {
		t.m.races.dropped(t)
	}
}

// nextPending makes thread 0's next call, when its stack is empty.
func (m *Machine) nextPending(t *thread) error {
	if m.phase == isEntry && m.prog.Entry.Result.Type.IsInt() {
		m.status = int(int32(t.result.lo))
	}
	m.phase = isPlain
	if len(m.todo) > 0 {
		p := m.todo[0]
		m.todo = m.todo[1:]
		if p.f == nil || len(p.f.Blocks) == 0 {
			return errorf("a constructor, destructor or entry has no body")
		}
		m.cur, m.phase = t, p.kind
		c := m.fnOf(p.f)
		c.compile()
		var args []slot
		switch {
		case p.kind == isEntry:
			args = m.mainArgs(p.f)
			m.afterEntry()
		case p.kind == isLast && len(p.f.Params) == 1:
			args = []slot{{lo: uint64(int64(int32(m.status)))}}
		}
		if len(args) != len(p.f.Params) {
			return errorf("%s has %d parameters", p.f.Name, len(p.f.Params))
		}
		f := t.newFrame(c)
		for i, a := range args {
			f.s[p.f.Params[i].Reg.Index] = a
		}
		t.push(f)
		return nil
	}
	if !m.done {
		m.exit(m.status)
	}
	return nil
}

// afterEntry plans what follows when the entry returns: the model's exit, or destructors.
func (m *Machine) afterEntry() {
	if f := m.prog.FuncNamed("exit"); f != nil && len(f.Blocks) > 0 && len(f.Params) == 1 {
		m.todo = append(m.todo, pending{f, isLast})
		return
	}
	for _, f := range m.prog.Destructors {
		m.todo = append(m.todo, pending{f, isPlain})
	}
}

// mainArgs makes argc, argv and envp.
func (m *Machine) mainArgs(f *cir.Func) []slot {
	args := m.opt.Args
	if len(args) == 0 {
		args = []string{"program"}
	}
	w := m.wordSize()
	array := func(name string, strings []string) slot {
		o := m.newObject(name, w*int64(len(strings)+1), w, false)
		for i, s := range strings {
			so := m.newObject(name+"[]", int64(len(s))+1, 1, false)
			if m.opt.Tracer != nil && name == "argv" {
				m.opt.Tracer.Argument(i, so)
			}
			m.write(so, 0, []byte(s), nil)
			m.putPointer(o, w*int64(i), slot{obj: so})
		}
		return slot{obj: o}
	}
	var all []slot
	for i := range f.Params {
		switch i {
		case 0:
			all = append(all, slot{lo: uint64(len(args))})
		case 1:
			all = append(all, array("argv", args))
		case 2:
			all = append(all, array("envp", nil))
		default:
			all = append(all, slot{})
		}
	}
	return all
}

// newFrame returns an activation of a function, its parameters still to be set.
func (t *thread) newFrame(c *fn) *frame {
	m := t.m
	m.serial++
	if n := len(c.free); n > 0 {
		f := c.free[n-1]
		c.free = c.free[:n-1]
		f.serial, f.pc = m.serial, 0
		for i := range c.locals {
			switch l := &c.locals[i]; {
			case !l.scoped:
				m.begin(f, i, l)
			case l.promoted:
				f.s[l.slot] = slot{obj: notAlive}
			}
		}
		return f
	}
	f := &frame{fn: c, code: c.code, s: make([]slot, len(c.start)), objs: make([]*Object, len(c.locals)), serial: m.serial}
	copy(f.s, c.start)
	for i := range c.locals {
		l := &c.locals[i]
		if l.promoted {
			f.s[l.slot] = slot{obj: notAlive}
			if !l.scoped {
				f.s[l.slot].obj = notSet
			}
			continue
		}
		f.objs[i] = &Object{size: l.size, align: l.align, name: l.name, words: m.words, dead: true, private: l.pooled}
		if l.pooled {
			f.objs[i].data = make([]byte, 2*l.size)[:0]
		}
		f.s[l.slot].obj = f.objs[i]
		if !l.scoped {
			m.begin(f, i, l)
		}
	}
	return f
}

// begin begins the life of a local, or makes it indeterminate again.
func (m *Machine) begin(f *frame, i int, l *local) {
	if l.promoted {
		f.s[l.slot] = slot{obj: notSet}
		return
	}
	o := f.objs[i]
	switch {
	case l.pooled:
		n := int(l.size)
		b := o.data[:2*n]
		o.data, o.undef, o.dead = b[:n], b[n:], false
		if n <= 8 {
			for j := range o.undef {
				o.undef[j] = 0xff
			}
		} else {
			copy(o.undef, allOnes[:])
		}
	case o.dead:
		o = m.newObject(l.name, l.size, l.align, true)
		o.internal = f.fn.f.Library
		f.objs[i] = o
		f.s[l.slot].obj = o
	case o.pages != nil:
		m.observeLife(o, true)
		o.pages = map[int64]*page{}
	default:
		if m.opt.Atomics != nil && !o.private {
			m.opt.Observer.Unknown("a local begins anew that other threads may access")
		}
		m.observeLife(o, true)
		o.undef = ones(o.size)
	}
}

var allOnes = [4096]byte(bytes.Repeat([]byte{0xff}, 4096))

// end ends the life of an object on the stack, or of a thread's own variable. Threads that do not synchronise may access it before and after that: with Options.Atomics, which does not try all
// orders of what is no atomic access, the observer is told.
func (t *thread) end(o *Object) {
	if t.m.opt.Atomics != nil && t.hb != nil && !o.dead && !o.private && !o.internal {
		if t.m.races.ends(t, o) {
			t.m.opt.Observer.Unknown("the life of '" + o.name + "' ends while another thread may still access it")
		}
	}
	t.m.end(o)
}

// endLocal ends the life of a local.
func (t *thread) endLocal(f *frame, i int, l *local) {
	if l.promoted {
		f.s[l.slot].obj = notAlive
		return
	}
	o := f.objs[i]
	if o.dead {
		return
	}
	if !l.pooled {
		t.end(o)
		return
	}
	o.dead = true
	o.data, o.undef, o.prov = o.data[:0], nil, nil
}

// push makes an activation the current one.
func (t *thread) push(f *frame) {
	f.caller = t.fr
	t.fr = f
	t.depth++
	if t.depth > t.m.opt.MaxDepth {
		t.m.stop(Limit, "", itoa(int64(t.depth))+" activations")
	}
}

// release ends the life of an activation's objects.
func (t *thread) release(f *frame) {
	m := t.m
	t.depth--
	for i := range f.fn.locals {
		if l := &f.fn.locals[i]; !l.promoted {
			t.endLocal(f, i, l)
		}
	}
	for _, o := range f.owned {
		t.end(o)
	}
	if f.self != nil {
		m.end(f.self)
		f.self = nil
	}
	for _, id := range f.vas {
		delete(m.vas, id)
	}
	f.owned, f.vas, f.va = f.owned[:0], f.vas[:0], nil
	if f.tainted {
		f.tainted = false
		clear(f.taint)
	}
	if f.atomic {
		f.atomic = false
		if t.atomic > 0 {
			t.atomic--
		}
		if t.hb != nil {
			m.races.leave(t)
		}
	}
	f.caller, f.bottom, f.serial = nil, false, 0
	if len(f.fn.free) < 1000 {
		f.fn.free = append(f.fn.free, f)
	}
}
