package ir

import (
	"errors"
	"fmt"
	"slices"

	"comus/logic"
)

// CellRole is what a variable has to do with arrays of which a program has one cell only: see [Program.Cells].
type CellRole uint8

// The roles.
const (
	NoCell    CellRole = iota
	CellIndex          // the number of the cell that there is of each array
	Cell               // what an array has in that cell
)

// Cells returns the index of the cells that the program has of its arrays, and these cells; nil if it has no arrays.
//
// A program with cells has arrays, of any size, and shows one cell of each: that whose number is the index, a variable which has
// any value and keeps it. Each cell a stands for an array a[0], a[1], …; whatever is proved of an a is proved of all, as the index may
// be any number. An assignment to a cell is one to all cells of the array at once, each with its own number for the index:
//
//	a = ite(index = i, v, a)
//
// is a[i] = v. A cell is read by a command that gives a variable any value, and says of which array (Of) and where in it (At) the
// value is. Who does not know about that reads a program with more executions: proofs of it are right.
// Who knows may use that what holds of the one cell holds of the one that is read.
func (p *Program) Cells() (index *Var, cells []*Var) {
	for _, v := range p.Vars {
		switch v.Cell {
		case CellIndex:
			index = v
		case Cell:
			cells = append(cells, v)
		}
	}
	return index, cells
}

// CheckCells verifies that cells and their index are used as [Program.Cells] says.
func (p *Program) CheckCells() error {
	index, cells := p.Cells()
	for _, v := range p.Vars {
		if v.Cell == CellIndex && (v != index || v.Init != nil || v.Thread != Shared) || v.Cell == Cell && index == nil {
			return fmt.Errorf("variable %s is no proper cell or index", v.Name)
		}
	}
	role := map[*logic.Term]CellRole{}
	for _, v := range append(slices.Clone(cells), index) {
		if v != nil {
			role[v.Sym] = v.Cell
		}
	}
	var err error
	for _, t := range p.Threads {
		t.Edges(func(e *Edge) {
			for _, c := range e.Cmds {
				if err == nil && !properlyUsed(c, role) {
					err = errors.New("a command does not use cells as arrays: " + c.String())
				}
			}
		})
	}
	return err
}

// properlyUsed reports whether a command uses cells as it may.
func properlyUsed(c Cmd, role map[*logic.Term]CellRole) bool {
	none := func(t *logic.Term) bool {
		return t == nil || !slices.ContainsFunc(logic.FreeVars(t), func(s *logic.Term) bool { return role[s] != NoCell })
	}
	switch {
	case c.Var != nil && c.Var.Cell == CellIndex, (c.Of == nil) != (c.At == nil):
		return false
	case c.Of != nil:
		return c.Kind == Havoc && c.Of.Cell == Cell && role[c.Of.Sym] == Cell && c.Var.Cell == NoCell && c.At.Sort() == logic.Int && none(c.At)
	}
	return none(c.Cond) && (none(c.Expr) || c.Var.Cell == Cell)
}
