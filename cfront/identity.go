package cfront

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"comus/cfront/syntax"
	"comus/cir"
)

// identity returns a hash of what the program is made of: every token of every unit that the
// user gave, with its place in its file, and what flags say of its meaning. Where the files lie
// is no part of it.
func identity(units []*unit, opts Options) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "entry %q unknown %d\n", opts.Entry, opts.Unknown)
	if opts.Assume != (cir.Premises{}) {
		fmt.Fprintf(sum, "assume %+v\n", opts.Assume)
	}
	if opts.MayFail != "" {
		fmt.Fprintf(sum, "may fail %s\n", opts.MayFail)
	}
	var b []byte
	for _, u := range units {
		b = fmt.Appendf(b[:0], "unit %v %+v\n", u.library, u.inv.Flags)
		file, name := "", ""
		for i := range u.tokens.Tokens {
			t := &u.tokens.Tokens[i]
			if t.Pos.File != file {
				file, name = t.Pos.File, filepath.Base(t.Pos.File)
				b = strconv.AppendQuote(append(b, "file "...), name)
			}
			text := t.Text
			if t.Kind == syntax.String && strings.Trim(text, `"`) == file { // __FILE__
				text = name
			}
			for _, n := range []int{int(t.Kind), t.Pos.Line, t.Pos.Col, len(text)} {
				b = append(strconv.AppendInt(b, int64(n), 10), ' ')
			}
			b = append(append(b, text...), '\n')
			if len(b) > 1<<16 {
				sum.Write(b)
				b = b[:0]
			}
		}
		sum.Write(b)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
