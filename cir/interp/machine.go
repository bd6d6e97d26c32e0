package interp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/bits"
	"runtime/debug"

	"comus/cir"
)

// A Machine is a program that is being run: what an [External] works on.
type Machine struct {
	prog  *cir.Program
	opt   Options
	words uint // log2 of the size of a pointer
	stdin *bufio.Reader

	fns     map[*cir.Func]*fn
	globals map[*cir.Global]*Object
	codes   map[*cir.Func]*Object // the functions' addresses
	labels  map[*cir.Func]*Object
	homes   map[*cir.Block]*cir.Func

	byAddress   []*Object
	nextAddress uint64
	memory      int64
	maxMemory   int64
	maxObject   int64
	version     uint64 // grows with each write: what blocked threads wait for
	unset       byte   // what a byte that was never written is read as

	threads []*thread
	cur     *thread // the one that runs
	ready   []int
	steps   int64
	serial  uint64 // of activations
	chosen  bool   // the scheduler has chosen the thread that runs
	vas     map[uint64]*vaList
	lastVa  uint64
	jumps   []jump

	todo    []pending   // what thread 0 does when its stack is empty
	phase   pendingKind // what thread 0 does of it
	status  int
	exiting bool // destructors run
	nested  int  // calls from externals
	done    bool
	quiet   bool    // an access is performed that the observer knows of
	about   *Object // whose access is what is undefined
	res     *Result
	notes   map[noteKey]int
	err     error

	statics map[cir.Symbol]uint64 // with an observer: where globals and functions are

	places places
	races  *races    // nil: races are not looked for
	heaped []*Object // all objects of the heap, with Options.Leaks
}

type noteKey struct {
	check, why string
	site       *cir.Site
}

// pending is a call for thread 0: a constructor, the entry, exit, a destructor.
type pending struct {
	f    *cir.Func
	kind pendingKind
}

type pendingKind uint8

const (
	isPlain pendingKind = iota
	isEntry
	isLast // after it, the run is over
)

// Run runs a program to its end. An error means that the program is not one: a malformed instruction, a missing
// entry; or that ctx was cancelled, with what there is of the result.
func Run(ctx context.Context, p *cir.Program, opt Options) (res *Result, err error) {
	m := newMachine(p, opt)
	if err := opt.Code.fits(m); err != nil {
		return nil, err
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case limit:
			m.stop(Limit, "", string(r))
			res, err = m.finish(), nil
		case compileError:
			res, err = nil, r.error
		default:
			res, err = nil, errorf("malformed program: %v\n%s", r, debug.Stack())
		}
	}()
	m.onlooked()
	if err := m.start(); err != nil {
		return nil, err
	}
	err = m.loop(ctx)
	return m.finish(), err
}

// newMachine returns a machine without memory.
func newMachine(p *cir.Program, opt Options) *Machine {
	m := &Machine{prog: p, opt: opt, words: uint(bits.TrailingZeros(uint(max(p.Model.PointerBits, 32) / 8))), fns: map[*cir.Func]*fn{},
		globals: map[*cir.Global]*Object{}, codes: map[*cir.Func]*Object{}, labels: map[*cir.Func]*Object{},
		nextAddress: firstAddress64, vas: map[uint64]*vaList{}, notes: map[noteKey]int{}, res: &Result{}}
	if m.words == 2 {
		m.nextAddress = firstAddress32
	}
	if m.unset = arbitrary; opt.Zeros {
		m.unset = 0
	}
	set := func(p *int64, v int64) {
		if *p == 0 {
			*p = v
		}
	}
	set(&m.opt.MaxSteps, 1<<62)
	set(&m.opt.MaxMemory, 4<<30)
	set(&m.opt.MaxOutput, 64<<20)
	if m.opt.MaxDepth == 0 {
		m.opt.MaxDepth = 100_000
	}
	if m.opt.Scheduler == nil {
		m.opt.Scheduler = RoundRobin(1000)
	}
	m.maxMemory, m.maxObject = m.opt.MaxMemory, 1<<44
	if opt.Races || opt.StopAtRace || opt.StopAt != nil {
		m.races = newRaces(m)
	}
	if m.words == 2 {
		m.maxObject = 1<<31 - 1
	}
	in := opt.Stdin
	if in == nil {
		in = eof{}
	}
	m.stdin = bufio.NewReader(in)
	return m
}

// eof is an empty input.
type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

// start makes the globals and the first thread.
func (m *Machine) start() error {
	if m.prog.Entry == nil || len(m.prog.Entry.Blocks) == 0 {
		return errorf("the program has no entry")
	}
	if b := m.prog.Model.PointerBits; b != 32 && b != 64 || b == 32 && m.opt.Observer != nil {
		return errorf("pointers of %d bits", b)
	}
	for _, f := range m.prog.Constructors {
		m.todo = append(m.todo, pending{f, isPlain})
	}
	m.todo = append(m.todo, pending{m.prog.Entry, isEntry})
	t := m.newThread()
	return m.nextPending(t)
}

// finish completes the result.
func (m *Machine) finish() *Result {
	m.res.Steps = m.steps
	m.res.Threads = len(m.threads)
	return m.res
}

// stop ends the run.
func (m *Machine) stop(o Outcome, check, why string) {
	if m.done {
		return
	}
	m.done = true
	if o == Deadlock {
		m.res.Waits = m.waiting()
		m.hold(m.res.Waits)
	} else {
		m.res.Waits = m.Blocked()
		m.hold(m.res.Waits)
	}
	m.res.Outcome, m.res.Check, m.res.Why = o, check, why
	if t := m.cur; t != nil && t.fr != nil {
		m.res.Thread = t.self().id
		m.res.Func = t.fr.fn.f.Name
		m.res.Site = t.fr.site()
		if o == AssertFails || o == Undefined {
			m.res.Failed = &Side{Thread: t.self().id}
			m.describeSide(m.res.Failed, m.places.of(t.fr))
			m.res.About = m.heapObject(m.about)
		}
	}
}

// fail ends the run with an error of the interpreter's.
func (m *Machine) fail(err error) bool {
	if m.err == nil {
		m.err = err
	}
	m.done = true
	return false
}

// exit ends the run with a status.
func (m *Machine) exit(status int) bool {
	if m.opt.Leaks && !m.done {
		m.findLeaks()
	}
	m.stop(Exited, "", "")
	m.res.Exit = status & 0xff
	return false
}

// note counts something that was seen.
func (m *Machine) note(check, why string, site *cir.Site) {
	k := noteKey{check, why, site}
	i, ok := m.notes[k]
	if !ok {
		if len(m.notes) >= 1000 {
			return
		}
		i = len(m.res.Notes)
		m.notes[k] = i
		m.res.Notes = append(m.res.Notes, Note{Check: check, Why: why, Site: site})
	}
	m.res.Notes[i].Count++
}

// approximate notes that the result may differ from the real one.
func (m *Machine) approximate(why string, site *cir.Site) {
	m.res.Approximate = true
	m.note("approximate", why, site)
}

// undefined deals with what C leaves undefined: it reports whether the run goes on.
func (m *Machine) undefined(check, why string) bool {
	if m.opt.Unset && check == CheckUninit {
		return true
	}
	if m.opt.GoOn && check != CheckMemory && check != CheckRead && check != CheckConst && check != CheckDivision && check != CheckUnreached {
		m.note(check, why, m.cur.fr.site())
		return true
	}
	m.stop(Undefined, check, why)
	return false
}

// object returns the object of a global, for this thread.
func (m *Machine) object(g *cir.Global) (*Object, error) {
	in := m.globals
	if g.ThreadLocal && m.cur != nil {
		in = m.cur.globals
	}
	if o := in[g]; o != nil {
		return o, nil
	}
	if g.Size < 0 {
		return nil, errorf("global %s: size %d", g.Name, g.Size)
	}
	name := g.Source
	if g.Literal {
		name = "string literal"
	} else if name == "" {
		name = g.Name
	}
	o := m.newStatic(name, g.Size, g.Align, false)
	switch {
	case m.opt.Observer == nil:
	case g.ThreadLocal && m.cur != nil:
		m.reserve(o)
	default:
		o.place = m.placeOf(g)
	}
	in[g] = o
	if err := m.setGlobal(o, g); err != nil {
		return nil, err
	}
	if g.External {
		if g.Size == 0 { // nothing can be read of it, as of a symbol of the linker's
		} else if m.opt.Global == nil {
			if o.unknown = true; m.races == nil || g.Const { // nobody would tell of a read
				m.unknownContents(o)
			}
		} else if err := m.opt.Global(m, g, Value{Type: m.prog.Model.Pointer(), Obj: o}); err != nil {
			return nil, err
		}
	}
	o.readonly = g.Const || g.Literal
	o.internal, o.visible = g.Library, g.External && g.Name == "environ"
	return o, nil
}

// unknownContents says that what a run does depends on the contents of an object that is defined nowhere.
func (m *Machine) unknownContents(o *Object) {
	o.unknown = false
	m.approximate("the contents of "+o.Name()+", which is defined nowhere", nil)
}

// code returns the object that stands for a function.
func (m *Machine) code(f *cir.Func) *Object {
	o := m.codes[f]
	if o == nil {
		o = &Object{size: 1, align: 16, kind: codeObject, name: f.Name, words: m.words}
		o.owner = m.fnOf(f)
		m.codes[f] = o
	}
	return o
}

// label returns the address of a label.
func (m *Machine) label(f *cir.Func, b *cir.Block) slot {
	o := m.labels[f]
	if o == nil {
		o = &Object{size: int64(len(f.Blocks)) * labelStep, align: 16, kind: labelObject, name: "labels of " + f.Name, words: m.words}
		o.owner = m.fnOf(f)
		m.labels[f] = o
	}
	return slot{lo: uint64(b.Index) * labelStep, obj: o}
}

// symbol returns the address of a function or global, null for a weak one that does not exist.
func (m *Machine) symbol(s cir.Symbol) (slot, error) {
	switch s := s.(type) {
	case *cir.Global:
		if s == nil {
			break
		}
		if s.External && s.Weak {
			return slot{}, nil
		}
		o, err := m.object(s)
		return slot{obj: o}, err
	case *cir.Func:
		if s == nil {
			break
		}
		if s.Weak && len(s.Blocks) == 0 {
			return slot{}, nil
		}
		return slot{obj: m.code(s)}, nil
	case *cir.Block:
		if f := m.homeOf(s); f != nil {
			return m.label(f, s), nil
		}
	}
	return slot{}, errorf("address of %T", s)
}

// homeOf returns the function that a block is in.
func (m *Machine) homeOf(b *cir.Block) *cir.Func {
	if m.homes == nil {
		m.homes = map[*cir.Block]*cir.Func{}
		for _, f := range m.prog.Funcs {
			for _, b := range f.Blocks {
				m.homes[b] = f
			}
		}
	}
	return m.homes[b]
}

// fnOf returns the function's code, still to be compiled.
func (m *Machine) fnOf(f *cir.Func) *fn {
	c := m.fns[f]
	if c == nil {
		c = &fn{f: f, m: m, outside: len(f.Blocks) == 0 || f.Library && m.opt.Instead[f.Source]}
		m.fns[f] = c
	}
	return c
}

// loop runs threads until the program ends.
func (m *Machine) loop(ctx context.Context) error {
	last := 0
	for !m.done {
		if err := ctx.Err(); err != nil {
			m.stop(Limit, "", "cancelled")
			return err
		}
		if m.steps >= m.opt.MaxSteps {
			if !m.opt.Abrupt {
				if err := m.tryWaits(); err != nil {
					return err
				}
			}
			m.stop(Limit, "", fmt.Sprintf("%d steps", m.steps))
			break
		}
		t, n := m.choose(last)
		if t == nil {
			break
		}
		last = t.id
		m.cur = t
		if err := m.slice(t, min(n, 1<<16, m.opt.MaxSteps-m.steps)); err != nil {
			return err
		}
	}
	return m.err
}

// several reports whether more than one thread is ready, those apart that wait for signals.
func (m *Machine) several() bool {
	n := 0
	for _, t := range m.ready {
		if !m.threads[t].signals {
			n++
		}
	}
	return n > 1
}

// choose returns the next thread and its number of steps, or ends the run.
func (m *Machine) choose(last int) (*thread, int64) {
	m.ready, m.chosen = m.ready[:0], false
	alive := 0
	for _, t := range m.threads {
		if !t.ended && !t.gone {
			alive++
			if t.by == nil && !t.stuck && (!t.waits || t.since != m.version) {
				m.ready = append(m.ready, t.id)
			}
		}
	}
	switch len(m.ready) {
	case 0:
		if alive > 0 {
			m.stop(Deadlock, "", nobodyGoesOn)
		} else {
			m.exit(0)
		}
		return nil, 0
	case 1:
		n := int64(1 << 16)
		if alive > 1 {
			n = 1 // others may get ready by what it writes
		}
		return m.threads[m.ready[0]], n
	}
	if m.chosen = true; m.res.Alone == 0 && m.several() {
		m.res.Alone = m.steps
	}
	i, n := m.opt.Scheduler.Next(m.ready, last)
	for _, r := range m.ready {
		if r == i {
			return m.threads[i], max(n, 1)
		}
	}
	m.err = errorf("the scheduler chose thread %d, which cannot take a step", i)
	m.done = true
	return nil, 0
}
