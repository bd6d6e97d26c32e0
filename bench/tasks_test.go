package bench

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLoadTasks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.c": "int main(void) { return 0; }", "b.c": "",
		"reach.prp":  "CHECK( init(main()), LTL(G ! call(reach_error())) )",
		"memory.prp": "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-memtrack) )",
		"end.prp":    "CHECK( init(main()), LTL(F end) )",
		"one.yml":    "format_version: '2.0'\ninput_files: a.c\nproperties:\n- {property_file: reach.prp, expected_verdict: true}\n- {property_file: memory.prp, expected_verdict: false, subproperty: valid-free}\n- {property_file: end.prp, expected_verdict: true}\noptions: {language: C, data_model: ILP32}\n",
		"two.yml":    "format_version: '2.0'\ninput_files: [a.c, b.c]\nproperties:\n- {property_file: reach.prp, expected_verdict: false}\n",
		"all.set":    "# both\n*.yml\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"all.set", "*.yml"} {
		s, err := LoadSuite(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Tasks) != 3 || len(s.Skipped) != 1 {
			t.Fatalf("%s: %d tasks, skipped %v", path, len(s.Tasks), s.Skipped)
		}
		a, b, c := s.Tasks[0], s.Tasks[1], s.Tasks[2]
		if a.Name != "one:reach:ILP32" || a.Expect != VerdictSafe || a.File != filepath.Join(dir, "a.c") || a.DataModel != "ILP32" {
			t.Errorf("%+v", a)
		}
		if b.Name != "one:memory:ILP32" || b.Expect != VerdictUnsafe || b.Violated != "memory" {
			t.Errorf("%+v", b)
		}
		if c.Name != "two" || c.Expect != VerdictUnsafe || c.File != filepath.Join(dir, "two.yml") { // comus reads which files it is
			t.Errorf("%+v", c)
		}
	}
}

func TestScore(t *testing.T) {
	for _, test := range []struct {
		expect, part, verdict string
		violated              []string
		want                  int
	}{
		{VerdictSafe, "", VerdictSafe, nil, 2},
		{VerdictUnsafe, "", VerdictUnsafe, []string{"race"}, 1},
		{VerdictUnsafe, "", VerdictSafe, nil, -32},
		{VerdictSafe, "", VerdictUnsafe, []string{"race"}, -16},
		{VerdictUnsafe, "memory", VerdictUnsafe, []string{"memory", "leak"}, 1},
		{VerdictUnsafe, "memory", VerdictUnsafe, []string{"leak"}, -16},
		{VerdictUnsafe, "memory", VerdictUnsafe, nil, 1}, // a foreign command does not say
		{VerdictSafe, "", VerdictUnknown, nil, 0},
		{VerdictSafe, "", VerdictTimeout, nil, 0},
	} {
		r := &Row{Expect: test.expect, violated: test.part}
		r.fill([]*Result{{Verdict: test.verdict, Violated: test.violated}})
		if r.Score != test.want {
			t.Errorf("%+v: %d points", test, r.Score)
		}
	}
}
