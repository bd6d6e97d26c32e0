package cfront

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"comus/ir"
)

// checkConditions refuses #if and #elif that compute with the value of &&: for cc's
// preprocessor it is that of the left operand instead of 1. It looks at the text of all files
// of the program, so it also refuses a few that are right.
func checkConditions(files map[string][]byte) error {
	c := &conditions{macros: map[string][]string{}, tainted: map[string]bool{}}
	var lines []condition
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		for _, m := range conditionLine.FindAllSubmatchIndex(text, -1) {
			toks := conditionToken.FindAllString(string(text[m[3]:lineEnd(text, m[3])]), -1)
			toks = slices.DeleteFunc(toks, func(t string) bool { return strings.HasPrefix(t, "/*") || strings.HasPrefix(t, "//") })
			if string(text[m[2]:m[3]]) != "define" {
				pos := ir.Pos{File: name, Line: 1 + strings.Count(string(text[:m[2]]), "\n"), Col: 1}
				lines = append(lines, condition{pos, toks})
			} else if len(toks) > 0 { // parameters are taken for a part of the body
				c.macros[toks[0]] = append(c.macros[toks[0]], toks[1:]...)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for name, body := range c.macros {
			if !c.tainted[name] && slices.ContainsFunc(body, c.taints) {
				c.tainted[name], changed = true, true
			}
		}
	}
	if len(c.tainted) == 0 && !slices.ContainsFunc(lines, func(l condition) bool { return slices.Contains(l.toks, "&&") }) {
		return nil
	}
	for _, l := range lines {
		if c.computes(l.toks, map[string]bool{}) {
			return errorf(l.pos, "unsupported: the value of && as a number in a condition of the preprocessor")
		}
	}
	return nil
}

// condition is the expression of an #if or #elif.
type condition struct {
	pos  ir.Pos
	toks []string
}

// conditions knows the macros of a program.
type conditions struct {
	macros  map[string][]string // their bodies, all of them if there are several
	tainted map[string]bool     // those with && in them
}

var (
	conditionLine  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(if|elif|define)\b`)
	conditionToken = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|[\w$]+|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|&&|\|\||<<|>>|[<>=!]=|[^\s\\]`)
)

func (c *conditions) taints(tok string) bool { return tok == "&&" || c.tainted[tok] }

// computes reports whether an expression computes with the value of &&.
func (c *conditions) computes(toks []string, seen map[string]bool) bool {
	for i, t := range toks {
		if body, ok := c.macros[t]; ok && !seen[t] {
			seen[t] = true
			if c.computes(body, seen) {
				return true
			}
		}
		start, end := i, i+1
		switch {
		case t == "(":
			end = closing(toks, i)
			if !slices.ContainsFunc(toks[i:end], c.taints) {
				continue
			}
			if i > 0 && isWord(toks[i-1][0]) { // a macro may compute with its argument
				return true
			}
		case c.tainted[t] && end < len(toks) && toks[end] == "(":
			end = closing(toks, end)
		case !c.tainted[t]:
			continue
		}
		if start > 0 && arithmetic[toks[start-1]] || end < len(toks) && arithmetic[toks[end]] {
			return true
		}
	}
	return false
}

// closing returns where the bracket at i ends.
func closing(toks []string, i int) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch toks[i] {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// arithmetic are the operators that need a number.
var arithmetic = map[string]bool{"+": true, "-": true, "*": true, "/": true, "%": true, "<": true, ">": true, "<=": true, ">=": true,
	"==": true, "!=": true, "&": true, "|": true, "^": true, "<<": true, ">>": true, "~": true}
