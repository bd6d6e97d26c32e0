package cfront

import (
	"slices"
	"strings"

	"comus/ir"

	"modernc.org/cc/v4"
)

// mergeIntegers prepares flows for meeting: pointers that hold different integers
// on them are put into variables.
func (b *lowerer) mergeIntegers(n cc.Node, flows []*flow) []*flow {
	var cells []*cell
	for c := range flows[0].ptrs {
		if b.differentIntegers(c, flows) {
			cells = append(cells, c)
		}
	}
	if len(cells) == 0 {
		return flows
	}
	slices.SortFunc(cells, func(c, d *cell) int { return strings.Compare(c.name, d.name) })
	for _, c := range cells {
		if c.v == nil {
			b.setCellVar(c, b.newVar(c.name, c.name, b.ptrInt, b.th.index))
		}
	}
	addresses := map[*cell]bool{}
	for _, c := range cells {
		addresses[c] = slices.ContainsFunc(flows, func(f *flow) bool { return f.ptrs[c].to != nil })
	}
	var out []*flow
	for _, f := range flows {
		b.cur = f.clone()
		var cmds []ir.Cmd
		for _, c := range cells {
			if v := b.cur.ptrs[c]; v.t != c.v.Sym {
				cmds = append(cmds, ir.AssignCmd(c.v, v.t))
				if _, constant := v.constant(); constant && v.to == nil && addresses[c] {
					v = b.inCell(c, targets{}) // no address, but no other number that is not known
				}
				b.bind(c, b.inCell(c, v.to))
			}
		}
		if len(cmds) > 0 {
			b.emit(n, "", cmds...)
		}
		out = append(out, b.cur)
	}
	b.cur = nil
	return out
}

// differentIntegers reports whether a pointer holds integers on all flows, but
// not the same one.
func (b *lowerer) differentIntegers(c *cell, flows []*flow) bool {
	same := true
	for _, f := range flows {
		v := f.ptrs[c]
		if v == nil || v.kind != vInt || v.it != b.ptrInt || len(v.side) > 0 {
			return false
		}
		if _, ok := v.constant(); !ok && (c.v == nil || v.t != c.v.Sym) {
			return false
		}
		same = same && v.t == flows[0].ptrs[c].t
	}
	return !same
}
