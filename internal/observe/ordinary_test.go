package observe_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/comus"
	"comus/internal/observe"
	"comus/internal/randapp"
	"comus/internal/randc"
	"comus/specialise"
)

var (
	programs = flag.Int("ordinary.programs", 3, "number of random ordinary programs")
	first    = flag.Uint64("ordinary.seed", 14, "seed of the first of them")
	limit    = flag.Duration("ordinary.limit", 2*time.Second, "time for the verification of each")
	checks   = flag.String("ordinary.check", "assert,race,deadlock,memory", "the properties that are asked about")
	binary   = flag.String("ordinary.comus", "", "the command comus, for its verdicts and exit codes; unless given, the library decides")
	gccRuns  = flag.Int("ordinary.gcc", 2, "how often to run each of gcc's programs; 0: not")
	runs     = flag.Int("ordinary.interp", 8, "how often to run each program in the interpreter")
	only     = flag.String("ordinary.idioms", "", "these idioms only")
	right    = flag.Bool("ordinary.right", false, "no programs with bugs")
	out      = flag.String("ordinary.findings", "", "a folder for programs that something is wrong about")
	given    = flag.String("ordinary.file", "", "a program to make smaller")
	kind     = flag.String("ordinary.kind", "exit", "what is wrong about it, as it was said")
	small    = flag.Int("ordinary.shrink", 0, "programs to make small, at most, before they are stored")
)

// verdicts are those of the properties that were asked about; exit is what the command ended with, if it is wrong.
type verdicts struct {
	of   map[string]string
	exit string
}

// decide asks comus.
func decide(ctx context.Context, dir, text string) (verdicts, error) {
	file := filepath.Join(dir, "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return verdicts{}, err
	}
	if *binary != "" {
		return decideByCommand(ctx, file)
	}
	v := verdicts{of: map[string]string{}}
	within, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	about, err := specialise.ChecksNamed(strings.Split(*checks, ","))
	if err != nil {
		return v, err
	}
	res, err := comus.Verify(within, file, comus.Options{Source: cfront.Options{}, Question: specialise.Options{Check: about}})
	if err != nil {
		if within.Err() == nil {
			v.exit = err.Error()
		}
		return v, nil
	}
	for _, p := range res.Properties {
		v.of[p.Name] = p.Verdict.String()
	}
	return v, nil
}

func decideByCommand(ctx context.Context, file string) (verdicts, error) {
	v := verdicts{of: map[string]string{}}
	cmd := exec.CommandContext(ctx, *binary, "--json", "--sanitize", "0", "--timeout", limit.String(), "--check", *checks, "--certificate", file+".json", file)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	os.Remove(file + ".json")
	err := cmd.Run()
	if ctx.Err() != nil {
		return v, ctx.Err()
	}
	var end *exec.ExitError
	if err != nil && !asExit(err, &end) {
		return v, err
	}
	switch code := cmd.ProcessState.ExitCode(); code {
	case 0, 10, 20:
	default:
		v.exit = fmt.Sprintf("exit %d: %s", code, firstLine(stderr.String()))
		return v, nil
	}
	var report struct {
		Properties []struct{ Name, Verdict, Reason string }
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		return v, fmt.Errorf("%w: %s", err, stdout.String())
	}
	for _, p := range report.Properties {
		v.of[p.Name] = p.Verdict
		if p.Verdict == "UNSAFE" {
			v.replay(ctx, file, p.Name)
		}
	}
	return v, nil
}

// replay asks whether the execution can be replayed.
func (v *verdicts) replay(ctx context.Context, file, property string) {
	text, err := exec.CommandContext(ctx, *binary, "replay", file, "--witness", file+".json", "--check", property, "-o", file+".replay").CombinedOutput()
	if err != nil && ctx.Err() == nil {
		v.of["replay "+property] = firstLine(string(text))
	}
	os.RemoveAll(file + ".replay")
}

func asExit(err error, to **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*to = e
	return ok
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line[:min(len(line), 300)]
}

// fault is something that is wrong.
type fault struct{ kind, what string }

// faults compares verdicts with what is claimed and what was seen.
func faults(p *randapp.Program, v verdicts, seen ...observe.Seen) (out []fault) {
	if v.exit != "" {
		out = append(out, fault{"exit", v.exit})
	}
	for _, name := range specialise.CheckNames {
		verdict := v.of[name]
		claim := ""
		if p != nil {
			claim = p.Claim(name)
		}
		shown := ""
		for _, s := range seen {
			shown = cmp.Or(shown, s[name])
		}
		switch {
		case verdict == "SAFE" && shown != "":
			out = append(out, fault{name + " SAFE", shown})
		case verdict == "SAFE" && claim == "UNSAFE":
			out = append(out, fault{name + " SAFE?", "by the way it is made: " + p.Bug})
		case verdict == "UNSAFE" && claim == "SAFE" && shown == "":
			out = append(out, fault{name + " UNSAFE", "by the way it is made there is no bug; replay: " + v.of["replay "+name]})
		case claim == "SAFE" && shown != "":
			out = append(out, fault{"generator " + name, shown})
		}
		if r := v.of["replay "+name]; r != "" && shown == "" && claim == "" {
			out = append(out, fault{"replay " + name, r})
		}
	}
	if len(seen) > 0 && strings.HasPrefix(seen[0]["end"], "gcc ") {
		out = append(out, fault{"generator end", seen[0]["end"]})
	}
	return out
}

// judge decides a program and looks at runs of it.
func judge(ctx context.Context, dir string, p *randapp.Program, tally map[string]int) (found []fault, v verdicts, err error) {
	name := filepath.Join(dir, "i.c")
	if err := os.WriteFile(name, []byte(p.Text), 0o600); err != nil {
		return nil, v, err
	}
	seenBy, err := observe.Interpret(ctx, name, *runs, p.Seed)
	if err != nil {
		return []fault{{"interpreter", err.Error()}}, v, nil
	}
	gcc := observe.Seen{}
	if *gccRuns > 0 {
		if gcc, err = (observe.Gcc{Dir: dir, Runs: *gccRuns, Limit: 2 * time.Second, Seed: p.Seed}).Run(ctx, p.Text); err != nil {
			return []fault{{"gcc", err.Error()}}, v, nil
		}
	}
	if *checks != "" {
		if v, err = decide(ctx, dir, p.Text); err != nil {
			return nil, v, err
		}
	}
	for name, verdict := range v.of {
		if !strings.HasPrefix(name, "replay") {
			tally[name+" "+verdict]++
			if verdict != "UNKNOWN" {
				tally["decided"]++
			}
		}
	}
	for name := range seenBy {
		tally["interpreter "+name]++
	}
	for name := range gcc {
		tally["gcc "+name]++
	}
	if p.Bug != "" {
		tally["bug "+p.Violates]++
		if gcc[p.Violates] != "" || seenBy[p.Violates] != "" {
			tally["bug "+p.Violates+" seen"]++
		} else {
			tally["bug not seen: "+p.Bug]++
		}
	}
	return faults(p, v, gcc, seenBy), v, nil
}

// TestOrdinary has random ordinary programs: what runs of gcc's program and of the interpreter show, and what is known of a program
// by the way it is made, no verdict contradicts.
func TestOrdinary(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	tally := map[string]int{}
	var idioms []string
	if *only != "" {
		idioms = strings.Split(*only, ",")
	}
	start := time.Now()
	for i := range *programs {
		p := randapp.New(*first+uint64(i), randapp.Options{Idioms: idioms, Right: *right})
		found, v, err := judge(ctx, dir, p, tally)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", p.Seed, err, p.Text)
		}
		if testing.Verbose() {
			fmt.Printf("seed %d, %v: %v\n", p.Seed, p.Idioms, v.of)
		}
		for _, f := range found {
			t.Fail()
			fmt.Printf("seed %d (program %d, %.0f s), %v, bug %q: %s: %s\n", p.Seed, i+1, time.Since(start).Seconds(), p.Idioms, p.Bug, f.kind, firstLine(f.what))
			keep(t, p, f)
		}
	}
	if decided := tally["decided"]; decided == 0 && *checks != "" {
		t.Error("nothing was decided")
	}
	for _, k := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%6d %s", tally[k], k)
	}
	t.Logf("%d programs, %.0f s", *programs, time.Since(start).Seconds())
}

// keep stores a program that something is wrong about.
func keep(t *testing.T, p *randapp.Program, f fault) {
	if *out == "" {
		return
	}
	text := p.Text
	if *small > 0 {
		*small--
		text = smaller(t, text, f.kind)
	}
	text = fmt.Sprintf("// %s: %s (seed %d, %v, bug %q)\n%s", f.kind, firstLine(f.what), p.Seed, p.Idioms, p.Bug, text)
	name := filepath.Join(*out, fmt.Sprintf("%d-%s.c", p.Seed, strings.ReplaceAll(f.kind, " ", "-")))
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Error(err)
	}
}

// shrinkTime is how long a program is made smaller.
const shrinkTime = 5 * time.Minute

// smaller makes a program smaller that has a fault of a kind.
func smaller(t *testing.T, text, kind string) string {
	end := time.Now().Add(shrinkTime)
	return randc.Shrink(text, 2000, func(s string) bool { return time.Now().Before(end) && fails(t, s, kind) })
}

// fails reports whether a program has a fault of the same kind, which runs show or its own execution denies.
func fails(t *testing.T, text, kind string) bool {
	dir := t.TempDir()
	defer os.RemoveAll(dir)
	n := 3
	if kind == "exit" {
		n = 0 // whatever it does, there is a verdict
	}
	gcc, err := observe.Gcc{Dir: dir, Runs: n, Limit: time.Second, Warnings: true}.Run(t.Context(), text)
	if err != nil || gcc["end"] != "" {
		return false
	}
	v, err := decide(t.Context(), dir, text)
	if err != nil {
		return false
	}
	property, verdict, _ := strings.Cut(kind, " ")
	if verdict == "UNSAFE" {
		return v.of[property] == verdict && v.of["replay "+property] != "" && gcc[property] == ""
	}
	return slices.ContainsFunc(faults(nil, v, gcc), func(f fault) bool { return f.kind == kind })
}

// TestShrinkOrdinary makes the program of a file smaller.
func TestShrinkOrdinary(t *testing.T) {
	if *given == "" {
		t.Skip("no file")
	}
	text, err := os.ReadFile(*given)
	if err != nil {
		t.Fatal(err)
	}
	if !fails(t, string(text), *kind) {
		t.Fatal("it does not fail")
	}
	fmt.Println(smaller(t, string(text), *kind))
}
