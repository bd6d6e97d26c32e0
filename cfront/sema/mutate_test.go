package sema

import (
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"comus/cfront/command"
	"comus/cfront/syntax"
)

// TestMutations checks programs with mistakes: each ends with an error that is no bug, or with none.
// COMUS_MUTATIONS says how many of each program.
func TestMutations(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("COMUS_MUTATIONS"))
	r := rand.New(rand.NewSource(1))
	programs := lines(t, "programs.txt")
	pool := tokenPool(programs)
	for _, src := range programs {
		for range max(n, 10) {
			in := syntax.Lex("t.c", []byte(src))
			for range 1 + r.Intn(2) {
				mutate(r, in, pool)
			}
			text := in.TextOf(syntax.Span{First: 0, Last: int32(len(in.Tokens) - 1)})
			if _, err := Check(in, command.Flags{ILP32: r.Intn(4) == 0}); err != nil && strings.Contains(err.Error(), "bug in comus") {
				t.Errorf("%s\n\t%v", text, err)
			}
		}
	}
}

// mutate makes a mistake in a program.
func mutate(r *rand.Rand, in *syntax.Input, pool []syntax.Token) {
	if len(in.Tokens) == 0 {
		return
	}
	i := r.Intn(len(in.Tokens))
	switch r.Intn(4) {
	case 0:
		in.Tokens = append(in.Tokens[:i], in.Tokens[i+1:]...)
	case 1:
		in.Tokens[i] = pool[r.Intn(len(pool))]
	case 2:
		j := r.Intn(len(in.Tokens))
		in.Tokens[i], in.Tokens[j] = in.Tokens[j], in.Tokens[i]
	default:
		in.Tokens = append(in.Tokens[:i:i], append([]syntax.Token{pool[r.Intn(len(pool))]}, in.Tokens[i:]...)...)
	}
}

// tokenPool is the tokens of all programs.
func tokenPool(programs []string) []syntax.Token {
	var pool []syntax.Token
	for _, src := range programs {
		pool = append(pool, syntax.Lex("t.c", []byte(src)).Tokens...)
	}
	return pool
}

// TestMutationsJudged logs which programs with a mistake gcc takes and we refuse, or the other way round:
// COMUS_MUTATIONS of them.
func TestMutationsJudged(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("COMUS_MUTATIONS"))
	r := rand.New(rand.NewSource(int64(n)))
	programs := lines(t, "programs.txt")
	pool := tokenPool(programs)
	for range n {
		src := programs[r.Intn(len(programs))]
		if strings.Contains(src, "#") {
			continue
		}
		in := syntax.Lex("t.c", []byte(src))
		mutate(r, in, pool)
		var b strings.Builder
		for _, x := range in.Tokens {
			b.WriteString(x.Text + " ")
		}
		_, err := Check(syntax.Lex("t.c", []byte(b.String())), command.Flags{})
		if want := gcc(t, b.String()); (err == nil) != (want == "") {
			t.Logf("%s\n\tgcc: %s\n\tcomus: %v", b.String(), want, err)
		}
	}
}
