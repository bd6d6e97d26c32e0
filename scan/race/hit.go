package race

import (
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// hits are what an instruction of a node accesses of what threads share, whichever thread runs it.
type hits struct {
	access *access
	list   []hit
}

// hit is one access by an instruction, of one or several objects.
type hit struct {
	ptr cir.Value
	// size is how many bytes are accessed from there on, -1: not known; far: not only from there on.
	size int64
	far  bool
	// object: all of it. listed is the object, if it is accessed through what follows a format.
	object bool
	listed *pointsto.Object
	to     []target
}

// known returns how many bytes are accessed from the pointer on, and none beside them; -1: that is not known.
func (h *hit) known() int64 {
	if h.far {
		return -1
	}
	return h.size
}

// target is where an access goes, and what is known of any thread's.
type target struct {
	pool *pool
	kind kind
	what what
}

// what tells what of an object is accessed.
type what uint8

const (
	memory       what = iota // bytes of it
	life                     // whether it still is there
	libraryState             // state of the library that it is part of
)

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
	c.eachAim(n, in, func(a aim) {
		none, atomic := inside(n.Fn, &a.touch)
		if none {
			return
		}
		if a.format != nil {
			a.write = c.stores(n, a.format)
		}
		h := hit{ptr: a.ptr, size: a.size, far: a.span != bytes && a.span != object, object: a.span == object, listed: a.key.only}
		of := memory
		if a.frees {
			of = life
		}
		if a.span == object {
			h.size = -1
		}
		own := !h.far && c.owner.owns(n, in, a.ptr) // what can be reached from an owned object is another question
		k := kind{write: a.write, atomic: a.atomic || atomic || c.inSection(n, in), scalar: a.scalar, own: own,
			sync: n.Fn.Library && atomic, relaxed: isRelaxed(in)}
		d := c.destinationsOf(a)
		unscaled := k
		unscaled.scalar = false
		h.add(d.parts, k, of)
		h.add(d.all, unscaled, of)
		h.add(d.lives, kind{atomic: true, sync: k.sync, own: k.own}, life)
		h.add(d.owners, kind{write: k.write}, libraryState)
		if len(h.to) == 0 {
			return
		}
		if all[in] == nil {
			all[in] = &hits{access: c.newAccess(n, in)}
		}
		all[in].list = append(all[in].list, h)
	})
}

// maxListed bounds the objects that are told apart of those which a printf reads.
const maxListed = 8

// eachAim calls f for what an instruction of a node accesses, object by object where it follows a format, as each argument may be another thread's.
func (c *collector) eachAim(n *thread.Node, in cir.Located, f func(aim)) {
	c.eachTouch(n, in, func(t touch) {
		a := c.aimOf(n, t)
		var of []*pointsto.Object
		if t.span == listed && c.rules.rules != nil {
			for _, id := range c.objectsAt(a).AppendTo(nil) {
				of = append(of, c.pts.Objects[id])
			}
		}
		if len(of) == 0 || len(of) > maxListed {
			f(a)
			return
		}
		for _, o := range of {
			a.key.only = o
			f(a)
		}
	})
}

// add adds a pool, which may be nil, to those of an access.
func (h *hit) add(p *pool, k kind, of what) {
	if p != nil {
		h.to = append(h.to, target{p, k, of})
	}
}

// destinations are the pools that an access goes to; nil for those without destinations.
type destinations struct {
	parts, all *pool // bytes of objects that several threads access, and all of such
	lives      *pool // whether these are still there
	owners     *pool // the hidden state of the library that objects are part of
}

// destinationsOf returns where accesses go.
func (c *collector) destinationsOf(a aim) *destinations {
	d := c.aims[a.key]
	if d != nil {
		return d
	}
	seen := map[destination]bool{}
	put := func(list *[]destination, to destination) {
		if !seen[to] {
			seen[to] = true
			*list = append(*list, to)
		}
	}
	var parts, all, lives, owners []destination
	c.resolve(a, func(o *pointsto.Object, x extent) {
		if librarys(o, a.key.library) {
			return
		}
		if owner := ownerOf(o, a.key.library); owner != "" {
			put(&owners, destination{slot: c.slot(place{state: owner}), x: everywhere})
		}
		c.outside = c.outside || o.External
		if !c.shared.Has(o.ID) {
			return
		}
		to := destination{c.slot(place{obj: o}), x, o}
		if a.frees {
			to.slot = c.slot(place{o, freed})
		}
		if x == everywhere {
			put(&all, to)
		} else {
			put(&parts, to)
		}
		if !a.frees && o.Freed {
			put(&lives, destination{c.slot(place{o, freed}), everywhere, o})
		}
	})
	d = &destinations{c.poolFor(parts), c.poolFor(all), c.poolFor(lives), c.poolFor(owners)}
	c.aims[a.key] = d
	return d
}
