package randc

import (
	"slices"
	"strings"

	"comus/internal/shrink"
)

// Shrink makes a program for which fails holds smaller, by lines first, then within
// them, asking fails at most tries times about lines. A program without some of its
// lines may have undefined behaviour, so fails should ask [Judge.Defined] first.
func Shrink(src string, tries int, fails func(src string) bool) string {
	s := &lineShrinker{lines: slices.Collect(strings.Lines(src)), left: tries, fails: fails, tried: map[string]bool{src: true}}
	for again := true; again && s.left > 0; {
		again = s.pass()
	}
	return shrink.Shrink(strings.Join(s.lines, ""), fails)
}

type lineShrinker struct {
	lines []string
	left  int
	fails func(string) bool
	tried map[string]bool
}

// pass tries to take out each run of lines that is balanced, large ones first, and the
// first and last line of each block. It reports whether one was taken out.
func (s *lineShrinker) pass() bool {
	found := false
	for size := len(s.lines) / 2; size > 0; size /= 2 {
		for i := 0; i < len(s.lines) && s.left > 0; {
			end := s.balanced(i, min(i+size, len(s.lines)))
			if end > i && s.keep(slices.Concat(s.lines[:i], s.lines[end:])) {
				found = true
				continue
			}
			i += max(size/2, 1)
		}
	}
	for i := 0; i < len(s.lines) && s.left > 0; i++ {
		if end := s.block(i); end > 0 && s.keep(slices.Concat(s.lines[:i], s.lines[i+1:end], s.lines[end+1:])) {
			found = true
		}
	}
	return found
}

// balanced returns the end of the lines from i on that close as many braces as they
// open: end, or the nearest line behind it.
func (s *lineShrinker) balanced(i, end int) int {
	depth := 0
	for k := i; k < len(s.lines); k++ {
		line := strings.TrimSpace(s.lines[k])
		if depth == 0 && strings.HasPrefix(line, "}") {
			return k // the block around ends here
		}
		if depth += braces(line); depth < 0 {
			return k
		}
		if depth == 0 && k+1 >= end {
			return k + 1
		}
	}
	return i
}

// block returns the line with the brace that closes the one that line i opens, or 0.
func (s *lineShrinker) block(i int) int {
	depth := 0
	for k := i; k < len(s.lines); k++ {
		depth += braces(strings.TrimSpace(s.lines[k]))
		if depth <= 0 {
			if k == i {
				return 0
			}
			return k
		}
	}
	return 0
}

// keep makes lines the program if it still fails.
func (s *lineShrinker) keep(lines []string) bool {
	src := strings.Join(lines, "")
	if s.tried[src] {
		return false
	}
	s.tried[src] = true
	s.left--
	if !s.fails(src) {
		return false
	}
	s.lines = lines
	return true
}
