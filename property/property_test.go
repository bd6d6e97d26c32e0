package property

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"comus/specialise"
)

// line is a property with a formula.
func line(formula string) string { return "CHECK( init(main()), LTL(" + formula + ") )\n" }

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text  string
		entry string
		want  []string
	}{
		{line("G ! call(reach_error())"), "main", []string{"assert"}},
		{line("G ! call(__VERIFIER_error())"), "main", []string{"assert"}},
		{line("G ! label(ERROR)"), "main", []string{"assert"}},
		{line("G ! data-race"), "main", []string{"race"}},
		{line("G ! deadlock"), "main", []string{"deadlock"}},
		{line("G ! overflow"), "main", []string{"overflow"}},
		{line("G valid-free") + line("G valid-deref") + line("G valid-memtrack"), "main", []string{"memory", "leak"}},
		{line("G valid-memcleanup"), "main", []string{"cleanup"}},
		{line("G ! overflow") + "\r\n" + line("G ! data-race"), "main", []string{"race", "overflow"}},
		{"CHECK(init(f()),LTL(G!data-race))", "f", []string{"race"}},
		{"// both\n\n# of them\nCHECK( init(main()), // here\n LTL(G ! overflow) )", "main", []string{"overflow"}},
	} {
		f, err := Parse("p.prp", []byte(c.text))
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if f.Entry != c.entry || !slices.Equal(f.Checks, c.want) {
			t.Errorf("%q: %+v", c.text, f)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "p.prp:1:1: no property: "},
		{"// nothing\n", "p.prp:2:1: no property: "},
		{"G ! data-race", `p.prp:1:1: "CHECK" expected, not "G"`},
		{line("F end"), `p.prp:1:26: no property that comus knows: LTL(G ...) expected, not "F"`},
		{line("G ! call(f())"), `p.prp:1:35: a call of "f" is no error for comus`},
		{line("G ! call(reach_error)"), `p.prp:1:46: "(" expected, not ")"`},
		{line("G ! label(L)"), `p.prp:1:36: "ERROR" expected, not "L"`},
		{line("G ! valid-free"), "p.prp:1:30: no property that comus knows: G ! valid-free; "},
		{line("G data-race"), "p.prp:1:28: no property that comus knows: G data-race; "},
		{line("G call(reach_error())"), "p.prp:1:28: no property that comus knows: G call; "},
		{line("G"), `p.prp:1:27: a property expected, not ")"`},
		{line("G ! data-race") + "\n  CHECK( init(main), LTL(G ! data-race) )", `p.prp:3:19: "(" expected, not ")"`},
		{line("G ! data-race") + "CHECK( init(f()), LTL(G ! overflow) )", `p.prp:2:13: the program cannot begin with "f", and above with "main"`},
		{"CHECK( init(()), LTL(G ! data-race) )", `p.prp:1:13: a function expected, not "("`},
		{"CHECK( init(main()), LTL(G ! data-race) ", `p.prp:1:41: ")" expected, not the end of the file`},
		{"CHECK( init(main()), LTL(G ! data-race) ) )", `p.prp:1:43: "CHECK" expected, not ")"`},
		{"COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", `p.prp:1:1: "CHECK" expected, not "COVER"`},
		{"\xff\xfe", `p.prp:1:1: "CHECK" expected, not "\xff"`},
	} {
		_, err := Parse("p.prp", []byte(c.text))
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func TestNamed(t *testing.T) {
	for name, want := range map[string][]string{"no-data-race": {"race"}, "unreach-call": {"assert"}, "valid-memsafety": {"memory", "leak"},
		"race": {"race"}, "all": specialise.AllNames(), "valid-memcleanup": {"cleanup"}, "cleanup": {"cleanup"}, "termination": nil, "": nil} {
		if got := Named(name); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

// FuzzParse: no text makes the parser panic, or fail without a place within it.
func FuzzParse(f *testing.F) {
	f.Add([]byte(line("G ! call(reach_error())") + line("G valid-free")))
	f.Add([]byte("CHECK( init(main()), // \n#\nLTL(F end"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := Parse("p.prp", text)
		var e *Error
		switch {
		case err == nil && (len(got.Checks) == 0 || got.Entry == ""):
			t.Errorf("%+v", got)
		case err == nil:
		case !errors.As(err, &e) || e.Line < 1 || e.Col < 1 || e.Col > len(text)+1 || strings.ContainsAny(err.Error(), "\n\r"):
			t.Errorf("%v", err)
		}
	})
}

func TestBegins(t *testing.T) {
	f, err := Parse("p.prp", []byte("CHECK( init(f()), LTL(G ! overflow) )"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Begins("f"); err != nil {
		t.Error(err)
	}
	if err := f.Begins(""); err == nil || !strings.HasPrefix(err.Error(), `p.prp:1:13: the property is about a program that begins with "f", and this one begins with "main"`) {
		t.Error(err)
	}
}
