package check

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"comus/internal/child"
	"comus/logic"
	"comus/logic/smt"
	"comus/z3"
)

// Who decides the encoding. Two solvers work on it at once: Z3, with other tactics and
// another seed than the engine, and cvc5, if there is such a program on the PATH. The first
// to find that no execution fails confirms the proof, but Z3 gives cvc5 a while longer, see
// [patience]: two programs are better evidence than one program asked twice. If one finds
// an execution, the proof is not confirmed, whatever the other says. So what is trusted
// beside this package's encoding is one of the two, and without cvc5 that Z3 is not wrong
// about two different encodings in two different ways.

// ordersTactics are what solves the encoding.
var ordersTactics = []string{"simplify", "solve-eqs", "elim-uncnstr", "smt"}

const ordersSeed = 20011

func ordersSolver(c *z3.Context) *z3.Solver {
	t := c.NewTactic(ordersTactics[0])
	for _, name := range ordersTactics[1:] {
		t = t.AndThen(c.NewTactic(name))
	}
	s := t.NewSolver()
	s.SetParams(z3.NewParams().SetUint("random_seed", ordersSeed))
	return s
}

// patience is how much longer cvc5 may work when Z3 has found a proof: as long as Z3 did,
// and the time to start a program, but no more than a few seconds.
func patience(took time.Duration) time.Duration {
	return min(took+500*time.Millisecond, 3*time.Second)
}

// decide proves that the constraints cannot hold together with a failure. It returns who
// did.
func (o *orders) decide(ctx context.Context) (string, error) {
	if len(o.errors)+len(o.loops) == 0 {
		return "the encoding alone", nil // nothing that fails is left in it
	}
	p, err := newProver(ctx, o.l)
	if err != nil {
		return "", err
	}
	p.s.Close()
	formulas := []*logic.Term{o.l.Or(append(o.errors, o.loops...)...)}
	for _, f := range o.out {
		formulas = append(formulas, p.guard(f))
	}
	ctx, cancel := context.WithCancel(ctx)
	other := make(chan verdict, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		other <- askCVC5(ctx, formulas)
	}()
	defer func() { cancel(); <-done }()

	own := make(chan verdict, 1)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		own <- o.askZ3(ctx, formulas)
	}()
	defer func() { cancel(); <-asked }()
	return settle(ctx, own, other)
}

// verdict is a solver's answer.
type verdict struct {
	solver string
	status z3.Status
	err    error // Unknown: why; Sat: what can happen
}

// settle waits for the solvers and says which one confirms the proof.
func settle(ctx context.Context, own, other <-chan verdict) (string, error) {
	start := time.Now()
	var late <-chan time.Time
	var z, c *verdict
	for z == nil || c == nil {
		select {
		case v := <-own:
			z = &v
			late = time.After(patience(time.Since(start)))
		case v := <-other:
			c = &v
		case <-late:
			c = &verdict{status: z3.Unknown}
		case <-ctx.Done():
			return "", ctx.Err()
		}
		switch {
		case z != nil && z.status == z3.Sat:
			return "", z.err
		case c != nil && c.status == z3.Unsat:
			return c.solver, nil
		case z != nil && z.status == z3.Unknown && c == nil:
			late = nil // cvc5 is the only hope
		}
	}
	switch {
	case c.status == z3.Sat && z.status == z3.Unsat:
		return "", fmt.Errorf("the solvers disagree: %s finds no execution that fails, %s does", z.solver, c.solver)
	case z.status == z3.Unsat:
		return z.solver, nil
	}
	return "", z.err
}

// askZ3 asks the Z3 that comus is linked with.
func (o *orders) askZ3(ctx context.Context, formulas []*logic.Term) verdict {
	v := verdict{solver: fmt.Sprintf("z3 (%s; seed %d)", strings.Join(ordersTactics, ", "), ordersSeed)}
	s, err := smt.NewSolverOf(o.l, ordersSolver)
	if err != nil {
		v.err = err
		return v
	}
	defer s.Close()
	s.Assert(formulas...)
	st, m, err := s.Check(ctx)
	v.status, v.err = st, err
	switch {
	case st == z3.Sat:
		v.err = ErrBound
		for _, e := range o.errors {
			if m.Holds(e) {
				v.err = errors.New("there is an execution that fails")
			}
		}
	case st != z3.Unsat && err == nil:
		v.err = errors.New("the solver did not decide whether an execution fails")
	}
	return v
}

// cvc5Memory bounds the memory of cvc5, in bytes.
const cvc5Memory = 2 << 30

// askCVC5 asks the program cvc5, if there is one.
func askCVC5(ctx context.Context, formulas []*logic.Term) verdict {
	v := verdict{solver: "cvc5", status: z3.Unknown}
	path, err := exec.LookPath("cvc5")
	if err != nil {
		v.err = err
		return v
	}
	folder, err := child.TempDir("comus-cvc5-")
	if err != nil {
		v.err = err
		return v
	}
	defer folder.Remove()
	dir := folder.Path
	file := filepath.Join(dir, "orders.smt2")
	if v.err = writeScript(file, formulas); v.err != nil {
		return v
	}
	cmd := &child.Command{Path: path, Argv: []string{"cvc5", "--lang=smt2", file}, Dir: dir, Memory: cvc5Memory, Logs: filepath.Join(dir, "cvc5")}
	end, err := cmd.Run(ctx)
	if err != nil {
		v.err = err
		return v
	}
	out, err := os.ReadFile(end.Stdout)
	switch answer := strings.TrimSpace(string(out)); {
	case err != nil:
		v.err = err
	case end.Stopped != "":
		v.err = errors.New("cvc5 was stopped: " + end.Stopped)
	case answer == "unsat" && end.Exit == 0:
		v.status = z3.Unsat
	case answer == "sat" && end.Exit == 0:
		v.status, v.err = z3.Sat, errors.New("there is an execution that fails, says cvc5")
	default:
		v.err = errors.New("cvc5 did not decide")
	}
	return v
}

// writeScript writes the question to a file.
func writeScript(file string, formulas []*logic.Term) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	if err := writeSMTLIB(w, formulas); err != nil {
		return err
	}
	return w.Flush()
}
