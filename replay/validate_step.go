package replay

import (
	"fmt"
	"math/big"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// run returns the state after a step of a thread, which is part of a unit of the run; nil if it cannot be taken there.
func (f *follower) run(c *config, t int, e *ir.Edge, u *unit) *config {
	if f.work--; f.work%64 == 0 && f.ctx.Err() != nil {
		f.work = 0
	}
	next := &config{slices.Clone(c.locs), slices.Clone(c.vals), slices.Clone(c.open), c.irOf, c.used, c.steps}
	next.locs[t] = e.To
	if f.info[e].noticed {
		next.steps++
	}
	for _, cmd := range e.Cmds {
		if !f.command(next, t, e, cmd, u) {
			return nil
		}
	}
	return next
}

// command performs a command; it reports whether it can be.
func (f *follower) command(c *config, t int, e *ir.Edge, cmd ir.Cmd, u *unit) bool {
	switch cmd.Kind {
	case ir.Assume:
		v, known := f.eval(c, cmd.Cond)
		f.guessed = f.guessed || !known
		return !known || v.Bool()
	case ir.Havoc:
		f.havoc(c, t, cmd, u)
		return true
	}
	v, known := f.eval(c, cmd.Expr)
	if known && !cmd.Var.Type.Contains(v) {
		f.read = fmt.Sprintf("assigns %s, which is none of its values, to %s", v, cmd.Var.Name)
		return false
	}
	i := cmd.Var.Index
	c.vals[i], c.open[i] = v, !known
	if from, ok := f.reading(cmd); ok && f.choices(e)[from] {
		return true
	}
	return f.reads(c, cmd, u, v, known)
}

// havoc gives a variable the value that the run had, if that is known.
func (f *follower) havoc(c *config, t int, cmd ir.Cmd, u *unit) {
	i := cmd.Var.Index
	c.open[i] = true
	if cmd.Origin == 0 && t == 0 && f.isArgc(cmd) {
		c.vals[i], c.open[i] = logic.IntValue(1), false // the run has the program's name
		return
	}
	if cmd.Input == "" {
		return
	}
	k := inputKey{u.thread, cmd.Origin}
	had := f.trace.inputs[k]
	n := c.used[k]
	if n >= len(had) || had[n].value.Type.IsFloat() {
		return
	}
	used := map[inputKey]int{}
	for k, n := range c.used {
		used[k] = n
	}
	used[k], c.used = n+1, used
	if v := valueOf(had[n], cmd.Var.Type); cmd.Var.Type.Contains(v) {
		c.vals[i], c.open[i] = v, false
	}
}

// isArgc reports whether a command is the first of main: it gives the number of arguments.
func (f *follower) isArgc(cmd ir.Cmd) bool {
	entry := f.prog.Threads[0].Entry
	return len(entry.Out) > 0 && len(entry.Out[0].Cmds) > 0 && entry.Out[0].Cmds[0].Var == cmd.Var && entry.Out[0].Cmds[0].Kind == ir.Havoc
}

// valueOf returns the result of an instruction as a value of a type.
func valueOf(h happening, typ ir.Type) logic.Value {
	b := new(big.Int).SetUint64(h.value.Hi)
	b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(h.value.Lo))
	mod := new(big.Int).Lsh(big.NewInt(1), uint(typ.Bits))
	b.Mod(b, mod)
	if typ.Signed && b.Bit(typ.Bits-1) == 1 {
		b.Sub(b, mod)
	}
	return logic.BigValue(b)
}

// reads compares what a step reads of memory with what the run read there; it reports whether that is the same. What was not known is known then.
func (f *follower) reads(c *config, cmd ir.Cmd, u *unit, v logic.Value, known bool) bool {
	from, ok := f.tab[cmd.Expr]
	h := u.has(cmd.Origin)
	if !ok || from.Thread != ir.Shared || isAsking(from) || h == nil || h.any {
		return true
	}
	var typ cir.Type
	switch in := h.of.(type) {
	case *cir.Load:
		if in.Bits != nil || several(u, cmd.Origin) || f.chosen[cmd.Origin] {
			return true
		}
		typ = in.Type
	default:
		return true
	}
	switch {
	case typ.IsPointer():
		if known && v.Bool() == h.value.IsNull() {
			f.read = fmt.Sprintf("reads %s of %s, where the run reads %s", nullness(v.Bool()), from.Name, nullness(!h.value.IsNull()))
			return false
		}
	case typ.IsFloat() || typ.Bits != cmd.Var.Type.Bits:
	case !known:
		w := valueOf(*h, cmd.Var.Type)
		c.vals[cmd.Var.Index], c.open[cmd.Var.Index] = w, false
		if from.Type == cmd.Var.Type {
			c.vals[from.Index], c.open[from.Index] = w, false
		}
	case valueOf(*h, cmd.Var.Type) != v && !h.isAddress():
		f.read = fmt.Sprintf("reads %s of %s, where the run reads %s", v, from.Name, valueOf(*h, cmd.Var.Type))
		return false
	}
	return true
}

// several reports whether a unit performs an instruction more than once.
func several(u *unit, n int) bool {
	k := 0
	for _, h := range u.list {
		if h.n == n {
			k++
		}
	}
	return k > 1
}

// isAddress reports whether a value may be made of an address, of which ir has others.
func (h happening) isAddress() bool { return h.value.Lo>>32 != 0 }

func nullness(set bool) string {
	if set {
		return "an address"
	}
	return "null"
}

// eval returns the value of a term, if all that it depends on is known.
func (f *follower) eval(c *config, x *logic.Term) (logic.Value, bool) {
	vars, ok := f.vars[x]
	if !ok {
		for _, s := range logic.FreeVars(x) {
			vars = append(vars, f.tab[s])
		}
		f.vars[x] = vars
	}
	known := true
	for _, v := range vars {
		known = known && !c.open[v.Index]
	}
	if !known {
		return logic.Value{}, false
	}
	return logic.Eval(x, func(s *logic.Term) logic.Value { return c.vals[f.tab[s].Index] }), true
}
