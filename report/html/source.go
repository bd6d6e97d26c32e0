package html

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"

	"comus/ir"
)

// file is a source file of a page.
type file struct {
	Name    string
	Index   int
	Lines   []line
	Missing string // why there are no lines
}

// line is a line of a source file; one with the number 0 stands for lines that are left out.
type line struct {
	Number     int
	Code       template.HTML
	Threads    []int // that take steps there
	Invariants int   // how many the proof has there
}

// sources collects the places that a page speaks about.
type sources struct {
	names []string
	index map[string]int
	lines map[string]map[int]bool
	text  map[string][]template.HTML // of files that were read
	fails map[string]string
}

func newSources() *sources {
	return &sources{index: map[string]int{}, lines: map[string]map[int]bool{}, text: map[string][]template.HTML{}, fails: map[string]string{}}
}

// add notes a place and returns the index of its file; -1 if it is none.
func (s *sources) add(at ir.Pos) int {
	if at.Line <= 0 || at.File == "" {
		return -1
	}
	i, ok := s.index[at.File]
	if !ok {
		i = len(s.names)
		s.index[at.File], s.lines[at.File] = i, map[int]bool{}
		s.names = append(s.names, at.File)
	}
	s.lines[at.File][at.Line] = true
	return i
}

// read returns the lines of a file as HTML.
func (s *sources) read(name string) []template.HTML {
	if _, failed := s.fails[name]; failed {
		return nil
	}
	if lines, ok := s.text[name]; ok {
		return lines
	}
	text, fails := readSource(name)
	if fails != "" {
		s.fails[name] = fails
		return nil
	}
	s.text[name] = colour(string(text))
	return s.text[name]
}

// readSource reads a source file. fails says why there is none to show, "" if there is.
func readSource(name string) (text []byte, fails string) {
	text, err := os.ReadFile(name)
	switch {
	case err != nil:
		return nil, "The source cannot be read now."
	case len(text) > maxSource:
		return nil, fmt.Sprintf("The source is left out: it has %d bytes.", len(text))
	}
	return text, ""
}

// Limits of what of a source is shown: bytes of a file that is read, lines of one that is shown from beginning to end, and lines around a place in others.
const (
	maxSource  = 8 << 20
	wholeLines = 3000
	around     = 30
)

// snippet returns the lines around a place.
func (s *sources) snippet(at ir.Pos, before, after int) []line {
	all := s.read(at.File)
	var out []line
	for n := max(1, at.Line-before); n <= min(len(all), at.Line+after); n++ {
		out = append(out, line{Number: n, Code: all[n-1]})
	}
	return out
}

// files returns the files with the places that were noted. threads and invariants tell what a line is marked with.
func (s *sources) files(threads func(file string, line int) []int, invariants func(file string, line int) int) []file {
	var out []file
	for i, name := range s.names {
		all := s.read(name)
		f := file{Name: name, Index: i, Missing: s.fails[name]}
		near := s.near(name, len(all))
		gap := false
		for n := 1; n <= len(all); n++ {
			if near != nil && !near[n] {
				if !gap {
					f.Lines = append(f.Lines, line{})
				}
				gap = true
				continue
			}
			gap = false
			f.Lines = append(f.Lines, line{n, all[n-1], threads(name, n), invariants(name, n)})
		}
		out = append(out, f)
	}
	return out
}

// near returns the lines of a long file that are shown; nil: all.
func (s *sources) near(name string, total int) []bool {
	if total <= wholeLines {
		return nil
	}
	near := make([]bool, total+1)
	for at := range s.lines[name] {
		for n := max(1, at-around); n <= min(total, at+around); n++ {
			near[n] = true
		}
	}
	return near
}

// colour returns the lines of C as HTML, with a class for each kind of token.
func colour(code string) []template.HTML {
	var out []template.HTML
	for _, l := range coloured(code) {
		var b strings.Builder
		for _, p := range l {
			if text := html.EscapeString(p.text); p.class != "" {
				fmt.Fprintf(&b, `<span class="%s">%s</span>`, p.class, text)
			} else {
				b.WriteString(text)
			}
		}
		out = append(out, template.HTML(b.String()))
	}
	return out
}

// piece is a part of a line of C, with its class; "" for plain text.
type piece struct{ class, text string }

// coloured returns the lines of C in pieces.
func coloured(code string) [][]piece {
	code = strings.ToValidUTF8(strings.ReplaceAll(code, "\x00", "\ufffd"), "\ufffd")
	code = strings.ReplaceAll(code, "\r\n", "\n")
	var tokens []chroma.Token
	if it, err := syntax().Tokenise(nil, code); err == nil {
		tokens = it.Tokens()
	} else {
		tokens = []chroma.Token{{Type: chroma.Text, Value: code}}
	}
	var out [][]piece
	for _, l := range chroma.SplitTokensIntoLines(tokens) {
		line := []piece{}
		for _, t := range l {
			if text := strings.TrimRight(t.Value, "\n"); text != "" {
				line = append(line, piece{classOf(t.Type), text})
			}
		}
		out = append(out, line)
	}
	return out
}

// classOf returns the class of a kind of token, "" for plain text.
func classOf(t chroma.TokenType) string {
	switch {
	case t.InSubCategory(chroma.CommentPreproc) || t == chroma.CommentPreproc || t == chroma.CommentPreprocFile:
		return "cp"
	case t.InCategory(chroma.Comment):
		return "co"
	case t.InCategory(chroma.Keyword):
		return "kw"
	case t.InSubCategory(chroma.LiteralString):
		return "st"
	case t.InSubCategory(chroma.LiteralNumber):
		return "nu"
	}
	return ""
}

// highlight is C as HTML.
type highlight = template.HTML

// code returns C as one piece of HTML.
func code(text string) highlight {
	var b strings.Builder
	for _, l := range colour(text) {
		b.WriteString(string(l) + "\n")
	}
	return template.HTML(b.String())
}

// sorted returns the keys of a set in ascending order.
func sorted[K cmp.Ordered](set map[K]bool) []K {
	var out []K
	for k := range set {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
