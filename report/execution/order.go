package execution

import (
	"cmp"
	"slices"

	"comus/comus/involved"
	"comus/ir"
)

// Kind tells why a step of one thread comes before a step of another one.
type Kind string

// The kinds of order.
const (
	Creates Kind = "create" // the thread starts after its creation
	Joins   Kind = "join"   // a thread has ended before another one has joined it
	Hands   Kind = "lock"   // a lock is taken after another thread has given it back
	Reads   Kind = "read"   // a value is read after another thread has written it
	Unseen  Kind = "unseen" // an older value is read, although another thread has written a newer one: a weak memory model lets the thread see that late
)

// Order says that a row comes before another one, of a different thread, in whatever order the others come; of kind Unseen, that it does not see it.
type Order struct {
	From, To int // rows
	Kind     Kind
	What     string // the lock or the variable
}

// orderer finds the orders between the steps of an execution.
type orderer struct {
	x    *Execution
	seen map[Order]bool
	out  []Order
	// The last step of each thread, the one that created it, and the last that gave each lock back and wrote each variable.
	last, created  map[int]int
	freed, written map[*ir.Var]int
	reads          map[*ir.Edge][]*ir.Var // shared variables that edges read, those that the program's text knows
}

// orders returns what orders rows of different threads.
func (x *Execution) orders(locks []involved.LockEvent) []Order {
	o := &orderer{x: x, seen: map[Order]bool{}, last: map[int]int{}, created: map[int]int{}, freed: map[*ir.Var]int{},
		written: map[*ir.Var]int{}, reads: map[*ir.Edge][]*ir.Var{}}
	for i, s := range x.Steps {
		e, t := s.Edge, s.Thread.Index
		if _, again := o.last[t]; !again {
			if c, ok := o.created[t]; ok {
				o.add(c, i, Creates, "")
			}
		}
		if e.Kind == ir.Join || e.Kind == ir.Joined {
			if end, ok := o.last[e.Thread]; ok && e.Thread >= 0 {
				o.add(end, i, Joins, "")
			}
		}
		for ; len(locks) > 0 && locks[0].Step == i; locks = locks[1:] {
			l := locks[0]
			from, ok := o.freed[l.Lock]
			switch {
			case !l.Taken:
				o.freed[l.Lock] = i
			case ok:
				o.add(from, i, Hands, l.Name)
			}
		}
		for _, v := range o.readBy(e) {
			if w, ok := o.written[v]; ok {
				o.add(w, i, Reads, v.Label())
			}
			if w, ok := o.written[v.Stale]; ok && v.Stale != nil {
				o.add(w, i, Unseen, v.Label())
			}
		}
		for _, c := range s.Changes {
			o.written[c.Var] = i
		}
		if e.Kind == ir.Create {
			o.created[e.Thread] = i
		}
		o.last[t] = i
	}
	slices.SortStableFunc(o.out, func(a, b Order) int { return cmp.Compare(a.To, b.To) })
	return o.out
}

// add adds that a step comes before another one, if they are of different threads and rows show it.
func (o *orderer) add(from, to int, k Kind, what string) {
	if o.x.Steps[from].Thread == o.x.Steps[to].Thread {
		return
	}
	order := Order{o.x.before[from], o.x.after[to], k, what}
	if order.From < 0 || order.To <= order.From || o.seen[order] {
		return
	}
	o.seen[order] = true
	o.out = append(o.out, order)
}

// readBy returns the shared variables that an edge reads and that are no locks.
func (o *orderer) readBy(e *ir.Edge) []*ir.Var {
	vars, ok := o.reads[e]
	if !ok {
		for v := range o.x.tab.CmdAccess(e.Cmds).Reads {
			if v.Thread == ir.Shared && v.Label() != "" && v.Holder == ir.NoLock {
				vars = append(vars, v)
			}
		}
		slices.SortFunc(vars, func(a, b *ir.Var) int { return cmp.Compare(a.Index, b.Index) })
		o.reads[e] = vars
	}
	return vars
}
