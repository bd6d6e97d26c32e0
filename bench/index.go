package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"comus/property"
)

// verdicts are the words of an INDEX.tsv.
var verdicts = map[string]string{"true": VerdictSafe, "false": VerdictUnsafe, "safe": VerdictSafe, "unsafe": VerdictUnsafe}

// dataModels are the widths of C's types that an INDEX.tsv may name; "" says nothing.
var dataModels = []string{"", "LP64", "ILP32"}

// addIndex adds the programs that a folder's INDEX.tsv names.
func (s *Suite) addIndex(dir string) error {
	f, err := os.Open(filepath.Join(dir, indexFile))
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), "\r")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		t, err := indexed(line)
		if err != nil && n == 1 && !strings.Contains(line, ".c") { // a heading
			continue
		}
		if err == nil {
			err = s.addIndexed(dir, t)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", f.Name(), n, err)
		}
	}
	s.distinguish()
	return lines.Err()
}

// indexed reads a line of an INDEX.tsv: a path, a verdict, and perhaps a property and a data model.
func indexed(line string) (*Task, error) {
	fields := append(strings.Split(line, "\t"), "", "", "")
	t := &Task{File: fields[0], Expect: verdicts[fields[1]], Property: fields[2], DataModel: fields[3]}
	switch {
	case t.Expect == "":
		return nil, errors.New("a path, a tab and true or false (or safe or unsafe) expected")
	case !slices.Contains(dataModels, t.DataModel):
		return nil, fmt.Errorf("no data model is called %q: there are LP64 and ILP32", t.DataModel)
	}
	return t, t.ask()
}

// ask finds out what Property means.
func (t *Task) ask() error {
	if t.Property == "" {
		return nil
	}
	for _, name := range strings.Split(t.Property, ",") {
		checks := property.Named(strings.TrimSpace(name))
		if checks == nil {
			return fmt.Errorf("no property is called %q: there are unreach-call, no-data-race, no-deadlock, no-overflow, valid-memsafety, valid-memcleanup, and those of --check", name)
		}
		t.checks = append(t.checks, checks...)
	}
	return nil
}

// addIndexed adds a task whose file is named from a folder.
func (s *Suite) addIndexed(dir string, t *Task) error {
	rel := t.File
	text, err := os.ReadFile(filepath.Join(dir, rel))
	var unread *fs.PathError
	if errors.As(err, &unread) {
		return fmt.Errorf("%s: %w", rel, unread.Err)
	}
	if err != nil {
		return err
	}
	s.add(dir, rel, text, t)
	return nil
}

// distinguish names the property, and the data model, of the tasks whose program is there more than once.
func (s *Suite) distinguish() {
	times := map[string]int{}
	for _, t := range s.Tasks {
		times[t.File]++
	}
	for _, t := range s.Tasks {
		if times[t.File] == 1 {
			continue
		}
		for _, more := range []string{t.Property, t.DataModel} {
			if more != "" {
				t.Name += ":" + more
			}
		}
	}
}
