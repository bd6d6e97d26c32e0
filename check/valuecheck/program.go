package valuecheck

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// program is a program as the checker sees it: copies of functions by number, and who calls whom.
type program struct {
	prog    *cir.Program
	pts     *pointsto.Result
	copies  []pointsto.Copy
	number  map[pointsto.Copy]int
	errno   *cir.Global
	back    []int               // the copies that code outside of the program may call
	freed   []pointsto.Location // the locks that these may give back, what they call included
	exit    *cir.Func
	again   []bool // of copies: there may be several activations at a time in a thread
	locking []bool // of copies: they may change which locks are held, or the depth of atomic sections
	defs    map[*cir.Reg]cir.Instr
	calls   map[callIn][]int
}

// callIn is a call in a copy.
type callIn struct {
	copy int
	call *cir.Call
}

func newProgram(prog *cir.Program, pts *pointsto.Result) *program {
	p := &program{prog: prog, pts: pts, copies: pts.Copies(), number: map[pointsto.Copy]int{}, errno: pointsto.Errno(prog), defs: map[*cir.Reg]cir.Instr{},
		calls: map[callIn][]int{}}
	for i, c := range p.copies {
		p.number[c] = i
	}
	for _, c := range pts.KnownOutside() {
		p.back = append(p.back, p.number[c])
	}
	if f := prog.FuncNamed("exit"); f != nil && len(f.Blocks) > 0 {
		p.exit = f
	}
	for _, f := range prog.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, r := range cir.Results(in) {
					p.defs[r] = in
				}
			}
		}
	}
	p.findAgain()
	p.findFreed()
	p.findLocking()
	return p
}

// findFreed finds the locks that may be given back by what code outside of the program calls.
func (p *program) findFreed() {
	seen := map[int]bool{}
	work := slices.Clone(p.back)
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		for _, b := range p.copies[i].Func.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Call:
					work = append(work, p.callees(i, in)...)
				case *cir.Intrinsic:
					if in.Op == cir.Unlock {
						p.freed = append(p.freed, p.places(i, in.Args[0])...)
					}
				}
			}
		}
	}
}

// plain returns the copy of a function in no context; ok is false if the analysis of pointers has none.
func (p *program) plain(f *cir.Func) (int, bool) {
	n, ok := p.number[p.pts.Canonical(pointsto.Copy{Func: f})]
	return n, ok
}

// callees returns the copies with bodies that a call gets to.
func (p *program) callees(c int, call *cir.Call) []int {
	key := callIn{c, call}
	list, known := p.calls[key]
	if !known {
		for _, y := range p.pts.Called(p.copies[c], call) {
			list = append(list, p.number[y])
		}
		p.calls[key] = list
	}
	return list
}

// outside reports whether a call may get to code outside of the program.
func (p *program) outside(c int, call *cir.Call) bool {
	if f, direct := call.Callee.(*cir.Func); direct {
		return len(f.Blocks) == 0
	}
	for _, l := range p.places(c, call.Callee) {
		if l.Obj.External || l.Obj.IsFunc() && len(l.Obj.Func.Blocks) == 0 {
			return true
		}
	}
	return false
}

// places returns what an operand of a copy may point to.
func (p *program) places(c int, v cir.Value) []pointsto.Location {
	return p.pts.Places(p.copies[c].Func, p.copies[c].Ctx, v)
}

// findAgain finds the copies of which a thread may be in several activations: they may call themselves, by way of whatever a call or the program's end leads to. What
// code outside calls counts as another thread: it has no way to the locals of activations that are interrupted so, but for those that are not own.
func (p *program) findAgain() {
	n := len(p.copies)
	next := make([][]int, n)
	for i, c := range p.copies {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Call:
					next[i] = append(next[i], p.callees(i, in)...)
				case *cir.Intrinsic:
					if in.Op == cir.Stop || in.Op == cir.ThreadExit {
						for _, f := range p.prog.Destructors {
							if d, ok := p.plain(f); ok {
								next[i] = append(next[i], d)
							}
						}
					}
				}
			}
		}
	}
	p.again = make([]bool, n)
	index, low, on := make([]int, n), make([]int, n), make([]bool, n)
	var stack []int
	count := 0
	var visit func(i int)
	visit = func(i int) {
		count++
		index[i], low[i], on[i] = count, count, true
		at := len(stack)
		stack = append(stack, i)
		for _, j := range next[i] {
			switch {
			case i == j:
				p.again[i] = true
			case index[j] == 0:
				visit(j)
				low[i] = min(low[i], low[j])
			case on[j]:
				low[i] = min(low[i], index[j])
			}
		}
		if low[i] == index[i] {
			for _, j := range stack[at:] {
				on[j] = false
				p.again[j] = p.again[j] || len(stack) > at+1
			}
			stack = stack[:at]
		}
	}
	for i := range n {
		if index[i] == 0 {
			visit(i)
		}
	}
}

// findLocking finds the copies that take or give back locks or begin or end sections, what they call included.
func (p *program) findLocking() {
	p.locking = make([]bool, len(p.copies))
	callers := make([][]int, len(p.copies))
	var work []int
	for i, c := range p.copies {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Call:
					for _, n := range p.callees(i, in) {
						callers[n] = append(callers[n], i)
					}
					if len(p.back) > 0 && p.outside(i, in) {
						work = append(work, i)
					}
				case *cir.Intrinsic:
					switch in.Op {
					case cir.Lock, cir.Unlock, cir.AtomicBegin, cir.AtomicEnd:
						work = append(work, i)
					}
				}
			}
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if !p.locking[i] {
			p.locking[i] = true
			work = append(work, callers[i]...)
		}
	}
}
