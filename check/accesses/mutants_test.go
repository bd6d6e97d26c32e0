package accesses_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/internal/long"
	"comus/internal/randapp"
	"comus/internal/randprog"
)

var (
	statement = regexp.MustCompile(`[;{}] *[^;{}()"]*(\([^;{}]*\))?[^;{}()"]*;`)
	numeral   = regexp.MustCompile(`\b[0-9]+\b`)
	compared  = regexp.MustCompile(` (<|<=|==|!=|>) `)
)

// mutant changes a program in a few random places: a number, a comparison, a statement that is left out, is there twice, or comes earlier.
func mutant(r *rand.Rand, text string) string {
	for range 1 + r.IntN(2) {
		at := func(x *regexp.Regexp) []int {
			all := x.FindAllStringIndex(text, -1)
			if len(all) == 0 {
				return []int{0, 0}
			}
			return all[r.IntN(len(all))]
		}
		switch r.IntN(7) {
		case 0, 1:
			k := at(numeral)
			if n, err := strconv.Atoi(text[k[0]:k[1]]); err == nil {
				text = text[:k[0]] + strconv.Itoa(max(n+r.IntN(3)-1, 0)) + text[k[1]:]
			}
		case 2:
			k := at(compared)
			text = text[:k[0]] + []string{" < ", " <= ", " == ", " != ", " > "}[r.IntN(5)] + text[k[1]:]
		case 3:
			if k := at(statement); k[1] > 0 {
				text = text[:k[0]+1] + text[k[1]:]
			}
		case 4:
			if k := at(statement); k[1] > 0 {
				text = text[:k[1]] + text[k[0]+1:k[1]] + text[k[1]:]
			}
		default: // one goes elsewhere
			k, to := at(statement), at(statement)
			if k[1] > 0 && (to[1] <= k[0] || to[0] >= k[1]) {
				s := text[k[0]+1 : k[1]]
				if to[0] < k[0] {
					text = text[:to[1]] + s + text[to[1]:k[0]+1] + text[k[1]:]
				} else {
					text = text[:k[0]+1] + text[k[1]:to[1]] + s + text[to[1]:]
				}
			}
		}
	}
	return text
}

// invalid runs a program, and returns an access that is invalid, "" if there is none.
func (x *loaded) invalid(t *testing.T, seed uint64) string {
	why := ""
	r, err := sample.Run(t.Context(), x.prog, sample.Options{Runs: 40, Seed: seed, MaxSteps: 20000, Races: true, Reads: true, Until: func(r *interp.Result) bool {
		if r.Outcome == interp.Undefined && (r.Check == interp.CheckMemory || r.Check == interp.CheckConst || r.Check == interp.CheckRead) {
			why = r.Why
		}
		return why != ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Races) > 0 { // that there is none is assumed
		return ""
	}
	return why
}

// TestMutants runs programs that were changed at random, if they are proved. Of the others, some have to have invalid accesses.
func TestMutants(t *testing.T) {
	var texts []string
	for _, c := range slices.Concat(programs, filled, written, twice, shared, sized, tested, counting, handed) {
		if c.safe != "" {
			texts = append(texts, head+c.safe)
		}
	}
	all := long.N(1500, 12)
	proved, bad := 0, 0
	for seed := range uint64(all) {
		r := rand.New(rand.NewPCG(seed, 31))
		text := mutant(r, texts[r.IntN(len(texts))])
		if _, err := cfront.LoadText(t.Context(), command.Invocation{File: "p.c"}, []byte(text), cfront.Options{NoHost: true}); err != nil {
			continue
		}
		x := load(t, text)
		list, err := x.open(t.Context())
		why := x.invalid(t, seed)
		switch ok := err == nil && len(list) == 0; {
		case ok && why != "":
			t.Errorf("seed %d: proved, but a run has %s\n%s", seed, why, text)
		case ok:
			proved++
		case why != "":
			bad++
		}
	}
	if t.Logf("%d proved, %d invalid, of %d", proved, bad, all); proved < all/20 || bad < all/60-1 {
		t.Error("that says little")
	}
}

// TestApplications runs programs as people write them, right ones and wrong ones, if they are proved.
func TestApplications(t *testing.T) {
	all := long.N(200, 3)
	proved, bad := 0, 0
	for seed := range uint64(all) {
		p := randapp.New(seed, randapp.Options{})
		if _, err := cfront.LoadText(t.Context(), command.Invocation{File: "p.c"}, []byte(p.Text), cfront.Options{NoHost: true}); err != nil {
			continue // a header that we do not have
		}
		x := load(t, p.Text)
		list, err := x.open(t.Context())
		if err != nil || len(list) > 0 {
			if p.Violates == "memory" {
				bad++
			}
			continue
		}
		proved++
		if why := x.invalid(t, seed); p.Violates == "memory" || why != "" {
			t.Errorf("seed %d: proved, but: %s %s\n%s", seed, p.Bug, why, p.Text)
		}
	}
	t.Logf("%d proved, %d invalid, of %d", proved, bad, all)
}

// TestRandom runs small random programs, if they are proved.
func TestRandom(t *testing.T) {
	all := long.N(300, 6)
	proved, bad := 0, 0
	for seed := range uint64(all) {
		var text string
		switch seed % 3 {
		case 0:
			text = randprog.Synchronised(seed)
		case 1:
			text = randprog.Unset(seed)
		default:
			text = randprog.Generate(seed, randprog.Options{Features: randprog.All, MaxStatements: 4})
		}
		x := load(t, text)
		list, err := x.open(t.Context())
		ok := err == nil && len(list) == 0
		if ok {
			proved++
		}
		if why := x.invalid(t, seed); why != "" {
			if bad++; ok {
				t.Errorf("seed %d: proved, but a run has %s\n%s", seed, why, text)
			}
		}
	}
	t.Logf("%d proved, %d invalid, of %d", proved, bad, all)
}
