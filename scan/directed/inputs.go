package directed

import (
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/scan/certificate"
	"comus/scan/directed/world"
)

// inputs are what runs are given from outside: arguments, the standard input, files, the environment, and what is chosen in their course. At first they are
// random; runs that have come to a part of the program where none was before are kept, and others are made from them by small changes. What
// the program has asked for and compared with what it was given is given to the next runs.
type inputs struct {
	words   []string // of the program's text
	letters []byte   // that the program compares characters with
	numbers []string // that it compares numbers with
	learned []string // what was compared with what was given
	options []string // that getopt knows
	files   []string // that were to be read
	env     []string // variables
	kept    []*Execution
	several []*Execution              // those of the kept ones in which there were several threads
	runs    [2]int                    // without and with several threads
	queue   [kindsOfNext][]*Execution // what is to be tried next, as it follows from what a run has asked for: the first of these before others
	queued  map[string]bool
	// compared are pairs of texts, of which one has the unlikely word, that some run has compared; and such texts that were read as numbers, with nothing.
	compared map[[2]string]bool
	again    *Execution // what was cut off for its time, and is to be given more
	further  *Execution // what was cut off before there were several threads, and is to be given more steps
	long     bool       // the run that is made now is that

	watched map[cir.Instr]bool // the first instruction of each block, and the accesses of suspects
	seen    map[cir.Instr]bool
}

// newInputs returns the inputs for the first run.
func newInputs(p *cir.Program) *inputs {
	x := &inputs{words: wordsOf(p), letters: lettersOf(p), numbers: numbersOf(p), watched: map[cir.Instr]bool{}, seen: map[cir.Instr]bool{}, queued: map[string]bool{}, compared: map[[2]string]bool{}}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			if !f.Library && len(b.Instrs) > 0 {
				x.watched[b.Instrs[0]] = true
			}
		}
	}
	x.enqueue(plainNext, &Execution{Args: []string{"program"}})
	x.enqueue(plainNext, &Execution{Args: []string{"program", unlikely}})
	return x
}

// The kinds of inputs that follow from a run.
const (
	comparedNext = iota
	readNext
	variableNext
	optionNext
	numberNext
	plainNext
	moreNext
	constantNext
	letterNext
	kindsOfNext
)

// unlikely is a word that no program knows, so that it is seen where a program compares it.
const unlikely = "qzx"

// mostQueued bounds the queue, and mostOfLetters those that differ by a character.
const mostQueued, mostOfLetters = 20000, 1000

// enqueue has inputs tried, if they were not before.
func (x *inputs) enqueue(kind int, ex *Execution) {
	key := fmt.Sprintf("%q %q %q %q", ex.Args, ex.Stdin, ex.Files, ex.Env)
	if len(x.queued) < mostQueued && !x.queued[key] {
		x.queued[key] = true
		x.queue[kind] = append(x.queue[kind], ex)
	}
}

// copyOf returns what a run is given from outside.
func copyOf(ex *Execution) *Execution {
	return &Execution{Args: slices.Clone(ex.Args), Stdin: ex.Stdin, Files: maps.Clone(ex.Files), Env: maps.Clone(ex.Env), Zeros: ex.Zeros}
}

// follow enqueues inputs that differ from those of a run by what it has asked for: a file or variable that was not there, an option, and in place of
// a text that it has compared the other one.
func (x *inputs) follow(ex *Execution, w *world.Wanted) {
	put := func(m *map[string]string, name, text string) {
		if *m == nil {
			*m = map[string]string{}
		}
		(*m)[name] = text
	}
	if w.Stdin && ex.Stdin == "" {
		n := copyOf(ex)
		n.Stdin = unlikely + "\n"
		x.enqueue(readNext, n)
	}
	for _, f := range w.Files {
		n := copyOf(ex)
		put(&n.Files, f, unlikely+"\n")
		x.enqueue(readNext, n)
	}
	for _, v := range w.Env {
		n := copyOf(ex)
		put(&n.Env, v, unlikely)
		x.enqueue(variableNext, n)
	}
	for _, pair := range w.Compared {
		for i, s := range pair {
			x.replace(comparedNext, ex, s, pair[1-i])
		}
	}
	for _, s := range w.Numbers {
		if _, _, found := strings.Cut(s, unlikely); found {
			for _, n := range numbers {
				x.replace(numberNext, ex, unlikely, n)
			}
			for _, n := range x.numbers {
				x.replace(constantNext, ex, unlikely, n)
			}
		}
	}
	if n := copyOf(ex); len(n.Args) < mostArgs { // which it may have looked for
		n.Args = append(n.Args, unlikely)
		x.enqueue(moreNext, n)
	}
	for _, c := range x.letters {
		if len(x.queue[letterNext]) >= mostOfLetters {
			break
		}
		x.replace(letterNext, ex, unlikely, string(c))
		x.replace(letterNext, ex, unlikely, string(c)+unlikely)
		for i, a := range ex.Args[1:] {
			if a == unlikely {
				n := copyOf(ex)
				n.Args[1+i] = "-" + string(c)
				x.enqueue(letterNext, n)
			}
		}
	}
	for _, o := range w.Options {
		n := copyOf(ex)
		n.Args = slices.Insert(n.Args, 1, o)
		x.enqueue(optionNext, n)
		n = copyOf(ex)
		n.Args = slices.Insert(n.Args, 1, o, unlikely)
		x.enqueue(optionNext, n)
	}
}

// numbers are tried where a number is read; mostArgs bounds how many arguments are made by adding one.
var numbers = []string{"2", "1", "4", "0", "100", "-1", "1000"}

const mostArgs = 6

// replace enqueues inputs with another text in place of one, wherever it is.
func (x *inputs) replace(kind int, ex *Execution, old, by string) {
	if !strings.Contains(old, unlikely) {
		return
	}
	for i, a := range ex.Args[1:] {
		if strings.Contains(a, old) {
			n := copyOf(ex)
			n.Args[1+i] = strings.Replace(a, old, by, 1)
			x.enqueue(kind, n)
		}
	}
	if strings.Contains(ex.Stdin, old) {
		n := copyOf(ex)
		n.Stdin = strings.Replace(ex.Stdin, old, by, 1)
		x.enqueue(kind, n)
	}
	for k, s := range sorted(ex.Files) {
		if strings.Contains(s, old) {
			n := copyOf(ex)
			n.Files[k] = strings.Replace(s, old, by, 1)
			x.enqueue(kind, n)
		}
	}
	for k, s := range sorted(ex.Env) {
		if strings.Contains(s, old) {
			n := copyOf(ex)
			n.Env[k] = strings.Replace(s, old, by, 1)
			x.enqueue(kind, n)
		}
	}
}

// sorted goes through a map by its keys.
func sorted(m map[string]string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// cover is where a run has been for the first time.
type cover struct {
	x   *inputs
	new map[cir.Instr]bool
}

func (x *inputs) cover() *cover { return &cover{x, map[cir.Instr]bool{}} }

// before implements Options.Before of the interpreter; it stops nothing.
func (c *cover) before(_ int, in cir.Instr, _ int64, _ bool) bool {
	if !c.x.seen[in] {
		c.x.seen[in], c.new[in] = true, true
	}
	return false
}

// learn keeps the inputs of a run that was somewhere for the first time, and what it has asked for.
func (x *inputs) learn(c *cover, ex *Execution, several bool, w *world.Wanted) {
	if len(c.new) > 0 {
		x.kept = append(x.kept, ex)
	}
	if !several {
		x.runs[0]++
	} else if x.runs[1]++; len(c.new) > 0 {
		x.several = append(x.several, ex)
	}
	if x.compares(w) || len(c.new) > 0 || len(x.queued) < mostFollowed {
		x.follow(ex, w)
	}
	if len(c.new) > 0 {
		x.ask(ex)
	}
	add := func(to *[]string, s string) {
		if len(*to) < mostLearned && !slices.Contains(*to, s) {
			*to = append(*to, s)
		}
	}
	for _, s := range w.Options {
		add(&x.options, s)
	}
	for _, s := range w.Files {
		add(&x.files, s)
	}
	for _, s := range w.Env {
		add(&x.env, s)
	}
	given := givenBy(ex)
	for _, pair := range w.Compared {
		for i, s := range pair {
			if given[s] && !given[pair[1-i]] {
				add(&x.learned, pair[1-i])
			}
		}
	}
}

// compares reports whether a run has compared something with the unlikely word, with which nothing was compared before.
func (x *inputs) compares(w *world.Wanted) (found bool) {
	for _, pair := range w.Compared {
		if !x.compared[pair] && (strings.Contains(pair[0], unlikely) || strings.Contains(pair[1], unlikely)) {
			x.compared[pair], found = true, true
		}
	}
	for _, s := range w.Numbers {
		if pair := [2]string{s}; !x.compared[pair] && strings.Contains(s, unlikely) {
			x.compared[pair], found = true, true
		}
	}
	return found
}

// ask enqueues inputs that have the unlikely word in the place of each argument of a run, so that it is seen what that is compared with.
func (x *inputs) ask(ex *Execution) {
	for i, a := range ex.Args[1:] {
		if !strings.Contains(a, unlikely) {
			n := copyOf(ex)
			n.Args[1+i] = unlikely
			x.enqueue(plainNext, n)
		}
	}
}

// mostLearned bounds each kind of what is learned. Up to mostFollowed inputs, others follow from each run, then only from those that come to a part of the program
// where none was before.
const mostLearned, mostFollowed = 1000, 100

// givenBy returns the words of what a run was given, their beginnings and ends of two bytes and more too, as programs cut them.
func givenBy(ex *Execution) map[string]bool {
	out := map[string]bool{}
	text := func(s string) {
		for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \n|(),;=:[]", r) }) {
			for i := range w {
				out[w[:i+1]], out[w[i:]] = true, true
			}
		}
		for _, l := range strings.Split(s, "\n") {
			out[l] = true
		}
	}
	for _, a := range ex.Args[1:] {
		text(a)
	}
	text(ex.Stdin)
	for _, s := range ex.Files {
		text(s)
	}
	for _, s := range ex.Env {
		text(s)
	}
	delete(out, "")
	return out
}

// next returns what the next run is given, and with which choices it begins. To a brief one nothing new is given, which would not be seen to its end.
func (x *inputs) next(r *rand.Rand, brief bool) (*Execution, []certificate.Input) {
	x.long = !brief && x.again != nil
	switch {
	case x.long:
		ex := x.again
		x.again = nil
		return ex, nil
	case !brief && x.further != nil:
		old := x.further
		x.further = nil
		return copyOf(old), old.Inputs
	}
	if len(x.several) > 0 && x.runs[0] > x.runs[1] && r.IntN(4) == 0 { // once more, with another schedule
		return copyOf(x.several[r.IntN(len(x.several))]), nil
	}
	ex, begin := x.other(r, brief)
	ex.Zeros = r.IntN(2) == 0
	return ex, begin
}

// other returns the same, of a run that is not one that was cut off.
func (x *inputs) other(r *rand.Rand, brief bool) (*Execution, []certificate.Input) {
	if brief && len(x.kept) > 0 {
		old := x.kept[r.IntN(len(x.kept))]
		k := r.IntN(len(old.Inputs) + 1)
		return copyOf(old), old.Inputs[:k:k]
	}
	for i, q := range x.queue {
		if len(q) > 0 && r.IntN(8) > 0 {
			x.queue[i] = q[1:]
			return q[0], nil
		}
	}
	if len(x.kept) == 0 || r.IntN(4) == 0 {
		return x.fresh(r), nil
	}
	n := len(x.kept)
	old := x.kept[n-1-min(r.IntN(n), r.IntN(n))] // rather one of the last
	ex := copyOf(old)
	if r.IntN(4) == 0 { // another choice on the way
		k := 0
		if len(old.Inputs) > 0 {
			k = r.IntN(len(old.Inputs))
		}
		return ex, old.Inputs[:k:k]
	}
	for range 1 + r.IntN(3) {
		x.change(r, ex)
	}
	return ex, nil
}

// fresh returns inputs that are made from none.
func (x *inputs) fresh(r *rand.Rand) *Execution {
	ex := &Execution{Args: []string{"program"}}
	if r.IntN(3) == 0 {
		return ex
	}
	for range r.IntN(5) {
		ex.Args = append(ex.Args, x.argument(r))
	}
	for range r.IntN(4) {
		ex.Stdin += x.word(r) + space(r)
	}
	if r.IntN(2) == 0 {
		x.changeOutside(r, ex)
	}
	return ex
}

// change changes a little of what a run is given.
func (x *inputs) change(r *rand.Rand, ex *Execution) {
	n := len(ex.Args)
	switch k := r.IntN(8); {
	case k < 2:
		ex.Args = slices.Insert(ex.Args, 1+r.IntN(n), x.argument(r))
	case k == 2 && n > 1:
		ex.Args[1+r.IntN(n-1)] = x.argument(r)
	case k == 3 && n > 1:
		i := 1 + r.IntN(n-1)
		ex.Args = slices.Delete(ex.Args, i, i+1)
	case k == 4 && n > 1:
		ex.Args[1+r.IntN(n-1)] += mark(r) + x.word(r)
	case k == 5:
		ex.Stdin = x.edit(r, ex.Stdin)
	default:
		x.changeOutside(r, ex)
	}
}

// changeOutside changes a file or a variable of the environment that some run has asked for.
func (x *inputs) changeOutside(r *rand.Rand, ex *Execution) {
	set := func(m *map[string]string, names []string) {
		if len(names) == 0 {
			return
		}
		if *m == nil {
			*m = map[string]string{}
		}
		name := names[r.IntN(len(names))]
		(*m)[name] = x.edit(r, (*m)[name])
	}
	if r.IntN(3) == 0 {
		set(&ex.Env, x.env)
		return
	}
	set(&ex.Files, x.files)
}

// edit adds a word to a text, or takes something away.
func (x *inputs) edit(r *rand.Rand, s string) string {
	switch at := r.IntN(len(s) + 1); r.IntN(5) {
	case 0:
		return s[:at]
	case 1:
		return s + mark(r) + x.word(r)
	case 2:
		return x.word(r) + space(r) + s
	default:
		return s + x.word(r) + space(r)
	}
}

// argument returns an argument of main.
func (x *inputs) argument(r *rand.Rand) string {
	if len(x.options) > 0 && r.IntN(2) == 0 {
		return x.options[r.IntN(len(x.options))]
	}
	return x.word(r)
}

// word returns a word that the program may know, or a number.
func (x *inputs) word(r *rand.Rand) string {
	switch k := r.IntN(8); {
	case k < 4 && len(x.learned) > 0:
		return x.learned[r.IntN(len(x.learned))]
	case k < 6 && len(x.words) > 0:
		return x.words[r.IntN(len(x.words))]
	}
	return []string{"0", "1", "2", "3", "4", "8", "10", "16", "100", "a"}[r.IntN(10)]
}

func space(r *rand.Rand) string { return []string{" ", "\n", "\n"}[r.IntN(3)] }

// mark returns what stands between words.
func mark(r *rand.Rand) string {
	return []string{"", "=", ":", "|", ",", ";", "(", ")", "/", ".", " ", "\n"}[r.IntN(12)]
}

// choices returns what is chosen in a run: for most runs what usually happens, for some now and then something else. In half of them no signal comes. Where the usual has happened again and again, something
// else does in any run: a loop that waits for the end of a time would never end.
func choices(r *rand.Rand) func(string, cir.Type) (lo, hi uint64) {
	often, any := r.IntN(4), sample.Inputs(r)
	seldom := [...]int{1, 64, 1024, 1 << 40}[often]
	signals := r.IntN(2) == 0
	usual := 0 // in a row
	return func(name string, t cir.Type) (lo, hi uint64) {
		if name == interp.Signal && !signals {
			return 0, 0
		}
		if name == "" && usual >= mostUsual && r.IntN(8) == 0 {
			usual = 0
			return uint64(1 + r.IntN(3)), 0
		}
		if name != "" || r.IntN(seldom) == 0 {
			lo, hi = any(name, t)
		}
		if usual++; lo|hi != 0 {
			usual = 0
		}
		return lo, hi
	}
}

// mostUsual is how often in a row the same happens in a run, at least: who asks again and again waits for something else, as for the end of a time.
const mostUsual = 100

// after returns choices that begin as others did, but for the last of these, and then go on.
func after(begin []certificate.Input, then func(string, cir.Type) (lo, hi uint64)) func(string, cir.Type) (lo, hi uint64) {
	n := 0
	return func(name string, t cir.Type) (lo, hi uint64) {
		if n++; n <= len(begin) {
			return begin[n-1].Lo, begin[n-1].Hi
		}
		return then(name, t)
	}
}

// maxWords and maxWord bound the words that are tried.
const maxWords, maxWord = 400, 24

// wordsOf returns the strings of a program that may be arguments.
func wordsOf(p *cir.Program) []string {
	var words []string
	for _, g := range p.Globals {
		s, _, _ := strings.Cut(string(g.Data), "\x00")
		if g.Literal && !g.Library && s != "" && len(s) <= maxWord && !strings.ContainsAny(s, " %\n\t") && len(words) < maxWords && !slices.Contains(words, s) {
			words = append(words, s)
		}
	}
	return words
}
