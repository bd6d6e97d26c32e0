package html

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"comus/check"
	"comus/envmove"
	"comus/ir"
	"comus/logic"
	"comus/report/execution"
	"comus/seqmc"
)

// proof is what a page shows of a certificate of SAFE.
type proof struct {
	Of      string // the properties
	Says    string // what kind of proof it is
	Runs    []runProof
	Facts   highlight // an invariant of the whole program, as C
	Legend  []legend  // what the program counters in the formulas stand for
	ByLine  []lineInvariants
	Missing string // why the formulas are not shown
	cert    *check.Certificate
}

// runProof is the hierarchy that proves the assertions of one thread.
type runProof struct {
	Main   string
	Levels []levelProof
}

// levelProof is a level of the hierarchy.
type levelProof struct {
	Number         int
	Thread         int
	Main           string
	Environment    []string
	Move           highlight // env_move, as C
	Refinements    []refinement
	HasEnvironment bool
	Short          bool // env_move is
}

// refinement is a pair of states that no steps of the environment connect.
type refinement struct {
	Number int
	Code   highlight
}

// legend says where a thread is when its program counter has a value.
type legend struct {
	Name   string // "pc1"
	Thread string
	Places []legendPlace
}

type legendPlace struct {
	Value int
	Place string
	Next  string // the statement that comes next
}

// invariant is a formula that holds whenever a thread is at a line.
type invariant struct {
	Where string `json:"w"` // "level 1: 1 t0 before: claim0 = true"
	Code  string `json:"c"`
	Minor bool   `json:"m,omitempty"` // it belongs to a refinement
}

// lineInvariants are the invariants at a line.
type lineInvariants struct {
	Place      string
	File, Line int
	List       []invariant
}

// prover makes the view of a proof.
type prover struct {
	m    *viewer
	p    *ir.Program
	out  *proof
	name map[*logic.Term]string // how formulas name a variable
}

// proof adds the certificate of a property that is safe.
func (m *viewer) proof(p Property) {
	cert := p.Result.Certificate
	if p.Verdict != seqmc.Safe {
		return
	}
	for _, old := range m.out.Proofs {
		if old.cert == cert {
			old.Of += ", " + p.Name
			return
		}
	}
	out := &proof{Of: p.Name, cert: cert, Says: kindOf(cert)}
	m.out.Proofs = append(m.out.Proofs, out)
	if cert == nil || cert.Method != "" {
		return
	}
	prog := m.v.Proofs[cert]
	if prog == nil {
		out.Missing = "The formulas of the proof are in the certificate only."
		return
	}
	pr := &prover{m: m, p: prog, out: out}
	pr.names()
	if cert.Parametric != nil {
		pr.parametric(cert.Parametric)
	} else {
		if facts := pr.assumes(cert.Facts, ""); facts != "" {
			out.Facts = code(facts)
		}
		for i := range cert.Runs {
			pr.run(&cert.Runs[i])
		}
	}
	pr.legend()
	pr.byLine()
}

// kindOf says what kind of proof a certificate is.
func kindOf(c *check.Certificate) string {
	switch {
	case c == nil:
		return "All states of the program were visited, and visited once more with the reference interpreter. None is an error."
	case c.Method == check.MethodOrders:
		return fmt.Sprintf("All executions are encoded as one formula about the order of their steps. Each loop runs at most %d times; one more time counts as an error. The formula has no solution that reaches an error.", c.Bound)
	case c.Method == check.MethodStates && len(c.Translations) > 0:
		return "The program counts up in some variables, and cannot tell states in which these are larger by the same number from one another. The checker has proved that of each step, and has visited one of these states in place of all of them. None is an error."
	case c.Method == check.MethodStates:
		return "The program has few states. The checker has visited all of them. None is an error."
	case c.Method == check.MethodScan:
		text := "An analysis of the whole program claims which locks are held where, which threads run when, and who accesses what. The checker has confirmed each claim. For each two accesses of the same memory, a claim excludes a race."
		if n := len(c.Suspects); n > 0 {
			text += fmt.Sprintf(" For pairs that no claim excludes, engines have proved that there is no race. Their proofs are in the certificate (%d), and each was checked by itself.", n)
		}
		return text
	case c.Method == check.MethodLockOrder:
		return fmt.Sprintf("There is an order of all that threads wait for (%d elements). The checker has computed what each thread may hold or owe at each place where it waits. All of that comes before what the thread waits for. So there is no circle of threads that wait for one another.", ordered(c))
	case c.Method == check.MethodValues:
		return "An analysis of the whole program claims which values registers and memory can hold at each place. The checker has confirmed each claim. With these values, all arithmetic is defined."
	case c.Method == check.MethodAccesses:
		return "An analysis of the whole program claims which values registers and memory can hold at each place, and which threads may run when. The checker has confirmed each claim. With that, it has shown of each access that it goes to an object that is there, and is within it."
	case c.Method == check.MethodUses:
		return "An analysis of the whole program claims which values registers and memory can hold at each place, and which threads may run when. The checker has confirmed each claim. With that, it has shown of each use of a lock that the lock is initialised and not destroyed, that a thread gives back only what it holds, and that each thread is joined or detached once."
	case c.Method == check.MethodParts:
		if c.Values != nil && len(c.Suspects) == 0 {
			return "An analysis of the whole program claims which values registers and memory can hold at each place. The checker has confirmed each claim. With these values, no assertion fails."
		}
		return fmt.Sprintf("Each assertion was proved by itself or with some others. The certificate has the proofs (%d), each was checked by itself, and they cover all assertions of the program%s.", len(c.Suspects), valuesToo(c))
	case slices.Contains(c.Program.Passes, "sequentialize"):
		return "The program was made sequential, and the invariants below prove that one thread."
	case c.Parametric != nil && c.Program.Parametric:
		return "A proof for every number of threads. The invariants below hold at the beginning. Each step of a thread keeps its own invariants and those of all other threads. No step leads to an error."
	case c.Parametric != nil:
		return "A proof by single threads. The invariants below hold at the beginning. Each step of a thread keeps its own invariants and those of all other threads. No step leads to an error."
	}
	return "A proof by a hierarchy of threads. At each level one thread is a sequential program, and env_move stands for all that the threads below it may do between two of its steps. Invariants prove the first level. The next level proves each refinement of an env_move."
}

// valuesToo says that some assertions are proved without engines.
func valuesToo(c *check.Certificate) string {
	if c.Values == nil {
		return ""
	}
	return "; some assertions follow from the values that registers and memory can hold, which the checker has confirmed"
}

// names finds how formulas name variables: as the source does, where that is unique.
func (pr *prover) names() {
	count := map[string]int{}
	for _, v := range pr.p.Vars {
		count[v.Label()]++
	}
	pr.name = map[*logic.Term]string{}
	for _, v := range pr.p.Vars {
		if v.Label() != "" && count[v.Label()] == 1 {
			pr.name[v.Sym] = v.Label()
		}
	}
}

// parse reads a formula of a certificate, which may have counters that the program has not.
func (pr *prover) parse(formula string) *logic.Term {
	f, err := pr.p.L.Parse(formula, func(string) (logic.Sort, bool) { return logic.Int, true })
	if err != nil {
		return pr.p.L.True() // it has been checked: the checker reads what this does
	}
	return f
}

// maxFormula bounds the length of a formula that is shown.
const maxFormula = 6000

// c returns a formula as C; of those for which before holds, the copies of the old values.
func (pr *prover) c(f *logic.Term, before func(name string) bool) string {
	text := f.C(logic.CStyle{Name: func(sym *logic.Term) string {
		bare, isOld := strings.CutPrefix(sym.Name(), "old:")
		base := sym
		if isOld {
			base = pr.p.L.Var(bare, logic.Int)
		}
		name := cmp.Or(pr.name[base], envmove.CName(base))
		if isOld || before != nil && before(bare) {
			return envmove.CName(base) + "_old"
		}
		return name
	}})
	switch {
	case f.IsTrue():
		return "true"
	case f.IsFalse():
		return "false"
	case len(text) > maxFormula:
		return strings.ToValidUTF8(text[:maxFormula], "") + fmt.Sprintf(" … /* %d more characters, in the certificate */", len(text)-maxFormula)
	}
	return text
}

// assumes returns a formula as one assumption for each conjunct.
func (pr *prover) assumes(formula, indent string) string {
	var b strings.Builder
	all := pr.parse(formula)
	if all.IsTrue() {
		return ""
	}
	for _, f := range logic.Conjuncts(all) {
		fmt.Fprintf(&b, "%sassume(%s);\n", indent, pr.c(f, nil))
	}
	return b.String()
}

// run adds the hierarchy of a run, and the invariants of its levels.
func (pr *prover) run(r *check.Run) {
	if len(r.Order) == 0 {
		return
	}
	out := runProof{Main: pr.thread(r.Order[0])}
	for i, lv := range r.Levels {
		main := r.Order[i]
		l := levelProof{Number: i + 1, Thread: main, Main: pr.thread(main), HasEnvironment: i+1 < len(r.Order)}
		env := r.Order[i+1:]
		for _, t := range env {
			l.Environment = append(l.Environment, pr.thread(t))
		}
		if l.HasEnvironment {
			move := pr.move(env, lv)
			l.Move, l.Short = code(move), strings.Count(move, "\n") <= shortMove
			writes := pr.written(env)
			for _, rf := range lv.Refinements {
				alpha := pr.c(pr.parse(rf.Alpha), func(n string) bool { return writes[n] })
				beta := pr.c(pr.p.L.Not(pr.parse(rf.Beta)), nil)
				l.Refinements = append(l.Refinements, refinement{rf.Number, code(fmt.Sprintf("if (%s)\n    assume(%s);", alpha, beta))})
			}
		}
		for _, rf := range lv.Refinements {
			if i+1 < len(r.Order) {
				pr.invariants(rf.Invariants, r.Order[i+1], fmt.Sprintf("level %d, for refinement %d", i+2, rf.Number), true)
			}
		}
		out.Levels = append(out.Levels, l)
	}
	pr.invariants(r.Invariants, r.Order[0], "level 1", false)
	pr.out.Runs = append(pr.out.Runs, out)
}

// shortMove is how many lines an env_move has that one sees at once.
const shortMove = 20

func (pr *prover) thread(i int) string {
	if i < 0 || i >= len(pr.p.Threads) {
		return fmt.Sprint(i)
	}
	return threadName(pr.p.Threads[i])
}

// written returns the names of what some threads write, with their program counters.
func (pr *prover) written(threads []int) map[string]bool {
	out := map[string]bool{}
	for _, i := range threads {
		t := pr.p.Threads[i]
		out[t.PC.Name()] = true
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				if c.Kind != ir.Assume {
					out[c.Var.Name] = true
				}
			}
		})
	}
	return out
}

// move returns env_move of a level as C.
func (pr *prover) move(env []int, lv check.Level) string {
	writes := pr.written(env)
	used := map[string]bool{} // whose old values are spoken of
	note := func(formula string, before bool) {
		for _, s := range logic.FreeVars(pr.parse(formula)) {
			if name, old := strings.CutPrefix(s.Name(), "old:"); old || before && writes[name] {
				used[name] = true
			}
		}
	}
	note(lv.Seed, false)
	for _, r := range lv.Refinements {
		note(r.Alpha, true)
	}
	var b, havoc strings.Builder
	b.WriteString("void env_move(void) {\n")
	for _, v := range pr.p.Vars {
		if !writes[v.Name] || v.Thread != ir.Shared && !used[v.Name] {
			continue
		}
		if used[v.Name] {
			fmt.Fprintf(&b, "    %s %s_old = %s;\n", envmove.CType(v.Type), envmove.CName(v.Sym), cmp.Or(pr.name[v.Sym], envmove.CName(v.Sym)))
		}
		fmt.Fprintf(&havoc, "    %s = %s;\n", cmp.Or(pr.name[v.Sym], envmove.CName(v.Sym)), envmove.CHavoc(v.Type))
	}
	for _, i := range env {
		pc := pr.p.Threads[i].PC.Name()
		if used[pc] {
			fmt.Fprintf(&b, "    int %s_old = %s;\n", pc, pc)
		}
		fmt.Fprintf(&havoc, "    %s = havoc_int();  // where %s is\n", pc, pr.thread(i))
	}
	b.WriteString(havoc.String())
	for _, r := range lv.Refinements {
		fmt.Fprintf(&b, "    refinement_%d();\n", r.Number)
	}
	if seed := pr.assumes(lv.Seed, "    "); seed != "" {
		b.WriteString("    // known from the beginning: where they can get to, and what they write on the way\n" + seed)
	}
	if pr.out.Facts != "" {
		b.WriteString("    facts();  // they hold in every reachable state\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// invariants adds those of a level's program at the lines where its thread is. What holds before and after others move is one.
func (pr *prover) invariants(list []check.Invariant, thread int, where string, minor bool) {
	t := pr.p.Threads[thread]
	type key struct {
		loc     int
		formula string
	}
	phases := map[key][]string{}
	var order []key
	for _, in := range list {
		if in.Phase == check.PhaseBefore || in.Loc < 0 || in.Loc >= len(t.Locs) {
			continue
		}
		k := key{in.Loc, in.Formula}
		if phases[k] == nil {
			order = append(order, k)
		}
		phases[k] = append(phases[k], in.Phase)
	}
	for _, k := range order {
		when := ""
		switch {
		case len(phases[k]) > 1:
		case phases[k][0] == check.PhaseMoved:
			when = ", after others have moved"
		default:
			when = ", before others move"
		}
		pr.at(t.Locs[k.loc], fmt.Sprintf("%s: %s%s%s", where, threadName(t), standsAt(t.Locs[k.loc]), when), k.formula, minor)
	}
}

// standsAt says where a thread is at a location.
func standsAt(l *ir.Loc) string {
	next := statementAt(l)
	switch {
	case len(l.Out) == 0:
		return " at its end"
	case next != "":
		return " before: " + next
	}
	return " here"
}

// statementAt returns the statement that comes next at a location.
func statementAt(l *ir.Loc) string {
	for _, e := range l.Out {
		if e.Text != "" {
			return e.Text
		}
	}
	return ""
}

// at adds an invariant at the line of a location.
func (pr *prover) at(l *ir.Loc, where, formula string, minor bool) {
	f := pr.parse(formula)
	pos := execution.PlaceOf(l)
	if f.IsTrue() || pr.m.src.add(pos) < 0 {
		return
	}
	parts := pr.conjuncts(f)
	byLine := pr.m.here[pos.File]
	if byLine == nil {
		byLine = map[int][]invariant{}
		pr.m.here[pos.File] = byLine
	}
	text := strings.Join(parts, "\n")
	for i, old := range byLine[pos.Line] {
		if old.Code == text && old.Minor == minor {
			if old.Where != where {
				byLine[pos.Line][i].Where += "; " + where
			}
			return
		}
	}
	byLine[pos.Line] = append(byLine[pos.Line], invariant{where, text, minor})
}

// conjuncts returns the parts of a formula as C; x >= 1 and x <= 1 are one.
func (pr *prover) conjuncts(f *logic.Term) []string {
	var out []string
	for _, c := range logic.Conjuncts(f) {
		text := pr.c(c, nil)
		if m := bound.FindStringSubmatch(text); m != nil {
			other := map[string]string{"<=": ">=", ">=": "<="}[m[2]]
			if i := slices.Index(out, m[1]+" "+other+" "+m[3]); i >= 0 {
				out[i] = m[1] + " == " + m[3]
				continue
			}
		}
		out = append(out, text)
	}
	return out
}

// bound is a formula that bounds a variable.
var bound = regexp.MustCompile(`^([^ ]+) (<=|>=) (-?\d+)$`)

// parametric adds the invariants of a proof by single threads or for every number of them.
func (pr *prover) parametric(p *check.ParametricProof) {
	for _, in := range p.Invariants {
		var locs []*ir.Loc
		var names []string
		for _, at := range in.At {
			l := pr.p.Threads[at.Thread].Locs[at.Loc]
			locs = append(locs, l)
			who := threadName(l.Thread)
			if l.Thread.Replicated {
				who = "an instance of " + l.Thread.Name
			}
			names = append(names, who+standsAt(l))
		}
		where := strings.Join(names, " and ")
		seen := map[ir.Pos]bool{}
		for _, l := range locs {
			if pos := execution.PlaceOf(l); !seen[pos] {
				seen[pos] = true
				pr.at(l, where, in.Formula, false)
			}
		}
	}
}

// legend says where threads are by their program counters.
func (pr *prover) legend() {
	for _, t := range pr.out.cert.Threads {
		th := pr.p.Threads[t.Thread]
		l := legend{Name: th.PC.Name(), Thread: threadName(th)}
		for _, n := range t.Nodes {
			loc := th.Locs[n]
			pos := execution.PlaceOf(loc)
			place := ""
			if pos.Line > 0 {
				place = fmt.Sprintf("%s:%d", pos.File, pos.Line)
			}
			next := statementAt(loc)
			if len(loc.Out) == 0 {
				next = "the thread has ended"
			}
			l.Places = append(l.Places, legendPlace{n, place, next})
		}
		pr.out.Legend = append(pr.out.Legend, l)
	}
}

// byLine lists the invariants by their lines, for those who do not point at lines.
func (pr *prover) byLine() {
	pr.m.order()
	for _, name := range pr.m.src.names {
		lines := map[int]bool{}
		for n := range pr.m.here[name] {
			lines[n] = true
		}
		for _, n := range sorted(lines) {
			pr.out.ByLine = append(pr.out.ByLine, lineInvariants{fmt.Sprintf("%s:%d", name, n), pr.m.src.index[name], n, pr.m.here[name][n]})
		}
	}
}

// order puts those invariants of each line first that do not belong to refinements.
func (m *viewer) order() {
	for _, byLine := range m.here {
		for _, list := range byLine {
			slices.SortStableFunc(list, func(a, b invariant) int {
				switch {
				case a.Minor == b.Minor:
					return 0
				case a.Minor:
					return 1
				}
				return -1
			})
		}
	}
}

// ordered returns how many elements the order of a certificate has.
func ordered(c *check.Certificate) int {
	if c.Orders == nil {
		return 0
	}
	return len(c.Orders.Order)
}
