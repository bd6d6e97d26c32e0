package waits

import (
	"context"
	"fmt"
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/pointsto"
)

// program is a program as it is seen here: copies of functions, who calls whom, and which of them threads begin with.
type program struct {
	ctx  context.Context
	prog *cir.Program
	pts  *pointsto.Result
	// classes are the threads: main first, the others by the object of the library that stands for them.
	classes []*class
	calls   map[callIn]called
	funcs   map[*cir.Func]*function
	// runs are the copies that may run, functions that are known by their names left out; in the order in which they were found.
	runs    []pointsto.Copy
	runners map[pointsto.Copy][]*class
	callers map[pointsto.Copy][]pointsto.Copy
	assumed map[string]bool
	// endless are the blocks that have no way out by the code. zeros are the answers of readZero.
	endless map[pointsto.Copy]map[*cir.Block]bool
	returns map[pointsto.Copy]bool // copies that may return, by the code
	zeros   map[pointsto.Copy]map[*cir.Call][]flag
}

// class is the threads that one call creates.
type class struct {
	element Element
	roots   []pointsto.Copy
	main    bool
	handler bool // these are handlers of signals, of which any number run
}

type callIn struct {
	copy pointsto.Copy
	call *cir.Call
}

// called is what a call gets to: copies with bodies that are followed, or functions of the library that are known by their names.
type called struct {
	to []pointsto.Copy
	// known are the operations; nil among them stands for a function without a body.
	known   []*operation
	outside bool
}

// Error is why there is no proof.
type Error struct {
	At   *cir.Site
	Text string
}

func (e *Error) Error() string {
	if e.At == nil {
		return e.Text
	}
	return e.At.Pos.String() + ": " + e.Text
}

// fail returns an error at an instruction.
func fail(in cir.Located, format string, args ...any) error {
	return &Error{in.Meta().Site, fmt.Sprintf(format, args...)}
}

func newProgram(ctx context.Context, prog *cir.Program, pts *pointsto.Result) (*program, error) {
	p := &program{ctx: ctx, prog: prog, pts: pts, calls: map[callIn]called{}, funcs: map[*cir.Func]*function{}, runners: map[pointsto.Copy][]*class{},
		callers: map[pointsto.Copy][]pointsto.Copy{}, assumed: map[string]bool{}, zeros: map[pointsto.Copy]map[*cir.Call][]flag{}}
	switch {
	case prog.Entry == nil:
		return nil, &Error{nil, "there is no function that the program begins with"}
	case !pts.Open():
		return nil, &Error{nil, "functions that are called from outside of the program were not followed"}
	case len(prog.Destructors) > 0:
		return nil, &Error{nil, "the program has functions that are called at its end"}
	}
	if err := p.findClasses(); err != nil {
		return nil, err
	}
	for _, c := range p.classes {
		if err := p.follow(c); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// findClasses finds the threads that there are.
func (p *program) findClasses() error {
	main := &class{main: true}
	for _, f := range append(slices.Clone(p.prog.Constructors), p.prog.Entry) {
		main.roots = append(main.roots, p.pts.Canonical(pointsto.Copy{Func: f}))
	}
	if f := p.prog.FuncNamed("exit"); f != nil && len(f.Blocks) > 0 {
		main.roots = append(main.roots, p.pts.Canonical(pointsto.Copy{Func: f}))
	}
	main.element = Element{Kind: Thread, Object: 0}
	p.classes = []*class{main}
	for _, c := range p.pts.Copies() {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.ThreadCreate && p.pts.Comes(c.Func, b) {
					if err := p.created(c, i); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// created adds what an instruction creates.
func (p *program) created(c pointsto.Copy, in *cir.Intrinsic) error {
	if isDelivery(c, in) {
		p.delivered(c, in)
		return nil
	}
	if !c.Func.Library || c.Func.Source != "__comus_thread_begin" {
		return fail(in, "threads that '%s' creates are not looked at", c.Func.Source)
	}
	var block *pointsto.Object
	for _, l := range p.pts.Places(c.Func, c.Ctx, in.Args[1]) {
		switch {
		case isSingle(l.Obj):
			return nil // that is there only where any number of threads are asked about
		case block != nil || !isThread(l.Obj) || l.Off != 0:
			return fail(in, "which thread is created is not known")
		}
		block = l.Obj
	}
	if block == nil {
		return fail(in, "which thread is created is not known")
	}
	k := &class{element: Element{Kind: Thread, Object: block.ID}}
	for _, l := range p.pts.Places(c.Func, c.Ctx, in.Args[0]) {
		if !l.Obj.IsFunc() || len(l.Obj.Func.Blocks) == 0 {
			return fail(in, "the function of a thread is not known")
		}
		k.roots = append(k.roots, p.pts.Canonical(pointsto.Copy{Func: l.Obj.Func, Ctx: c.Ctx}))
	}
	if len(k.roots) == 0 {
		return fail(in, "the function of a thread is not known")
	}
	p.classes = append(p.classes, k)
	return nil
}

// isThread reports whether an object is a thread's control block (cfront/libc/c/pthread.c).
func isThread(o *pointsto.Object) bool {
	i, ok := o.Site.(*cir.Intrinsic)
	return ok && i.Op == cir.Alloc && o.Func.Library && o.Func.Source == "__comus_thread_begin"
}

// isSingle reports whether an object is the control block of the one thread that is told apart where any number of them are asked about.
func isSingle(o *pointsto.Object) bool {
	return o.Global != nil && o.Global.Library && o.Global.Source == "single_thread"
}

// isFirst reports whether an object is main's control block.
func isFirst(o *pointsto.Object) bool {
	return o.Global != nil && o.Global.Library && o.Global.Source == "first_thread"
}

// follow finds the copies that a class of threads may run, and looks at whether all they do is understood.
func (p *program) follow(k *class) error {
	seen := map[pointsto.Copy]bool{}
	var work []pointsto.Copy
	add := func(c pointsto.Copy) {
		if !seen[c] {
			seen[c] = true
			work = append(work, c)
		}
	}
	for _, r := range k.roots {
		add(r)
	}
	for len(work) > 0 {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		c := work[len(work)-1]
		work = work[:len(work)-1]
		if len(p.runners[c]) == 0 {
			p.runs = append(p.runs, c)
			if err := p.understood(c); err != nil {
				return err
			}
		}
		p.runners[c] = append(p.runners[c], k)
		for _, call := range p.callsOf(c) {
			x, err := p.callees(c, call)
			if err != nil {
				return err
			}
			for _, y := range x.to {
				if !slices.Contains(p.callers[y], c) {
					p.callers[y] = append(p.callers[y], c)
				}
				add(y)
			}
		}
	}
	return nil
}

// callsOf returns the calls of a copy.
func (p *program) callsOf(c pointsto.Copy) (list []*cir.Call) {
	for _, b := range c.Func.Blocks {
		if !p.pts.Comes(c.Func, b) {
			continue
		}
		for _, in := range b.Instrs {
			if call, ok := in.(*cir.Call); ok {
				list = append(list, call)
			}
		}
	}
	return list
}

// callees returns what a call gets to.
func (p *program) callees(c pointsto.Copy, call *cir.Call) (called, error) {
	key := callIn{c, call}
	if x, known := p.calls[key]; known {
		return x, nil
	}
	var x called
	if _, direct := call.Callee.(*cir.Func); !direct {
		to := p.pts.Places(c.Func, c.Ctx, call.Callee)
		if slices.ContainsFunc(to, func(l pointsto.Location) bool { return !l.Obj.IsFunc() }) {
			return x, fail(call, "which function is called is not known")
		}
	}
	for _, f := range p.pts.Callees(c.Func, c.Ctx, call) {
		if op := operationOf(f); op != nil {
			if len(call.Args) < len(f.Params) {
				return x, fail(call, "a call with too few arguments")
			}
			x.known = append(x.known, op)
			continue
		}
		if len(f.Blocks) == 0 {
			x.outside = true
		}
		if p.startsThreads(call, f) {
			return x, fail(call, "threads that '%s' creates are not looked at", f.Source)
		}
		if !c.Func.Library && (contract.MayWait(f.Source) && (f.Library || len(f.Blocks) == 0) || isUnknown(f)) {
			p.assumed[fmt.Sprintf("'%s' does not wait for good", f.Source)] = true
		}
	}
	for _, y := range p.pts.Called(c, call) {
		if operationOf(y.Func) == nil {
			x.to = append(x.to, y)
		}
	}
	for _, y := range p.pts.CalledBack(c, call) {
		if operationOf(y.Func) != nil {
			return x, fail(call, "functions of the library are called from outside")
		}
		x.outside = true
		if !slices.Contains(x.to, y) {
			x.to = append(x.to, y)
		}
	}
	for _, op := range x.known {
		if op.does == onceOnly {
			if err := p.once(c, call, &x); err != nil {
				return x, err
			}
		}
	}
	if n := len(x.to) + len(x.known); len(x.known) > 0 && n > 1 && !(n == len(x.to)+1 && x.known[0].does == onceOnly) {
		return x, fail(call, "a function that waits, or gives what is waited for, is called through a pointer")
	}
	p.calls[key] = x
	return x, nil
}

// once adds the functions that a pthread_once may call.
func (p *program) once(c pointsto.Copy, call *cir.Call, x *called) error {
	if len(call.Args) != 2 {
		return fail(call, "a call of pthread_once with other arguments")
	}
	for _, y := range p.pts.Called(c, call) {
		for _, inner := range p.callsOf(y) {
			if _, direct := inner.Callee.(*cir.Func); direct {
				if f := inner.Callee.(*cir.Func); f.Source == "pthread_once" {
					return fail(call, "call_once is not looked at")
				}
				continue
			}
			for _, l := range p.pts.Places(y.Func, y.Ctx, inner.Callee) {
				if !l.Obj.IsFunc() || len(l.Obj.Func.Blocks) == 0 {
					return fail(call, "which function is called is not known")
				}
			}
			for _, z := range p.pts.Called(y, inner) {
				if operationOf(z.Func) != nil {
					return fail(call, "functions of the library are called by pthread_once")
				}
				x.to = append(x.to, z)
			}
		}
	}
	if len(x.to) == 0 {
		return fail(call, "which function is called is not known")
	}
	return nil
}

// isUnknown reports whether nothing is known of what a function does.
func isUnknown(f *cir.Func) bool {
	if len(f.Blocks) > 0 || f.Library {
		return false
	}
	_, ok := contract.Lookup(f.Source)
	return !ok
}

// refused are the intrinsics that nothing is known of here. What waits in the library is in functions that are known by their names.
var refused = map[cir.IntrinsicOp]string{cir.Await: "waits", cir.AwaitFrom: "waits", cir.Lock: "waits for a lock", cir.Unlock: "gives a lock back",
	cir.Setjmp: "may be jumped back to", cir.Longjmp: "jumps back", cir.Interrupt: "is a handler of signals", cir.ThreadAlone: "becomes a process of its own", cir.HavocReachable: "may change anything"}

// understood returns an error if a copy does what is not looked at here.
func (p *program) understood(c pointsto.Copy) error {
	f := c.Func
	if f.Atomic {
		return &Error{nil, fmt.Sprintf("'%s' is one step as a whole", f.Source)}
	}
	for _, b := range f.Blocks {
		if !p.pts.Comes(f, b) {
			continue
		}
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Intrinsic:
				if why, bad := refused[in.Op]; bad && !isInterrupt(c, in) {
					return fail(in, "'%s' %s, which is not looked at", f.Source, why)
				}
				if in.Op == cir.AtomicBegin && !f.Library && in.Name != cir.OneObject {
					return fail(in, "atomic sections are not looked at")
				}
			case *cir.Call:
				for _, g := range p.pts.Callees(f, c.Ctx, in) {
					if why := kinds[g.Source]; g.Library && why != "" {
						return fail(in, "'%s' %s", g.Source, why)
					}
				}
			}
		}
	}
	return nil
}
