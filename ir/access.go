package ir

import (
	"maps"

	"comus/logic"
)

// Access is the set of variables a piece of code reads and writes.
type Access struct {
	Reads, Writes map[*Var]bool
}

// SymTable finds variables by their symbol.
type SymTable map[*logic.Term]*Var

// Symbols returns the program's symbol table.
func (p *Program) Symbols() SymTable {
	tab := make(SymTable, len(p.Vars))
	for _, v := range p.Vars {
		tab[v.Sym] = v
	}
	return tab
}

// CmdAccess returns what the commands read and write. A variable that is read
// only after the same commands wrote it counts as read too.
func (tab SymTable) CmdAccess(cmds []Cmd) Access {
	a := Access{map[*Var]bool{}, map[*Var]bool{}}
	for _, c := range cmds {
		for _, t := range c.Reads() {
			for _, s := range logic.FreeVars(t) {
				if v := tab[s]; v != nil {
					a.Reads[v] = true
				}
			}
		}
		if c.Kind != Assume {
			a.Writes[c.Var] = true
		}
	}
	return a
}

// ThreadAccess returns what the steps of a thread read and write.
func (tab SymTable) ThreadAccess(t *Thread) Access {
	a := Access{map[*Var]bool{}, map[*Var]bool{}}
	t.Edges(func(e *Edge) {
		step := tab.CmdAccess(e.Cmds)
		maps.Copy(a.Reads, step.Reads)
		maps.Copy(a.Writes, step.Writes)
	})
	return a
}
