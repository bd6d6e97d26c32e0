package pointsto

import "comus/cir"

// Context tells copies of a function apart: by the call that the copy is for, nil for functions that have one copy only. For functions of the
// library it is the call in the program's own code.
type Context struct {
	Call *cir.Call
	// Up is the context of the function with the call, if that is a wrapper of allocators and counts, too. Those that are equal are the same.
	Up *Context
}

// Outer returns the call that began a chain of wrappers, nil if there is none.
func (c Context) Outer() *cir.Call {
	for c.Up != nil {
		c = *c.Up
	}
	return c.Call
}

// A wrapper has a copy for each call of it. What it calls itself to get memory has one for each of these copies, or else all that is
// allocated by way of the wrapper would be one object. That is bounded: wrappers may call each other, in cycles, too.
const (
	maxChains = 400 // of calls that lead to a wrapper which calls a function of the library
	maxNested = 40  // … which calls another one
	// maxPointers is of calls through pointers in the program: where there are more, and one of its functions is known outside, each call of
	// a hook may be one of it, so a wrapper has one copy for all of these.
	maxPointers = 40
)

// chains counts, for each wrapper, the chains of calls by wrappers that lead to it: its copies.
type chains struct {
	wrappers map[*cir.Func]bool
	sites    map[*cir.Func]map[*cir.Func]int // who calls a wrapper by its name, how often
	count    map[*cir.Func]int
	pointers int // calls through pointers, anywhere
}

func newChains(p *cir.Program, wrappers map[*cir.Func]bool) *chains {
	c := &chains{wrappers: wrappers, sites: map[*cir.Func]map[*cir.Func]int{}, count: map[*cir.Func]int{}}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				g, ok := call.Callee.(*cir.Func)
				switch {
				case !ok:
					c.pointers++
				case wrappers[g]:
					if c.sites[g] == nil {
						c.sites[g] = map[*cir.Func]int{}
					}
					c.sites[g][f]++
				}
			}
		}
	}
	return c
}

// of counts the chains that lead to a wrapper; there are too many if it may call itself.
func (c *chains) of(f *cir.Func) int {
	const tooMany = maxChains + 1
	if n, ok := c.count[f]; ok {
		return n
	}
	c.count[f] = tooMany
	n := 0
	for g, times := range c.sites[f] {
		k := 1
		if c.wrappers[g] && !g.Library {
			if k = c.of(g); k > maxNested {
				k = 1
			}
		}
		n = min(n+times*k, tooMany)
	}
	if c.recursive(f) {
		n = tooMany
	}
	c.count[f] = n
	return n
}

// recursive reports whether a wrapper may call itself by way of wrappers.
func (c *chains) recursive(f *cir.Func) bool {
	seen := map[*cir.Func]bool{}
	work := []*cir.Func{f}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		for h := range c.sites[g] {
			if h == f {
				return true
			}
			if c.wrappers[h] && !seen[h] {
				seen[h] = true
				work = append(work, h)
			}
		}
	}
	return false
}

// follow reports whether the copies of a function that a wrapper calls are told apart by those of the wrapper, too.
func (c *chains) follow(wrapper, callee *cir.Func) bool {
	if wrapper.Library || !c.wrappers[wrapper] || !c.wrappers[callee] {
		return false
	}
	if callee.Library {
		return c.of(wrapper) <= maxChains
	}
	return c.of(wrapper) <= maxNested
}

// callContext returns the context of a function called in a copy of another one.
func (a *analysis) callContext(f *cir.Func, ctx Context, call *cir.Call, callee *cir.Func) Context {
	if ctx.Call != nil && f.Library {
		return ctx
	}
	if call == nil { // what the end of the program calls
		return Context{}
	}
	if _, named := call.Callee.(*cir.Func); !named {
		if a.open && callee != nil && !callee.Library && a.chains.pointers > maxPointers {
			return Context{}
		}
		return Context{Call: call} // chains are counted by names: through a pointer a wrapper may get at itself, and then without end
	}
	if !a.open || ctx.Call == nil || callee == nil || !a.chains.follow(f, callee) {
		return Context{Call: call}
	}
	up := a.contexts[ctx]
	if up == nil {
		up = &ctx
		a.contexts[ctx] = up
	}
	return Context{call, up}
}
