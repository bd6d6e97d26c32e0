package story

import (
	"slices"
	"strings"

	"comus/cir"
	"comus/cir/interp"
)

// span is a part of an object; 0 is none.
type span struct {
	object int
	off, n int64
}

// placeKey is a scalar that is accessed: a part of an object, or, of a local that is in none, what loads it.
type placeKey struct {
	object *interp.Object
	off, n int64
	bits   cir.Bits
	local  *cir.Load // of a local without object
}

// event is an [Event] as it is written down.
type event struct {
	thread        int
	kind          Kind
	in            cir.Located
	key           placeKey
	callee        string
	before, after string
	when, child   int
	left          int
	last, chosen  bool
	also          bool // it is told of in any case
	part          bool // what comes next writes what it reads, in the same statement
}

// loaded is something that a statement has read.
type loaded struct {
	in    cir.Located
	key   placeKey
	span  span
	value interp.Value
	known bool
}

// actor is a thread of the run.
type actor struct {
	number  int
	begins  string
	doing   cir.Located // the instruction of the program's that it has begun last
	last    span        // that it has accessed last
	lastKey placeKey
	now     span // that the instruction has accessed
	nowKey  placeKey
	stmt    *cir.Site // the statement that it is in
	loads   []loaded  // of it
	seen    []loaded  // what it has read last, before that, and threads share
	creates []*event
	calls   []*event // the last ones
}

// recorder is told of a run.
type recorder struct {
	ignored
	p       *cir.Program
	m       *interp.Machine
	in      map[cir.Located]string // the functions of instructions that are told of
	numbers map[*interp.Object]int
	object  *interp.Object // that was accessed last, with its number
	last    int
	known   map[*interp.Object]interp.Known
	locals  map[cir.Value]*cir.Load
	threads map[int]*actor
	order   []int // the threads, as they came
	created int   // the largest number of one
	clock   int
	paths   map[*cir.Reg]*cir.Offset
	heap    map[*cir.Site][]*interp.Object

	watch *cir.Site // a call
	came  []int     // the threads that have made it

	also     []Access
	alsoOf   []span // what those are of
	about    []span
	accesses []*event
	pending  *event // a write whose value is not known yet
}

func newRecorder(p *cir.Program) *recorder {
	return &recorder{p: p, in: map[cir.Located]string{}, numbers: map[*interp.Object]int{}, known: map[*interp.Object]interp.Known{}, locals: map[cir.Value]*cir.Load{}, threads: map[int]*actor{},
		paths: map[*cir.Reg]*cir.Offset{}, heap: map[*cir.Site][]*interp.Object{}}
}

// Runs implements interp.Onlooker.
func (r *recorder) Runs(m *interp.Machine) { r.m = m }

// Traces implements interp.Tracer: what the program itself does to memory, and its calls.
func (r *recorder) Traces(f *cir.Func) func(cir.Located) bool {
	if f.Library {
		return func(cir.Located) bool { return false }
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if o, ok := in.(*cir.Offset); ok {
				r.paths[o.Dst] = o
			}
		}
	}
	return func(in cir.Located) bool {
		switch in.(type) {
		case *cir.Load, *cir.Store, *cir.RMW, *cir.CmpXchg, *cir.Copy, *cir.Fill, *cir.Call:
			r.in[in] = f.Source
			return true
		}
		return false
	}
}

// actor returns what is known of a thread.
func (r *recorder) actor(n int) *actor {
	t := r.threads[n]
	if t == nil {
		t = &actor{number: n}
		r.threads[n] = t
		r.order = append(r.order, n)
		r.created = max(r.created, n)
	}
	return t
}

// Begins implements interp.Tracer.
func (r *recorder) Begins(thread int, in cir.Located) {
	r.settle()
	r.clock++
	t := r.actor(thread)
	if t.begins == "" {
		t.begins = r.in[in]
	}
	t.doing, t.now, t.nowKey = in, span{}, placeKey{}
	site := in.Meta().Site
	if s := whole(site); !same(s, t.stmt) {
		for _, x := range t.loads {
			t.remember(x)
		}
		t.stmt, t.loads = s, t.loads[:0]
	}
	c, ok := in.(*cir.Call)
	if !ok {
		return
	}
	if site == r.watch && !slices.Contains(r.came, thread) {
		r.came = append(r.came, thread)
	}
	f, ok := c.Callee.(*cir.Func)
	if !ok || site == nil {
		return
	}
	name := f.Source
	e := &event{thread: thread, in: in, callee: name, when: r.clock}
	switch {
	case name == "pthread_create" || name == "thrd_create":
		e.kind = Creates
		t.creates = append(t.creates, e)
	case synchronises(name):
		e.kind = Calls
		if len(t.calls) >= 2*mostKept {
			t.calls = append(t.calls[:0], t.calls[mostKept:]...)
		}
		t.calls = append(t.calls, e)
	}
}

// mostKept is how many of the last calls of a thread are kept, and mostAccesses of the accesses of what the story is about.
const mostKept, mostAccesses = 200, 2000

// remember keeps what a thread has read, the last things of it.
func (t *actor) remember(x loaded) {
	if x.span.object == 0 {
		return
	}
	if len(t.seen) >= 2*keptReads {
		t.seen = append(t.seen[:0], t.seen[keptReads:]...)
	}
	t.seen = append(t.seen, x)
}

// keptReads is how many of the last reads of a thread are kept.
const keptReads = 20

// recent returns what a thread has read last: a few different things.
func (t *actor) recent() (list []loaded) {
	for _, x := range t.loads {
		t.remember(x)
	}
	for _, x := range slices.Backward(t.seen) {
		if len(list) < mostContext && !slices.ContainsFunc(list, func(o loaded) bool { return o.key == x.key }) {
			list = append(list, x)
		}
	}
	slices.Reverse(list)
	return list
}

// conditionLines is how many lines a condition takes at most.
const conditionLines = 3

// condition returns what a thread that waits for something has read last, in a few lines: the condition that it waits for.
func (t *actor) condition() []loaded {
	all := t.recent()
	if len(all) == 0 {
		return nil
	}
	last := whole(all[len(all)-1].in.Meta().Site)
	return slices.DeleteFunc(slices.Clone(all), func(x loaded) bool {
		s := whole(x.in.Meta().Site)
		return s != last && (s == nil || last == nil || s.Pos.File != last.Pos.File || s.Pos.Line > last.Pos.Line || s.Pos.Line <= last.Pos.Line-conditionLines)
	})
}

// statement returns what the thread has read in the statement that a place is a part of, if it is in that.
func (t *actor) statement(site *cir.Site) []loaded {
	if !same(whole(site), t.stmt) {
		return nil
	}
	return t.loads
}

// whole returns the full expression or statement that a place is a part of.
func whole(s *cir.Site) *cir.Site {
	for s != nil && s.Stmt != nil {
		s = s.Stmt
	}
	return s
}

// same reports whether two places are in one line: what a macro makes, as assert, has several statements.
func same(x, y *cir.Site) bool {
	return x == y || x != nil && y != nil && x.Pos.File == y.Pos.File && x.Pos.Line == y.Pos.Line
}

// synchronises reports whether a function of the library is one by which threads wait for one another.
func synchronises(name string) bool {
	for _, p := range []string{"pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "pthread_cond_", "pthread_barrier_wait", "pthread_join", "sem_wait", "sem_post", "sem_try", "sem_timed", "mtx_", "cnd_", "thrd_join"} {
		if strings.HasPrefix(name, p) {
			return !strings.HasSuffix(name, "_init") && !strings.HasSuffix(name, "_destroy")
		}
	}
	return false
}

// Ends implements interp.Tracer: what was read is known now.
func (r *recorder) Ends(thread int, in cir.Located, result interp.Value, indeterminate bool) {
	r.settle()
	t := r.actor(thread)
	load, ok := in.(*cir.Load)
	if !ok && !atomic(in) {
		return
	}
	x := loaded{in: in, key: t.nowKey, span: t.now, value: result, known: !indeterminate}
	if x.key.object == nil { // a local without object
		if load == nil || isTemporary(load.Addr) {
			return
		}
		x.key = placeKey{local: r.first(load)}
	}
	if i := slices.IndexFunc(t.loads, func(o loaded) bool { return o.in == x.in || o.key == x.key }); i >= 0 {
		t.loads = slices.Delete(t.loads, i, i+1)
	}
	t.loads = append(t.loads, x)
}

// first returns the first load of what a load is one of: a variable has a name, and other addresses differ.
func (r *recorder) first(load *cir.Load) *cir.Load {
	l, ok := r.locals[load.Addr]
	if !ok {
		l = load
		r.locals[load.Addr] = l
	}
	return l
}

// atomic reports whether an instruction reads and writes.
func atomic(in cir.Located) bool {
	switch in.(type) {
	case *cir.RMW, *cir.CmpXchg:
		return true
	}
	return false
}

// isTemporary reports whether an address is that of no variable of the program's.
func isTemporary(v cir.Value) bool {
	l, ok := v.(*cir.Local)
	return ok && l.Name == ""
}

// Accesses implements interp.Tracer.
func (r *recorder) Accesses(thread int, o *interp.Object, off, n int64, write bool) {
	r.settle()
	t := r.actor(thread)
	if t.doing == nil {
		return
	}
	number := r.number(o)
	k := placeKey{object: o, off: off, n: n}
	if a := accessOf(t.doing); a != nil && a.Bits != nil {
		k.bits = *a.Bits
	}
	s := span{number, off, n}
	t.last, t.lastKey, t.now, t.nowKey = s, k, s, k
	also := r.isAlso(thread, t.doing)
	if also {
		r.alsoOf = append(r.alsoOf, s)
	}
	if !slices.ContainsFunc(r.about, func(a span) bool { return a.object == number && a.off < off+n && off < a.off+a.n }) {
		return
	}
	r.clock++
	e := &event{thread: thread, in: t.doing, key: k, when: r.clock, also: also}
	e.before, _ = r.held(k, t.doing)
	if write {
		e.kind, r.pending = Writes, e
	}
	if len(r.accesses) >= 2*mostAccesses {
		r.accesses = append(r.accesses[:0], r.accesses[mostAccesses:]...)
	}
	r.accesses = append(r.accesses, e)
}

// isAlso reports whether an access is one that is told of in any case.
func (r *recorder) isAlso(thread int, in cir.Located) bool {
	site := in.Meta().Site
	return len(r.also) > 0 && site != nil && slices.Contains(r.also, Access{thread, site.Pos.String()})
}

// number returns the number of an object.
func (r *recorder) number(o *interp.Object) int {
	if o == r.object {
		return r.last
	}
	n, ok := r.numbers[o]
	if !ok {
		n = len(r.numbers) + 1
		r.numbers[o] = n
	}
	r.object, r.last = o, n
	return n
}

// settle finds what a write has written.
func (r *recorder) settle() {
	e := r.pending
	if e == nil {
		return
	}
	r.pending = nil
	if r.m.Dead(e.key.object) {
		e.kind = Frees
		return
	}
	e.after, _ = r.held(e.key, e.in)
}

// accessOf returns how an instruction accesses memory, nil if it is no scalar.
func accessOf(in cir.Located) *cir.Access {
	switch in := in.(type) {
	case *cir.Load:
		return &in.Access
	case *cir.Store:
		return &in.Access
	case *cir.RMW:
		return &in.Access
	case *cir.CmpXchg:
		return &in.Access
	}
	return nil
}

// ignored has what a recorder is not told of.
type ignored struct{}

func (ignored) Again(int)                                  {}
func (ignored) Section(int, bool)                          {}
func (ignored) Argument(int, *interp.Object)               {}
func (ignored) Global(*cir.Global, *interp.Object)         {}
func (ignored) Calls(int, *cir.Func, bool, []interp.Value) {}
func (ignored) Called(int, bool, interp.Value)             {}
func (ignored) Reads(interp.Value, int64)                  {}
func (ignored) Writes(interp.Value, []byte, interp.Value)  {}
func (ignored) Makes(interp.Value, int64)                  {}
