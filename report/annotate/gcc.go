package annotate

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// GCC writes findings as gcc writes what it has to say of a program, so that editors find the places:
//
//	cache.c:11:3: error: data race at hits++ in thread 1 serve [race]
//	cache.c:33:3: note: thread 0 main accesses hits = table.size, holding shards[3]
//
// What is only suspected is a warning, and what a comment suppresses a note. Notes tell of the threads involved and of the calls.
func GCC(w io.Writer, findings []Finding) error {
	var b strings.Builder
	line := func(p Place, kind, format string, args ...any) {
		if p.File != "" {
			fmt.Fprintf(&b, "%s:", OneLine(p.File))
		}
		if p.Line > 0 {
			fmt.Fprintf(&b, "%d:%d:", p.Line, max(p.Column, 1))
		}
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s: %s\n", kind, OneLine(fmt.Sprintf(format, args...)))
	}
	for _, f := range findings {
		kind, suppressed := "error", ""
		switch {
		case f.Suppressed != "":
			kind, suppressed = "note", ", suppressed: "+f.Suppressed
		case f.maybe():
			kind = "warning"
		}
		line(f.Place, kind, "%s%s [%s]", f.headline(), suppressed, f.Property)
		locations := []Location{f.Location}
		for _, x := range f.Involved {
			line(x.Place, "note", "%s", x.does())
		}
		if f.Involved != nil {
			locations = nil
			for _, x := range f.Involved {
				locations = append(locations, x.Location)
			}
		}
		for _, s := range locations {
			for _, c := range s.led() {
				line(c.Place, "note", "%s", c.how)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// led is a call that led to a location, with how it did.
type led struct {
	Call
	how string
}

// led returns the calls from outside that led to a location, innermost first.
func (s Location) led() []led {
	var out []led
	for _, c := range s.Calls[min(1, len(s.Calls)):] {
		if c.Line > 0 {
			out = append(out, led{c, fmt.Sprintf("thread %s: called by %s", s.Thread, c.Function)})
		}
	}
	for i, c := range s.Created {
		how := "called"
		if i == 0 {
			how = "created"
		}
		if c.Line > 0 {
			out = append(out, led{c, fmt.Sprintf("thread %s: %s by %s", s.Thread, how, c.Function)})
		}
	}
	return out
}

// OneLine writes characters that would end the line, or change the terminal, as they are written in C.
func OneLine(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
