package scancheck

import (
	"cmp"
	"fmt"
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// program is a program as the checker sees it: copies of functions by number, and who calls whom.
type program struct {
	prog   *cir.Program
	pts    *pointsto.Result
	copies []pointsto.Copy
	number map[pointsto.Copy]int
	fns    map[string]*cir.Func
	places map[cir.Located]certificate.Place
	// back are the copies that code outside of the program may call.
	back []int
	// joins are the program's own calls that may wait for a thread. cancels tells whether threads may be cancelled.
	joins   []callIn
	cancels bool
	calls   map[callIn]called
	batches map[int][]*batch // by the numbers of copies
}

// callIn is a call in a copy.
type callIn struct {
	copy int
	call *cir.Call
}

// called is what a call gets to: copies with bodies; outside tells that it may be code outside of the program, too.
type called struct {
	to      []int
	outside bool
}

func newProgram(prog *cir.Program, pts *pointsto.Result) (*program, error) {
	p := &program{prog: prog, pts: pts, copies: pts.Copies(), number: map[pointsto.Copy]int{}, fns: map[string]*cir.Func{},
		places: map[cir.Located]certificate.Place{}, calls: map[callIn]called{}, batches: map[int][]*batch{}}
	for i, c := range p.copies {
		p.number[c] = i
	}
	for _, f := range prog.Funcs {
		p.fns[f.Name] = f
		for i, b := range f.Blocks {
			for k, in := range b.Instrs {
				p.places[in] = certificate.Place{Func: f.Name, Block: i, Instr: k}
			}
			p.places[b.Term] = certificate.Place{Func: f.Name, Block: i, Instr: len(b.Instrs)}
		}
	}
	for _, c := range pts.KnownOutside() {
		p.back = append(p.back, p.number[c])
	}
	slices.Sort(p.back)
	return p, p.findJoins()
}

// reachable returns what can be reached from some objects, with them.
func (p *program) reachable(work []*pointsto.Object) map[*pointsto.Object]bool {
	seen := map[*pointsto.Object]bool{}
	for _, o := range work {
		seen[o] = true
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, l := range p.pts.Held(o) {
			if !seen[l.Obj] {
				seen[l.Obj] = true
				work = append(work, l.Obj)
			}
		}
	}
	return seen
}

// leadsToFunction reports whether a function of the program can be reached from an operand.
func (p *program) leadsToFunction(c pointsto.Copy, v cir.Value) bool {
	var from []*pointsto.Object
	for _, l := range p.pts.Places(c.Func, c.Ctx, v) {
		from = append(from, l.Obj)
	}
	for o := range p.reachable(from) {
		if o.IsFunc() && len(o.Func.Blocks) > 0 {
			return true
		}
	}
	return false
}

// findJoins collects the calls that wait for threads. The error is that of what is not looked at here.
func (p *program) findJoins() error {
	for i, c := range p.copies {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				for _, m := range p.callees(i, call).to {
					f := p.copies[m].Func
					p.cancels = p.cancels || f.Library && f.Source == "pthread_cancel"
					if waits[f.Source] && f.Library && !c.Func.Library {
						p.joins = append(p.joins, callIn{i, call})
					}
				}
				if err := p.startsThreads(c, call); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// waits are the functions of the library that wait for the end of a thread.
var waits = map[string]bool{"pthread_join": true, "thrd_join": true, "pthread_timedjoin_np": true, "pthread_clockjoin_np": true}

// startsThreads returns an error if a call gets to a function without a body that creates threads itself.
func (p *program) startsThreads(c pointsto.Copy, call *cir.Call) error {
	for _, f := range p.pts.Callees(c.Func, c.Ctx, call) {
		k := contractOf(call, f)
		if f.Unknown == cir.Open && len(f.Blocks) == 0 && (call.Unknown != cir.Open || len(p.pts.KnownOutside()) > 0) {
			return fmt.Errorf("%s: threads that %s creates are not looked at", position(call), f.Source)
		}
		if k == nil || len(f.Blocks) > 0 {
			continue
		}
		for i := range k.Params {
			for _, x := range k.Params[i].Calls {
				if (x.When == contract.AsSignal || x.When == contract.InThread) && i < len(call.Args) && p.leadsToFunction(c, call.Args[i].X) {
					return fmt.Errorf("%s: threads that %s creates are not looked at", position(call), f.Source)
				}
			}
		}
	}
	return nil
}

func position(in cir.Located) string {
	if s := in.Meta().Site; s != nil {
		return s.Pos.String()
	}
	return "?"
}

// contractOf returns the contract of a function without a body that a call gets to, nil if it has none.
func contractOf(call *cir.Call, f *cir.Func) *contract.Function {
	how := f.Unknown
	if call.Callee == cir.Value(f) && call.Unknown != cir.Known {
		how = call.Unknown
	}
	if how != cir.Contract {
		return nil
	}
	k, _ := contract.Lookup(f.Source)
	return k
}

// callees returns what a call in a copy may get to, code outside and what that calls back included.
func (p *program) callees(c int, call *cir.Call) called {
	key := callIn{c, call}
	x, known := p.calls[key]
	if known {
		return x
	}
	cp := p.copies[c]
	for _, y := range p.pts.Called(cp, call) {
		x.to = append(x.to, p.number[y])
	}
	if f, direct := call.Callee.(*cir.Func); direct {
		x.outside = len(f.Blocks) == 0
	} else {
		to := p.pts.Places(cp.Func, cp.Ctx, call.Callee)
		x.outside = slices.ContainsFunc(to, func(l pointsto.Location) bool {
			return l.Obj.External || l.Obj.IsFunc() && len(l.Obj.Func.Blocks) == 0
		})
	}
	for _, y := range p.calledBack(cp, call, x.outside) {
		if !slices.Contains(x.to, y) {
			x.to = append(x.to, y)
		}
	}
	p.calls[key] = x
	return x
}

// created returns the copies that threads begin with which an instruction of a copy creates.
func (p *program) created(c int, in cir.Instr) (roots []int) {
	i, ok := in.(*cir.Intrinsic)
	if !ok || i.Op != cir.ThreadCreate {
		return nil
	}
	cp := p.copies[c]
	for _, l := range p.pts.Places(cp.Func, cp.Ctx, i.Args[0]) {
		if !l.Obj.IsFunc() || len(l.Obj.Func.Blocks) == 0 {
			continue // a function that nobody knows: that it accesses nothing of the program's is an assumption of the scan's
		}
		if r, ok := p.number[p.pts.Canonical(pointsto.Copy{Func: l.Obj.Func, Ctx: cp.Ctx})]; ok && !slices.Contains(roots, r) {
			roots = append(roots, r)
		}
	}
	slices.SortFunc(roots, cmp.Compare[int])
	return roots
}

// group returns the place that threads are told apart by which an instruction of a copy creates: the program's own call.
func (p *program) group(c int, in cir.Instr) certificate.Place {
	if cp := p.copies[c]; cp.Func.Library && cp.Ctx.Call != nil {
		return p.places[cp.Ctx.Call]
	}
	return p.places[in]
}

// startCall returns the call by which a function of the library that a thread begins with calls the program's: its only indirect one.
func (p *program) startCall(root int) (found *cir.Call) {
	f := p.copies[root].Func
	if !f.Library {
		return nil
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*cir.Call)
			if !ok {
				continue
			}
			if _, direct := call.Callee.(*cir.Func); direct {
				continue
			}
			if found != nil {
				return nil
			}
			found = call
		}
	}
	return found
}

// starts returns the names of the functions that threads may begin with as far as the program is concerned; several tells that the
// thread's first function calls one of them only.
func (p *program) starts(root int) (names []string, several bool) {
	if call := p.startCall(root); call != nil {
		if x := p.callees(root, call); !x.outside && len(x.to) > 0 {
			for _, m := range x.to {
				names = append(names, p.copies[m].Func.Name)
			}
			return names, len(names) > 1
		}
	}
	return []string{p.copies[root].Func.Name}, false
}
