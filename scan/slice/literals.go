package slice

import (
	"fmt"
	"strings"

	"comus/cir"
)

// shorten leaves of string literals nothing but the conversions of printf in them: nobody wants to know the rest. They stay objects of their own, as
// which of two a pointer leads to may matter. What has no name of its own is numbered anew.
func shorten(p *cir.Program) {
	n := 0
	for _, g := range p.Globals {
		if g.Source == "" {
			n++
			g.Name = fmt.Sprintf(".data.%d", n)
		}
		if !g.Literal || g.Library || len(g.Relocs) > 0 || g.Shape == nil || g.Shape.Elem == nil || g.Shape.Elem.Size != 1 {
			continue
		}
		g.Data, g.Pos = []byte(conversions(string(g.Data))), cir.Pos{}
		g.Size = int64(len(g.Data)) + 1
		g.Shape = &cir.Shape{Size: g.Size, Elem: g.Shape.Elem, Len: g.Size, Name: fmt.Sprintf("char [%d]", g.Size)}
	}
}

// conversions returns the conversions of a format, without what stands between them.
func conversions(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		from := i
		for i++; i < len(text) && strings.IndexByte("-+ #0123456789.*'hlLqjztIwVv$", text[i]) >= 0; i++ {
		}
		b.WriteString(text[from:min(i+1, len(text))])
	}
	return b.String()
}
