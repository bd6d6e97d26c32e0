package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// stage is one run of tests.
type stage struct {
	name string
	pkg  string
	args []string // of the test's binary
}

// stages are the tests that a change of a package goes through, those that take least first.
func stages(pkg string) []stage {
	own := stage{"tests of the package", pkg, nil}
	rules := stage{"programs with rules", "scan", []string{"-test.skip", "Rand|Forged|Mutations|Certif|TransferGrown|Progress"}}
	checker := stage{"check", "check/scancheck", []string{"-test.run", "TestAccepted|TestLies"}}
	random := stage{"random programs", "scan", []string{"-test.run", "TestRandom$|TestRandRace|TestRandBatch$"}}
	values := stage{"tests of values", "scan/values", nil}
	confirm := stage{"check of values", "check/valuecheck", nil}
	switch pkg {
	case "specialise": // what has the program of ir follow runs, then what has runs follow executions of ir; that nothing is added to these, the verdicts of the suites say
		return []stage{{"the simulation check", "replay", []string{"-test.run", "TestValidate$"}}, {"executions that runs follow", "replay", []string{"-test.run", "TestInterpret$"}},
			{"runs beside proofs", "comus", []string{"-test.run", "TestBesideSuites$"}}, {"verdicts of the suites", pkg, []string{"-test.run", "TestPrograms$|TestLocks$|TestMisuse$|TestProperties$"}}}
	case "check/valuecheck":
		return []stage{own}
	case "scan/values":
		return []stage{own, confirm}
	case "scan/zones":
		return []stage{own, values, confirm}
	case "scan/solve":
		return []stage{own, values, confirm}
	case "scan/cut":
		return []stage{own, {"specialised programs", "specialise", nil}}
	}
	return []stage{own, rules, checker, random}
}

func main() {
	packages := flag.String("packages", "scan/pointsto,scan/thread,scan/valuenum,scan/escape,scan/lockset,scan/race,scan/values,scan/zones,scan/loop,scan/cut,scan/solve", "which packages")
	n := flag.Int("n", 5, "how many changes of each package; 0: all")
	seed := flag.Uint64("seed", 1, "which ones")
	only := flag.String("only", "", "only changes whose description has this in it, or one of several, with ; between them")
	list := flag.Bool("list", false, "only list the changes")
	tests := flag.String("run", "", "which of the tests of the package itself")
	limit := flag.Duration("timeout", 4*time.Minute, "processor time of each run of tests; what takes longer is noticed")
	flag.Parse()
	if err := run(strings.Split(*packages, ","), *n, *seed, *only, *list, *limit, *tests); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// numbered is a change, with its number.
type numbered struct {
	mutation
	number int
}

func run(packages []string, n int, seed uint64, only string, list bool, limit time.Duration, tests string) error {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m := &mutants{dir: dir, limit: limit, tests: tests, changed: map[string]string{}, binaries: map[string]string{}, of: map[string][]numbered{}}
	for _, pkg := range packages {
		if err := m.collect(pkg); err != nil {
			return err
		}
	}
	if err := m.overlay(); err != nil {
		return err
	}
	for _, pkg := range packages {
		var all []numbered
		for _, x := range m.of[pkg] {
			if slices.ContainsFunc(strings.Split(only, ";"), func(part string) bool { return strings.Contains(x.String(), part) }) {
				all = append(all, x)
			}
		}
		r := rand.New(rand.NewPCG(seed, 1))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if err := m.try(pkg, all, n, list); err != nil {
			return err
		}
	}
	return nil
}

// mutants are all changes, in one tree of files: each is there if its number is asked for when a program starts.
type mutants struct {
	dir      string
	limit    time.Duration
	tests    string            // of a package itself: those that a pattern fits
	changed  map[string]string // files, and what they are to be read instead of
	binaries map[string]string // of tests, by their packages; "": there are none
	of       map[string][]numbered
	count    int
}

// collect finds the changes of a package.
func (m *mutants) collect(pkg string) error {
	files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		list, text, err := mutations(f, m.count+1)
		if err != nil {
			return err
		}
		for _, x := range list {
			m.count++
			m.of[pkg] = append(m.of[pkg], numbered{x, m.count})
		}
		if err := m.replace(f, text); err != nil {
			return err
		}
	}
	return nil
}

// replace has the compiler read a text in place of a file.
func (m *mutants) replace(file string, text []byte) error {
	abs, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	m.changed[abs] = filepath.Join(m.dir, fmt.Sprintf("%d_%s", len(m.changed), filepath.Base(file)))
	return os.WriteFile(m.changed[abs], text, 0o666)
}

// asked is the variable of the environment with the number of the change that is asked for.
const asked = "COMUS_MUTATED"

// switchPath is the package that knows it, which is there only for the compiler.
const switchPath = "comus/internal/mutate/mutated"

const switchText = `package mutated

import (
	"os"
	"strconv"
)

var number, _ = strconv.Atoi(os.Getenv("` + asked + `"))

// Is reports whether a change is asked for.
func Is(n int) bool { return n == number }
`

// overlay writes down for go which files are to be read in place of others.
func (m *mutants) overlay() error {
	if err := m.replace(filepath.Join("internal", "mutate", "mutated", "mutated.go"), []byte(switchText)); err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"Replace": m.changed})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(m.dir, "overlay.json"), text, 0o666)
}

// binary returns the tests of a package with all changes, "" if it has none.
func (m *mutants) binary(pkg string) (string, error) {
	if b, known := m.binaries[pkg]; known {
		return b, nil
	}
	m.binaries[pkg] = ""
	if tests, err := filepath.Glob(filepath.Join(pkg, "*_test.go")); err != nil || len(tests) == 0 {
		return "", err
	}
	b := filepath.Join(m.dir, strings.ReplaceAll(pkg, "/", "_")+".test")
	if out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", filepath.Join(m.dir, "overlay.json"), "-o", b, "./"+pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	m.binaries[pkg] = b
	return b, nil
}

// try asks for changes of a package, one at a time, and tells who notices.
func (m *mutants) try(pkg string, all []numbered, n int, list bool) error {
	if list {
		for _, x := range all {
			fmt.Println(x)
		}
		return nil
	}
	if who, err := m.noticed(pkg, 0); err != nil || who != survives {
		return errors.Join(err, fmt.Errorf("without any change: %s", who))
	}
	count := map[string]int{}
	for i, x := range all {
		if n > 0 && i >= n {
			break
		}
		who, err := m.noticed(pkg, x.number)
		if err != nil {
			return err
		}
		count["changes"]++
		count[who]++
		fmt.Printf("%s: %s\n", x, who)
	}
	fmt.Printf("%s: %d places, %v\n", pkg, len(all), count)
	return nil
}

// survives is said of a change that nobody notices.
const survives = "survives"

// noticed runs the tests with a change, none if the number is 0, and returns which of them failed.
func (m *mutants) noticed(pkg string, number int) (string, error) {
	for _, s := range stages(pkg) {
		if s.pkg == pkg && s.args == nil && m.tests != "" {
			s.args = []string{"-test.run", m.tests}
		}
		b, err := m.binary(s.pkg)
		if err != nil {
			return "", err
		}
		if b == "" {
			continue
		}
		// Processor time, as others may be at work; and no more than 20 times that, as it may wait for ever.
		ctx, cancel := context.WithTimeout(context.Background(), 20*m.limit)
		limited := []string{"-c", fmt.Sprintf(`ulimit -t %d; ulimit -v 4000000; exec "$@"`, int(m.limit.Seconds())), "sh", b, "-test.failfast"}
		cmd := exec.CommandContext(ctx, "sh", append(limited, s.args...)...)
		cmd.Dir, cmd.WaitDelay = s.pkg, time.Second
		cmd.Env = append(os.Environ(), asked+"="+strconv.Itoa(number))
		out, err := cmd.CombinedOutput()
		late := ctx.Err() != nil || bytes.Contains(out, []byte("SIGXCPU"))
		cancel()
		var failed *exec.ExitError
		if errors.As(err, &failed) && !failed.Exited() { // killed, as it was at its limit
			late = true
		}
		switch {
		case late:
			return "noticed by " + s.name + ": it does not end", nil
		case err == nil:
		case errors.As(err, &failed) && (bytes.Contains(out, []byte("FAIL")) || bytes.Contains(out, []byte("panic")) || bytes.Contains(out, []byte("goroutine"))):
			return "noticed by " + s.name, nil
		default:
			return "", fmt.Errorf("%w: %s", err, out)
		}
	}
	return survives, nil
}
