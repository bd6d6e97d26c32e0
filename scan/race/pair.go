package race

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/thread"
)

// Why tells what excludes races at a location; the values are those of package scan.
type Why uint8

// The reasons.
const (
	Suspected Why = iota
	ReadOnly
	Atomic
	Locked
	Ordered
	Own
	Apart
	Signalled
	Phased
	Transferred
	Assigned
	Counted
	Latched
	HandedOver
)

// Access is an access of a location by a thread.
type Access struct {
	In            cir.Located
	Node          *thread.Node
	Thread        *thread.Thread
	Site          *cir.Site // in the program's own code
	Write, Atomic bool
	Locks         []string
}

// Suspect is a pair of accesses that might be a race; A writes.
type Suspect struct {
	A, B         *Access
	Reason, Help string
	Rank         int
}

// verdict is what is known of the pairs of a segment.
type verdict struct {
	why      Why
	locks    []string
	suspects []Suspect
	more     bool // there are more than are listed
	seen     map[pairKey]bool
	// interrupts are accesses of handlers of signals and of threads that they may interrupt (interrupt.go).
	interrupts []Suspect
}

// maxSuspects bounds the pairs of places that are listed for a location.
const maxSuspects = 200

// judge looks at all pairs of groups of a segment.
func (c *collector) judge(s segment) verdict {
	v := verdict{seen: map[pairKey]bool{}}
	seen := map[Why]bool{}
	var names map[string]bool
	locked := 0
	for i, g := range s.groups {
		for _, h := range s.groups[i:] {
			switch why := c.pair(g, h); why {
			case Suspected:
				c.suspect(&v, g, h)
			case Ordered:
				seen[why] = true
				if c.interrupts(g, h) {
					v.interrupts = append(v.interrupts, interrupted(g, h))
				}
			case Locked:
				seen[why] = true
				if locked == 0 {
					names = map[string]bool{}
					for _, n := range c.common(g, h) {
						names[n] = true
					}
				} else if len(names) > 0 {
					all := c.common(g, h)
					maps.DeleteFunc(names, func(n string, _ bool) bool { return !slices.Contains(all, n) })
				}
				locked++
			default:
				seen[why] = true
			}
		}
	}
	v.seen = nil
	switch {
	case len(v.suspects) > 0:
		v.why = Suspected
	case seen[Locked]:
		v.why = Locked
	case seen[Atomic]:
		v.why = Atomic
	case seen[Assigned]:
		v.why = Assigned
	case seen[Signalled]:
		v.why = Signalled
	case seen[Latched]:
		v.why = Latched
	case seen[Phased]:
		v.why = Phased
	case seen[Transferred]:
		v.why = Transferred
	case seen[Counted]:
		v.why = Counted
	case seen[HandedOver]:
		v.why = HandedOver
	case seen[Apart]:
		v.why = Apart
	case seen[Own]:
		v.why = Own
	case seen[ReadOnly]:
		v.why = ReadOnly
	default:
		v.why = Ordered
	}
	for n := range names {
		v.locks = append(v.locks, n)
	}
	slices.Sort(v.locks)
	slices.SortStableFunc(v.suspects, func(x, y Suspect) int { return cmp.Compare(y.Rank, x.Rank) })
	return v
}

// pair tells why accesses of two groups, or two of one, are no race.
func (c *collector) pair(g, h *group) Why {
	switch {
	case c.threads.Single(), !c.threads.Concurrent(g.t, g.running, h.t, h.running):
		return Ordered
	case !g.write && !h.write:
		return ReadOnly
	case c.isTransferred(g, h): // before what is verified in fewer cases
		return Transferred
	case c.isCounted(g, h):
		return Counted
	case c.isHandedOver(g, h):
		return HandedOver
	case g.own && !c.owner.void[g.obj] || h.own && !c.owner.void[h.obj]:
		return Own
	case g.atomic && h.atomic:
		return Atomic
	case len(c.common(g, h)) > 0:
		return Locked
	case c.rules.apart(g, h):
		return Apart
	case c.rules.signalled(g, h):
		return Signalled
	case c.rules.latched(g, h):
		return Latched
	case c.rules.phased(g, h):
		return Phased
	case c.assigned(g, h):
		return Assigned
	case c.absent(g), c.absent(h):
		return Apart
	}
	return Suspected
}

// assigned reports whether two groups are assignments of handlers of signals to a volatile sig_atomic_t, which POSIX lets handlers do in whatever thread they run (XSH 2.4.3,
// and C11 7.14.1.1 in a program without threads).
func (c *collector) assigned(g, h *group) bool {
	flags := func(g *group) bool {
		return g.t.Delivers() && !slices.ContainsFunc(g.list(), func(a *access) bool { return a.node.Fn.Library || !cir.AssignsFlag(a.in) })
	}
	return flags(g) && flags(h)
}

// suspect adds the pairs of accesses of two groups, apart by their places.
func (c *collector) suspect(v *verdict, g, h *group) {
	if len(v.suspects) >= maxSuspects {
		v.more = true
		return
	}
	if !g.write {
		g, h = h, g
	}
	for i, a := range g.places() {
		from := h.places()
		if g == h {
			from = from[i:]
		}
		for _, b := range from {
			if len(v.suspects) >= maxSuspects {
				v.more = true
				return
			}
			key := pairKey{a.site, b.site, h.write}
			if v.seen[key] || h.write && v.seen[pairKey{b.site, a.site, true}] {
				continue
			}
			v.seen[key] = true
			x := Suspect{A: accessBy(g, a), B: accessBy(h, b)}
			x.Reason, x.Help, x.Rank = explain(g, h, x)
			v.suspects = append(v.suspects, x)
		}
	}
}

// pairKey is what a pair is for whoever reads the program: two places, of which the first one writes.
type pairKey struct {
	a, b  *cir.Site
	write bool // the second one, too
}

func accessBy(g *group, a *access) *Access {
	x := &Access{In: a.in, Node: a.node, Thread: g.t, Site: a.site, Write: g.write, Atomic: g.atomic}
	for _, l := range g.locks {
		x.Locks = append(x.Locks, LockName(l))
	}
	return x
}

// explain tells why a pair could not be excluded, and what would help; rank is higher for what is more likely real.
func explain(g, h *group, s Suspect) (reason, help string, rank int) {
	a, b := strings.Join(s.A.Locks, ", "), strings.Join(s.B.Locks, ", ")
	switch {
	case a == "" && b == "":
		reason, rank = "neither access holds a lock", 2
	case a == "" || b == "":
		reason, rank = "no common lock", 4
	case a == b:
		reason, rank = fmt.Sprintf("both hold %s, which may be different locks or be held for reading only", a), 1
	default:
		reason, rank = "no common lock", 3
	}
	if h.write {
		rank++
	}
	if s.A.Atomic != s.B.Atomic && !frees(s.A.In) {
		reason += "; only one of them is atomic"
		rank++
	}
	if g.scalar && h.scalar {
		rank += 2
	}
	if g.t.Signal || h.t.Signal {
		reason += "; a signal handler may run in any thread"
		help = "block the signal in the other threads, or use an atomic variable"
		rank--
	}
	for _, x := range []*Access{s.A, s.B} {
		if call, ok := x.In.(*cir.Call); ok && help == "" && x.Node.Outside(call) {
			help = "a body or a contract of the function that is called at " + placeOf(x.Site)
			rank--
		}
	}
	return reason, help, max(rank, 0)
}

// frees reports whether an access ends the life of an object: it matters then that the other one is made, and not how.
func frees(in cir.Located) bool {
	i, ok := in.(*cir.Intrinsic)
	return ok && (i.Op == cir.Free || i.Op == cir.Resize)
}

func placeOf(s *cir.Site) string {
	if s == nil {
		return "a place that is not known"
	}
	return s.Pos.String()
}
