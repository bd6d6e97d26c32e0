package valuecheck

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// letOthers lets others see the cells that they may access now: no lock that guards them is held any more, nor is the thread in an atomic section.
func (r *run) letOthers() {
	if !r.atomic() {
		r.shows()
	}
}

// shows lets others see the cells that no lock guards.
func (r *run) shows() {
	clear(r.from)
	for _, e := range r.held.known() {
		if d := r.memory.cells[e.of]; !r.guarded(d, r.locks) {
			r.contribute(d, e.is)
			r.held.drop(e.of)
		}
	}
}

// leaveAll lets others see all cells.
func (r *run) leaveAll() {
	clear(r.from)
	for _, e := range r.held.known() {
		r.contribute(r.memory.cells[e.of], e.is)
	}
	r.held.clear()
	if r.mode == among && !r.depth.within(nought) { // its atomic section ends with it
		r.leaveTo(sections, &r.state, r.mode)
	}
}

// reachable returns the objects that can be reached from some places.
func (p *program) reachable(from []pointsto.Location) (list []*pointsto.Object) {
	seen := map[*pointsto.Object]bool{}
	add := func(ls []pointsto.Location) {
		for _, l := range ls {
			if !seen[l.Obj] {
				seen[l.Obj] = true
				list = append(list, l.Obj)
			}
		}
	}
	add(from)
	for i := 0; i < len(list); i++ {
		add(p.pts.Held(list[i]))
	}
	return list
}

func (r *run) spoilObject(o *pointsto.Object) {
	r.spoil(pointsto.Location{Obj: o, Off: pointsto.Any}, -1)
}

// What is taken for granted of some programs, in the words of package specialise where it says the same.
const (
	assumeBounds   = "the program accesses no memory out of the bounds of an array or object, or after its life"
	assumeIDs      = "ids of threads, locks and conditions are used as POSIX demands (--check=locks asks about that)"
	assumeNoRace   = "the program has no data race"
	assumeOutside  = "pointers that code outside of the program returns, or that come out of files, pipes, sockets and texts (%p), lead to no object of the program"
	assumeCode     = "a call through a pointer from outside calls no function of the program"
	assumeWhole    = "no pointer is put together from parts of another one that the program's own code copies one by one"
	assumeNowhere  = "an address that no known pointer leads to (such as one made of numbers) is not the address of an object"
	assumeThreads  = "threads whose functions are not known access no memory of the program"
	assumeOverflow = "no signed integer overflow"
	assumeDivision = "no division by zero"
	assumeTrap     = "the smallest integer is not divided by -1"
	assumeShift    = "shift distances are in range"
	assumeBits     = "__builtin_clz and __builtin_ctz are not given 0"
	assumeMutex    = "a mutex is unlocked only by the thread that holds it"
	assumeOrder    = "all memory orders are treated as sequentially consistent"
)

// nowhere notes what is taken for granted of where an instruction writes, if no pointer leads there.
func (r *run) nowhere(in cir.Instr) {
	for _, v := range pointsto.Writes(in) {
		if _, reg := v.(*cir.Reg); reg && !r.act.fn.Library && len(r.aim(v)) == 0 {
			r.assumed[assumeNowhere] = true
		}
	}
}

// by notes what is taken for granted of a call.
func (r *run) by(in *cir.Call, outside bool) {
	if !outside {
		return
	}
	r.assumed[assumeOutside] = true
	if _, direct := in.Callee.(*cir.Func); !direct {
		r.assumed[assumeCode] = true
	}
	for _, f := range r.pts.Callees(r.act.fn, r.copies[r.act.copy].Ctx, in) {
		if len(f.Blocks) > 0 {
			continue
		}
		if k := pointsto.ContractOf(in, f); k != nil && k.Assumes() != "" {
			r.assumed[k.Assumes()] = true
		}
	}
}
