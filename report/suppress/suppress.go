// Package suppress reads the comments by which a program's authors say that a finding is none of their concern, and why:
//
//	hits++; // comus: ignore race: a statistic, it may be wrong by a few
//
// A comment speaks of the line that it stands on; if it stands there alone, of the next line with code. It suppresses the findings of its property
// of which one place is on that line, the line where the expression or its statement begins. It says nothing to an analysis: what is
// suppressed is found, told as suppressed with the reason, and counts for nothing else. A comment without a reason is an error, one that suppresses nothing is told.
package suppress

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Comment is a comment that suppresses findings.
type Comment struct {
	File       string
	Line, Col  int // where it begins
	Properties []string
	Reason     string
	Of         int // the line that it speaks of; 0: no code follows
	Used       bool
}

// Set are the comments of some files.
type Set struct {
	comments []*Comment
	at       map[place][]*Comment
}

// place is a line of a file, by its absolute path.
type place struct {
	file string
	line int
}

// maxFile bounds the size of a file that is looked at.
const maxFile = 64 << 20

// Read reads the comments of source files. Those that cannot be read have none. properties are the names that there are. The error joins a line
// "file:line:col: what is wrong" for each comment that cannot be meant.
func Read(files, properties []string) (*Set, error) {
	s := &Set{at: map[place][]*Comment{}}
	seen := map[string]bool{}
	var errs []error
	for _, file := range files {
		path := absolute(file)
		if st, err := os.Stat(path); seen[path] || err != nil || !st.Mode().IsRegular() || st.Size() > maxFile {
			continue
		}
		seen[path] = true
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte(keyword)) {
			continue
		}
		found, err := parse(file, string(text), properties)
		errs = append(errs, err)
		for _, c := range found {
			s.comments = append(s.comments, c)
			at := place{path, c.Of}
			s.at[at] = append(s.at[at], c)
		}
	}
	return s, errors.Join(errs...)
}

// absolute returns a file's absolute path.
func absolute(file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return filepath.Clean(file)
}

// Reason tells whether findings of a property with a place at a line are suppressed, and why.
func (s *Set) Reason(property, file string, line int) (reason string, suppressed bool) {
	if s == nil || line == 0 {
		return "", false
	}
	for _, c := range s.at[place{absolute(file), line}] {
		if slices.Contains(c.Properties, property) {
			c.Used = true
			return c.Reason, true
		}
	}
	return "", false
}

// Unused returns the comments about one of some properties that have suppressed nothing so far, in the order of files and lines.
func (s *Set) Unused(properties ...string) []*Comment {
	var out []*Comment
	asked := func(property string) bool { return slices.Contains(properties, property) }
	for _, c := range s.comments {
		if !c.Used && slices.ContainsFunc(c.Properties, asked) {
			out = append(out, c)
		}
	}
	return out
}

// The words that a comment begins with.
const (
	keyword = "comus:"
	verb    = "ignore"
)

// otherNames are those that people use for properties.
var otherNames = map[string]string{"assertion": "assert"}

const hint = `(hint: "comus: ignore race: REASON")`

// parse returns the comments of a text, and what is wrong with others.
func parse(file, text string, properties []string) ([]*Comment, error) {
	all, code := scan(text)
	var out []*Comment
	var errs []error
	for _, c := range all {
		body := strings.Join(strings.Fields(strings.TrimLeft(c.text, "/*!< \t\r\n")), " ")
		body, ours := strings.CutPrefix(body, keyword)
		body, ignores := strings.CutPrefix(strings.TrimLeft(body, " "), verb)
		if !ours || !ignores || body != "" && body[0] != ' ' && body[0] != ':' {
			continue
		}
		names, reason, _ := strings.Cut(body, ":")
		to := &Comment{File: file, Line: c.line, Col: c.col, Reason: strings.TrimSpace(reason)}
		wrong := ""
		for _, name := range strings.Split(names, ",") {
			name = strings.TrimSpace(name)
			if other, known := otherNames[name]; known {
				name = other
			}
			to.Properties = append(to.Properties, name)
			switch {
			case name == "":
				wrong = "a comment that suppresses findings names no property"
			case !slices.Contains(properties, name):
				wrong = fmt.Sprintf("no property is called %q: there are %s", name, strings.Join(properties, ", "))
			}
		}
		if wrong == "" && to.Reason == "" {
			wrong = "a comment that suppresses findings gives no reason"
		}
		if wrong != "" {
			errs = append(errs, fmt.Errorf("%s:%d:%d: %s %s", file, c.line, c.col, wrong, hint))
			continue
		}
		to.Of = speaksOf(c, code)
		out = append(out, to)
	}
	return out, errors.Join(errs...)
}

// speaksOf returns the line that a comment speaks of. code tells which lines have something that is no comment.
func speaksOf(c comment, code map[int]bool) int {
	last := 0
	for n := range code {
		last = max(last, n)
	}
	if code[c.line] {
		return c.line
	}
	for n := c.end; n <= last; n++ {
		if code[n] {
			return n
		}
	}
	return 0
}
