package shrink

import (
	"slices"
	"strings"
)

// wellFormed reports whether every list of statements releases the locks that it
// takes, the last one first, and no others, and only those threads are waited for
// that are created somewhere.
func wellFormed(root []*node) bool {
	var created, joined []string
	for _, n := range all(root) {
		switch {
		case n.hasBody && (!bracketed(n.body) || !bracketed(n.orElse)):
			return false
		case n.hasBody || len(n.head) < 4:
		case n.head[0] == "pthread_create" && n.head[2] == "&":
			created = append(created, n.head[3])
		case n.head[0] == "pthread_join" && isName(n.head[2]):
			joined = append(joined, n.head[2])
		}
	}
	return !slices.ContainsFunc(joined, func(t string) bool { return !slices.Contains(created, t) })
}

// bracketed reports whether the locks of the list are in order.
func bracketed(l []*node) bool {
	var held []string
	for _, n := range l {
		f := first(n.head)
		if n.hasBody || len(n.head) < 2 || n.head[1] != "(" {
			continue
		}
		what := strings.Join(n.head[1:], " ")
		switch {
		case strings.HasSuffix(f, "_unlock") || strings.HasSuffix(f, "atomic_end"):
			if len(held) == 0 || held[len(held)-1] != what {
				return false
			}
			held = held[:len(held)-1]
		case strings.HasSuffix(f, "_lock") || strings.HasSuffix(f, "atomic_begin"):
			held = append(held, what)
		}
	}
	return len(held) == 0
}
