package sequentialize_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"comus/bmc"
	"comus/cutpoints"
	"comus/internal/csource"
	"comus/ir"
	"comus/ir/cgen"
	"comus/sequentialize"
	"comus/sequentialize/single"
	"comus/sequentialize/unwind"
	"comus/specialise"
)

var (
	long    = flag.Bool("long", false, "translate all test programs of the front end, in all ways, and give them to CBMC")
	cbmcFor = flag.Duration("cbmc-time", 5*time.Second, "time for each run of CBMC")
)

// The bounds under which the translations of programs are decided.
const (
	boundUnwind = 2
	boundRounds = 3
)

// program is a test program with its verdict.
type program struct {
	file   string
	unsafe bool
	source csource.Options
}

// corpus returns the examples, and of the front end's test programs each n-th.
func corpus(t *testing.T, n int) []program {
	t.Helper()
	files, _ := filepath.Glob("../examples/*.c")
	more, _ := filepath.Glob("../cfront/testdata/run/*.c")
	if len(files) < 10 || len(more) < 300 {
		t.Fatalf("only %d examples and %d programs", len(files), len(more))
	}
	for i := n / 2; i < len(more); i += n {
		files = append(files, more[i])
	}
	var out []program
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		want, check, _ := strings.Cut(strings.TrimPrefix(first, "// expect: "), " --check=")
		if want != "SAFE" && want != "UNSAFE" {
			t.Fatalf("%s: no verdict: %s", file, first)
		}
		out = append(out, program{file, want == "UNSAFE", csource.Options{Check: specialise.Checks{Memory: check == "memory"}}})
	}
	return out
}

func (p program) parse(t *testing.T) *ir.Program {
	t.Helper()
	res, err := csource.ParseFile(p.file, p.source)
	if err != nil {
		t.Fatal(err)
	}
	return res.Program
}

func (p program) name() string { return strings.TrimSuffix(filepath.Base(p.file), ".c") }

// stride is the distance of the front end's programs that are taken.
func stride(short int) int {
	if *long {
		return 1
	}
	return short
}

// TestCompiles translates programs and compiles the result: the examples with all methods
// for all targets, the front end's test programs with one for one, unless -long is given.
func TestCompiles(t *testing.T) {
	n := 0
	for i, p := range corpus(t, stride(7)) {
		example := strings.HasPrefix(p.file, "../examples")
		for j, method := range sequentialize.Methods {
			for target := range cgen.TargetNames {
				if !example && !*long && (j != i%3 || target != i/3%3) {
					continue
				}
				o := sequentialize.Options{Method: method, Unwind: boundUnwind, Rounds: boundRounds, Target: cgen.Target(target)}
				text, err := sequentialize.Translate(p.parse(t), o)
				if err != nil {
					t.Errorf("%s, %s: %v", p.file, method, err)
					continue
				}
				compile(t, text)
				n++
			}
		}
	}
	t.Logf("%d translations", n)
}

// TestAgainstCBMC gives translations of programs to CBMC. What it says is what bounded
// model checking of the sequentialization in IR says, with the same bounds; and a safe
// program has no violation. UL-CSeq has no bounds of its own: CBMC, which gets some, has to
// find what is found within those of the others.
func TestAgainstCBMC(t *testing.T) {
	if _, err := exec.LookPath("cbmc"); err != nil {
		t.Skip("cbmc is not installed: shared/tools/get-cbmc.sh installs it")
	}
	var mu sync.Mutex
	counts, runs := map[string]int{}, map[string]int{}
	t.Run("programs", func(t *testing.T) {
		for _, p := range corpus(t, stride(25)) {
			for _, method := range sequentialize.Methods {
				t.Run(p.name()+"/"+method, func(t *testing.T) {
					t.Parallel()
					what := againstCBMC(t, p, method)
					mu.Lock()
					defer mu.Unlock()
					counts[method+": "+what]++
					runs[method]++
				})
			}
		}
	})
	t.Log(counts)
	for _, m := range sequentialize.Methods {
		if runs[m] > 5 && counts[m+": safe"] == 0 || runs[m] > 5 && counts[m+": violation"] == 0 {
			t.Errorf("%s: not all verdicts occurred: %v", m, counts)
		}
	}
}

// againstCBMC compares the verdicts on one translation and returns them in words.
func againstCBMC(t *testing.T, p program, method string) string {
	o := sequentialize.Options{Method: method, Unwind: boundUnwind, Rounds: boundRounds, Target: cgen.CBMC}
	text, err := sequentialize.Translate(p.parse(t), o)
	if err != nil {
		t.Fatal(err)
	}
	found, err := runCBMC(t, text, o)
	if errors.Is(err, context.DeadlineExceeded) {
		return "timeout"
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	own, err := within(t, p, method)
	if errors.Is(err, context.DeadlineExceeded) {
		return "timeout of comus"
	}
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case found && !p.unsafe:
		t.Fatal("CBMC finds a violation in the translation of a safe program")
	case own && !p.unsafe:
		t.Fatal("the sequentialization in IR of a safe program has a violation")
	case found != own && (own || method != "unbounded"):
		t.Fatalf("CBMC finds a violation: %t, bounded model checking of the IR: %t", found, own)
	case found:
		return "violation"
	case p.unsafe:
		return "violation beyond the bounds"
	}
	return "safe"
}

// within reports whether the sequentialization in IR has a violation.
func within(t *testing.T, p program, method string) (bool, error) {
	ctx, cancel := context.WithTimeout(t.Context(), *cbmcFor)
	defer cancel()
	q, _, err := unwind.Program(p.parse(t), boundUnwind)
	if err != nil {
		return false, err
	}
	q.Renumber()
	build := single.Lazy
	if method == "eager" {
		build = single.Eager
	}
	s := build(q, boundRounds, cutpoints.Compute(q, cutpoints.Options{}))
	s.Renumber()
	if !s.Threads[0].HasErrors() {
		return false, nil
	}
	path, err := bmc.Find(ctx, s.Program, nil)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	return path != nil, err
}

// runCBMC reports whether CBMC finds an assertion of a translation that fails. The error
// may be that of a deadline.
func runCBMC(t *testing.T, text string, o sequentialize.Options) (bool, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "seq.c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return false, err
	}
	args := []string{"--no-standard-checks", file}
	if o.Method == "unbounded" {
		// The last call of main is in a round of its own.
		args = append(args, "--unwind", fmt.Sprint(max(boundUnwind, boundRounds)+3), "--no-unwinding-assertions")
	}
	ctx, cancel := context.WithTimeout(t.Context(), *cbmcFor)
	defer cancel()
	out, err := exec.CommandContext(ctx, "cbmc", args...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err == nil && bytes.Contains(out, []byte("VERIFICATION SUCCESSFUL")):
		return false, nil
	case errors.As(err, &exit) && bytes.Contains(out, []byte("VERIFICATION FAILED")):
		return true, nil
	}
	return false, fmt.Errorf("cbmc: %w\n%s", err, out)
}

// TestLostUpdate gives CBMC the C of two x++: an update is lost within two rounds, not
// within one, and not if statements are atomic, as in the paper.
func TestLostUpdate(t *testing.T) {
	if _, err := exec.LookPath("cbmc"); err != nil {
		t.Skip("cbmc is not installed: shared/tools/get-cbmc.sh installs it")
	}
	for _, tt := range []struct {
		rounds int
		atomic bool
		want   bool
	}{{1, false, false}, {2, false, true}, {3, true, false}} {
		res, err := csource.ParseFile("../cfront/testdata/run/lost_update.c", csource.Options{AtomicStatements: tt.atomic})
		if err != nil {
			t.Fatal(err)
		}
		o := sequentialize.Options{Method: "lazy", Unwind: 1, Rounds: tt.rounds, Target: cgen.CBMC}
		text, err := sequentialize.Translate(res.Program, o)
		if err != nil {
			t.Fatal(err)
		}
		if found := cbmc(t, text, o); found != tt.want {
			t.Errorf("%d rounds, atomic statements %t: found %t", tt.rounds, tt.atomic, found)
		}
	}
}
