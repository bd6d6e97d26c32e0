package engine

import (
	"context"
	"errors"
	"strings"

	"comus/ir"
	"comus/specialise"
)

// errNoCells is that no array is shown by one cell.
var errNoCells = errors.New("there are no arrays to be shown by one cell")

// withCells reads the task's source with one cell of each array, and any number of threads where a loop creates them.
func (t *Task) withCells(ctx context.Context) (*ir.Program, error) {
	if t.Read == nil || t.Options.NoCells || !mayHaveCells(t.Program) {
		return nil, errNoCells
	}
	p, err := t.Read(ctx, OneCell(t.Question))
	if err != nil {
		return nil, err
	}
	if index, _ := p.Cells(); index == nil {
		return nil, errNoCells
	}
	if len(p.Bounded) > 0 {
		return nil, errors.New("the program is bounded: " + p.Bounded[0])
	}
	p.Renumber()
	return p, nil
}

// OneCell returns the options that read a source with one cell of each array.
func OneCell(how specialise.Options) specialise.Options {
	how = AnyNumber(how)
	how.Cells = true
	return how
}

// manyCells is the number of the element from which on an array is worth to be shown by one cell.
const manyCells = "[2]"

// mayHaveCells reports whether a reading of the source looks as if there were arrays to be shown by one cell: threads share
// some, or memory is cut off, or not tracked.
func mayHaveCells(p *ir.Program) bool {
	if len(p.Bounded) > 0 || len(p.Approximations()) > 0 {
		return true
	}
	for _, v := range p.Vars {
		if v.Thread == ir.Shared && strings.Contains(v.Name, manyCells) {
			return true
		}
	}
	return false
}
