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
	"strings"
	"time"
)

// stage is one command of tests.
type stage struct {
	name string
	args []string // of go test
}

// stages are the tests that a change of a package goes through, those that take least first.
func stages(pkg string) []stage {
	own := stage{"tests of the package", []string{"./" + pkg}}
	rules := stage{"programs with rules", []string{"./scan", "-run", "TestRules|TestOwn|TestThreads|TestNewLocks|TestJudged|TestExtents"}}
	checker := stage{"check", []string{"./check/scancheck", "-run", "TestAccepted|TestLies"}}
	random := stage{"random programs", []string{"./scan", "-run", "TestRandom$|TestRandRace"}}
	if pkg == "scan/values" || pkg == "scan/solve" || pkg == "scan/zones" {
		return []stage{own}
	}
	return []stage{own, rules, checker, random}
}

func main() {
	packages := flag.String("packages", "scan/points,scan/thread,scan/symbol,scan/fresh,scan/lockset,scan/race,scan/values,scan/zones", "which packages")
	n := flag.Int("n", 5, "how many changes of each package; 0: all")
	seed := flag.Uint64("seed", 1, "which ones")
	only := flag.String("only", "", "only changes whose description has this in it")
	list := flag.Bool("list", false, "only list the changes")
	limit := flag.Duration("timeout", 5*time.Minute, "of each command of tests; what takes longer is noticed")
	flag.Parse()
	for _, pkg := range strings.Split(*packages, ",") {
		if err := try(pkg, *n, *seed, *only, *list, *limit); err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			os.Exit(1)
		}
	}
}

// try makes changes of a package, one at a time, and tells who notices.
func try(pkg string, n int, seed uint64, only string, list bool, limit time.Duration) error {
	files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		return err
	}
	var all []mutation
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		ms, err := mutations(f)
		if err != nil {
			return err
		}
		for _, m := range ms {
			if strings.Contains(m.String(), only) {
				all = append(all, m)
			}
		}
	}
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	count := map[string]int{}
	for _, m := range all {
		if list {
			fmt.Println(m)
			continue
		}
		if n > 0 && count["changes"] >= n {
			break
		}
		who, err := noticed(pkg, m, limit)
		if err != nil {
			return err
		}
		if who != invalid {
			count["changes"]++
			count[who]++
			fmt.Printf("%s: %s\n", m, who)
		}
	}
	fmt.Printf("%s: %d places, %v\n", pkg, len(all), count)
	return nil
}

// invalid is the answer for a change that does not compile.
const invalid = "not Go"

// noticed runs the tests with a change, and returns which of them failed.
func noticed(pkg string, m mutation, limit time.Duration) (string, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	overlay, err := replaced(dir, m)
	if err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "build", "-overlay", overlay, "./"+pkg).CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte(m.file)) || bytes.Contains(out, []byte(overlaid)) {
			return invalid, nil
		}
		return "", fmt.Errorf("%w: %s", err, out)
	}
	for _, s := range stages(pkg) {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		args := append([]string{"test", "-overlay", overlay, "-count=1", "-failfast", "-vet=off"}, s.args...)
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.WaitDelay = time.Second
		out, err := cmd.CombinedOutput()
		late := ctx.Err() != nil
		cancel()
		var failed *exec.ExitError
		switch {
		case late:
			return "noticed by " + s.name + ": it does not end", nil
		case err == nil:
		case errors.As(err, &failed) && bytes.Contains(out, []byte("FAIL")):
			return "noticed by " + s.name, nil
		default:
			return "", fmt.Errorf("%w: %s", err, out)
		}
	}
	return "survives", nil
}

// overlaid is what the changed file is called, in what the compiler says of it, too.
const overlaid = "changed.go"

// replaced writes the changed file, and for go what it is to be read instead of.
func replaced(dir string, m mutation) (string, error) {
	src, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(dir, overlaid), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, m.applied(src), 0o666); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{abs: changed}})
	if err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, text, 0o666)
}
