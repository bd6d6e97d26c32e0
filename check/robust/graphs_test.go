package robust_test

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
	"comus/memory"
)

// builder makes the events of a program.
type builder struct {
	memory.Graph
	add  []uint64     // what an update adds
	used []bool       // whether a read is used
	must map[int]step // what reads have to read
	same map[int]int  // the read of a ticket that a read or a write is compared with, or made of
	me   int          // the ticket of the thread
	// anyLeft tells that the events of reads that return any value are left out.
	anyLeft bool
}

func (b *builder) emit(e memory.Event, add uint64, used bool) int {
	b.Events, b.RF, b.add, b.used = append(b.Events, e), append(b.RF, -1), append(b.add, add), append(b.used, used)
	return len(b.Events) - 1
}

func (b *builder) body(thread int, list []step) {
	for _, s := range list {
		e := memory.Event{Thread: thread, Loc: uint64(s.loc), Order: s.order, Value: s.value}
		if s.any && b.anyLeft {
			continue
		}
		switch s.kind {
		case 'F':
			e.Kind, e.Loc = memory.Fence, 0
			b.emit(e, 0, false)
		case 'R', 'r', 'L', 'G', 'p':
			e.Kind = memory.Read
			if s.kind == 'r' {
				e.Loc += 10
			}
			i := b.emit(e, 0, !s.idle && !s.any)
			if s.is || s.isNot {
				b.must[i] = s
			}
		case 'X', 'C', 'm':
			write := uint64(1)
			if s.kind == 'C' {
				write = s.value
			}
			if s.kind == 'm' {
				e.Loc, e.Order = mutex, cir.Acquire
			}
			s.value = 0
			e.Kind, e.Exclusive = memory.Read, s.kind != 'C' || s.is
			if !e.Exclusive {
				e.Order = s.failure()
			}
			b.must[b.emit(e, 0, !s.idle)] = s
			if e.Exclusive {
				e.Kind = memory.Write
				b.emit(e, write, false)
			}
		case 'T':
			if !s.again {
				e = memory.Event{Thread: thread, Kind: memory.Read, Loc: 0, Order: cir.Order(s.loc), Exclusive: true}
				b.me = b.emit(e, 0, false)
				e.Kind = memory.Write
				b.emit(e, 1, false)
			}
			i := b.emit(memory.Event{Thread: thread, Kind: memory.Read, Loc: 1, Order: s.order}, 0, false)
			b.must[i], b.same[i] = s, b.me
		case 't':
			i := b.emit(memory.Event{Thread: thread, Kind: memory.Write, Loc: 1, Order: s.order}, s.value, false)
			b.same[i] = b.me
		case 'n':
			b.emit(memory.Event{Thread: thread, Kind: memory.Write, Loc: mutex, Order: cir.Release}, 0, false)
		case 'W', 'w', 'q':
			e.Kind = memory.Write
			if s.kind == 'w' {
				e.Loc += 10
			}
			b.emit(e, 0, false)
		default:
			e.Kind, e.Exclusive = memory.Read, true
			b.emit(e, 0, s.kind == 'U')
			e.Kind = memory.Write
			b.emit(e, s.value, false)
		}
	}
}

// graphs returns the events of each variant of the program; without those of reads that return any value, perhaps.
func (p *litmus) graphs(anyLeft bool) (list []*builder) {
	var threads [][][]step
	for i, copies := range p.copies {
		for range copies {
			threads = append(threads, variants(p.threads[i]))
		}
	}
	pick := make([]int, len(threads))
	for {
		var ts [][]step
		for i, k := range pick {
			ts = append(ts, threads[i][k])
		}
		list = append(list, p.graph(ts, anyLeft))
		i := 0
		for i < len(pick) && pick[i]+1 == len(threads[i]) {
			pick[i] = 0
			i++
		}
		if i == len(pick) {
			return list
		}
		pick[i]++
	}
}

// mutex is the location that stands for the mutex.
const mutex = 19

// graph returns the events of a variant.
func (p *litmus) graph(threads [][]step, anyLeft bool) *builder {
	b := &builder{anyLeft: anyLeft, Graph: memory.Graph{MO: map[uint64][]int{}}, must: map[int]step{}, same: map[int]int{}}
	for i := range p.locs {
		b.emit(memory.Event{Thread: -1, Kind: memory.Write, Loc: uint64(i)}, 0, false)
		b.emit(memory.Event{Thread: -1, Kind: memory.Write, Loc: uint64(i) + 10}, 0, false)
	}
	b.emit(memory.Event{Thread: -1, Kind: memory.Write, Loc: mutex}, 0, false)
	b.body(0, p.before)
	other := func(t int) int { return b.emit(memory.Event{Thread: t, Kind: memory.Other}, 0, false) }
	create := other(0)
	b.body(0, p.between)
	late, early := -1, -1
	if p.apart {
		late, early = other(0), other(0)
		b.body(0, p.amid)
	}
	join := other(0)
	b.body(0, p.behind)
	for i, list := range threads {
		from, to := create, join
		if p.apart && i == len(threads)-1 {
			from, to = late, early
		}
		b.Sync = append(b.Sync, [2]int{from, other(i + 1)})
		b.body(i+1, list)
		b.Sync = append(b.Sync, [2]int{other(i + 1), to})
	}
	return b
}

// count returns how many candidates there are.
func (p *litmus) count() (n int) {
	for _, b := range p.graphs(false) {
		n += b.count()
	}
	return n
}

// count returns how many candidates there are.
func (b *builder) count() int {
	writes, n := map[uint64]int{}, 1
	for _, e := range b.Events {
		if e.Kind == memory.Write {
			writes[e.Loc]++
		}
	}
	for _, e := range b.Events {
		if e.Kind == memory.Read {
			n = min(n*writes[e.Loc], 1<<30)
		}
	}
	for _, w := range writes {
		for i := 2; i < w; i++ {
			n = min(n*i, 1<<30)
		}
	}
	return n
}

// each calls visit with each candidate.
func (b *builder) each(visit func()) {
	var locs []uint64
	writes := map[uint64][]int{}
	for i, e := range b.Events {
		if e.Kind == memory.Write {
			if writes[e.Loc] == nil {
				locs = append(locs, e.Loc)
			}
			writes[e.Loc] = append(writes[e.Loc], i)
		}
	}
	var orders func(k int)
	orders = func(k int) {
		if k == len(locs) {
			visit()
			return
		}
		permute(writes[locs[k]], 1, func() { b.MO[locs[k]] = writes[locs[k]]; orders(k + 1) })
	}
	var reads func(i int)
	reads = func(i int) {
		if i == len(b.Events) {
			orders(0)
			return
		}
		e := b.Events[i]
		if e.Kind != memory.Read {
			reads(i + 1)
			return
		}
		for _, w := range slices.Sorted(slices.Values(writes[e.Loc])) {
			if !(e.Exclusive && w == i+1) {
				b.RF[i] = w
				reads(i + 1)
			}
		}
	}
	reads(0)
}

func permute(x []int, from int, then func()) {
	if from >= len(x) {
		then()
		return
	}
	for i := from; i < len(x); i++ {
		x[from], x[i] = x[i], x[from]
		permute(x, from+1, then)
		x[from], x[i] = x[i], x[from]
	}
}

// outcome returns what is read and used, and the last values; false if values depend on themselves.
func (b *builder) outcome() (string, bool) {
	values, state := make([]uint64, len(b.Events)), make([]byte, len(b.Events))
	ok := true
	var value func(i int) uint64
	value = func(i int) uint64 {
		switch state[i] {
		case 1:
			ok = false
			return 0
		case 2:
			return values[i]
		}
		state[i] = 1
		e := b.Events[i]
		v := e.Value
		if e.Kind == memory.Read {
			v = value(b.RF[i])
		} else if of, ticket := b.same[i]; ticket {
			v = value(of) + b.add[i]
		} else if _, exchanged := b.must[i-1]; e.Exclusive && exchanged {
			v = b.add[i]
		} else if e.Exclusive {
			v = value(i-1) + b.add[i]
		}
		values[i], state[i] = v, 2
		return v
	}
	var s strings.Builder
	for i := range b.Events {
		if m, has := b.must[i]; has {
			want := m.value
			if of, ticket := b.same[i]; ticket {
				want = value(of)
			}
			ok = ok && (value(i) == want) == m.is
		}
		if b.used[i] {
			fmt.Fprintf(&s, "%d:%d ", b.Events[i].Thread, value(i))
		}
	}
	for l := range uint64(20) {
		if list := b.MO[l]; len(list) > 0 {
			fmt.Fprintf(&s, "%d=%d ", l, value(list[len(list)-1]))
		}
	}
	return s.String(), ok
}

// racy reports whether the graph has a data race.
func (b *builder) racy() bool {
	var hb *memory.Relation
	for i, x := range b.Events {
		for j, y := range b.Events[:i] {
			access := func(e memory.Event) bool { return e.Kind == memory.Read || e.Kind == memory.Write }
			if !access(x) || !access(y) || x.Loc != y.Loc || x.Thread == y.Thread || x.Thread < 0 || y.Thread < 0 || x.Kind == memory.Read && y.Kind == memory.Read || x.Order != cir.Plain && y.Order != cir.Plain {
				continue
			}
			if hb == nil {
				r := b.HappensBefore()
				hb = &r
			}
			if !hb.Has(i, j) && !hb.Has(j, i) {
				return true
			}
		}
	}
	return false
}
