package specialise

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"comus/cir"
)

// A question about races can be about some pairs of places only ([Options.About]): those that a cheaper analysis could not exclude. Then no
// other accesses are told of (race.go), and those at a place are a race with those at its partners alone. A place is an instruction; an access is
// at all the places where the thread that makes it is: at the instruction that makes it, and at the calls that have led there, as what
// the functions of the library access counts as an access by their call. So a pair of calls of the program's own functions is about whatever they access.

//
// A question about assertions can be about some of them: each is a place of its own. The others are no errors: one that fails ends the program, as it does.

// AssumeElsewhere is what such a question leaves to whoever asks it.
const AssumeElsewhere = "other accesses than those asked about have no data race"

// About names pairs of instructions of a program, each a load, a store or anything else that accesses memory, for [Options.About]. A name is
// that of the function, the number of the instruction in it, and, to be sure, its position.
func About(p *cir.Program, pairs [][2]cir.Instr) (string, error) { return NamesOf(p).About(pairs) }

// Names are those of the instructions of a program, for many questions about it.
type Names map[cir.Instr]string

// NamesOf returns the names of a program's instructions.
func NamesOf(p *cir.Program) Names {
	names := Names{}
	for _, f := range p.Funcs {
		eachInstr(f, func(i int, in cir.Instr) { names[in] = placeName(f, i, in) })
	}
	return names
}

// About is [About] with names that are known.
func (names Names) About(pairs [][2]cir.Instr) (string, error) {
	var lines []string
	for _, q := range pairs {
		for _, in := range q {
			if names[in] == "" || !Accesses(in) {
				return "", fmt.Errorf("no access of the program: a %T", in)
			}
		}
		x, y := names[q[0]], names[q[1]]
		lines = append(lines, min(x, y)+"\t"+max(x, y))
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n"), nil
}

// AboutAssertions names assertions of a program for [Options.About].
func AboutAssertions(p *cir.Program, list []*cir.Intrinsic) (string, error) {
	names := map[cir.Instr]string{}
	for _, f := range p.Funcs {
		eachInstr(f, func(i int, in cir.Instr) { names[in] = placeName(f, i, in) })
	}
	var lines []string
	for _, in := range list {
		if names[in] == "" || in.Op != cir.Assert {
			return "", errors.New("no assertion of the program")
		}
		lines = append(lines, names[in])
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n"), nil
}

// Assertions returns the assertions of a program, in any of its functions.
func Assertions(p *cir.Program) (list []*cir.Intrinsic) {
	for _, f := range p.Funcs {
		eachInstr(f, func(_ int, in cir.Instr) {
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Assert {
				list = append(list, i)
			}
		})
	}
	return list
}

// Asserted returns the assertions that AboutAssertions has named. The error is for what names none of the program.
func Asserted(p *cir.Program, about string) (list []*cir.Intrinsic, err error) {
	if about == "" {
		return nil, nil
	}
	funcs := byName(p)
	for line := range strings.SplitSeq(about, "\n") {
		in, ok := placeNamed(funcs, line).(*cir.Intrinsic)
		if !ok || in.Op != cir.Assert {
			return nil, fmt.Errorf("the program has no assertion at %q", line)
		}
		list = append(list, in)
	}
	return list, nil
}

func byName(p *cir.Program) map[string]*cir.Func {
	funcs := map[string]*cir.Func{}
	for _, f := range p.Funcs {
		funcs[f.Name] = f
	}
	return funcs
}

// Places returns the pairs that About has named. The error is for what names nothing in the program: nothing is proved of it.
func Places(p *cir.Program, about string) ([][2]cir.Instr, error) {
	if about == "" {
		return nil, nil
	}
	funcs := byName(p)
	var pairs [][2]cir.Instr
	for line := range strings.SplitSeq(about, "\n") {
		x, y, ok := strings.Cut(line, "\t")
		if !ok {
			return nil, fmt.Errorf("no pair of places: %q", line)
		}
		var q [2]cir.Instr
		for i, name := range []string{x, y} {
			if q[i] = placeNamed(funcs, name); q[i] == nil {
				return nil, fmt.Errorf("the program has no access at %q", name)
			}
		}
		pairs = append(pairs, q)
	}
	return pairs, nil
}

// placeName names an instruction.
func placeName(f *cir.Func, i int, in cir.Instr) string {
	pos := cir.Pos{}
	if s := in.Meta().Site; s != nil {
		pos = s.Pos
	}
	return fmt.Sprintf("%s %d %s:%d:%d", f.Name, i, filepath.Base(pos.File), pos.Line, pos.Col)
}

// placeNamed returns the instruction with a name, if it accesses memory.
func placeNamed(funcs map[string]*cir.Func, name string) (found cir.Instr) {
	for at := 0; found == nil; at++ { // a name of a function may have spaces
		i := strings.IndexByte(name[at:], ' ')
		if i < 0 {
			return nil
		}
		at += i
		f := funcs[name[:at]]
		number, _, _ := strings.Cut(name[at+1:], " ")
		n, err := strconv.Atoi(number)
		if f == nil || err != nil {
			continue
		}
		eachInstr(f, func(i int, in cir.Instr) {
			if i == n && Accesses(in) && placeName(f, i, in) == name {
				found = in
			}
		})
	}
	return found
}

// eachInstr calls f for each instruction of a function, with its number.
func eachInstr(fn *cir.Func, f func(i int, in cir.Instr)) {
	i := 0
	for _, x := range fn.Blocks {
		for _, in := range x.Instrs {
			f(i, in)
			i++
		}
	}
}

// Accesses reports whether an instruction may access memory.
func Accesses(in cir.Instr) bool {
	switch in.(type) {
	case *cir.Load, *cir.Store, *cir.Copy, *cir.Fill, *cir.RMW, *cir.CmpXchg, *cir.Call, *cir.VaStart, *cir.VaArg, *cir.VaCopy, *cir.Intrinsic:
		return true
	}
	return false
}

// asked are the places that a question is about.
type asked struct {
	partners   map[cir.Instr][]cir.Instr
	assertions map[cir.Instr]bool
	// The sets of places that accesses were at, numbered from 1 in the order in which they turned up. They keep their numbers from one run to the next.
	sets  [][]cir.Instr
	known map[string]int // by the numbers of their instructions
}

// newAsked returns what a question is about, nil for everything.
func newAsked(p *cir.Program, opts Options) (*asked, error) {
	if opts.About == "" {
		return nil, nil
	}
	a := &asked{partners: map[cir.Instr][]cir.Instr{}, assertions: map[cir.Instr]bool{}, known: map[string]int{}}
	if !opts.Check.Race {
		list, err := Asserted(p, opts.About)
		for _, in := range list {
			a.assertions[in] = true
		}
		return a, err
	}
	pairs, err := Places(p, opts.About)
	if err != nil {
		return nil, err
	}
	for _, q := range pairs {
		a.partners[q[0]] = append(a.partners[q[0]], q[1])
		a.partners[q[1]] = append(a.partners[q[1]], q[0])
	}
	return a, nil
}

// maxPlaces bounds the sets of places, which are parts of what threads tell.
const maxPlaces = 1 << 10

// whereabouts returns the number of the set of places that the thread being run is at, of those that the question is about: 0 for all if it is
// about everything, none if it is about none of them.
func (b *builder) whereabouts() (set int, any bool) {
	a := b.facts.asked
	if a == nil {
		return 0, true
	}
	var at []cir.Instr
	add := func(in cir.Instr) {
		if in != nil && a.partners[in] != nil && !slices.Contains(at, in) {
			at = append(at, in)
		}
	}
	add(b.running)
	own := false
	for fr := b.fr; fr != nil; fr = fr.parent {
		add(fr.calledBy)
		own = own || !fr.fn.Library
	}
	if !own && b.th != nil { // what a thread does that begins outside of the program is done by who created it
		for fr := b.th.from; fr != nil; fr = fr.parent {
			add(fr.calledBy)
		}
	}
	if len(at) == 0 {
		return 0, false
	}
	slices.SortFunc(at, func(x, y cir.Instr) int { return b.numbers[x] - b.numbers[y] })
	key := ""
	for _, in := range at {
		key += " " + strconv.Itoa(b.numbers[in])
	}
	if a.known[key] == 0 {
		a.sets = append(a.sets, at)
		if a.known[key] = len(a.sets); len(a.sets) >= maxPlaces {
			b.fail("races are asked about at too many places at once")
		}
	}
	return a.known[key], true
}

// keeps reports whether the question is about an instruction.
func (a *asked) keeps(in cir.Instr) bool { return a.partners[in] != nil || a.assertions[in] }

// isAskedAbout reports whether the question is about accesses that are made here.
func (b *builder) isAskedAbout() bool {
	_, any := b.whereabouts()
	return any
}

// pairs reports whether accesses at two sets of places are asked about.
func (a *asked) pairs(s, t int) bool {
	if a == nil || s == 0 || t == 0 {
		return true
	}
	return slices.ContainsFunc(a.sets[s-1], func(in cir.Instr) bool {
		return slices.ContainsFunc(a.partners[in], func(p cir.Instr) bool { return slices.Contains(a.sets[t-1], p) })
	})
}

// with returns the sets of places at which accesses are asked about together with those at one.
func (a *asked) with(s int) (sets []int) {
	if a == nil {
		return []int{0}
	}
	for t := range a.sets {
		if a.pairs(s, t+1) {
			sets = append(sets, t+1)
		}
	}
	return sets
}
