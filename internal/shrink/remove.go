package shrink

import (
	"slices"
	"strings"
)

// names takes out everything about a name, or about a thread: its function, its
// creation and its join.
func (s *shrinker) names() {
	var groups [][]string
	seen := map[string]bool{}
	for _, n := range all(s.root) {
		if i := slices.Index(n.head, "pthread_create"); i >= 0 && !n.hasBody {
			groups = append(groups, threadNames(n.head[i:]))
		}
	}
	for _, n := range all(s.root) {
		for _, t := range slices.Concat(n.head, n.tail) {
			if isName(t) && !seen[t] {
				seen[t] = true
				groups = append(groups, []string{t})
			}
		}
	}
	for _, g := range groups {
		for _, constant := range []string{"", "0", "1"} {
			old := s.root
			s.root = without(s.root, g, constant)
			if s.keep() {
				break
			}
			s.root = old
		}
	}
}

// threadNames returns the names of a thread and its function in pthread_create(&t,
// attr, f, arg);
func threadNames(call []string) []string {
	var out []string
	for i, t := range call[1:] {
		if before := call[i]; isName(t) && (before == "&" || before == ",") && !strings.HasPrefix(t, "NULL") {
			out = append(out, t)
		}
	}
	return out
}

// without returns a copy of the list that does not mention the names. Statements
// that do go, or, if a constant is given, only those that change or declare a
// variable, and the constant stands for it elsewhere. What has a body keeps it.
func without(l []*node, names []string, constant string) []*node {
	var out []*node
	for _, n := range l {
		c := *n
		c.body, c.orElse = without(n.body, names, constant), without(n.orElse, names, constant)
		if constant != "" && !library(n) && !changes(n.head, names) && !changes(n.tail, names) {
			c.head, c.tail = replace(n.head, names, constant), replace(n.tail, names, constant)
			out = append(out, &c)
			continue
		}
		switch {
		case !mentions(n.head, names) && !mentions(n.tail, names):
			out = append(out, &c)
		case n.statement():
			out = append(out, c.body...)
			out = append(out, c.orElse...)
		}
	}
	return out
}

func mentions(tokens, names []string) bool {
	return slices.ContainsFunc(tokens, func(t string) bool { return slices.Contains(names, t) })
}

// changes reports whether tokens declare, assign or call one of the names, or take
// its address.
func changes(tokens, names []string) bool {
	for i, t := range tokens {
		if !slices.Contains(names, t) {
			continue
		}
		before, after := "", ""
		if i > 0 {
			before = tokens[i-1]
		}
		if i+1 < len(tokens) {
			after = tokens[i+1]
		}
		assigned := strings.HasSuffix(after, "=") && !slices.Contains([]string{"==", "!=", "<=", ">="}, after)
		if assigned || before == "&" || before == "*" || before == "++" || before == "--" || after == "++" || after == "--" ||
			after == "(" || after == "[" || isWord(before) && before != "return" {
			return true
		}
	}
	return false
}

func replace(tokens, names []string, by string) []string {
	out := slices.Clone(tokens)
	for i, t := range out {
		if slices.Contains(names, t) {
			out[i] = by
		}
	}
	return out
}

// partners are the ends of the names of calls that belong together.
var partners = [][2]string{
	{"lock", "unlock"}, {"begin", "end"}, {"wait", "post"}, {"create", "join"}, {"init", "destroy"},
}

// pairs takes out two calls of the same list that belong together, like a lock and
// its unlock.
func (s *shrinker) pairs() {
	s.each(func(l []*node, set func([]*node)) []*node {
		for i := 0; i < len(l); i++ {
			for j := i + 1; j < len(l); j++ {
				if !together(l[i], l[j]) {
					continue
				}
				smaller := slices.Concat(l[:i], l[i+1:j], l[j+1:])
				if set(smaller); s.keep() {
					l, j = smaller, i
					continue
				}
				set(l)
			}
		}
		return l
	})
}

// together reports whether a and b are calls that belong together.
func together(a, b *node) bool {
	if a.hasBody || b.hasBody {
		return false
	}
	f, g := first(a.head), first(b.head)
	return slices.ContainsFunc(partners, func(p [2]string) bool {
		return strings.HasSuffix(f, p[0]) && strings.HasSuffix(g, p[1])
	})
}

// structure puts bodies in the place of their statements, with the start of a for
// before it, and takes out else branches.
func (s *shrinker) structure() {
	s.each(func(l []*node, set func([]*node)) []*node {
		for i := 0; i < len(l); i++ {
			n := l[i]
			if !n.statement() {
				continue
			}
			candidates := [][]*node{n.body, n.orElse}
			if first(n.head) == "for" {
				if k := slices.Index(n.head, ";"); k > 2 {
					start := &node{head: slices.Clone(n.head[2 : k+1])}
					candidates = append(candidates, append([]*node{start}, n.body...))
				}
			}
			if n.hasElse {
				c := *n
				c.hasElse, c.orElse = false, nil
				candidates = append(candidates, []*node{&c})
			}
			for _, c := range candidates {
				smaller := slices.Concat(l[:i], c, l[i+1:])
				if set(smaller); s.keep() {
					l, i = smaller, i-1
					break
				}
				set(l)
			}
		}
		return l
	})
}
