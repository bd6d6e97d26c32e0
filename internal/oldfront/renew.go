package cfront

import (
	"comus/ir"

	"modernc.org/cc/v4"
)

// renewMutexes makes the mutexes of an automatic variable new where control comes to
// its declaration once more: the variable is another one then, whose mutexes nobody
// holds, whatever became of the last one's. Other library objects get their values
// by their initialisation.
func (b *lowerer) renewMutexes(n cc.Node, o *object) {
	again := o.declared || b.mayRepeat()
	if !o.declared {
		o.declared = true
		b.record(func() { o.declared = false })
	}
	if !again {
		return
	}
	for _, c := range o.cells {
		if c.typ.kind != tMutex {
			continue
		}
		cmds := []ir.Cmd{ir.AssignCmd(c.v, b.L.Int(0))}
		if b.kindOf(c.v) != mutexDefault {
			d, _ := b.held(c.v)
			cmds = append(cmds, ir.AssignCmd(d, b.L.Int(0)))
		}
		b.settle(o.shared, c.v)
		b.emit(n, b.text(n), cmds...)
	}
}
