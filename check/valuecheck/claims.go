package valuecheck

import (
	"fmt"

	"golang.org/x/tools/container/intsets"

	"comus/cir"
	"comus/scan/certificate"
)

// claim is what is claimed of a place: the beginning of a block, or the end of a function. It only gets weaker.
type claim struct {
	reached           bool
	regs, cells, held []entry
	locks             []int
	related           []*relation
	depth, result     set
	queued            bool
	open              map[*cir.Intrinsic]string // assertions in the block that are not confirmed, why
	undefined         map[cir.Instr]string      // arithmetic in the block that may have no meaning, why
	readers           map[blockKey]bool         // of an end: the blocks with calls that go on there
}

// flow is what is claimed of an activation while there is one thread, or while there may be more.
type flow struct {
	blocks []claim
	exit   claim
}

// activation is a copy of a function that is called in some way.
type activation struct {
	id, copy int
	fn       *cir.Func
	flows    [2]*flow // alone, among
	calls    map[callAt][]int
}

type callAt struct{ block, instr int }

// blockKey is a block of an activation: alone (0) or among (1).
type blockKey struct{ act, mode, block int }

const (
	alone = 0
	among = 1
)

// reader reads claims.
type reader struct {
	sets      map[string]set
	mem       *memory
	relations func([]int) []*relation
}

func (r *reader) set(text string) (set, error) {
	if s, ok := r.sets[text]; ok {
		return s, nil
	}
	s, err := read(text)
	if err == nil {
		r.sets[text] = s
	}
	return s, err
}

// optional reads a set that may be left out, for anything.
func (r *reader) optional(text string) (set, error) {
	if text == "" {
		return anything, nil
	}
	return r.set(text)
}

// entries reads what is claimed of some registers or cells. Those for which there is no use are left out.
func (r *reader) entries(list []certificate.ValueOf, use func(int) bool) ([]entry, error) {
	out := make([]entry, 0, len(list))
	for i, x := range list {
		if i > 0 && x.Of <= list[i-1].Of {
			return nil, fmt.Errorf("claims are not in order")
		}
		s, err := r.set(x.Is)
		if err != nil {
			return nil, err
		}
		if use(x.Of) && !s.any {
			out = append(out, entry{x.Of, s})
		}
	}
	return out, nil
}

func (r *reader) claim(a *activation, x *certificate.ValueState, mode int) (claim, error) {
	c := claim{depth: anything, result: anything}
	if x == nil {
		return c, nil
	}
	c.reached = true
	var err error
	if c.regs, err = r.entries(x.Regs, func(n int) bool { return n >= 0 && n < a.fn.NumRegs }); err != nil {
		return c, err
	}
	if c.cells, err = r.entries(x.Cells, func(n int) bool {
		d := r.mem.numbered(n)
		return d != nil && (mode == alone || d.own)
	}); err != nil {
		return c, err
	}
	if c.held, err = r.entries(x.Held, func(n int) bool {
		d := r.mem.numbered(n)
		return d != nil && mode == among && !d.own && d.once
	}); err != nil {
		return c, err
	}
	for _, l := range x.Locks {
		if l >= 0 && l < len(r.mem.locks) {
			c.locks = append(c.locks, l)
		}
	}
	c.related = r.relations(x.Related)
	if c.depth, err = r.optional(x.Depth); err != nil {
		return c, err
	}
	c.result, err = r.optional(x.Result)
	return c, err
}

// numbered returns the cell with a number, nil if there is none.
func (m *memory) numbered(n int) *cell {
	if n < 0 || n >= len(m.cells) {
		return nil
	}
	return m.cells[n]
}

func newFlow(f *cir.Func) *flow {
	x := &flow{blocks: make([]claim, len(f.Blocks))}
	for i := range x.blocks {
		x.blocks[i].weakest()
	}
	x.exit.weakest()
	return x
}

// weakest makes a claim one that says nothing but whether control gets there.
func (c *claim) weakest() {
	c.regs, c.cells, c.held, c.locks, c.related, c.depth, c.result = nil, nil, nil, nil, nil, anything, anything
}

// activation reads what is claimed of an activation.
func (r *reader) activation(p *program, x *certificate.ValueActivation, id int) (*activation, error) {
	if x.Copy < 0 || x.Copy >= len(p.copies) {
		return nil, fmt.Errorf("there is no copy %d of a function", x.Copy)
	}
	a := &activation{id: id, copy: x.Copy, fn: p.copies[x.Copy].Func, calls: map[callAt][]int{}}
	for mode, y := range []*certificate.ValueFlow{x.Alone, x.Among} {
		a.flows[mode] = newFlow(a.fn)
		if y == nil {
			continue
		}
		if len(y.Blocks) != len(a.fn.Blocks) {
			return nil, fmt.Errorf("%s has %d blocks, not %d", a.fn.Name, len(a.fn.Blocks), len(y.Blocks))
		}
		var err error
		for i, s := range y.Blocks {
			if a.flows[mode].blocks[i], err = r.claim(a, s, mode); err != nil {
				return nil, err
			}
		}
		if a.flows[mode].exit, err = r.claim(a, y.Exit, mode); err != nil {
			return nil, err
		}
	}
	for _, k := range x.Calls {
		a.calls[callAt{k.Block, k.Instr}] = k.To
	}
	return a, nil
}

// changes reads which cells the copies are claimed to change.
func changes(p *program, c *certificate.Values) []*intsets.Sparse {
	list := make([]*intsets.Sparse, len(p.copies))
	for i := range list {
		list[i] = &intsets.Sparse{}
		if i < len(c.Changes) {
			for _, n := range c.Changes[i] {
				if n >= 0 && n < len(c.Cells) {
					list[i].Insert(n)
				}
			}
		}
	}
	return list
}
