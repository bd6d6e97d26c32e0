package graphs

import (
	"strings"

	"comus/cir"
	"comus/cir/interp"
	"comus/memory"
)

// Guide is an execution that somebody else has found, in terms of his own: the run does what it says as far as it can be recognised. Nobody trusts it.
type Guide struct {
	Threads [][]Guided // the events of each thread, in program order
}

// Guided is an event of a guide.
type Guided struct {
	Kind      memory.Kind
	Lock      bool // of a mutex
	Exclusive bool // a half of a read-modify-write
	Plain     bool // the access is not atomic
	At        string
	Object    string // what is accessed, as the program names it, or more of it; "": that is not known
	Input     string // the name of an input
	Value     uint64 // its value
	From      [2]int // of a read: the thread and the number of the write that it reads; thread -1: the initial one
	Place     int    // of a write: its place among the writes to its location
}

// following is how far a run has followed a guide.
type following struct {
	*Guide
	at    map[int]int    // of each thread: how many events have come
	event map[[2]int]int // of those that have: the event of the graph
	of    map[int]*Guided
	now   *Guided // of the event that comes next
	found int     // its number
	lost  bool
}

func newFollowing(g *Guide) *following {
	if g == nil {
		return nil
	}
	return &following{Guide: g, at: map[int]int{}, event: map[[2]int]int{}, of: map[int]*Guided{}}
}

// window is how many events of a guide may be left out at once: of memory that one thread alone accesses, say.
const window = 16

// next returns the event of the guide that a thread's next event is; -1: none.
func (f *following) next(thread int, is func(*Guided) bool) int {
	if f.lost || thread >= len(f.Threads) {
		return -1
	}
	list := f.Threads[thread]
	for k := f.at[thread]; k < min(len(list), f.at[thread]+window); k++ {
		if is(&list[k]) {
			return k
		}
	}
	return -1
}

// waits reports whether the write is still to come that a thread's next access reads by the guide. If it need not wait, the access is noted.
func (f *following) waits(a *interp.Atomic) bool {
	f.now = nil
	kind, at := kindOf(a.Kind), ""
	if a.Site != nil {
		at = a.Site.Pos.String()
	}
	lock := a.Kind == interp.AtomicLock || a.Kind == interp.AtomicUnlock
	is := func(g *Guided) bool {
		return g.Kind == kind && g.Input == "" && g.Lock == lock && (lock || g.At == at && (kind == memory.Fence || g.Plain == (a.Order == cir.Plain)))
	}
	k := f.next(a.Thread, func(g *Guided) bool { return is(g) && strings.HasPrefix(g.Object, a.Object) })
	if k < 0 { // an object may have another name there
		k = f.next(a.Thread, is)
	}
	if k < 0 {
		return false
	}
	g := &f.Threads[a.Thread][k]
	if _, there := f.event[g.From]; g.Kind == memory.Read && g.From[0] >= 0 && !there {
		return true
	}
	f.now, f.found = g, k
	return false
}

// comes notes the event that the access has become.
func (f *following) comes(thread, event int) {
	if f.now == nil {
		return
	}
	k := f.found
	f.at[thread], f.event[[2]int{thread, k}], f.of[event] = k+1, event, f.now
}

// second notes the write of a read-modify-write.
func (f *following) second(thread, event int) {
	k := f.at[thread]
	if thread < len(f.Threads) && k > 0 && k < len(f.Threads[thread]) && f.now != nil && f.now.Exclusive && f.Threads[thread][k].Exclusive && f.Threads[thread][k].Kind == memory.Write {
		f.at[thread], f.event[[2]int{thread, k}], f.of[event] = k+1, event, &f.Threads[thread][k]
	}
}

// input returns the value of an input.
func (f *following) input(thread int, name string) uint64 {
	k := f.next(thread, func(g *Guided) bool { return g.Input != "" && g.Input == name })
	if k < 0 {
		return 0
	}
	f.at[thread] = k + 1
	return f.Threads[thread][k].Value
}

// chooses reports whether a run reads and writes what somebody else chooses: then it is the only one.
func (x *Explorer) chooses() bool { return x.opt.Random != nil || x.opt.Guide != nil }

// readsGuided has the event read what the guide says, or the newest write.
func (r *run) readsGuided() {
	g, e := r.g, r.event
	writes := g.MO[g.Events[e].Loc]
	g.RF[e] = writes[len(writes)-1]
	if now := r.guide.now; now != nil {
		if w, there := r.guide.event[now.From]; there && g.Events[w].Loc == g.Events[e].Loc && g.Events[w].Kind == memory.Write {
			g.RF[e] = w
		} else if now.From[0] < 0 {
			g.RF[e] = writes[0]
		}
	}
}

// writesGuided puts a write where the guide says, or last.
func (r *run) writesGuided() {
	g, w := r.g, r.event
	loc := g.Events[w].Loc
	at := len(g.MO[loc])
	if now := r.guide.now; now != nil {
		for i, x := range g.MO[loc] {
			if o := r.guide.of[x]; o != nil && i > 0 && o.Place > now.Place {
				at = i
				break
			}
		}
	}
	g.put(w, at)
}

// nextGuided returns the thread that goes on: the first one that does not wait for what the guide says comes before.
func (r *run) nextGuided(order []int) int {
	for _, t := range order {
		if !r.of(t).parked {
			return t
		}
	}
	r.guide.lost = true // the program does something else
	for _, t := range r.threads {
		t.parked = false
	}
	return order[0]
}
