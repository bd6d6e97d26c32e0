package barrier

// Phase is a set of numbers: those from Lo to Hi that have the remainder Rem when they are divided by Mod. A Mod of 0 is one number, Rem. The zero value is 0 alone.
type Phase struct{ Lo, Hi, Mod, Rem int64 }

const (
	infinite = int64(1) << 60
	wide     = 64 // bounds that still grow beyond are given up
)

var (
	anything = Phase{Hi: infinite, Mod: 1}
	nothing  = Phase{Lo: 1}
)

func exactly(n int64) Phase { return Phase{n, n, 0, n} }

func (p Phase) empty() bool { return p.Lo > p.Hi }

// or returns a set that has what either has.
func (p Phase) or(q Phase) Phase {
	switch {
	case p.empty() || p == q:
		return q
	case q.empty():
		return p
	}
	x := Phase{Lo: min(p.Lo, q.Lo), Hi: max(p.Hi, q.Hi), Mod: gcd(gcd(p.Mod, q.Mod), p.Rem-q.Rem)}
	if x.Hi > wide && p.Hi != q.Hi {
		x.Hi = infinite
	}
	return x.normal(p.Rem)
}

// plus returns a set that has the sums of what is in two sets.
func (p Phase) plus(q Phase) Phase {
	if p.empty() || q.empty() {
		return nothing
	}
	x := Phase{Lo: min(p.Lo+q.Lo, infinite), Hi: min(p.Hi+q.Hi, infinite), Mod: gcd(p.Mod, q.Mod)}
	return x.normal(p.Rem + q.Rem)
}

func (p Phase) normal(rem int64) Phase {
	if p.Rem = rem; p.Mod > 0 {
		p.Rem = ((rem % p.Mod) + p.Mod) % p.Mod
	}
	return p
}

// apart reports whether two sets have nothing in common.
func (p Phase) apart(q Phase) bool {
	if p.empty() || q.empty() || p.Hi < q.Lo || q.Hi < p.Lo {
		return true
	}
	m := gcd(p.Mod, q.Mod)
	if m == 0 {
		return p.Rem != q.Rem
	}
	return (p.Rem-q.Rem)%m != 0
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}
