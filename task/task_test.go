package task

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const definition = `format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: unreach-call.prp
    expected_verdict: true
  - property_file: memory.prp
    expected_verdict: false
    subproperty: valid-free
  - property_file: termination.prp
options:
  language: C
  data_model: ILP32
`

// folder writes files to a new folder.
func folder(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// program has what the definition names.
var program = map[string]string{"a.c": "int main(void) { return 0; }", "b.c": "", "unreach-call.prp": "CHECK( init(main()), LTL(G ! call(reach_error())) )",
	"memory.prp":      "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-memtrack) )",
	"termination.prp": "CHECK( init(main()), LTL(F end) )"}

func TestRead(t *testing.T) {
	dir := folder(t, program)
	file := filepath.Join(dir, "t.yml")
	if err := os.WriteFile(file, []byte(definition), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	p := d.Properties
	if len(d.Inputs) != 1 || d.Inputs[0] != filepath.Join(dir, "a.c") || d.DataModel != "ILP32" || len(p) != 3 {
		t.Fatalf("%+v", d)
	}
	if p[0].Name != "unreach-call" || !*p[0].Expected || !slices.Equal(p[0].Checks, []string{"assert"}) || p[0].Violated() != "" {
		t.Errorf("%+v", p[0])
	}
	if *p[1].Expected || p[1].Violated() != "memory" || !slices.Equal(p[1].Checks, []string{"memory", "leak"}) || p[1].Line != 6 {
		t.Errorf("%+v", p[1])
	}
	if p[2].Expected != nil || p[2].Checks != nil || !strings.Contains(p[2].Why, "no property that comus knows") {
		t.Errorf("%+v", p[2])
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{definition, "", "no task definition"},
		{definition, "a: [", "no YAML"},
		{"'2.0'", "'3.0'", "t.yml:1:17: format_version is \"3.0\""},
		{"'a.c'", "[a.c, c.c]", "t.yml:2:14: there is no file c.c"},
		{"input_files: 'a.c'", "", "input_files has to be a file or a list of files"},
		{"unreach-call.prp", "other.prp", "t.yml:4:20: there is no property file other.prp"},
		{"expected_verdict: true", "expected_verdict: maybe", "t.yml:5:23: expected_verdict is true or false"},
		{"expected_verdict: false", "expected_verdict: true", "t.yml:8:18: a subproperty is what is violated"},
		{"language: C", "language: Java", "comus verifies programs in C"},
		{"ILP32", "ILP64", "t.yml:12:15: no data model is called"},
	} {
		dir := folder(t, program)
		file := filepath.Join(dir, "t.yml")
		if err := os.WriteFile(file, []byte(strings.Replace(definition, test.old, test.new, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q for %q: %v, not %s", test.new, test.old, err, test.want)
		}
	}
}

func TestSet(t *testing.T) {
	dir := folder(t, program)
	set := filepath.Join(dir, "s.set")
	write := func(text string) {
		if err := os.WriteFile(set, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("# programs\n\n*.c\na.c\n")
	got, err := Set(set)
	if want := []string{filepath.Join(dir, "a.c"), filepath.Join(dir, "b.c")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	write("a.c\nno/*.yml\n")
	if _, err := Set(set); err == nil || !strings.HasSuffix(err.Error(), "s.set:2:1: there is no file no/*.yml") {
		t.Errorf("%v", err)
	}
}
