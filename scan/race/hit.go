package race

import (
	"comus/cir"
	"comus/scan/points"
	"comus/scan/thread"
)

// hits are what an instruction of a node accesses of what threads share, whichever thread runs it.
type hits struct {
	access *access
	list   []hit
}

// hit is one access by an instruction, of one or several objects.
type hit struct {
	ptr   cir.Value
	frees bool
	group group // with what is known of any thread's
	to    []target
}

// target is bytes of an object that may be accessed.
type target struct {
	x extent
	// obj is what several threads access, slot and freed its places; nil: only the owner is accessed.
	obj         *points.Object
	slot, freed *slot
	owner       *slot // hidden state of the library that the object is part of; nil: none
}

// hitsOf returns what the instructions of a node access.
func (c *collector) hitsOf(n *thread.Node) map[cir.Located]*hits {
	all := map[cir.Located]*hits{}
	for _, b := range n.Fn.Blocks {
		for _, in := range b.Instrs {
			c.findHits(all, n, in)
		}
		c.findHits(all, n, b.Term)
	}
	return all
}

func (c *collector) findHits(all map[cir.Located]*hits, n *thread.Node, in cir.Located) {
	c.eachTouch(n, in, func(a touch) {
		none, atomic := inside(n.Fn, a.write)
		if none {
			return
		}
		if a.format != nil {
			a.write = c.stores(n, a.format)
		}
		h := hit{ptr: a.ptr, frees: a.frees}
		c.resolve(n, a, func(o *points.Object, x extent) {
			if librarys(o, n.Fn) {
				return
			}
			to := target{x: x}
			if owner := ownerOf(o, n.Fn); owner != "" {
				to.owner = c.slot(place{state: owner})
			}
			if c.shared.Has(o.ID) {
				to.obj, to.slot, to.freed = o, c.slot(place{obj: o}), c.slot(place{o, freed})
			}
			if to.obj != nil || to.owner != nil {
				h.to = append(h.to, to)
			}
		})
		if len(h.to) == 0 {
			return
		}
		h.group = group{write: a.write, atomic: a.atomic || atomic || c.inSection(n, in), scalar: a.scalar, own: c.owner.owns(n, in, a.ptr),
			sync: n.Fn.Library && atomic, relaxed: isRelaxed(in)}
		if all[in] == nil {
			all[in] = &hits{access: &access{n, in, n.Site(in)}}
		}
		all[in].list = append(all[in].list, h)
	})
}
