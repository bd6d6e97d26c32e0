package bench

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// CSV writes the rows.
func (rep *Report) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"task", "class", "threads", "column", "configuration", "expect", "verdict", "right", "runs",
		"seconds", "memory_bytes", "sequential_checks", "iterations", "queries", "refinements", "promises",
		"solver_calls", "paper_seconds", "paper_checks", "reason", "property", "data_model", "score"})
	for _, r := range rep.Rows {
		line := []string{r.Task, r.Class, number(r.Threads), r.Column, r.Config, r.Expect, r.Verdict,
			strconv.FormatBool(r.Right()), strconv.Itoa(r.Runs), "", "", "", "", "", "", "", "", "", "", r.Reason, r.Property, r.DataModel, strconv.Itoa(r.score())}
		if r.Runs > 0 {
			line[9], line[10] = strconv.FormatFloat(r.Seconds, 'f', 3, 64), strconv.FormatInt(r.MemoryBytes, 10)
		}
		if c := r.Counts; c != nil {
			for i, n := range []int{c.SequentialChecks, c.Iterations, c.Queries, c.Refinements, c.Promises, c.SolverCalls} {
				line[11+i] = strconv.Itoa(n)
			}
		}
		if p := r.Paper; p != nil {
			line[17], line[18] = p.time(), p.checks()
		}
		_ = out.Write(line) // Error has what went wrong
	}
	out.Flush()
	return out.Error()
}

// number returns a number, "" for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (f *Figure) time() string {
	if f == nil || f.Outcome != "" {
		return f.outcome()
	}
	return strconv.FormatFloat(f.Seconds, 'f', 2, 64)
}

func (f *Figure) outcome() string {
	if f == nil {
		return ""
	}
	return f.Outcome
}

func (f *Figure) checks() string {
	if f == nil || f.Outcome != "" {
		return ""
	}
	return strconv.Itoa(f.Checks)
}

// time returns a cell of the table.
func (r *Row) time() string {
	switch {
	case r == nil || r.Runs == 0:
		return ""
	case r.Wrong:
		return "**wrong: " + r.Verdict + "**"
	case r.Right():
		return strconv.FormatFloat(r.Seconds, 'f', 2, 64)
	}
	switch r.Verdict {
	case VerdictTimeout:
		return "T/O"
	case VerdictMemory:
		return "M/O"
	}
	return strings.ToLower(r.Verdict)
}

func (r *Row) checks() string {
	if r == nil || r.Counts == nil || !r.Right() {
		return ""
	}
	return strconv.Itoa(r.Counts.SequentialChecks)
}

// maxBeside is the largest number of configurations that have a column for their
// sequential checks, and one for each column of the paper.
const maxBeside = 3

// Markdown writes the tables: a class and a number of threads in a row as in the
// paper if the tasks have them, else (and for many configurations) a task in a row.
func (rep *Report) Markdown(w io.Writer) error {
	var t strings.Builder
	fmt.Fprintf(&t, "# %s\n\n%s\n\n", rep.Suite, rep.Conditions())
	for _, c := range rep.Configs {
		if c.Name != c.Text {
			fmt.Fprintf(&t, "%s is `%s`.\n", c.Name, c.Text)
		}
	}
	if t.String()[t.Len()-2:] != "\n\n" {
		t.WriteString("\n")
	}
	switch {
	case len(rep.Configs) > maxBeside: // what they come to first
		rep.totals(&t)
		rep.manyTable(&t)
	case rep.hasClasses():
		rep.classTable(&t)
		rep.totals(&t)
	default:
		rep.taskTable(&t)
		rep.totals(&t)
	}
	rep.growthTable(&t)
	rep.componentTable(&t)
	_, err := io.WriteString(w, t.String())
	return err
}

// Conditions says how it was measured.
func (rep *Report) Conditions() string {
	var limits []string
	if rep.Timeout > 0 {
		limits = append(limits, fmt.Sprintf("%g s", rep.Timeout))
	}
	if rep.Memory > 0 {
		limits = append(limits, fmt.Sprintf("%.4g GiB", float64(rep.Memory)/(1<<30)))
	}
	limit := "without limits"
	if len(limits) > 0 {
		limit = "limited to " + strings.Join(limits, " and ") + " each"
	}
	runs := "one run"
	if rep.Repeat > 1 {
		runs = fmt.Sprintf("medians of %d runs", rep.Repeat)
	}
	jobs := ""
	if rep.Jobs > 1 {
		jobs = fmt.Sprintf(", %d at a time", rep.Jobs)
	}
	if rep.Cluster {
		return fmt.Sprintf("Seconds by the clock, %s, %s; on nodes of a cluster.", runs, limit)
	}
	return fmt.Sprintf("Seconds by the clock, %s, %s%s; %s with %d CPUs.", runs, limit, jobs, rep.System, rep.CPUs)
}

// hasClasses tells whether all tasks belong to families of programs.
func (rep *Report) hasClasses() bool {
	for _, r := range rep.Rows {
		if r.Class == "" || r.Threads == 0 {
			return false
		}
	}
	return true
}

// table is a Markdown table.
type table struct{ lines [][]string }

func (t *table) add(cells ...string) { t.lines = append(t.lines, cells) }

// write writes the table; the first left columns are text, the others numbers.
func (t *table) write(w io.Writer, left int) {
	for i, cells := range t.lines {
		for j, c := range cells {
			cells[j] = strings.ReplaceAll(c, "|", `\|`)
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		if i == 0 {
			fmt.Fprintf(w, "|%s%s\n", strings.Repeat("---|", left), strings.Repeat("--:|", len(cells)-left))
		}
	}
	fmt.Fprintln(w)
}

// classTable writes the table in the paper's layout.
func (rep *Report) classTable(w io.Writer) {
	columns := distinct(rep.Rows, func(r *Row) string { return r.Column })
	fromPaper := rep.hasPaper()
	head := []string{"class", "threads"}
	for _, col := range columns {
		for _, c := range rep.Configs {
			head = append(head, col+": "+c.Name)
			if !c.Foreign {
				head = append(head, "checks")
			}
		}
		if fromPaper {
			head = append(head, col+": "+paperTool+" (paper)", "checks")
		}
	}
	cells := map[string]*Row{}
	for _, r := range rep.Rows {
		cells[strings.Join([]string{r.Class, number(r.Threads), r.Column, r.Config}, " ")] = r
	}
	var t table
	t.add(head...)
	for _, name := range distinct(rep.Rows, func(r *Row) string { return r.Class + " " + number(r.Threads) }) {
		class, threads, _ := strings.Cut(name, " ")
		line := []string{class, threads}
		for _, col := range columns {
			for _, c := range rep.Configs {
				r := cells[name+" "+col+" "+c.Name]
				line = append(line, r.time())
				if !c.Foreign {
					line = append(line, r.checks())
				}
			}
			if fromPaper {
				k, _ := strconv.Atoi(threads)
				p := published(rep.Suite, class, k, col)
				line = append(line, p.time(), p.checks())
			}
		}
		t.add(line...)
	}
	t.write(w, 1)
}

// distinct returns the different values, in the order of their appearance.
func distinct(rows []*Row, value func(*Row) string) []string {
	var list []string
	seen := map[string]bool{}
	for _, r := range rows {
		if v := value(r); !seen[v] {
			seen[v] = true
			list = append(list, v)
		}
	}
	return list
}

// hasPaper tells whether figures are published for the suite.
func (rep *Report) hasPaper() bool {
	for _, r := range rep.Rows {
		if r.Paper != nil {
			return true
		}
	}
	return false
}

// taskHead returns the heading of the cells that say what a task is, and how many these are: the property is among them
// if the suite names any.
func (rep *Report) taskHead() (head []string, left int) {
	head = []string{"task", "expected"}
	if slices.ContainsFunc(rep.Rows, func(r *Row) bool { return r.Property != "" }) {
		head = append(head, "property")
	}
	return head, len(head)
}

// taskCells returns as many cells.
func (r *Row) taskCells(n int) []string { return []string{r.Task, r.Expect, r.Property}[:n:n] }

// taskTable writes a table with a task in a row.
func (rep *Report) taskTable(w io.Writer) {
	head, left := rep.taskHead()
	for _, c := range rep.Configs {
		head = append(head, c.Name)
		if !c.Foreign {
			head = append(head, "checks")
		}
	}
	var t table
	t.add(head...)
	for i := 0; i < len(rep.Rows); i += len(rep.Configs) {
		line := rep.Rows[i].taskCells(left)
		for j, c := range rep.Configs {
			r := rep.Rows[i+j]
			line = append(line, r.time())
			if !c.Foreign {
				line = append(line, r.checks())
			}
		}
		t.add(line...)
	}
	t.write(w, left)
}

// manyTable writes a table with a task in a row, for many configurations: times
// with the numbers of sequential checks behind them.
func (rep *Report) manyTable(w io.Writer) {
	fmt.Fprint(w, "Seconds, in parentheses sequential checks:\n\n")
	cell := func(time, checks string) string {
		if checks != "" {
			time += " (" + checks + ")"
		}
		return time
	}
	head, left := rep.taskHead()
	for _, c := range rep.Configs {
		head = append(head, c.Name)
	}
	if rep.hasPaper() {
		head = append(head, paperTool+" (paper)")
	}
	var t table
	t.add(head...)
	for i := 0; i < len(rep.Rows); i += len(rep.Configs) {
		first := rep.Rows[i]
		line := first.taskCells(left)
		for _, r := range rep.Rows[i : i+len(rep.Configs)] {
			line = append(line, cell(r.time(), r.checks()))
		}
		if rep.hasPaper() {
			line = append(line, cell(first.Paper.time(), first.Paper.checks()))
		}
		t.add(line...)
	}
	t.write(w, left)
}

// totals writes a line for each configuration, and compares them.
func (rep *Report) totals(w io.Writer) {
	var t table
	head := []string{"configuration", "right", "wrong", "undecided", "not run", "score", "seconds for the right ones"}
	if rep.Timeout > 0 {
		head = append(head, fmt.Sprintf("with %g s for each not solved", rep.Timeout))
	}
	t.add(append(head, "checks for the right ones", "largest memory")...)
	for _, c := range rep.Configs {
		n := count(rep.of(c.Name), rep.Timeout)
		line := []string{c.Name, strconv.Itoa(n.right), strconv.Itoa(n.wrong), strconv.Itoa(n.undecided), strconv.Itoa(n.missing), strconv.Itoa(n.score),
			strconv.FormatFloat(n.seconds, 'f', 2, 64)}
		if rep.Timeout > 0 {
			line = append(line, strconv.FormatFloat(n.limited, 'f', 2, 64))
		}
		checks := ""
		if !c.Foreign {
			checks = strconv.Itoa(n.checks)
		}
		t.add(append(line, checks, fmt.Sprintf("%d MB", n.memory/1e6))...)
	}
	t.write(w, 1)
	rep.comparisons(w)
}

// comparisons compares the configurations with the first one and with the paper.
func (rep *Report) comparisons(w io.Writer) {
	text := ""
	first := rep.Configs[0].Name
	for _, c := range rep.Configs[1:] {
		if mean, n := ratio(rep.of(first), rep.of(c.Name)); n > 0 {
			text += fmt.Sprintf("- Time of %s over that of %s, geometric mean over the %s both solve (of %d and %d): %.3g.\n",
				first, c.Name, plural(n, "task"), count(rep.of(first), 0).right, count(rep.of(c.Name), 0).right, mean)
		}
	}
	for _, c := range rep.Configs[1:] {
		text += difference(c.Name, rep.of(first), rep.of(c.Name))
	}
	for _, c := range rep.Configs {
		if n, first := failures(rep.of(c.Name)); n > 0 {
			text += fmt.Sprintf("- %s failed on %s, first on %s: %s.\n", c.Name, plural(n, "task"), first.Task, first.Reason)
		}
	}
	for _, c := range rep.Configs {
		if cmp := compare(rep.of(c.Name)); cmp != nil {
			text += cmp.text(c.Name)
		}
	}
	if text != "" {
		fmt.Fprintln(w, text)
	}
}

// difference says which tasks a configuration does not solve that the first one solves, and the
// other way round.
func difference(config string, first, rows []*Row) string {
	var lost, won []string
	for i, r := range rows {
		switch {
		case r.Runs == 0 || first[i].Runs == 0 || r.Right() == first[i].Right():
		case r.Right():
			won = append(won, r.Task)
		default:
			lost = append(lost, r.Task)
		}
	}
	text := ""
	if len(lost) > 0 {
		text += fmt.Sprintf("- %s does not solve %s.\n", config, strings.Join(lost, ", "))
	}
	if len(won) > 0 {
		text += fmt.Sprintf("- %s alone solves %s.\n", config, strings.Join(won, ", "))
	}
	return text
}

// failures counts the tasks on which the command failed, and returns the first.
func failures(rows []*Row) (n int, first *Row) {
	for _, r := range rows {
		if r.Verdict == VerdictError {
			if n++; n == 1 {
				first = r
			}
		}
	}
	return n, first
}

// text words a comparison with the published figures.
func (c *comparison) text(config string) string {
	s := fmt.Sprintf("- %s solves %d of the %s that CoMuS solved in the paper", config, c.solved, plural(c.rows, "row"))
	if c.solved > 0 {
		s += fmt.Sprintf(", in %.2f s instead of %.2f s (a factor of %.3g)", c.ours, c.published, c.published/max(c.ours, leastTime))
	}
	if c.beyond > 0 {
		s += fmt.Sprintf(", and %d where CoMuS timed out", c.beyond)
	}
	if len(c.moreChecks) > 0 {
		s += fmt.Sprintf("; more sequential checks than published on %s: %s", plural(len(c.moreChecks), "row"), strings.Join(c.moreChecks, ", "))
	}
	return s + ".\n"
}

// growthTable writes how the time grows with the number of threads.
func (rep *Report) growthTable(w io.Writer) {
	var t table
	t.add("class", "column", "configuration", "threads", "fitted rows", "exponent of the time")
	for _, c := range rep.Configs {
		for _, g := range rep.growths(c.Name) {
			if g.fitted > 0 {
				t.add(g.class, g.column, g.config, fmt.Sprintf("%d to %d", g.rows[0].Threads, g.rows[len(g.rows)-1].Threads),
					fmt.Sprintf("%d of %d", g.fitted, len(g.rows)), fmt.Sprintf("%.1f", g.exponent))
			}
		}
	}
	if len(t.lines) > 1 {
		fmt.Fprintf(w, "Time as a power of the number of threads, fitted to the solved rows of %g s or more (to all, where those are of less than three numbers of threads):\n\n", fitFrom)
		t.write(w, 3)
	}
}

// plural returns a number with a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
