package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"comus/comus"
	"comus/cutpoints"
	"comus/envmove"
	"comus/ir"
	"comus/query"
)

// showStages are the values of --show, with "ir:PASS" for each of [passStages].
var showStages = []string{"cir", "ir", "ir:PASS", "ir:all", "cutpoints", "program", "envmove", "queries"}

// showFlag is a list of stages to show.
type showFlag []string

func (f *showFlag) String() string { return strings.Join(*f, ",") }
func (f *showFlag) Type() string   { return "stages" }

// Set adds the stages of a list with commas.
func (f *showFlag) Set(s string) error {
	for _, stage := range strings.Split(s, ",") {
		stage = strings.TrimSpace(stage)
		if stage == "ir:PASS" || !slices.Contains(showStages, stage) && !slices.Contains(passStages(), stage) {
			return fmt.Errorf("must be among %s (where PASS is a name of --passes)", strings.Join(showStages, ", "))
		}
		*f = append(*f, stage)
	}
	return nil
}

// shower prints intermediate stages.
type shower struct {
	stages showFlag
	out    io.Writer
	moves  map[int]string // by level, the env_move printed last
}

func (s *shower) wants(stage string) bool { return slices.Contains(s.stages, stage) }

func (s *shower) section(title, text string) {
	fmt.Fprintf(s.out, "// ---- %s ----\n%s\n", title, strings.TrimRight(text, "\n")+"\n")
}

// source prints the stages before the verification proper.
func (s *shower) source(ctx context.Context, source *comus.Source, opts comus.Options) error {
	if s.wants("cir") {
		s.section("cir", source.Program().String())
	}
	early := func(stage string) bool { return strings.HasPrefix(stage, "ir") || stage == "cutpoints" }
	if !slices.ContainsFunc(s.stages, early) {
		return nil
	}
	src, err := source.Read(ctx, opts.Question)
	if err != nil {
		return err
	}
	src.Program.Renumber()
	if s.wants("ir") {
		s.section("ir", src.Program.String())
	}
	p, err := s.passes(src.Program, opts)
	if err != nil {
		return err
	}
	if s.wants("cutpoints") {
		graphs := cutpoints.Compute(p, cutpoints.Options{All: opts.NoReduction})
		s.section("cutpoints", cutpointText(graphs))
	}
	return nil
}

// cutpointText returns the threads after the interleaving reduction: their
// cut-points, marked with *, and the blocks between.
func cutpointText(graphs []*cutpoints.Graph) string {
	var b strings.Builder
	for _, g := range graphs {
		fmt.Fprintf(&b, "thread %d %s: %d of %d locations are cut-points (*)\n", g.Thread.Index, g.Thread.Name,
			len(g.Cuts()), len(g.Thread.Locs))
		for _, n := range g.Nodes {
			mark := " "
			if g.Cut[n.Index] {
				mark = "*"
			}
			where := ""
			if n.Pos != (ir.Pos{}) {
				where = "  // " + n.Pos.String()
			}
			if n.Error {
				where = strings.TrimRight("  // error "+n.Text, " ")
			}
			fmt.Fprintf(&b, "%s %s%s\n", mark, n, where)
			for _, bl := range g.Out[n] {
				fmt.Fprintf(&b, "    -> %s: %s\n", bl.To, blockText(bl))
			}
		}
	}
	return b.String()
}

// blockText returns the commands of a block in one line.
func blockText(b *cutpoints.Block) string {
	var parts []string
	for _, c := range b.Cmds() {
		parts = append(parts, c.String()+";")
	}
	return strings.Join(parts, " ")
}

// event prints the stages within the verification.
func (s *shower) event(e query.Event) {
	switch {
	case e.Kind == query.Checking && e.Program != nil:
		s.checking(e)
	case e.Kind == query.Answered && s.wants("queries"):
		s.answered(e)
	}
}

// checking prints the program of an iteration of the main thread, and its
// env_move if that has changed.
func (s *shower) checking(e query.Event) {
	if e.Query != nil {
		return
	}
	if s.wants("program") {
		s.section(fmt.Sprintf("program, iteration %d", e.Stats.Iterations), e.Program.CText())
	}
	if !s.wants("envmove") {
		return
	}
	if text := e.Program.EnvMoveCText(); s.moves[e.Level] != text {
		s.moves[e.Level] = text
		s.section(fmt.Sprintf("env_move, iteration %d", e.Stats.Iterations), text)
	}
}

// answered prints a query and its answer.
func (s *shower) answered(e query.Event) {
	answer := "psi     " + envmove.CExpr(e.Answer)
	if e.Answer.IsFalse() {
		answer = "answer  FALSE"
		if r := e.Refined; r != nil {
			answer += fmt.Sprintf("\nlearned refinement %d: if (%s) assume(!(%s))", r.Number, envmove.CExpr(r.Alpha), envmove.CExpr(r.Beta))
		}
	}
	s.section(fmt.Sprintf("query %d, level %d", e.Stats.Queries, e.Level),
		fmt.Sprintf("alpha   %s\nbeta    %s\n%s", envmove.CExpr(e.Alpha), envmove.CExpr(e.Beta), answer))
}
