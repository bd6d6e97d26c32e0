package validate

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/comus"
	"comus/internal/long"
	"comus/property"
	"comus/seqmc"
	"comus/specialise"
	"comus/witness"
)

// COMUS_WITNESS_ALL has the tests go over all programs of the test suites, and 500 mutations.
var allWitnesses = os.Getenv("COMUS_WITNESS_ALL") != ""

var expectation = regexp.MustCompile(`^// expect: (SAFE|UNSAFE)(?:[ \t]+--check=(\S+))?`)

// suiteProgram is a program of the test suites.
type suiteProgram struct {
	file   string
	checks []string
	unsafe bool
}

// suitePrograms returns every step-th program of the test suites, as far as they have verdicts.
func suitePrograms(t *testing.T, step int) (out []suiteProgram) {
	t.Helper()
	n := 0
	for _, dir := range []string{"../../examples", "../../cfront/testdata/race", "../../cfront/testdata/deadlock", "../../cfront/testdata/memory",
		"../../cfront/testdata/locks", "../../cfront/testdata/overflow", "../../cfront/testdata/leak", "../../cfront/testdata/cleanup", "../../cfront/testdata/language"} {
		files, err := filepath.Glob(dir + "/*.c")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			m := expectation.FindSubmatch(text)
			if n++; m == nil || n%step != 0 {
				continue
			}
			p := suiteProgram{file: f, unsafe: string(m[1]) == "UNSAFE"}
			if name := filepath.Base(dir); len(m[2]) == 0 && name == specialise.Locks {
				p.checks = []string{name}
			}
			if len(m[2]) > 0 {
				for _, name := range strings.Split(string(m[2]), ",") {
					p.checks = append(p.checks, property.Named(name)...)
				}
			}
			out = append(out, p)
		}
	}
	return out
}

// witnessOf verifies a program and returns the text of the witness; "" if there is no verdict.
func witnessOf(t *testing.T, file string, checks []string, limit time.Duration) (string, *comus.Result) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	w := &Writer{Units: comus.File(file), Producer: witness.Producer{Name: "comus", Version: "test"}}
	opts := comus.Options{Source: cfront.Options{Weave: w.Look}}
	var err error
	if opts.Question.Check, err = specialise.ChecksNamed(checks); err != nil {
		t.Fatal(err)
	}
	res, err := comus.Verify(ctx, file, opts)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	found, err := w.Witness(ctx, res, opts)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if found == nil {
		return "", res
	}
	text, err := found.Encode()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return string(text), res
}

// checkedWitness reads and checks a witness.
func checkedWitness(file, text string, limit time.Duration) (*comus.Result, error) {
	w, err := witness.Read("w.yml", []byte(text))
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	return Witness(ctx, []command.Invocation{{File: file}}, "w.yml", w, comus.Options{})
}

// TestWitnessesOfSuites writes a witness for each verdict on some programs of the test suites, and checks it.
func TestWitnessesOfSuites(t *testing.T) {
	t.Parallel() // with others that take long, when the rest is done
	step, limit := long.N(71, 400), 10*time.Second
	if allWitnesses {
		step, limit = 1, 20*time.Second
	}
	verdicts := 0
	for _, p := range suitePrograms(t, step) {
		text, res := witnessOf(t, p.file, p.checks, limit)
		if text == "" {
			t.Logf("%s: no verdict: %s", p.file, res.Reason)
			continue
		}
		verdicts++
		if (res.Verdict == seqmc.Unsafe) != p.unsafe {
			t.Errorf("%s: %v", p.file, res.Verdict)
		}
		got, err := checkedWitness(p.file, text, 2*limit)
		switch {
		case err != nil:
			t.Errorf("%s: the witness is refused: %v\n%s", p.file, err, text)
		case got.Verdict != res.Verdict:
			t.Errorf("%s: %v, and its witness is %v: %s", p.file, res.Verdict, got.Verdict, got.Reason)
		}
	}
	if verdicts < long.N(10, 1) {
		t.Errorf("only %d verdicts", verdicts)
	}
	t.Logf("%d verdicts", verdicts)
}

// mutate changes a text somewhere.
func mutate(rng *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	i := rng.IntN(len(lines))
	number := regexp.MustCompile(`\d+`)
	switch rng.IntN(8) {
	case 0:
		lines = append(lines[:i:i], lines[i+1:]...)
	case 1:
		lines[i] += "\n" + lines[i]
	case 2:
		j := rng.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
	case 3, 4:
		lines[i] = number.ReplaceAllStringFunc(lines[i], func(n string) string {
			k, _ := strconv.Atoi(n)
			return strconv.Itoa(k + rng.IntN(5) - 2)
		})
	case 5:
		words := []string{"assumption", "target", "function_enter", "function_return", "branching", "follow", "avoid", "loop_invariant", "location_invariant"}
		for _, w := range words {
			if strings.Contains(lines[i], w) {
				lines[i] = strings.Replace(lines[i], w, words[rng.IntN(len(words))], 1)
				break
			}
		}
	case 6:
		values := []string{`"0"`, `"x == 7"`, `"x++"`, `"f("`, `"*(int *)0"`, `"nothing > 1"`, `"1); reach_error("`, "true", "[1]", "&a *a"}
		if k := strings.Index(lines[i], "value:"); k >= 0 {
			lines[i] = lines[i][:k] + "value: " + values[rng.IntN(len(values))]
		}
	case 7:
		lines[i] += []string{" #", " }", "\t", ":"}[rng.IntN(4)]
	}
	return strings.Join(lines, "\n")
}

// TestMutatedWitnesses checks witnesses that somebody has changed: they are refused, or validated, and never another verdict comes out.
func TestMutatedWitnesses(t *testing.T) {
	t.Parallel() // with others that take long, when the rest is done
	count, seed := long.N(60, 10), uint64(1)
	if allWitnesses {
		count, seed = 500, uint64(time.Now().UnixNano())
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	type original struct {
		file, text string
		verdict    seqmc.Verdict
	}
	var list []original
	for _, p := range []suiteProgram{{file: "../../examples/counter_race.c"}, {file: "../../examples/counter_lock.c"}, {file: "testdata/witness/inputs.c"},
		{file: "testdata/witness/inputs.c", checks: []string{specialise.Overflows}}, {file: "testdata/witness/loop.c"}} {
		text, res := witnessOf(t, p.file, p.checks, 20*time.Second)
		if text == "" {
			t.Fatalf("%s: no verdict: %s", p.file, res.Reason)
		}
		list = append(list, original{p.file, text, res.Verdict})
	}
	outcomes := map[string]int{}
	for i := range count {
		o := list[i%len(list)]
		text := mutate(rng, o.text)
		res, err := checkedWitness(o.file, text, 2*time.Second)
		var bad *witness.Error
		switch {
		case errors.As(err, &bad):
			outcomes["refused"]++
			if bad.Msg == "" || strings.Contains(bad.Msg, "bug in comus") || strings.Contains(bad.Error(), "\n") {
				t.Errorf("seed %d, mutation %d of %s is refused without a reason: %v\n%s", seed, i, o.file, err, text)
			}
		case err != nil:
			t.Errorf("seed %d, mutation %d of %s: %v\n%s", seed, i, o.file, err, text)
		case res.Verdict == seqmc.Unknown && res.Reason != "":
			outcomes["rejected"]++
		case res.Verdict == o.verdict:
			outcomes["validated"]++
		case bytes.Contains([]byte(text), []byte("overflow")) != strings.Contains(o.text, "overflow"):
		default:
			t.Errorf("seed %d, mutation %d of %s: %v\n%s", seed, i, o.file, res.Verdict, text)
		}
	}
	t.Logf("seed %d: %v", seed, outcomes)
}

// TestWitnessOfHostileName writes and checks the witness of a file whose name is no word.
func TestWitnessOfHostileName(t *testing.T) {
	text, err := os.ReadFile("testdata/witness/inputs.c")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "- a\"b'\n: [#.c")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	w, res := witnessOf(t, file, nil, 20*time.Second)
	if w == "" {
		t.Fatal(res.Reason)
	}
	got, err := checkedWitness(file, w, 20*time.Second)
	if err != nil || got.Verdict != seqmc.Unsafe {
		t.Errorf("%+v, %v\n%s", got, err, w)
	}
}
