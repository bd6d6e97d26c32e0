package involved

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// heldLocks follows who holds which locks in an execution.
type heldLocks struct {
	list  []heldLock // in the order in which they were taken
	known []*ir.Var  // one lock of each object that locks were taken of
}

// heldLock is a lock that a thread holds.
type heldLock struct {
	thread *ir.Thread
	lock   *ir.Var
	how    string // of a read-write lock: reads, writes
	text   string // the statement that took it
}

const reads, writes = "read", "write"

// step follows a step of the execution: the values of a lock's variable tell who holds it.
func (h *heldLocks) step(s interp.TraceStep) {
	for _, c := range s.Changes {
		if c.Var.Holder == ir.NoLock {
			continue
		}
		readersBefore, ownedBefore := holders(c.Var.Holder, c.Old)
		readers, owned := holders(c.Var.Holder, c.New)
		own, read := heldLock{s.Thread, c.Var, "", s.Text}, heldLock{s.Thread, c.Var, reads, s.Text}
		if c.Var.Holder == ir.ReadOrWrite {
			own.how = writes
		}
		switch {
		case ownedBefore && !owned:
			h.release(own)
		case owned && !ownedBefore:
			h.take(own)
		case readers == readersBefore+1:
			h.take(read)
		case readers == readersBefore-1:
			h.release(read)
		}
	}
}

// holders returns how many readers a lock has by a value of its variable, and whether one thread holds it alone. A read-write lock
// that was destroyed has the smallest integer.
func holders(kind ir.Holder, value logic.Value) (readers int64, owned bool) {
	n, ok := value.Int64()
	switch {
	case !ok:
	case kind == ir.OneThread:
		owned = n > 0
	case n < 0:
		owned = n > math.MinInt32
	default:
		readers = n
	}
	return readers, owned
}

func (h *heldLocks) take(l heldLock) {
	h.list = append(h.list, l)
	if !slices.ContainsFunc(h.known, func(v *ir.Var) bool { return objectOf(v) == objectOf(l.lock) }) {
		h.known = append(h.known, l.lock)
	}
}

// objectOf returns the name of the struct on the heap that a variable is a part of.
func objectOf(v *ir.Var) string { return offset.ReplaceAllString(v.Name, "") }

var offset = regexp.MustCompile(`(\.\+\d+)+$`)

// release takes a lock from its thread; if that does not hold it, from the first that does.
func (h *heldLocks) release(l heldLock) {
	same := func(m heldLock) bool { return m.lock == l.lock && m.how == l.how }
	i := slices.IndexFunc(h.list, func(m heldLock) bool { return same(m) && m.thread == l.thread })
	if i < 0 {
		i = slices.IndexFunc(h.list, same)
	}
	if i >= 0 {
		h.list = slices.Delete(h.list, i, i+1)
	}
}

// by returns what a thread holds now.
func (h *heldLocks) by(t *ir.Thread) []heldLock {
	return slices.DeleteFunc(slices.Clone(h.list), func(l heldLock) bool { return l.thread != t })
}

// names returns locks as reports name them, when the execution has been followed to its end.
func (h *heldLocks) names(list []heldLock) []string {
	var out []string
	for _, l := range list {
		if name := h.name(l); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// lockArgument is what a statement takes that takes a lock.
var lockArgument = regexp.MustCompile(`lock\w*\(&?([^(),]+)[,)][^;]*$`)

// number returns which of several objects from one place a lock is in, "no. 2"; "" if there is only one: as other reports of the object number it,
// or else among those of which locks were taken, in the order of the program's variables.
func (h *heldLocks) number(lock *ir.Var) string {
	if lock.Shown != "" {
		return numbered.FindString(lock.Shown)
	}
	alike := slices.DeleteFunc(slices.Clone(h.known), func(v *ir.Var) bool { return v.Pos != lock.Pos })
	if len(alike) < 2 {
		return ""
	}
	slices.SortFunc(alike, func(v, w *ir.Var) int { return cmp.Compare(v.Index, w.Index) })
	return fmt.Sprintf("no. %d", slices.IndexFunc(alike, func(v *ir.Var) bool { return objectOf(v) == objectOf(lock) })+1)
}

var numbered = regexp.MustCompile(`no\. \d+`)

// name returns "table.lock", or "table.lock (read)". Memory on the heap has the name that the statement gave it which took the lock, and the place where it
// was allocated, with a number if there are several objects from there.
func (h *heldLocks) name(l heldLock) string {
	name := l.lock.Source
	var more []string
	if l.how != "" {
		more = append(more, l.how)
	}
	at := l.lock.Pos
	if name == "" || l.lock.Shown != "" {
		name = cmp.Or(l.lock.Label(), l.lock.Name)
		if m := lockArgument.FindStringSubmatch(l.text); m != nil {
			name = m[1]
		} else if l.lock.Shown != "" { // which says where it was allocated
			at = ir.Pos{}
		}
	}
	if at.Line > 0 {
		more = append(more, fmt.Sprintf("allocated at %s", at))
		if n := h.number(l.lock); n != "" {
			more = append(more, n)
		}
	}
	if len(more) == 0 {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, strings.Join(more, ", "))
}
