package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"comus/task"
)

// Suites of SV-COMP's task definitions: a definition (.yml), a set of them (.set), or a pattern. Each property with an expected
// verdict that comus knows is a task.

// isTasks reports whether a name is one of such a suite.
func isTasks(path string) bool {
	return task.IsDefinition(path) || filepath.Ext(path) == ".set" || task.IsPattern(path)
}

// LoadTasks reads a suite of task definitions; the files that a set or pattern names may be C programs with a verdict, too.
func LoadTasks(path string) (*Suite, error) {
	s := &Suite{Name: slug(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))}
	if s.Name == "" {
		s.Name = "suite"
	}
	var files []string
	var err error
	switch {
	case task.IsPattern(path):
		files, err = task.Glob(path)
	case filepath.Ext(path) == ".set":
		files, err = task.Set(path)
	default:
		files = []string{path}
	}
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if task.IsDefinition(f) {
			err = s.addDefinition(f)
		} else {
			err = s.addFile(filepath.Dir(f), filepath.Base(f))
		}
		if err != nil {
			return nil, err
		}
	}
	if len(s.Tasks) == 0 {
		return nil, fmt.Errorf("%s: no task with an expected verdict on a property that comus knows", path)
	}
	s.distinguish()
	return s, nil
}

// addDefinition adds the tasks of a definition.
func (s *Suite) addDefinition(file string) error {
	d, err := task.Read(file)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	var text []byte
	for _, in := range append([]string{file}, d.Inputs...) {
		more, err := os.ReadFile(in)
		if err != nil {
			return err
		}
		text = append(text, more...)
	}
	for _, p := range d.Properties {
		if p.Expected == nil || p.Checks == nil || p.Entry != "main" {
			s.Skipped = append(s.Skipped, fmt.Sprintf("%s: %s", name, p.Name))
			continue
		}
		t := &Task{Name: name, File: file, Hash: hash(text), Expect: VerdictSafe, Property: p.Name, DataModel: d.DataModel,
			Violated: p.Violated(), checks: p.Checks}
		if len(d.Inputs) == 1 {
			t.File = d.Inputs[0]
		}
		if !*p.Expected {
			t.Expect = VerdictUnsafe
		}
		t.Column = strings.ToLower(t.Expect)
		s.Tasks = append(s.Tasks, t)
	}
	return nil
}

// The points of SV-COMP for a verdict.
const (
	scoreSafe      = 2
	scoreUnsafe    = 1
	scoreWrongSafe = -32 // SAFE, and there is a violation
	scoreAlarm     = -16 // UNSAFE, and there is none, or another one
)

// score returns the points for a row.
func (r *Row) score() int {
	switch {
	case r.Wrong && r.Verdict == VerdictSafe:
		return scoreWrongSafe
	case r.Wrong:
		return scoreAlarm
	case r.Right() && r.Verdict == VerdictSafe:
		return scoreSafe
	case r.Right():
		return scoreUnsafe
	}
	return 0
}
