package memory

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"comus/cir"
)

var (
	programs = flag.Int("programs", 300, "how many random programs litmus.py is asked about")
	most     = flag.Int("most", 100, "how many candidate executions these have at most")
	graphs   = flag.Int("graphs", 4000, "how many random graphs are made for each test of axioms")
	seed     = flag.Uint64("seed", 1, "of random programs")
)

// randomProgram returns a program of 2 to 4 threads of 2 to 4 instructions at 2 or 3 locations, of all orders.
func randomProgram(rnd *rand.Rand) program {
	p := make(program, 2+rnd.IntN(3))
	locs := 2 + rnd.IntN(2)
	strong := rnd.IntN(3) // how many in 4 are seq_cst: mixed programs show most
	number := 0
	order := func(of ...cir.Order) cir.Order {
		if rnd.IntN(4) < strong {
			return cir.SeqCst
		}
		return of[rnd.IntN(len(of))]
	}
	for t := range p {
		for range 2 + rnd.IntN(3) {
			number++
			loc, name := byte('x'+rnd.IntN(locs)), fmt.Sprint("r", number)
			switch rnd.IntN(8) {
			case 0:
				p[t] = append(p[t], f(order(cir.Acquire, cir.Release, cir.AcqRel, cir.SeqCst)))
			case 1:
				p[t] = append(p[t], u(name, loc, 1, order(cir.Relaxed, cir.Acquire, cir.Release, cir.AcqRel)))
			case 2, 3, 4:
				p[t] = append(p[t], w(loc, uint64(number), order(cir.Plain, cir.Relaxed, cir.Relaxed, cir.Release)))
			default:
				p[t] = append(p[t], r(name, loc, order(cir.Plain, cir.Relaxed, cir.Relaxed, cir.Acquire)))
			}
		}
	}
	return p
}

// cycleProgram returns a program that has an execution with a cycle through all threads, which some orders allow and others do not: each thread accesses what the one before it
// accesses last, and reads from that write, overwrites it, or overwrites what was read. (Alglave et al., Fences in Weak Memory Models, CAV 2010, make litmus programs that way.)
func cycleProgram(rnd *rand.Rand) program {
	type edge int
	const (
		rf edge = iota
		rb
		mo
	)
	p := make(program, 2+rnd.IntN(3))
	edges := make([]edge, len(p))
	for t := range edges {
		edges[t] = edge(rnd.IntN(3))
	}
	locs := "wxyz"[:len(p)]
	number := 0
	order := func(weak cir.Order) cir.Order {
		return []cir.Order{cir.Plain, cir.Relaxed, weak, weak, cir.SeqCst, cir.SeqCst, cir.SeqCst}[rnd.IntN(7)]
	}
	access := func(write bool, loc byte) instruction {
		number++
		switch name := fmt.Sprint("r", number); {
		case rnd.IntN(12) == 0:
			return u(name, loc, 1, max(order(cir.AcqRel), cir.Relaxed))
		case write:
			return w(loc, uint64(number), order(cir.Release))
		default:
			return r(name, loc, order(cir.Acquire))
		}
	}
	loc := locs[len(p)-1]
	for t := range p {
		in, out := edges[(t+len(p)-1)%len(p)], edges[t]
		p[t] = append(p[t], access(in != rf, loc))
		if t < len(p)-1 && (in != rf) == (out != rb) && rnd.IntN(2) == 0 {
			continue // one access is both
		}
		switch next := locs[t]; rnd.IntN(6) {
		case 0, 1:
			p[t] = append(p[t], f([]cir.Order{cir.AcqRel, cir.SeqCst, cir.SeqCst}[rnd.IntN(3)]))
		case 2:
			p[t] = append(p[t], access(rnd.IntN(2) == 0, []byte{loc, next}[rnd.IntN(2)]))
		}
		loc = locs[t]
		p[t] = append(p[t], access(out != rb, loc))
	}
	return p
}

// size returns how many candidates a program has.
func (p program) size() int {
	writes, n := map[uint64]int{}, 1
	for _, thread := range p {
		for _, in := range thread {
			if in.kind == 'W' || in.kind == 'U' {
				writes[in.loc]++
				n *= writes[in.loc]
			}
		}
	}
	for _, thread := range p {
		for _, in := range thread {
			switch in.kind {
			case 'R':
				n *= writes[in.loc] + 1
			case 'U':
				n *= writes[in.loc]
			}
		}
	}
	return n
}

// forLitmus returns a program as litmus.py has it.
func (p program) forLitmus() any {
	all := make([][][]any, len(p))
	for t, thread := range p {
		for _, in := range thread {
			kind, loc, order := string(in.kind), string(rune(in.loc)), in.order.String()
			switch in.kind {
			case 'F':
				all[t] = append(all[t], []any{kind, order})
			case 'W':
				all[t] = append(all[t], []any{kind, loc, in.value, order})
			case 'R':
				all[t] = append(all[t], []any{kind, loc, in.into, order})
			default:
				all[t] = append(all[t], []any{kind, loc, in.value, in.into, order})
			}
		}
	}
	return all
}

// TestAgainstLitmus asks litmus.py about all candidate executions of random programs.
func TestAgainstLitmus(t *testing.T) {
	folder := ""
	for _, f := range []string{"../../shared/tasks/weak", "/work/shared/tasks/weak"} {
		if _, err := os.Stat(filepath.Join(f, "litmus.py")); err == nil {
			folder = f
		}
	}
	python, err := exec.LookPath("python3")
	if err != nil || folder == "" {
		t.Skip("needs python3 and litmus.py")
	}
	rnd := rand.New(rand.NewPCG(*seed, 0))
	var tests []program
	var input bytes.Buffer
	for len(tests) < *programs {
		p := cycleProgram(rnd)
		if len(tests)%2 == 0 {
			p = randomProgram(rnd)
		}
		if p.size() <= *most {
			tests = append(tests, p)
			if err := json.NewEncoder(&input).Encode(p.forLitmus()); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.Command(python, "-B", "testdata/judge.py", folder)
	cmd.Stdin, cmd.Stderr = &input, os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(output))
	graphs, differ := 0, 0
	for _, p := range tests {
		judged := map[string]string{}
		for lines.Scan() && lines.Text() != "" {
			candidate, models, _ := strings.Cut(lines.Text(), "\t")
			judged[candidate] = models
		}
		p.candidates(func(c *candidate) {
			var got strings.Builder
			for _, m := range []Model{SC, TSO, PSO, RC11} {
				fmt.Fprint(&got, map[bool]int{true: 1}[c.Consistent(m)])
			}
			want, ok := judged[c.signature()]
			if delete(judged, c.signature()); !ok { // values depend on themselves
				want = "0000"
			}
			if got.String() != want {
				t.Fatalf("%v: %s: %s instead of %s", p, c.signature(), got.String(), want)
			}
			graphs++
			if want != "0000" && want != "1111" {
				differ++
			}
		})
		if len(judged) > 0 {
			t.Fatalf("%v: litmus.py has more candidates: %v", p, judged)
		}
	}
	t.Logf("%d programs, %d candidates, %d of them allowed by some models only", len(tests), graphs, differ)
	if differ == 0 {
		t.Error("nothing tells the models apart")
	}
}
