package bench

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestParseConfig reads configurations and makes commands of them.
func TestParseConfig(t *testing.T) {
	o := Options{Timeout: 90 * time.Second, Memory: 1 << 30, Comus: Program{"/bin/comus", "comus"}}
	task := &Task{File: "dir/a b.c", Threads: 3}
	for text, want := range map[string]string{
		"modular": "modular: comus --json --timeout=90 --strategy=modular --memory=1073741824 -- dir/a b.c",
		" modular,no-seed,order=t1,order=t2 ;; name=plain": "plain: comus --json --timeout=90 --strategy=modular --no-seed --order=t1 --order=t2 --memory=1073741824 -- dir/a b.c",
		"cmd:/opt/cbmc --unwind {threads+2} {file}":        "cbmc: /opt/cbmc --unwind 5 dir/a b.c",
		`cmd:tool 'a b' "{threads}" in={file};;name=t`:     "t: tool a b 3 in=dir/a b.c",
	} {
		c, err := ParseConfig(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := c.Name + ": " + strings.Join(c.command(task, o), " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"":                                "must begin with a strategy",
		"--strategy=auto":                 "must begin with a strategy",
		"no-seed=1":                       "must begin with a strategy",
		"modular,":                        "not a flag",
		"modular,--no-seed":               "not a flag",
		"modular;;safe=x":                 "is not name=",
		"modular;;name=":                  "is not name=",
		"cmd:cbmc":                        "a command with {file}",
		"cmd:":                            "a command with {file}",
		"cmd:cbmc {file} | tail":          "no shell runs the command",
		"cmd:cbmc 'x {file}":              "invalid command line",
		"cmd:cbmc {file};;safe=(":         "missing closing )",
		"cmd:cbmc {file};;whatever=1":     "is not name=",
		"cmd:cbmc {file};; safe=a ;; b=c": "is not name=",
	} {
		if _, err := ParseConfig(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// names describes the tasks of a suite.
func names(s *Suite) string {
	var list []string
	for _, t := range s.Tasks {
		list = append(list, t.Name+" "+t.Expect+" "+t.Column)
	}
	return strings.Join(list, ", ")
}

// TestLoadSuite reads folders.
func TestLoadSuite(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) { t.Helper(); writeFile(t, filepath.Join(dir, name), text) }
	write("first/a.c", "// expect: SAFE\nint main(void) { }\n")
	write("first/sub/b.c", "// expect: UNSAFE (in two steps)\n")
	write("first/c.c", "/* nothing */\n// expect: SAFE\n")
	write("first/d.h", "// expect: SAFE\n")
	s, err := LoadSuite(filepath.Join(dir, "first"))
	if err != nil {
		t.Fatal(err)
	}
	if got := names(s); s.Name != "first" || got != "a SAFE safe, sub/b UNSAFE unsafe" || !slices.Equal(s.Skipped, []string{"c.c"}) {
		t.Errorf("%s: %s, skipped %v", s.Name, got, s.Skipped)
	}
	if err := s.Keep(regexp.MustCompile("^sub/")); err != nil || names(s) != "sub/b UNSAFE unsafe" {
		t.Errorf("kept %s, error %v", names(s), err)
	}
	if err := s.Keep(regexp.MustCompile("x")); err == nil {
		t.Error("nothing is kept without an error")
	}
	if s, err = LoadSuite(filepath.Join(dir, "first", "a.c")); err != nil || s.Name != "a" || names(s) != "a SAFE safe" {
		t.Errorf("one file: %+v, %v", s, err)
	}

	write("second/x/a.c", "int main(void) { }\n")
	write("second/b.c", "int main(void) { }\n")
	write("second/c.c", "// expect: SAFE\n")
	write("second/INDEX.tsv", "path\tunreach-call\nx/a.c\ttrue\n# a remark\n\nb.c\tunsafe\r\n")
	if s, err = LoadSuite(filepath.Join(dir, "second")); err != nil || names(s) != "x/a SAFE safe, b UNSAFE unsafe" {
		t.Errorf("index: %s, %v", names(s), err)
	}
	for index, want := range map[string]string{
		"x/a.c\ttrue\nb.c\tmaybe\n": "INDEX.tsv:2: a path, a tab and true or false (or safe or unsafe) expected",
		"x/a.c\ttrue\tmore\n":       `INDEX.tsv:1: no property is called "more": there are unreach-call, `,
		"x/a.c\ttrue\trace\tLP32\n": `INDEX.tsv:1: no data model is called "LP32"`,
		"x/a.c true\nb.c true\n":    "INDEX.tsv:1: a path",
		"a.c\ttrue\n":               "INDEX.tsv:1: a.c: no such file",
		"":                          "no C program with a verdict",
	} {
		write("second/INDEX.tsv", index)
		if _, err := LoadSuite(filepath.Join(dir, "second")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", index, err, want)
		}
	}
	write("second/INDEX.tsv", "b.c\tsafe\tunreach-call\tILP32\nb.c\tunsafe\tno-data-race\tILP32\nx/a.c\tsafe\tvalid-memsafety,locks\n")
	if s, err = LoadSuite(filepath.Join(dir, "second")); err != nil || names(s) != "b:unreach-call:ILP32 SAFE safe, b:no-data-race:ILP32 UNSAFE unsafe, x/a SAFE safe" {
		t.Fatalf("properties: %s, %v", names(s), err)
	}
	for i, want := range []string{"--check=assert --data-model=ILP32", "--check=race --data-model=ILP32", "--check=memory,leak,locks"} {
		if got := strings.Join(s.Tasks[i].flags(), " "); got != want {
			t.Errorf("%s: %s, want %s", s.Tasks[i].Name, got, want)
		}
	}
	config, err := ParseConfig("modular,check=race")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Suite: s, Configs: []*Config{config}, Dir: dir}
	if err := o.check(); err == nil || !strings.Contains(err.Error(), "and so does the suite for b:unreach-call:ILP32") {
		t.Errorf("error %v", err)
	}
	write("one.c", "// expect: UNSAFE --check=race,deadlock\n")
	if s, err = LoadSuite(filepath.Join(dir, "one.c")); err != nil || strings.Join(s.Tasks[0].flags(), " ") != "--check=race,deadlock" {
		t.Errorf("one file with properties: %+v, %v", s, err)
	}
	write("one.c", "// expect: UNSAFE --check=speed\n")
	if _, err = LoadSuite(filepath.Join(dir, "one.c")); err == nil || !strings.Contains(err.Error(), `one.c:1: no property is called "speed"`) {
		t.Errorf("error %v", err)
	}
	if _, err := LoadSuite(filepath.Join(dir, "third")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// TestGenerate makes the named suites of programs that are none.
func TestGenerate(t *testing.T) {
	program := func(in Instance) (string, error) {
		if in.Unsafe {
			return "// expect: UNSAFE\n", nil
		}
		return "// expect: SAFE\n", nil
	}
	for _, name := range Names {
		s, err := Generate(name, t.TempDir(), program)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]bool{}
		found := map[place]bool{}
		for _, task := range s.Tasks {
			if _, err := os.Stat(task.File); err != nil || files[task.File] {
				t.Errorf("%s: %v, seen before: %v", task.File, err, files[task.File])
			}
			files[task.File] = true
			found[place{name, task.Class, task.Threads, task.Column}] = true
		}
		for p, f := range paper() {
			if p.suite == name && f.Outcome == "" && !found[p] {
				t.Errorf("%s lacks the paper's row %v", name, p)
			}
		}
	}
	if _, err := Generate("fig7", t.TempDir(), program); err == nil {
		t.Error("fig7 exists")
	}
	if _, err := Generate("fig5", t.TempDir(), func(Instance) (string, error) { return "// expect: SAFE\n", nil }); err == nil ||
		!strings.Contains(err.Error(), "mat-2-unsafe: the generated program does not begin with '// expect: UNSAFE'") {
		t.Errorf("error %v", err)
	}
	broken := errors.New("broken")
	if _, err := Generate("fig6", t.TempDir(), func(Instance) (string, error) { return "", broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// TestPaper adds up the published figures.
func TestPaper(t *testing.T) {
	for suite, want := range map[string]struct {
		solved, checks int
		seconds        float64
	}{
		"fig5": {26, 2588, 5872.17},
		"fig6": {8, 1239, 1184.36},
	} {
		solved, checks, seconds := 0, 0, 0.0
		for p, f := range paper() {
			if p.suite == suite && f.Outcome == "" {
				solved, checks, seconds = solved+1, checks+f.Checks, seconds+f.Seconds
			}
		}
		if solved != want.solved || checks != want.checks || seconds < want.seconds-0.01 || seconds > want.seconds+0.01 {
			t.Errorf("%s: %d rows, %d checks, %.2f s, want %+v", suite, solved, checks, seconds, want)
		}
	}
	for _, text := range []string{"a\n\"", "h,h,h,h,h,h,h\nfig5,mat,x,safe,CoMuS,1,1\n", "h,h,h,h,h,h,h\nfig5,mat,2,safe,CoMuS,1,x\n"} {
		if _, err := readPaper(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
