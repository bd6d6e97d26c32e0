package ir

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"

	"comus/logic"
)

// A program is written with places instead of pointers: terms and variables are numbered, 0 being none.

type programText struct {
	File                 string
	Terms                []logic.Node
	Vars                 []varText
	Frames               []frameText
	Threads              []threadText
	Assumptions, Bounded []string
	Objects              []Object
	Wraps                bool
	Guesses              []int32
}

type varText struct {
	Name, Source, Shown string
	Sym                 int32
	Type                Type
	Thread              int
	Init                string // decimal; "": none
	Pos                 Pos
	Holder              Holder
	Inner, Points       bool
}

type threadText struct {
	Name           string
	Locs           []locText
	Edges          []edgeText // by their source
	Created, Ended int32
	Replicated     bool
}

type locText struct {
	Atomic, Error bool
	Pos           Pos
	Text, Check   string
	Frame         int32
	In            []int32 // places in Edges, in order
}

type edgeText struct {
	From, To int32
	Cmds     []cmdText
	Kind     EdgeKind
	Thread   int
	Mutex    int32
	Pos      Pos
	Text     string
	Origin   int
	Approx   string
	Tells    *placeText
}

type placeText struct {
	Pos  Pos
	Text string
	In   int32
}

type cmdText struct {
	Kind            CmdKind
	Cond, Expr, Var int32
	Input           string
	Origin          int
}

// Encode writes the program for [Decode], in another process of the same build say.
func (p *Program) Encode(w io.Writer) error {
	var roots []*logic.Term
	root := func(x *logic.Term) {
		if x != nil {
			roots = append(roots, x)
		}
	}
	vars := map[*Var]int32{}
	for i, v := range p.Vars {
		vars[v] = int32(i + 1)
		root(v.Sym)
	}
	for _, f := range p.Guesses {
		root(f)
	}
	for _, t := range p.Threads {
		root(t.PC)
		t.Edges(func(e *Edge) {
			for _, c := range e.Cmds {
				root(c.Cond)
				root(c.Expr)
			}
		})
	}
	text := programText{File: p.File, Assumptions: p.Assumptions, Bounded: p.Bounded, Objects: p.Objects, Wraps: p.Wraps}
	var places map[*logic.Term]int32
	text.Terms, places = logic.Nodes(roots)
	place := func(x *logic.Term) int32 {
		if x == nil {
			return 0
		}
		return places[x] + 1
	}
	for _, f := range p.Guesses {
		text.Guesses = append(text.Guesses, place(f))
	}
	for _, v := range p.Vars {
		u := varText{Name: v.Name, Source: v.Source, Shown: v.Shown, Inner: v.Inner, Points: v.Points, Sym: place(v.Sym), Type: v.Type, Thread: v.Thread, Pos: v.Pos, Holder: v.Holder}
		if v.Init != nil {
			u.Init = v.Init.String()
		}
		text.Vars = append(text.Vars, u)
	}
	fs := &frames{places: map[*Frame]int32{}}
	for _, t := range p.Threads {
		u := threadText{Name: t.Name, Created: vars[t.Created], Ended: vars[t.Ended], Replicated: t.Replicated}
		edges := map[*Edge]int32{}
		t.Edges(func(e *Edge) {
			edges[e] = int32(len(u.Edges))
			f := edgeText{From: int32(e.From.Index), To: int32(e.To.Index), Kind: e.Kind, Thread: e.Thread, Mutex: vars[e.Mutex],
				Pos: e.Pos, Text: e.Text, Origin: e.Origin, Approx: e.Approx}
			if e.Tells != nil {
				f.Tells = &placeText{e.Tells.Pos, e.Tells.Text, fs.place(e.Tells.In)}
			}
			for _, c := range e.Cmds {
				f.Cmds = append(f.Cmds, cmdText{Kind: c.Kind, Cond: place(c.Cond), Expr: place(c.Expr), Var: vars[c.Var], Input: c.Input, Origin: c.Origin})
			}
			u.Edges = append(u.Edges, f)
		})
		for _, l := range t.Locs {
			m := locText{Atomic: l.Atomic, Error: l.Error, Pos: l.Pos, Text: l.Text, Check: l.Check, Frame: fs.place(l.Frame)}
			for _, e := range l.In {
				m.In = append(m.In, edges[e])
			}
			u.Locs = append(u.Locs, m)
		}
		text.Threads = append(text.Threads, u)
	}
	text.Frames = fs.list
	return gob.NewEncoder(w).Encode(text)
}

// Decode reads a program that [Program.Encode] wrote: a copy of its own, in a store of its own. The error is for what
// is no sound program.
func Decode(r io.Reader) (p *Program, err error) {
	var text programText
	if err := gob.NewDecoder(r).Decode(&text); err != nil {
		return nil, fmt.Errorf("ir: %w", err)
	}
	defer func() { // places that there are not
		if recover() != nil {
			p, err = nil, errors.New("ir: no program")
		}
	}()
	p = NewProgram(text.File)
	p.Assumptions, p.Bounded, p.Objects, p.Wraps = text.Assumptions, text.Bounded, text.Objects, text.Wraps
	terms, err := p.L.Terms(text.Terms)
	if err != nil {
		return nil, err
	}
	term := func(i int32) *logic.Term {
		if i == 0 {
			return nil
		}
		return terms[i-1]
	}
	for _, u := range text.Vars {
		v := &Var{Index: len(p.Vars), Name: u.Name, Source: u.Source, Shown: u.Shown, Inner: u.Inner, Points: u.Points, Sym: term(u.Sym), Type: u.Type, Thread: u.Thread, Pos: u.Pos, Holder: u.Holder}
		if u.Init != "" {
			w, ok := logic.ParseValue(u.Init)
			if !ok {
				return nil, fmt.Errorf("ir: %q is no number", u.Init)
			}
			v.Init = &w
		}
		p.Vars = append(p.Vars, v)
	}
	for _, f := range text.Guesses {
		p.Guesses = append(p.Guesses, term(f))
	}
	variable := func(i int32) *Var {
		if i == 0 {
			return nil
		}
		return p.Vars[i-1]
	}
	made := decodeFrames(text.Frames)
	for _, u := range text.Threads {
		u.decode(p.NewThread(u.Name), term, variable, made)
	}
	return p, p.Check()
}

// decode makes the thread.
func (u *threadText) decode(t *Thread, term func(int32) *logic.Term, variable func(int32) *Var, made []*Frame) {
	t.Created, t.Ended, t.Replicated = variable(u.Created), variable(u.Ended), u.Replicated
	for i, m := range u.Locs {
		l := t.Entry
		if i == 0 {
			l.Pos = m.Pos
		} else {
			l = t.NewLoc(m.Pos)
		}
		l.Atomic, l.Error, l.Text, l.Check, l.Frame = m.Atomic, m.Error, m.Text, m.Check, made[m.Frame]
	}
	var edges []*Edge
	for _, f := range u.Edges {
		var cmds []Cmd
		for _, c := range f.Cmds {
			cmds = append(cmds, Cmd{Kind: c.Kind, Cond: term(c.Cond), Expr: term(c.Expr), Var: variable(c.Var), Input: c.Input, Origin: c.Origin})
		}
		e := t.NewEdge(t.Locs[f.From], t.Locs[f.To], f.Pos, f.Text, cmds...)
		e.Kind, e.Thread, e.Mutex, e.Origin, e.Approx = f.Kind, f.Thread, variable(f.Mutex), f.Origin, f.Approx
		if f.Tells != nil {
			e.Tells = &Place{f.Tells.Pos, f.Tells.Text, made[f.Tells.In]}
		}
		edges = append(edges, e)
	}
	for i, m := range u.Locs {
		t.Locs[i].In = nil
		for _, k := range m.In {
			t.Locs[i].In = append(t.Locs[i].In, edges[k])
		}
	}
}
