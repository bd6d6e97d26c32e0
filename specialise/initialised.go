package specialise

import (
	"slices"

	"comus/cir"
	"comus/ir"
)

// Memory that nobody has written holds any value. Where it does not matter which, or where it is assumed that it has been written, it is 0: what is one of
// 2^64 values is more than engines can look at.

// isInitialisedFirst reports whether a cell is one of a local of the library's own code that several threads see: that initialises what it
// lets others know, so it does not matter what it held before.
func (b *builder) isInitialisedFirst(c *cell) bool {
	return c.obj.local && !c.obj.raw && c.obj.global == nil && c.v.Thread == ir.Shared
}

// unsetCmd returns the command that makes a cell that holds nothing yet hold something, where control meets.
func (b *builder) unsetCmd(c *cell) ir.Cmd {
	if b.isInitialisedFirst(c) {
		return ir.AssignCmd(c.v, b.L.Int(0))
	}
	return b.initialCmd(c)
}

// initialCmd returns the command that makes a cell that holds nothing yet hold something, where it is read.
func (b *builder) initialCmd(c *cell) ir.Cmd {
	if b.isTakenAsInitialised(c) {
		b.assume(assumeInitialised)
		return ir.AssignCmd(c.v, b.L.Int(0))
	}
	return ir.HavocCmd(c.v, nonEmptyInput(c))
}

// readers tells who reads variables of the program's own objects: the functions that synchronise threads, or other code.
type readers struct{ synchronising, others map[string]bool }

func newReaders() readers { return readers{map[string]bool{}, map[string]bool{}} }

// isTakenAsInitialised reports whether a cell is one of a mutex or the like of which nobody knows that it was initialised: to use it is undefined then,
// and asked about as use of locks only. Whatever other code reads, as a copy does, is not.
func (b *builder) isTakenAsInitialised(c *cell) bool {
	r := b.facts.readers
	return b.facts.done && !b.opts.Check.Locks && !b.opts.Check.Memory && c.obj.raw && r.synchronising[c.key] && !r.others[c.key]
}

// noteRead notes that the code being run reads a cell.
func (b *builder) noteRead(c *cell) {
	switch {
	case !c.obj.raw:
	case isSynchronising(b.fr.fn):
		b.readBy.synchronising[c.key] = true
	default:
		b.readBy.others[c.key] = true
	}
}

// isSynchronising reports whether a function is one of the library that is about objects by which threads synchronise.
func isSynchronising(f *cir.Func) bool { return f.Library && isOf(f.Pos.File, synchronising[:3]) }

// learnReaders takes over who reads what. It reports whether what was taken for granted of that holds.
func (s *facts) learnReaders(b *builder) (consistent bool) {
	consistent = true
	for key := range b.readBy.synchronising {
		s.readers.synchronising[key] = true
	}
	for key := range b.readBy.others {
		consistent = consistent && s.readers.others[key]
		s.readers.others[key] = true
	}
	return consistent
}

// tellTaken adds the assumption that what is taken as initialised is, if some of it may be read before it is written.
func (b *builder) tellTaken() {
	var taken []*ir.Var
	for _, v := range b.prog.Vars {
		if c := b.cellOf[v]; c != nil && v.Init != nil && c.obj.global == nil && !c.obj.zero && b.isTakenAsInitialised(c) {
			taken = append(taken, v)
		}
	}
	zero := make([]ir.Var, len(taken))
	for i, v := range taken {
		zero[i], v.Init = *v, nil
	}
	read := b.prog.ReadUnwritten()
	if slices.ContainsFunc(taken, func(v *ir.Var) bool { return read[v] }) {
		b.assume(assumeInitialised)
	}
	for i, v := range taken {
		v.Init = zero[i].Init
	}
}
