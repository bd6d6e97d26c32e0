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
	var pool []syntax.Token
	for _, src := range programs {
		pool = append(pool, syntax.Lex("t.c", []byte(src)).Tokens...)
	}
	for _, src := range programs {
		for range max(n, 10) {
			in := syntax.Lex("t.c", []byte(src))
			for range 1 + r.Intn(2) {
				if len(in.Tokens) == 0 {
					break
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
			text := in.TextOf(syntax.Span{First: 0, Last: int32(len(in.Tokens) - 1)})
			if _, err := Check(in, command.Flags{ILP32: r.Intn(4) == 0}); err != nil && strings.Contains(err.Error(), "bug in comus") {
				t.Errorf("%s\n\t%v", text, err)
			}
		}
	}
}
