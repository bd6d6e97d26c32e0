package race

import (
	"strings"

	"comus/cir"
	"comus/scan/thread"
)

// conversions calls f for the letters of the conversions of what may be a format; ok is false if the format is not known.
func (c *collector) conversions(n *thread.Node, format cir.Value, f func(letter byte)) (ok bool) {
	to := c.pts.Targets(n.Fn, n.Ctx, format)
	for _, l := range to {
		g := l.Obj.Global
		if g == nil || !g.Literal && !g.Const || g.External || len(g.Relocs) > 0 {
			return false
		}
		text := string(g.Data)
		for i := 0; i < len(text); i++ {
			if text[i] != '%' {
				continue
			}
			for i++; i < len(text) && strings.IndexByte("-+ #0123456789.*'hlLqjztIwVv$", text[i]) >= 0; i++ {
			}
			if i < len(text) {
				f(text[i])
			}
		}
	}
	return len(to) > 0
}

// follows reports whether a printf may follow the pointers that it is given.
func (c *collector) follows(n *thread.Node, format cir.Value) bool {
	found := false
	ok := c.conversions(n, format, func(x byte) { found = found || strings.IndexByte("diouxXeEfFgGaAcCp%m", x) < 0 })
	return !ok || found
}

// stores reports whether a printf may have a %n.
func (c *collector) stores(n *thread.Node, format cir.Value) bool {
	found := false
	ok := c.conversions(n, format, func(x byte) { found = found || strings.IndexByte("diouxXeEfFgGaAcCp%msS", x) < 0 })
	c.formats = c.formats || !ok
	return ok && found
}
