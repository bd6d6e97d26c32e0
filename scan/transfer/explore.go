package transfer

import (
	"context"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// where is an instruction of a copy.
type where struct {
	copy int
	in   cir.Located
}

// effects are what a copy does, what it calls included.
type effects struct{ objects, cells, locks, matters bool }

// explorer tries a form: it follows all threads until no new states of the containers are found, or something is not allowed.
type explorer struct {
	*analysis
	ctx     context.Context
	form    Form
	objects map[*pointsto.Object]bool
	pointer int64
	does    []effects
	matters []bool
	direct  []bool // it does something itself
	alone   map[where]bool
	states  [][]State
	first   [][]State            // what a container is found in when the program begins
	calm    [maxPhases][][]State // what the first thread leaves containers of a kind with each time it is alone
	grown   bool
	own     []pointsto.Location // words of private objects
	spoils  map[where][]pointsto.Location
	missed  bool // a function that matters was not entered
	visited map[where]bool
	entered map[int]bool
	why     string
	steps   int
}

// maxSteps bounds the steps of an explorer.
const maxSteps = 100000

// limit bounds the steps: where a thread may hold several containers, there are more states.
func (x *explorer) limit() int {
	if x.form.Kind != nil {
		return 6 * maxSteps
	}
	return maxSteps
}

func (x *explorer) linked() bool { return x.form.Link >= 0 }

func (x *explorer) failed() bool { return x.why != "" }

func (x *explorer) fail(why string) {
	if x.why == "" {
		x.why = why
	}
}

func (x *explorer) regionCells(r int) (list []int) {
	for i, c := range x.form.Cells {
		if c.Region == r {
			list = append(list, i)
		}
	}
	return list
}

func (x *explorer) size(t cir.Type) int64 { return x.prog.Model.SizeOf(t) }

func (x *explorer) seen(s *state, in cir.Located) {
	x.visited[where{s.top().copy, in}] = true
}

// explore reports whether the form is right.
func (x *explorer) explore() bool {
	x.pointer = int64(x.prog.Model.PointerBits / 8)
	x.findPrivate()
	x.findEffects()
	x.begin()
	for x.grown = true; x.grown && !x.failed(); {
		x.grown, x.missed, x.visited = false, false, map[where]bool{}
		for _, t := range x.threads.Threads {
			x.thread(t)
		}
	}
	if x.missed {
		x.fail("a function that matters is called in a way that is not followed")
	}
	return !x.failed()
}

// begin notes the states that the containers are in when the program begins. If the first thread is followed from its beginning, and alone there, only it finds them so: the
// others find what it leaves.
func (x *explorer) begin() {
	x.first, x.states = make([][]State, len(x.form.Locks)), make([][]State, len(x.form.Locks))
	for i := range x.calm {
		x.calm[i] = make([][]State, len(x.form.Locks))
	}
	defer func() {
		if !x.beginsAlone(x.threads.Threads[0]) {
			if x.form.Kind != nil && x.form.Kind.Raw {
				x.fail("nobody knows what a container of a kind holds at the beginning")
			}
			for _, a := range x.form.Arrays {
				if !x.beginsEmpty(a) {
					x.fail("nobody knows what an array holds at the beginning")
				}
			}
		}
		for r := range x.first {
			if x.form.isSlot(r) && !x.form.Kind.Raw || !x.beginsAlone(x.threads.Threads[0]) {
				x.states[r] = slices.Clone(x.first[r])
			}
		}
	}()
	for r := range x.first {
		all := []State{{Link: Word{Is: Null}}}
		for _, a := range x.form.Arrays {
			if a.Region == r {
				all[0].Slots = append(all[0].Slots, false)
			}
		}
		for _, k := range x.regionCells(r) {
			var more []State
			for _, e := range all {
				words := []Word{{Is: Null}, {Is: Else}}
				if g := x.form.Cells[k].At.Obj.Global; g != nil {
					words = []Word{x.initial(g, x.form.Cells[k].At.Off)}
				}
				for _, w := range words {
					y := e
					y.Cells = append(slices.Clone(e.Cells), w)
					more = append(more, y)
				}
			}
			all = more
		}
		x.first[r] = all
	}
}

// beginsAlone reports whether the first thread is followed, and the only one, where it begins.
func (x *explorer) beginsAlone(t *thread.Thread) bool {
	roots := x.rootsOf(t)
	if len(roots) != 1 || roots[0].Fn.Library || t.Index != 0 {
		return false
	}
	k, b := x.number[roots[0].Copy()], roots[0].Fn.Blocks[0]
	at := cir.Located(b.Term)
	if len(b.Instrs) > 0 {
		at = b.Instrs[0]
	}
	return x.matters[k] && x.aloneAt(t)[where{k, at}]
}

// rootsOf returns what a thread of the program's begins with.
func (x *explorer) rootsOf(t *thread.Thread) []*thread.Node {
	if call := t.StartCall(); t.Root.Fn.Library && call != nil {
		return x.threads.Calls(t, t.Root, call)
	}
	return []*thread.Node{t.Root}
}

// initial returns what a cell of a global holds when the program begins: null, or the address of a cell.
func (x *explorer) initial(g *cir.Global, off int64) Word {
	for _, r := range g.Relocs {
		if r.Offset != off {
			continue
		}
		to := x.pts.Object(nil, pointsto.Context{}, r.Target)
		k := slices.IndexFunc(x.form.Cells, func(c Cell) bool { return c.At.Obj == to && c.At.Off == r.Addend })
		if k < 0 {
			x.fail("a cell begins with an address that is none of a cell")
			k = 0
		}
		return Word{Is: OfCell, N: k}
	}
	return Word{Is: Null}
}

// thread follows a thread.
func (x *explorer) thread(t *thread.Thread) {
	x.alone, x.entered = nil, map[int]bool{}
	if t.Index == 0 {
		x.alone = x.aloneAt(t)
	}
	fresh := x.beginsAlone(t)
	for _, n := range x.rootsOf(t) {
		k := x.number[n.Copy()]
		if n.Fn.Library || !x.matters[k] {
			continue
		}
		s := &state{objects: []object{{of: nobody, link: value{k: unknown}}}, cells: make([]value, len(x.form.Cells)), fresh: fresh}
		s.arr.nums, s.private = make([]value, len(x.form.Numbers)), make([]value, len(x.own))
		s.frames = []frame{{copy: k, locals: map[int]value{}, regs: map[int]value{}}}
		x.follow(s)
	}
	if x.failed() {
		return
	}
	for _, n := range x.threads.Nodes(t) {
		if k := x.number[n.Copy()]; !n.Fn.Library && x.direct[k] && !x.entered[k] {
			x.missed = true // so far, perhaps, as containers may be in more states than are known yet
		}
	}
}

// aloneAt returns where the first thread is the only one.
func (x *explorer) aloneAt(t *thread.Thread) map[where]bool {
	m := map[where]bool{}
	if t.Many {
		return m
	}
	for _, n := range x.threads.Nodes(t) {
		if k := x.number[n.Copy()]; x.matters[k] && !n.Fn.Library {
			x.threads.Each(t, n, func(in cir.Located, running thread.Set) {
				alone := true
				for _, u := range x.threads.Threads {
					alone = alone && (u == t || !x.threads.Parallel(t, running, u, nil))
				}
				m[where{k, in}] = alone
			})
		}
	}
	return m
}

// follow follows a thread from a state on.
func (x *explorer) follow(first *state) {
	known := map[string]bool{}
	work := []*state{first}
	for len(work) > 0 && !x.failed() {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		ch := &chooser{}
		for more := true; more; more = ch.next() {
			if x.steps++; x.steps > x.limit() || x.steps&1023 == 0 && x.ctx.Err() != nil {
				x.fail("it takes too long")
			}
			y := s.clone()
			x.entered[y.top().copy] = true
			if x.step(y, ch); x.failed() {
				return
			}
			if ch.dead || len(y.frames) == 0 {
				continue
			}
			if len(ch.of) > 0 || y.top().instr == 0 {
				if x.linked() { // there are no arrays, so links alone lead from one object to another one
					y.shorten(x.form.Cells)
				}
				if y.tidy(); len(x.form.Arrays) > 0 {
					x.foldArrays(y)
				}
				if x.form.Kind != nil {
					x.foldKinds(y)
				}
				key := y.key()
				if known[key] {
					continue
				}
				known[key] = true
			}
			work = append(work, y)
		}
	}
}

// findEffects finds the copies that matter, and what is done in ways that are not followed.
func (x *explorer) findEffects() {
	n := len(x.copies)
	x.does, x.matters, x.direct = make([]effects, n), make([]bool, n), make([]bool, n)
	for k, c := range x.copies {
		d := &x.does[k]
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				for _, p := range pointers(in) {
					at := x.places(k, p)
					d.objects = d.objects || x.mayBe(at, new(int64))
					d.cells = d.cells || x.touchesCells(at, x.sizeOf(c, in, at))
					x.matters[k] = x.matters[k] || !c.Func.Library && x.touchesPrivate(at)
				}
				if call, ok := in.(*cir.Call); ok && !c.Func.Library {
					d.locks = d.locks || x.usesLock(k, call) || call.Dst != nil && (x.mayBe(x.places(k, call.Dst), new(int64)) || x.findArray(x.places(k, call.Dst)) >= 0)
					for _, a := range call.Args { // the library accesses it, or another one
						d.objects = d.objects || x.mayBe(x.places(k, a.X), new(int64))
					}
				}
			}
		}
		x.direct[k] = d.objects || d.cells || d.locks
	}
	for k, d := range x.does {
		x.matters[k] = x.matters[k] || !x.copies[k].Func.Library && (d.objects || d.cells || d.locks)
	}
	creates, ends := x.reach(cir.ThreadCreate), x.reach(cir.ThreadExit)
	for _, n := range x.threads.Nodes(x.threads.Threads[0]) {
		k := x.number[n.Copy()]
		x.matters[k] = x.matters[k] || creates[k] && !n.Fn.Library // so that what it leaves to others is seen
	}
	for k, c := range x.copies {
		x.matters[k] = x.matters[k] || ends[k] && !c.Func.Library
	}
	for changed := true; changed; {
		changed = false
		for k, c := range x.copies {
			for _, b := range c.Func.Blocks {
				for _, in := range b.Instrs {
					call, ok := in.(*cir.Call)
					if !ok {
						continue
					}
					for _, m := range x.pts.Called(c, call) {
						changed = x.join(k, x.number[m]) || changed
					}
				}
			}
		}
	}
	x.refuseOthers()
}

// reach tells which copies have an intrinsic, or call who does.
func (x *explorer) reach(op cir.IntrinsicOp) []bool {
	found := make([]bool, len(x.copies))
	for changed := true; changed; {
		changed = false
		for k, c := range x.copies {
			for _, b := range c.Func.Blocks {
				for _, in := range b.Instrs {
					now := false
					switch in := in.(type) {
					case *cir.Intrinsic:
						now = in.Op == op
					case *cir.Call:
						now = slices.ContainsFunc(x.pts.Called(c, in), func(m pointsto.Copy) bool { return found[x.number[m]] })
					}
					changed = changed || now && !found[k]
					found[k] = found[k] || now
				}
			}
		}
	}
	return found
}

// join takes account of a call of one copy by another one.
func (x *explorer) join(k, m int) (changed bool) {
	d, e := &x.does[k], x.does[m]
	old, was := *d, x.matters[k]
	if lib := x.copies[k].Func.Library; lib && !x.copies[m].Func.Library {
		d.matters = d.matters || x.matters[m]
	} else if lib {
		d.objects, d.cells, d.matters = d.objects || e.objects, d.cells || e.cells, d.matters || e.matters
	} else {
		x.matters[k] = x.matters[k] || x.matters[m] || e.objects && x.copies[m].Func.Library || e.cells || e.matters
	}
	return *d != old || x.matters[k] != was
}

// refuseOthers refuses programs in which functions that matter are called in ways that are not followed.
func (x *explorer) refuseOthers() {
	for _, name := range []string{"pthread_cancel", "setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "siglongjmp", "pthread_mutexattr_setrobust"} {
		if x.prog.FuncNamed(name) != nil {
			x.fail("the program uses " + name)
		}
	}
	if x.form.Kind != nil && (x.prog.FuncNamed("pthread_mutexattr_settype") != nil || x.hasAttributes()) {
		x.fail("a thread may take a lock that it has") // so two symbols might be one element even if it takes the locks of both
	}
	for k, c := range x.copies {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if i, ok := in.(*cir.Intrinsic); ok && x.matters[k] && (i.Op == cir.Setjmp || i.Op == cir.Longjmp) {
					x.fail("a function that matters jumps")
				}
			}
		}
	}
	for _, c := range x.pts.KnownOutside() {
		if x.matters[x.number[c]] {
			x.fail("a function that matters is called from outside")
		}
	}
	for _, f := range append(slices.Clone(x.prog.Constructors), x.prog.Destructors...) {
		if k, ok := x.number[x.pts.Canonical(pointsto.Copy{Func: f})]; ok && x.matters[k] {
			x.fail("a function that matters runs before or after main")
		}
	}
	starts := map[int]bool{}
	for _, t := range x.threads.Threads {
		if k := x.number[t.Root.Copy()]; t.Root.Fn.Library && !t.Signal && t.StartCall() != nil {
			starts[k] = true
		}
	}
	for _, n := range x.threads.AllNodes() {
		if k := x.number[n.Copy()]; n.Fn.Library && x.does[k].matters && !starts[k] {
			x.fail("the library calls a function that matters")
		}
		if k := x.number[n.Copy()]; n.Fn.Library && n.Ctx.Call == nil && (x.does[k].objects || x.does[k].cells) {
			x.fail("the library accesses objects by itself")
		}
	}
}

// hasAttributes reports whether the program begins a mutex with attributes, which may make it a recursive one.
func (x *explorer) hasAttributes() (has bool) {
	for _, c := range x.copies {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || c.Func.Library {
					continue
				}
				if g, direct := call.Callee.(*cir.Func); direct && g.Source == "pthread_mutex_init" && len(call.Args) == 2 {
					null, none := call.Args[1].X.(cir.Null)
					has = has || !none || null.Addr != 0
				}
			}
		}
	}
	return has
}

// pointers returns the operands through which an instruction may access memory.
func pointers(in cir.Instr) (list []cir.Value) {
	switch in := in.(type) {
	case *cir.Load:
		return []cir.Value{in.Addr}
	case *cir.Store:
		return []cir.Value{in.Addr}
	case *cir.RMW:
		return []cir.Value{in.Addr}
	case *cir.CmpXchg:
		return []cir.Value{in.Addr}
	case *cir.Copy:
		return []cir.Value{in.Dst, in.Src}
	case *cir.Fill:
		return []cir.Value{in.Dst}
	case *cir.Intrinsic:
		if in.Op != cir.ThreadCreate && in.Op != cir.IsSet { // which asks of memory what no access does
			return in.Args
		}
	case *cir.VaArg:
		if in.To != nil {
			return []cir.Value{in.To}
		}
	case *cir.Call:
		for _, a := range in.Args {
			if a.ByVal != nil {
				list = append(list, a.X)
			}
		}
		if in.To != nil && in.Result.Shape != nil {
			list = append(list, in.To)
		}
	}
	return list
}

// sizeOf returns how many bytes an instruction accesses, -1 if that is not known.
func (x *explorer) sizeOf(c pointsto.Copy, in cir.Instr, at []pointsto.Location) int64 {
	switch in := in.(type) {
	case *cir.Load:
		return x.size(in.Type)
	case *cir.Store:
		return x.size(in.Type)
	case *cir.Copy:
		return exactly(c.Given(in.Size), at)
	case *cir.Fill:
		return exactly(c.Given(in.Size), at)
	}
	return -1
}

// exactly returns a number of bytes that are accessed at some places, -1 if one of these is in an array, and what is accessed may be more than an element.
func exactly(n int64, at []pointsto.Location) int64 {
	if slices.ContainsFunc(at, func(l pointsto.Location) bool { return !l.Exact() }) {
		return -1
	}
	return n
}

// strange reports whether an instruction accesses what matters, or calls what does.
func (x *explorer) strange(c int, in cir.Instr) bool {
	for _, p := range pointers(in) {
		if x.touchesForm(x.places(c, p), -1) {
			return true
		}
	}
	return false
}
