package comus

import (
	"fmt"
	"slices"

	"comus/cir"
)

// Left is what an analysis of the whole program has left of the obligations of a property. Of data races, Result.Scan says more.
type Left struct {
	// What names one of the obligations; "" if there is one only.
	What string
	// Proved and All count them; what is proved is confirmed by the checker.
	Proved, All int
	// Open are those that are left, in the order of the program.
	Open []LeftAt
}

// LeftAt is an obligation that is left.
type LeftAt struct {
	At   string // its place
	Text string // what the user wrote there; "" if nothing says it better than the place
	Why  string // what is not known of it; "" if nothing can be said
}

// Line returns all of it: "file:line:col: text (why)".
func (o LeftAt) Line() string {
	if o.Text != "" {
		o.At += ": " + o.Text
	}
	return o.String()
}

func (o LeftAt) String() string {
	switch {
	case o.Why == "":
		return o.At
	case o.At == "":
		return o.Why
	}
	return o.At + " (" + o.Why + ")"
}

// siteOf returns the place of an instruction; the name of its function if it has none.
func siteOf(f *cir.Func, in cir.Instr) string {
	if site := in.Meta().Site; site != nil {
		return site.Pos.String()
	}
	return f.Name
}

// openOf lists the instructions of which something is left, in the order of the program, what is the same at one place once.
func openOf(prog *cir.Program, why func(cir.Instr) (string, bool)) (list []LeftAt) {
	for _, f := range prog.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				text, open := why(in)
				if x := (LeftAt{At: siteOf(f, in), Why: text}); open && !slices.Contains(list, x) {
					list = append(list, x)
				}
			}
		}
	}
	return list
}

// listed is how many obligations a reason names.
const listed = 3

// listOf words a list of obligations, of which the first ones are named.
func listOf(what string, list []LeftAt) string {
	out := what + ": "
	for i, x := range list {
		switch {
		case i == listed:
			return fmt.Sprintf("%s, %d more", out, len(list)-listed)
		case i > 0:
			out += ", "
		}
		out += x.String()
	}
	return out
}
