package shrink

import (
	"slices"
	"strconv"
	"strings"
)

// expressions makes the heads and tails of all statements simpler, but for calls
// about threads and locks: to put constants there makes no program.
func (s *shrinker) expressions() {
	for _, n := range all(s.root) {
		if n.hasBody && !n.statement() || library(n) {
			continue
		}
		s.simplify(&n.head)
		s.simplify(&n.tail)
	}
}

// library reports whether n calls a function about threads, locks or semaphores.
func library(n *node) bool {
	f := first(n.head)
	return !n.hasBody && len(n.head) > 1 && n.head[1] == "(" && (strings.HasPrefix(f, "pthread_") || strings.HasPrefix(f, "sem_"))
}

// simplify tries the simpler forms of some tokens until none is left that fails.
func (s *shrinker) simplify(tokens *[]string) {
	for i := 0; i < len(*tokens); i++ {
		old := *tokens
		for _, c := range simpler(old, i) {
			if *tokens = c; s.keep() {
				i--
				break
			}
			*tokens = old
		}
	}
}

// binary are operators between two operands, one of which is enough.
var binary = []string{"&&", "||", "+", "-", "*", "/", "%", "&", "|", "^", "==", "!=", "<", ">", "<=", ">=", "<<", ">>", ","}

// simpler returns what tokens can be made into at index i, each of them with fewer
// tokens, names or larger numbers than before, so that it ends.
func simpler(tokens []string, i int) [][]string {
	var out [][]string
	put := func(from, to int, by ...string) {
		out = append(out, slices.Concat(tokens[:from], by, tokens[to:]))
	}
	switch t := tokens[i]; {
	case t == "(" || t == "{" || t == "[":
		end := closing(tokens, i)
		if end < 0 {
			break
		}
		if end > i+2 && t != "[" {
			put(i+1, end, "0")
			put(i+1, end, "1")
		}
		if t == "[" {
			put(i, end+1)
		}
		start := i
		if i > 0 && isName(tokens[i-1]) {
			start = i - 1
		}
		put(start, end+1, "0")
		put(start, end+1, "1")
		put(i, end+1, tokens[i+1:end]...)
	case t == "=" && i+2 < len(tokens)-1: // an initial value or a value
		put(i+1, len(tokens)-1, "0")
		put(i+1, len(tokens)-1, "1")
	case t == "=":
		put(i, len(tokens)-1)
	case t == "?":
		out = append(out, branches(tokens, i)...)
	case slices.Contains(binary, t) && i > 0 && (isNumber(tokens[i-1]) || isName(tokens[i-1]) || tokens[i-1] == ")" || tokens[i-1] == "]"):
		// Without the operator and what is to one side, near or as far as it goes.
		for _, to := range operandEnds(tokens, i) {
			put(i, to)
		}
		for _, from := range operandStarts(tokens, i) {
			put(from, i+1)
		}
	case t == "!" || t == "++" || t == "--" || t == "static" || t == "const" || t == "volatile" || t == "unsigned":
		put(i, i+1)
	case isNumber(t):
		n, err := strconv.Atoi(t)
		for _, k := range []int{0, 1, 2, n / 2, n - 1} {
			if err == nil && k >= 0 && k < n {
				put(i, i+1, strconv.Itoa(k))
			}
		}
	case isName(t):
		put(i, i+1, "0")
		put(i, i+1, "1")
	}
	return out
}

// branches returns tokens with one branch of the conditional expression at the
// question mark at i alone.
func branches(tokens []string, i int) [][]string {
	colon := i
	for colon < len(tokens) && tokens[colon] != ":" {
		colon++
	}
	if colon == len(tokens) {
		return nil
	}
	start, end := farthest(operandStarts(tokens, i), i), farthest(operandEnds(tokens, colon), colon)
	return [][]string{
		slices.Concat(tokens[:start], tokens[i+1:colon], tokens[end:]),
		slices.Concat(tokens[:start], tokens[colon+1:end], tokens[end:]),
	}
}

func farthest(ends []int, none int) int {
	if len(ends) == 0 {
		return none
	}
	return ends[0]
}

// stops are where an expression ends at the latest.
var stops = []string{";", ",", "=", "return", "?", ":"}

// operandEnds returns where the expression behind the operator at i may end: where
// all of it does, and where its first operand does.
func operandEnds(tokens []string, i int) []int {
	var out []int
	near := -1
	j := i + 1
	for ; j < len(tokens); j++ {
		t := tokens[j]
		if t == ")" || t == "]" || t == "}" || slices.Contains(stops, t) {
			break
		}
		if near < 0 && j > i+1 && slices.Contains(binary, t) {
			near = j
		}
		if t == "(" || t == "[" || t == "{" {
			if j = closing(tokens, j); j < 0 {
				return nil
			}
		}
	}
	out = append(out, min(j, len(tokens)))
	if near >= 0 {
		out = append(out, near)
	}
	return out
}

// operandStarts is operandEnds for the expression before the operator.
func operandStarts(tokens []string, i int) []int {
	var out []int
	near, depth := -1, 0
	j := i - 1
	for ; j >= 0; j-- {
		t := tokens[j]
		switch {
		case t == ")" || t == "]" || t == "}":
			depth++
		case t == "(" || t == "[" || t == "{":
			depth--
		}
		if depth < 0 || depth == 0 && slices.Contains(stops, t) {
			break
		}
		if near < 0 && depth == 0 && slices.Contains(binary, t) {
			near = j + 1
		}
	}
	out = append(out, j+1)
	if near >= 0 {
		out = append(out, near)
	}
	return out
}
