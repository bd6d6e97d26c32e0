package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// epochs tells which wait at a barrier was the last one of a thread where it makes an instruction: bit 0 for none, another one for each call that waits. All threads have made the same one last, if they come to the same waits:
// so what is done behind different ones is ordered by the barrier. Of a function that waits once, and is called at several places, these are told apart, and not the wait in it: what it does behind that itself may be
// behind any of them.
type epochs struct {
	*finder
	of    *class
	bits  map[callIn]uint64        // of waits, and of calls of such functions
	done  map[pointsto.Copy]uint64 // at returns; callerBit stands for what it was before the call
	entry map[pointsto.Copy]uint64
	at    map[pointsto.Copy]map[cir.Instr]uint64 // before instructions, callerBit as in done
}

const (
	callerBit   = uint64(1) << 63
	anyBit      = uint64(1) << 62 // behind the wait of a function that is called at several places
	mostEpochs  = 60
	beforeFirst = uint64(1)
)

// epochsOf finds the epochs of a class. It has too many if the result is nil.
func (f *finder) epochsOf(k *class) *epochs {
	e := &epochs{finder: f, of: k, bits: map[callIn]uint64{}, done: map[pointsto.Copy]uint64{}, entry: map[pointsto.Copy]uint64{}, at: map[pointsto.Copy]map[cir.Instr]uint64{}}
	e.numberWaits()
	if len(e.bits) > mostEpochs {
		return nil
	}
	for changed := true; changed; {
		changed = false
		for _, c := range f.h.runs {
			if out := e.copy(c); out != e.done[c] {
				e.done[c], changed = out, true
			}
		}
	}
	for _, r := range k.roots {
		e.entry[r] = beforeFirst
	}
	for changed := true; changed; {
		changed = false
		for _, c := range f.h.runs {
			for _, call := range f.h.callsOf(c) {
				x, err := f.h.callees(c, call)
				if err != nil {
					continue
				}
				for _, y := range x.to {
					if now := e.entry[y] | e.before(c, call); now != e.entry[y] {
						e.entry[y], changed = now, true
					}
				}
			}
		}
	}
	return e
}

// numberWaits gives bits to waits.
func (e *epochs) numberWaits() {
	next := beforeFirst
	bit := func() uint64 { next <<= 1; return next }
	for _, m := range e.meetings {
		var sites []callIn
		for _, c := range e.h.callers[m.copy] {
			for _, call := range e.h.callsOf(c) {
				if x, err := e.h.callees(c, call); err == nil && slices.Contains(x.to, m.copy) {
					sites = append(sites, callIn{c, call})
				}
			}
		}
		alone := !slices.ContainsFunc(e.meetings, func(n meeting) bool { return n.copy == m.copy && n.callIn != m.callIn })
		if len(sites) < 2 || !alone || slices.Contains(e.of.roots, m.copy) {
			e.bits[m.callIn] = bit()
			continue
		}
		e.bits[m.callIn] = anyBit
		for _, s := range sites {
			e.bits[s] = bit()
		}
	}
}

// before returns the last waits that there may have been before an instruction.
func (e *epochs) before(c pointsto.Copy, in cir.Instr) uint64 {
	now := instead(e.at[c][in], e.entry[c])
	if now&anyBit != 0 {
		return ^uint64(0)
	}
	return now
}

// instead puts what was before a call into what is behind it.
func instead(now, before uint64) uint64 {
	if now&callerBit != 0 {
		return now&^callerBit | before
	}
	return now
}

// copy goes over a copy, and returns what there may be at its returns.
func (e *epochs) copy(c pointsto.Copy) (out uint64) {
	f := c.Func
	at := make([]uint64, len(f.Blocks))
	at[0] = callerBit
	seen := map[cir.Instr]uint64{}
	e.at[c] = seen
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		now := at[b.Index]
		for _, in := range b.Instrs {
			seen[in] |= now
			if call, ok := in.(*cir.Call); ok {
				now = e.call(c, call, now)
			}
		}
		if _, returns := b.Term.(*cir.Return); returns {
			out |= now
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if at[to.Index]|now != at[to.Index] {
				at[to.Index] |= now
				work = append(work, to)
			}
		})
	}
	return out
}

func (e *epochs) call(c pointsto.Copy, call *cir.Call, now uint64) (out uint64) {
	bit := e.bits[callIn{c, call}]
	if e.isMeeting(callIn{c, call}) {
		return bit
	}
	x, err := e.h.callees(c, call)
	if err != nil || x.outside || len(x.known) > 0 || len(x.to) == 0 {
		out = now
	}
	for _, y := range x.to {
		out |= instead(e.done[y], now)
	}
	if out&anyBit != 0 && bit != 0 {
		out = out&^anyBit | bit
	}
	return out
}
