package suppress

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestParse reads comments, those that are meant and those that are not.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // LINE:COL of LINE PROPERTIES: REASON
		err  string
	}{
		{"x++; // comus: ignore race: a statistic", "1:6 of 1 race: a statistic", ""},
		{"// comus: ignore race: a statistic\n\n/* more */\nx++;", "1:1 of 4 race: a statistic", ""},
		{"/* comus: ignore race: two\n * lines */ x++;", "1:1 of 2 race: two * lines", ""},
		{"x++; /* comus:ignore race : spaces  too\n */\ny++;", "1:6 of 1 race: spaces too", ""},
		{"x++; // comus: ignore race, assert: both", "1:6 of 1 race,assert: both", ""},
		{"// comus: ignore race: goes \\\non\nx++;", "1:1 of 3 race: goes \\ on", ""},
		{"///< comus: ignore race: doxygen\nx++;", "1:1 of 2 race: doxygen", ""},
		{"x++;\n// comus: ignore race: nothing follows\n", "2:1 of 0 race: nothing follows", ""},
		{"\tx++;\r\n\t// comus: ignore race: tabs\r\n\ty++;\r\n", "2:2 of 3 race: tabs", ""},
		{"// comus: ignore race: one\n// comus: ignore assert: two\nx++;", "1:1 of 3 race: one|2:1 of 3 assert: two", ""},
		{`s = "// comus: ignore race: no comment"; c = '"'; // comus: ignore race: one`, "1:51 of 1 race: one", ""},
		{`s = "\"// comus: ignore race: no comment";`, "", ""},
		{"s = \"not closed\n// comus: ignore race: one\nx++;", "2:1 of 3 race: one", ""},
		{"// see comus: ignore race: no\n// comus: ignored race: no\n// comus ignore race: no", "", ""},
		{"x++; // comus: ignore race", "", `f.c:1:6: a comment that suppresses findings gives no reason (hint: "comus: ignore race: REASON")`},
		{"\nx++; /* comus: ignore race: */", "", `f.c:2:6: a comment that suppresses findings gives no reason (hint: "comus: ignore race: REASON")`},
		{"// comus: ignore: because", "", `f.c:1:1: a comment that suppresses findings names no property (hint: "comus: ignore race: REASON")`},
		{"// comus: ignore raec: because", "", `f.c:1:1: no property is called "raec": there are assert, race (hint: "comus: ignore race: REASON")`},
		{"/* comus: ignore race: not closed", "1:1 of 0 race: not closed", ""},
		{"/", "", ""},
	} {
		found, err := parse("f.c", c.text, []string{"assert", "race"})
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%d:%d of %d %s: %s", f.Line, f.Col, f.Of, strings.Join(f.Properties, ","), f.Reason))
		}
		message := ""
		if err != nil {
			message = err.Error()
		}
		if s := strings.Join(got, "|"); s != c.want || message != c.err {
			t.Errorf("%q: %q %q, want %q %q", c.text, s, message, c.want, c.err)
		}
	}
}

// TestSet asks a file's comments, by several names of it.
func TestSet(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("a.c", []byte("int x; // comus: ignore race: one\nint y; // comus: ignore race: two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Read([]string{"a.c", "./a.c", "missing.c", "."}, []string{"race"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		property, file string
		line           int
		want           string
	}{{"race", filepath.Join(dir, "a.c"), 1, "one"}, {"race", "b/../a.c", 1, "one"}, {"race", "a.c", 3, ""}, {"assert", "a.c", 1, ""}, {"race", "b.c", 1, ""}, {"race", "a.c", 0, ""}} {
		if got, _ := s.Reason(c.property, c.file, c.line); got != c.want {
			t.Errorf("%s at %s:%d: %q, want %q", c.property, c.file, c.line, got, c.want)
		}
	}
	if u := s.Unused("race"); len(u) != 1 || u[0].Reason != "two" {
		t.Errorf("unused: %v", u)
	}
	if _, suppressed := (*Set)(nil).Reason("race", "a.c", 1); suppressed {
		t.Error("no comments suppress something")
	}
}

// FuzzParse looks for texts that break the reading.
func FuzzParse(f *testing.F) {
	f.Add("x++; // comus: ignore race: a \\\n \"'/*")
	f.Fuzz(func(t *testing.T, text string) {
		found, _ := parse("f.c", text, []string{"race"})
		for _, c := range found {
			if c.Of > strings.Count(text, "\n")+1 || c.Reason == "" {
				t.Errorf("%q: %+v", text, c)
			}
		}
	})
}
