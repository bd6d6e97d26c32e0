package shrink

import "slices"

// maxTries bounds how many candidates are tried, those that are no programs
// included.
const maxTries = 6000

// Shrink returns a program as small as it can get from src by taking out
// statements, declarations, threads, variables, locks, loops and parts of
// expressions while fails holds. It never returns a text for which fails does not
// hold, if it holds for src. Nor does it release a lock without taking it or wait for a
// thread that nobody creates, if src does not. It asks fails some thousand times at most, about texts
// that may be no programs; if fails is a function of its text, so is Shrink.
func Shrink(src string, fails func(src string) bool) string {
	root, ok := parse(src)
	if !ok {
		return src
	}
	s := &shrinker{root: root, fails: fails, tried: map[string]bool{}, best: src}
	if start := s.text(); start != src && !fails(start) {
		return src
	}
	s.best, s.strict = s.text(), wellFormed(root)
	for again := true; again && len(s.tried) < maxTries; {
		before := s.best
		s.names()
		s.root = s.list(s.root, func(l []*node) { s.root = l })
		s.pairs()
		s.structure()
		s.expressions()
		again = s.best != before
	}
	return s.best
}

// shrinker is the state of one Shrink.
type shrinker struct {
	root  []*node
	fails func(string) bool
	tried map[string]bool // the candidates so far
	best  string
	// strict tells to keep locks and threads in order.
	strict bool
}

func (s *shrinker) text() string { return text(s.root) }

// keep asks whether the program still fails as the tree is now. If not, the caller
// has to put back what it changed.
func (s *shrinker) keep() bool {
	src := s.text()
	if src == s.best || s.tried[src] || len(s.tried) >= maxTries {
		return false
	}
	s.tried[src] = true
	if s.strict && !wellFormed(s.root) || !s.fails(src) {
		return false
	}
	s.best = src
	return true
}

// list removes what it can from a list of nodes, large parts first, then from the
// lists inside. It puts each candidate in place with set and returns the final list.
func (s *shrinker) list(l []*node, set func([]*node)) []*node {
	for size := len(l); size > 0; size /= 2 {
		for i := 0; i < len(l); {
			end := min(i+size, len(l))
			smaller := slices.Concat(l[:i], l[end:])
			set(smaller)
			if s.keep() {
				l = smaller
			} else {
				set(l)
				i = end
			}
		}
	}
	for _, n := range l {
		n.body = s.list(n.body, func(b []*node) { n.body = b })
		n.orElse = s.list(n.orElse, func(b []*node) { n.orElse = b })
	}
	return l
}

// walk calls f for each list of nodes, the outer ones first, with a function that
// replaces it. f has to return the list that is there afterwards.
func walk(l []*node, set func([]*node), f func(l []*node, set func([]*node)) []*node) {
	for _, n := range f(l, set) {
		if n.hasBody {
			walk(n.body, func(b []*node) { n.body = b }, f)
			walk(n.orElse, func(b []*node) { n.orElse = b }, f)
		}
	}
}

// each calls f for each list of the program.
func (s *shrinker) each(f func(l []*node, set func([]*node)) []*node) {
	walk(s.root, func(l []*node) { s.root = l }, f)
}

// all returns every node of the list and below.
func all(l []*node) []*node {
	var out []*node
	for _, n := range l {
		out = append(out, n)
		out = append(out, all(n.body)...)
		out = append(out, all(n.orElse)...)
	}
	return out
}
