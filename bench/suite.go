package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"comus/internal/whole"
)

// Task is a program with its verdict.
type Task struct {
	Name    string // within its suite
	File    string
	Hash    string // of the file's text
	Expect  string // VerdictSafe or VerdictUnsafe
	Class   string // the kind of program, "" if it is not one of a family
	Column  string // where the table of its suite has it: "safe", "unsafe", "ring", "chain"
	Threads int    // 0: not known
	// Property is what is asked about, as the suite names it; "": assertions, or what the configuration says.
	Property  string
	DataModel string // LP64 or ILP32; "": the usual one

	// Violated is the part of the property that is expected to be violated, by its name for --check; "": any.
	Violated string

	checks []string // the values of --check for Property
}

// flags returns the flags of comus for what is asked.
func (t *Task) flags() []string {
	var out []string
	if len(t.checks) > 0 {
		out = append(out, "--check="+strings.Join(t.checks, ","))
	}
	if t.DataModel != "" {
		out = append(out, "--data-model="+t.DataModel)
	}
	return out
}

// Suite is a list of tasks.
type Suite struct {
	Name    string
	Tasks   []*Task
	Skipped []string // C files of a folder, and properties of definitions, without a verdict
}

// indexFile lists the verdicts of a folder.
const indexFile = "INDEX.tsv"

// LoadSuite reads a folder of C programs with verdicts: those that its INDEX.tsv
// names (path, tab, true or false, and perhaps a property and a data model, with tabs before
// them), or else all .c files whose first line is the
// comment "// expect: SAFE" or "// expect: UNSAFE", perhaps with "--check=" and properties. It takes a single such file,
// too, and what [LoadTasks] takes.
func LoadSuite(path string) (*Suite, error) {
	path = filepath.Clean(path)
	if isTasks(path) {
		return LoadTasks(path)
	}
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s := &Suite{Name: slug(strings.TrimSuffix(filepath.Base(abs), ".c"))}
	if s.Name == "" {
		s.Name = "suite"
	}
	if !st.IsDir() {
		err = s.addFile(filepath.Dir(path), filepath.Base(path))
	} else if _, e := os.Stat(filepath.Join(path, indexFile)); e == nil {
		err = s.addIndex(path)
	} else {
		err = s.addFolder(path)
	}
	if err == nil && len(s.Tasks) == 0 {
		err = fmt.Errorf("%s: no C program with a verdict (a first line '// expect: SAFE' or '// expect: UNSAFE', or an %s)", path, indexFile)
	}
	return s, err
}

// addFolder adds the programs of a folder and the folders in it.
func (s *Suite) addFolder(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".c" {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return s.addFile(dir, rel)
	})
}

var expectLine = regexp.MustCompile(`^//\s*expect:\s*(SAFE|UNSAFE)\b(?:[ \t]+--check=(\S+))?`)

// addFile adds a program with its verdict in the first line.
func (s *Suite) addFile(dir, rel string) error {
	text, err := os.ReadFile(filepath.Join(dir, rel))
	if err != nil {
		return err
	}
	m := expectLine.FindSubmatch(text)
	if m == nil {
		s.Skipped = append(s.Skipped, rel)
		return nil
	}
	t := &Task{Expect: string(m[1]), Property: string(m[2])}
	if err := t.ask(); err != nil {
		return fmt.Errorf("%s:1: %w", filepath.Join(dir, rel), err)
	}
	s.add(dir, rel, text, t)
	return nil
}

// add adds a program of a folder as a task of which is known what is asked and expected.
func (s *Suite) add(dir, rel string, text []byte, t *Task) {
	t.Name, t.File = strings.TrimSuffix(filepath.ToSlash(rel), ".c"), filepath.Join(dir, rel)
	t.Hash, t.Column = hash(text), strings.ToLower(t.Expect)
	s.Tasks = append(s.Tasks, t)
}

// Keep removes the tasks whose names do not match.
func (s *Suite) Keep(re *regexp.Regexp) error {
	s.Tasks = slices.DeleteFunc(s.Tasks, func(t *Task) bool { return !re.MatchString(t.Name) })
	if len(s.Tasks) == 0 {
		return fmt.Errorf("no task of %s matches %q", s.Name, re)
	}
	return nil
}

// hash identifies a text.
func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// fingerprint identifies an executable; "" for none.
func fingerprint(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path)
	return hash(text), err
}

// Instance names a program that the generators make.
type Instance struct {
	Kind    string
	Threads int
	Unsafe  bool
	Ring    bool
	Local   bool // a property of two threads only
	// Size and Iterations are of some kinds; 0 is what the kind has unless told otherwise.
	Size, Iterations int
	Vary             string // ways to write it, with commas
}

// Generate makes a named suite: it has each program generated and writes it to
// the folder dir. The verdict comes from the program's first line as in a folder,
// and has to agree with what was asked for.
func Generate(name, dir string, program func(Instance) (string, error)) (*Suite, error) {
	list := named(name)
	if list == nil {
		return nil, fmt.Errorf("no suite %q: there are %s", name, strings.Join(Names, ", "))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	s := &Suite{Name: name}
	for _, in := range list {
		text, err := program(in.Instance)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.name(), err)
		}
		t := &Task{Name: in.name(), File: filepath.Join(dir, in.name()+".c"), Hash: hash([]byte(text)),
			Class: in.class(), Column: in.column, Threads: in.Threads, Expect: VerdictSafe}
		if in.Unsafe {
			t.Expect = VerdictUnsafe
		}
		m := expectLine.FindStringSubmatch(text)
		if m == nil || m[1] != t.Expect {
			return nil, fmt.Errorf("%s: the generated program does not begin with '// expect: %s'", t.Name, t.Expect)
		}
		if err := write(t.File, []byte(text)); err != nil {
			return nil, err
		}
		s.Tasks = append(s.Tasks, t)
	}
	return s, nil
}

// write writes a file unless it is there already.
func write(file string, text []byte) error {
	if old, err := os.ReadFile(file); err == nil && string(old) == string(text) {
		return nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return whole.WriteFile(file, text)
}
