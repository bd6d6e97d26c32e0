package race

import (
	"context"
	"slices"
	"sort"

	"golang.org/x/tools/container/intsets"

	"comus/check/scancheck"
	"comus/cir"
	"comus/scan/lockset"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/scan/transfer"
)

// Location is a piece of memory that several threads access.
type Location struct {
	Name, Object, Type string
	Site               *cir.Site
	Why                Why
	Locks              []string
	Hidden             bool
	Accesses           []*Access
	Suspects           []Suspect
	More               bool // there may be more suspects than are listed
	// Interrupts are accesses of handlers of signals and of threads that they may interrupt, which are no races; A is the handler's.
	Interrupts []Suspect

	place   place
	segment segment
	by      *collector
}

// Result is what was found.
type Result struct {
	Locations []*Location
	Accesses  int // that were looked at
	// Outside tells that a thread accesses memory outside of the program, which is taken to be none of the program's objects.
	Outside bool
	// Handles tells that it is taken for granted that functions of the library are given objects of the library where they take such.
	Handles bool
	// Formats tells that some printf's format is not known, and taken to have no %n.
	Formats bool
	// Nowhere tells that what is accessed at an address which no pointer leads to, as one that is made of numbers, is taken to be no object.
	Nowhere bool
	Tickets bool // a counter from which numbers are drawn is taken not to begin anew
	Latches bool // so is a counter of threads

	transferred []*transfer.Proof
}

// Analyse looks for races. The error is that of ctx.
func Analyse(ctx context.Context, pts *pointsto.Result, threads *thread.Result, opts Options) (*Result, error) {
	c := &collector{pts: pts, threads: threads, holder: newHolder(pts, threads, opts.Locks), owner: &owner{escape: opts.Escape, void: map[*pointsto.Object]bool{}, news: map[*pointsto.Object]bool{}}, asked: map[spoilKey]bool{}, commons: map[lockPair][]string{}, rules: asked{opts.Rules, opts.CopyOf, map[*scancheck.Piece]int32{}}, spoilers: map[*lockset.Spoil][]spoiler{}, known: map[*pointsto.Object]bool{}, slots: map[place]*slot{}, pools: map[string]*pool{}, kinds: map[kindKey]*kind{}, running: map[string]int32{},
		prog: opts.Prog, transferred: map[*pointsto.Object]*transfer.Proof{},
		aims: map[aimKey]*destinations{}, touched: map[aimKey]*intsets.Sparse{}, depths: map[*cir.Func]map[cir.Located]bool{}, reach: map[*pointsto.Object]*intsets.Sparse{}, held: map[*pointsto.Object]*intsets.Sparse{}}
	if len(threads.Threads) == 0 {
		return &Result{}, ctx.Err()
	}
	c.findKnown()
	c.findShared()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.collect(ctx, opts.Done)
	c.rankKinds()
	r := &Result{}
	sort.SliceStable(c.order, func(i, j int) bool { return before(c.order[i].p, c.order[j].p) })
	all, err := c.judgeAll(ctx)
	if err != nil {
		return nil, err
	}
	found, err := c.findTransferred(ctx, all)
	if err != nil {
		return nil, err
	}
	found = c.findCounted(all) || found
	if c.findHandedOver(all) || found { // which may be of use for what is owned
		clear(c.owner.void)
		if all, err = c.judgeAll(ctx); err != nil {
			return nil, err
		}
		for _, s := range c.order {
			if p := c.transferred[s.p.obj]; p != nil && !slices.Contains(r.transferred, p) {
				r.transferred = append(r.transferred, p)
			}
		}
	}
	if all, err = c.settle(ctx, all); err != nil {
		return nil, err
	}
	r.Accesses, r.Handles, r.Outside, r.Formats, r.Nowhere = c.count, c.handles, c.outside, c.formats, c.nowhere
	if opts.Rules != nil {
		r.Tickets, r.Latches = opts.Rules.Wraps()
	}
	for _, s := range wholes(all) {
		r.Locations = append(r.Locations, c.location(s.p, s.segment, s.verdict))
	}
	return r, nil
}

// judged is a segment of a place with what is known of its pairs.
type judged struct {
	p place
	segment
	verdict
	back bool // its suspects have taken back ownership
}

// judgeAll looks at the segments of all places, again where ownership was taken back.
func (c *collector) judgeAll(ctx context.Context) ([]*judged, error) {
	var all []*judged
	c.count = 0
	for _, slot := range c.order {
		groups := c.groupsOf(slot)
		for _, g := range groups {
			for _, b := range g.bunches {
				c.count += len(b.list)
			}
		}
		if !several(groups) {
			continue
		}
		for _, s := range segments(groups) {
			if several(s.groups) && !s.library() {
				s.groups = c.coarser(s.groups)
				all = append(all, &judged{p: slot.p, segment: s})
			}
		}
	}
	for first := true; first || len(c.owner.news) > 0; first = false {
		news := c.owner.news
		c.owner.news = map[*pointsto.Object]bool{}
		for _, s := range all {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if first || s.owned(news) {
				s.verdict = c.judge(s.segment)
			}
		}
		for _, s := range all {
			if !s.back && (s.why == Suspected || c.relaxed(s.segment)) {
				s.back = true
				c.takeBack(s.p, s.segment)
			}
		}
	}
	return all, nil
}

// owned reports whether ownership of one of some objects matters for a segment.
func (s segment) owned(of map[*pointsto.Object]bool) bool {
	return slices.ContainsFunc(s.groups, func(g *group) bool { return g.own && of[g.obj] })
}

// suspected returns the objects of which there are suspects.
func suspected(all []*judged) map[*pointsto.Object]bool {
	objects := map[*pointsto.Object]bool{}
	for _, s := range all {
		if o := s.p.obj; s.why == Suspected && o != nil && (s.p.state == "" || s.p.state == freed) {
			objects[o] = true
		}
	}
	return objects
}

// before orders places: objects as package pointsto does, then the library's states by their names.
func before(p, q place) bool {
	switch {
	case p.obj != nil && q.obj != nil && p.obj != q.obj:
		return p.obj.ID < q.obj.ID
	case (p.obj == nil) != (q.obj == nil):
		return p.obj != nil
	}
	return p.state < q.state
}

// several reports whether accesses are made by several threads.
func several(groups []*group) bool {
	for _, g := range groups {
		if g.t.Many || g.t != groups[0].t {
			return true
		}
	}
	return false
}

// maxAccesses bounds the accesses that are listed for a location, one of each place in the program for each group.
const maxAccesses = 500

func (c *collector) location(p place, s segment, v verdict) *Location {
	l := &Location{Why: v.why, Locks: v.locks, Suspects: v.suspects, More: v.more, Hidden: p.obj == nil || p.state != "", place: p, segment: s, by: c}
	if l.Name, l.Type = nameOf(p, s); !l.Hidden {
		l.Interrupts = v.interrupts
	}
	l.Object = p.state
	if p.obj != nil {
		l.Object, l.Site = objectName(p.obj)
	}
	for _, g := range s.groups {
		for _, a := range g.places() {
			if len(l.Accesses) == maxAccesses {
				return l
			}
			l.Accesses = append(l.Accesses, accessBy(g, a))
		}
	}
	return l
}
