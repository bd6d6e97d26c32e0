// Command newfront runs the front end that is being built on programs: it prints cir or ir, or compares verdicts.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/ir/explore"
	"comus/logic"
	"comus/scan/points"
	"comus/specialise"
)

var (
	show   = flag.String("show", "", "cir, ir or points")
	states = flag.Int("states", 300_000, "")
	ilp32  = flag.Bool("m32", false, "")
	nohost = flag.Bool("nohost", false, "")
	only   = flag.String("stop", "", "cir, points or ir")
	every  = flag.Bool("every", false, "")
	cpu    = flag.String("cpu", "", "")
)

var domain = []logic.Value{logic.IntValue(-1), logic.IntValue(0), logic.IntValue(1), logic.IntValue(2), logic.IntValue(5)}

func main() {
	flag.Parse()
	if *cpu != "" {
		f, _ := os.Create(*cpu)
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	n := map[string]int{}
	for _, f := range flag.Args() {
		got, want := verdict(f)
		s := "ok"
		if *only != "" {
			s = "ok"
			if got != "ok" {
				s = "FAIL"
			}
		} else if got != want {
			s = "DIFF"
		}
		n[s]++
		if s != "ok" || flag.NArg() == 1 || *only != "" {
			fmt.Printf("%s %s: got %s, want %s\n", s, filepath.Base(f), got, want)
		}
	}
	fmt.Println(n)
}

func verdict(f string) (got, want string) {
	defer func() {
		if r := recover(); r != nil {
			if os.Getenv("PANIC") != "" {
				panic(r)
			}
			got = fmt.Sprint("panic: ", r)
		}
	}()
	src, _ := os.ReadFile(f)
	first, _, _ := strings.Cut(string(src), "\n")
	want, check, _ := strings.Cut(strings.TrimPrefix(first, "// expect: "), " --check=")
	t0 := time.Now()
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: f, Flags: command.Flags{ILP32: *ilp32}}}, cfront.Options{NoHost: *nohost})
	if err != nil {
		return "load: " + strings.ReplaceAll(err.Error(), "\n", " | "), want
	}
	t1 := time.Now()
	if *show == "cir" {
		fmt.Println(p.Program)
	}
	if err := p.Check(); err != nil {
		return "cir check: " + err.Error(), want
	}
	if *only == "cir" {
		fmt.Println(f, "loaded in", t1.Sub(t0))
		return "ok", want
	}
	pts, err := points.Analyse(context.Background(), p.Program)
	if err != nil {
		return "points: " + err.Error(), want
	}
	t2 := time.Now()
	if *show == "points" {
		for _, o := range pts.Objects {
			fmt.Println(o, "escaped", o.Escaped, "shared", pts.Shared(o), "written", o.Written, "stride", o.Stride)
		}
	}
	if *only == "points" {
		fmt.Println(f, "loaded in", t1.Sub(t0), "points in", t2.Sub(t1), len(pts.Objects), "objects")
		return "ok", want
	}
	res, err := specialise.Specialise(context.Background(), p.Program, pts, specialise.Options{Parametric: *every, Check: specialise.Checks{Memory: strings.Contains(check, "memory"), Locks: strings.Contains(check, "locks")}})
	if res != nil && *show == "ir" {
		fmt.Println(res.Program)
	}
	if err != nil {
		return "specialise: " + strings.ReplaceAll(err.Error(), "\n", " | "), want
	}
	if *only == "ir" {
		fmt.Println(f, "loaded in", t1.Sub(t0), "points in", t2.Sub(t1), "specialised in", time.Since(t2))
		return "ok", want
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	r, err := explore.Explore(ctx, res.Program, explore.Options{MaxStates: *states, InputDomain: domain})
	if err != nil {
		return "explore: " + err.Error(), want
	}
	if strings.HasPrefix(r.Reason, "safe for the restricted inputs") {
		return "SAFE", want
	}
	got = r.Verdict.String()
	if got == "UNKNOWN" {
		got += ": " + r.Reason
	}
	if got == "UNSAFE" && *show == "trace" {
		for _, s := range r.Schedule.Steps {
			fmt.Println(s.Edge.From.Thread.Index, s.Edge, s.Inputs)
		}
	}
	return got, want
}
