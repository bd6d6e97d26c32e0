// Package task reads the task definitions of SV-COMP (format 2.0 and 2.1, YAML): which files are a program, which
// properties it is to be verified against, and which verdict is expected of each. It also finds the definitions that
// a set of tasks (.set) or a pattern names.
package task

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"comus/property"
	"comus/specialise"
)

// Definition is what a file defines.
type Definition struct {
	File       string   // of the definition
	Inputs     []string // the program's files, as paths from here
	Properties []Property
	DataModel  string // "LP64", "ILP32", or "" if it says nothing
}

// Property is a property that the program is to be verified against.
type Property struct {
	Name string // of the property file, without its ending: "unreach-call"
	File string // a path from here
	// Expected is whether the property holds; nil: nobody knows.
	Expected *bool
	// Subproperty is the part of the property that is violated: "valid-free".
	Subproperty string
	// Checks are comus's names of what is asked; nil: it is no property that comus knows.
	Checks []string
	Entry  string // the function that the program begins with
	Why    string // Checks is nil: why
	Line   int    // in the definition
}

// Error is what is wrong with a file, and where.
type Error struct {
	File      string
	Line, Col int // 0: in the file as a whole
	Msg       string
}

// Error returns "file:line:col: message" in one line.
func (e *Error) Error() string {
	msg := strings.Join(strings.Fields(e.Msg), " ")
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, msg)
}

// IsDefinition reports whether a name is one of a task definition.
func IsDefinition(name string) bool {
	return slices.Contains([]string{".yml", ".yaml"}, strings.ToLower(filepath.Ext(name)))
}

// maxSize bounds the size of a definition.
const maxSize = 1 << 20

// one or several strings.
type stringList []string

// UnmarshalYAML reads a string or a list of them.
func (l *stringList) UnmarshalYAML(n *yaml.Node) error {
	var one string
	if n.Kind == yaml.ScalarNode {
		err := n.Decode(&one)
		*l = []string{one}
		return err
	}
	return n.Decode((*[]string)(l))
}

// Read reads a definition. The error is an *Error.
func Read(file string) (*Definition, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, &Error{File: file, Msg: err.Error()}
	}
	if len(text) > maxSize {
		return nil, &Error{File: file, Msg: "is too large for a task definition"}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, &Error{File: file, Msg: "no YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, &Error{File: file, Msg: "no task definition: format_version, input_files and properties expected"}
	}
	d := &Definition{File: file}
	return d, d.fill(doc.Content[0])
}

// errorf returns an error at a node.
func (d *Definition) errorf(n *yaml.Node, format string, args ...any) error {
	return &Error{d.File, n.Line, n.Column, fmt.Sprintf(format, args...)}
}

// fill reads the keys of a definition.
func (d *Definition) fill(m *yaml.Node) error {
	var version string
	if n := child(m, "format_version"); n == nil || n.Kind != yaml.ScalarNode {
		return d.errorf(m, "format_version is missing")
	} else if version = n.Value; version != "2.0" && version != "2.1" {
		return d.errorf(n, "format_version is %q: comus reads 2.0 and 2.1", version)
	}
	var inputs stringList
	n := child(m, "input_files")
	if n == nil || n.Decode(&inputs) != nil || len(inputs) == 0 {
		return d.errorf(cmpNode(n, m), "input_files has to be a file or a list of files")
	}
	for _, f := range inputs {
		path := d.path(f)
		if st, err := os.Stat(path); err != nil || st.IsDir() {
			return d.errorf(n, "there is no file %s", f)
		}
		d.Inputs = append(d.Inputs, path)
	}
	if o := child(m, "options"); o != nil {
		if l := child(o, "language"); l != nil && l.Value != "C" {
			return d.errorf(l, "comus verifies programs in C, not in %s", l.Value)
		}
		if dm := child(o, "data_model"); dm != nil {
			if d.DataModel = dm.Value; d.DataModel != "LP64" && d.DataModel != "ILP32" {
				return d.errorf(dm, "no data model is called %q: there are LP64 and ILP32", dm.Value)
			}
		}
	}
	list := child(m, "properties")
	if list == nil || list.Kind != yaml.SequenceNode {
		return d.errorf(cmpNode(list, m), "properties has to be a list")
	}
	for _, p := range list.Content {
		if err := d.property(p); err != nil {
			return err
		}
	}
	return nil
}

// path returns the path of a file that the definition names.
func (d *Definition) path(f string) string {
	if filepath.IsAbs(f) {
		return f
	}
	return filepath.Join(filepath.Dir(d.File), f)
}

// property reads an element of properties.
func (d *Definition) property(n *yaml.Node) error {
	file := child(n, "property_file")
	if file == nil || file.Kind != yaml.ScalarNode {
		return d.errorf(n, "property_file is missing")
	}
	p := Property{File: d.path(file.Value), Line: n.Line}
	p.Name = strings.TrimSuffix(filepath.Base(p.File), filepath.Ext(p.File))
	if v := child(n, "expected_verdict"); v != nil {
		var b bool
		if v.ShortTag() != "!!bool" || v.Decode(&b) != nil {
			return d.errorf(v, "expected_verdict is true or false, not %q", v.Value)
		}
		p.Expected = &b
	}
	if s := child(n, "subproperty"); s != nil {
		if p.Subproperty = s.Value; p.Expected == nil || *p.Expected {
			return d.errorf(s, "a subproperty is what is violated, and the expected verdict is not false")
		}
	}
	text, err := os.ReadFile(p.File)
	if err != nil {
		return d.errorf(file, "there is no property file %s", file.Value)
	}
	f, err := property.Parse(p.File, text)
	if err != nil {
		p.Why = err.Error()
	} else {
		p.Checks, p.Entry = f.Checks, f.Entry
	}
	d.Properties = append(d.Properties, p)
	return nil
}

// Violated returns comus's name of what violates the property as it is expected to be violated; "" if that is any of Checks.
func (p *Property) Violated() string {
	switch p.Subproperty {
	case "valid-deref", "valid-free":
		return specialise.Memory
	case "valid-memtrack":
		return specialise.Leak
	case "valid-memcleanup":
		return specialise.Cleanup
	}
	return ""
}

// child returns the value of a key; nil if there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// cmpNode returns the first node that is there.
func cmpNode(n, or *yaml.Node) *yaml.Node {
	if n != nil {
		return n
	}
	return or
}

// IsPattern reports whether a name is a pattern of file names.
func IsPattern(name string) bool { return strings.ContainsAny(name, "*?[") }

// Glob returns the files that a pattern stands for, in order.
func Glob(pattern string) ([]string, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: no pattern of file names: %w", pattern, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: there is no such file", pattern)
	}
	return files, nil
}

// Set returns the files that a set of tasks names: a pattern a line, from the folder of the set; a line that begins with # is a comment.
func Set(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []string
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		path := line
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		files, err := filepath.Glob(path)
		if err != nil {
			return nil, &Error{file, n, 1, fmt.Sprintf("%s is no pattern of file names", line)}
		}
		if len(files) == 0 {
			return nil, &Error{file, n, 1, fmt.Sprintf("there is no file %s", line)}
		}
		for _, f := range files {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out, lines.Err()
}
