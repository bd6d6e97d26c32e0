package specialise

import (
	"strings"

	"comus/cir"
	"comus/logic"
)

// Accesses by the intrinsics that stand for functions of the library: formatted input and output, reading and writing.

// raceIntrinsic is race for what an intrinsic accesses, and asks whether it is valid memory.
func (b *builder) raceIntrinsic(in *cir.Intrinsic) {
	if !b.asksRace() && !b.opts.Check.Memory {
		return
	}
	arg := func(i int) source { return source{p: b.operand(in.Args[i]), v: in.Args[i]} }
	switch in.Op {
	case cir.Print:
		b.racePrinted(arg(1), in.Args[2])
	case cir.Format:
		least, most, texts := b.racePrinted(arg(2), in.Args[3])
		if b.cur != nil {
			b.printsApart(region{arg(0), b.operand(in.Args[1])}, least+1, most+1, append(texts, arg(2)))
		}
		if b.cur != nil {
			b.raceFormatted(arg(0), b.operand(in.Args[1]), least+1, most+1)
		}
	case cir.Scan:
		b.raceScanned(arg(0), in.Args[1], in.Args[2])
	case cir.WriteOut:
		b.accessBytes(arg(1), b.operand(in.Args[2]), false, "")
	case cir.ReadIn, cir.ReadLine, cir.HavocBytes:
		b.accessBytes(arg(0), b.operand(in.Args[1]), true, "")
	case cir.HavocReachable:
		b.accessReachable(arg(0), toAll, true, unsureLength)
	}
}

// literal returns the string that a pointer is the address of, if nobody can change it.
func (b *builder) literal(p *value) (string, bool) {
	if p.at == nil || len(p.at.idx) > 0 || p.at.obj.global == nil {
		return "", false
	}
	g := p.at.obj.global
	if !g.Literal && !g.Const || g.External || len(g.Relocs) > 0 || p.at.off < 0 || p.at.off > int64(len(g.Data)) {
		return "", false
	}
	s, _, _ := strings.Cut(string(g.Data[p.at.off:]), "\x00")
	return s, true
}

// variableArgs returns the arguments that a list stands before. In a loop that is not unrolled, lists from before it are forgotten.
func (b *builder) variableArgs(ap cir.Value) (args []source, ok bool) {
	p := b.operand(ap)
	if p.at == nil {
		return nil, false
	}
	l, ok := b.cur.lists[p.at.obj]
	if !ok || len(l.rest) != len(l.from.given) {
		return nil, false
	}
	for i := l.next; i < len(l.rest); i++ {
		args = append(args, source{l.rest[i], l.from.given[i], l.from.parent})
	}
	return args, true
}

// racePrinted is race for what a printf reads: its format and strings; and for what %n writes. It returns bounds of the length,
// and the strings that it reads for sure.
func (b *builder) racePrinted(format source, ap cir.Value) (least, most int64, texts []source) {
	text, known := b.literal(format.p)
	if !known {
		b.accessString(format, -1)
	}
	list, ok := conversions(text, false)
	args, listed := b.variableArgs(ap)
	if !known || !ok || !listed {
		b.accessReachable(source{p: b.operand(ap), v: ap}, toHeld, false, "formatted output")
		return 0, anyLength, nil
	}
	for _, c := range list {
		lo, hi := c.printed()
		least, most = least+lo+int64(len(c.text)), most+hi+int64(len(c.text))
		stars := args[:min(c.stars, len(args))]
		if args = args[len(stars):]; len(args) == 0 || c.letter == 0 || c.letter == 'm' {
			continue
		}
		b.raceConversion(c, stars, args[0])
		if c.letter == 's' && c.size == "" {
			texts = append(texts, args[0])
		}
		args = args[1:]
	}
	return least, min(most, anyLength), texts
}

// anyLength is more than any string's length.
const anyLength = int64(1) << 31

// raceConversion is race for what a conversion of a printf accesses.
func (b *builder) raceConversion(c conversion, stars []source, s source) {
	switch {
	case c.letter == 'n':
		b.accessBytes(s, b.constVal(b.m.Size(), c.bytes(b.m)), true, "")
	case c.letter == 'S' || c.letter == 's' && c.size != "":
		b.accessBytes(s, nil, false, unsureString)
	case c.letter == 's':
		most, star := c.prec, len(stars) > 0 && c.prec < 0 && (c.width >= 0 || len(stars) > 1)
		if c.prec < 0 && len(stars) > 0 && !star { // a width or a precision
			star = true
		}
		if star {
			k, ok := b.constSize(stars[len(stars)-1].p)
			if !ok {
				b.accessBytes(s, nil, false, unsureString)
				return
			}
			most = k
		}
		b.accessString(s, most)
	}
}

// raceFormatted is race for what a snprintf writes: from least to most bytes, but not more than n.
func (b *builder) raceFormatted(to source, n *value, least, most int64) {
	mark := b.hold(n, to.p)
	up := func(k int64) *value { return b.atMost(b.held[mark], k) }
	b.accessBytes(to, up(least), true, "")
	if most > least && b.cur != nil {
		to.p = b.held[mark+1]
		b.accessBytes(to, up(most), true, unsureLength)
	}
	b.release(mark)
}

// atMost returns a number, or k if that is smaller.
func (b *builder) atMost(n *value, k int64) *value {
	w := *n
	w.t = b.L.Ite(b.L.Lt(n.t, b.L.Int(k)), n.t, b.L.Int(k))
	w.rng = &interval{logic.IntValue(0), minValue(n.bounds().hi, logic.IntValue(k))}
	return &w
}

// raceScanned is race for what a sscanf reads and writes.
func (b *builder) raceScanned(s source, format, ap cir.Value) {
	input, certain := b.literal(s.p)
	if !certain {
		b.accessString(s, -1)
	}
	if b.cur == nil {
		return
	}
	text, known := b.literal(b.operand(format))
	if !known {
		b.accessString(source{p: b.operand(format), v: format}, -1)
	}
	list, ok := conversions(text, true)
	args, listed := b.variableArgs(ap)
	if b.cur == nil || !known || !ok || !listed {
		b.accessReachable(source{p: b.operand(ap), v: ap}, toHeld, true, "formatted input")
		return
	}
	m := matcher{in: input, certain: certain}
	for _, c := range list {
		stores := m.match(c)
		if m.failed {
			return
		}
		if c.none || c.letter == 0 || c.letter == '%' {
			continue
		}
		if len(args) == 0 {
			return
		}
		b.raceStored(c, args[0], stores, m.certain)
		args = args[1:]
	}
}

// raceStored is race for what a conversion of a scanf stores: so many bytes of a string, if that is certain.
func (b *builder) raceStored(c conversion, to source, length int64, certain bool) {
	approx, n := "", c.bytes(b.m)
	if !certain {
		approx = "formatted input"
		length = -1
		if c.width >= 0 && c.size == "" {
			length = c.width + 1
		}
	}
	if n < 0 {
		n = length
	}
	if n < 0 {
		b.accessBytes(to, nil, true, approx)
		return
	}
	b.accessBytes(to, b.constVal(b.m.Size(), n), true, approx)
}

// matcher follows a scanf on an input that is known, as far as that is simple.
type matcher struct {
	in      string
	certain bool // the input is known, and what was read of it so far
	failed  bool // nothing more is stored
}

const spaces = " \t\n\v\f\r"

// match reads one conversion and the text before it, and returns how many bytes of a string it stores.
func (m *matcher) match(c conversion) (stores int64) {
	for _, x := range []byte(c.text) {
		switch {
		case !m.certain:
		case strings.IndexByte(spaces, x) >= 0:
			m.in = strings.TrimLeft(m.in, spaces)
		case m.in == "" || m.in[0] != x:
			m.failed = true
			return 0
		default:
			m.in = m.in[1:]
		}
	}
	if !m.certain || c.letter == 0 || c.letter == 'n' {
		return 0
	}
	if c.letter != 'c' && c.letter != '[' {
		m.in = strings.TrimLeft(m.in, spaces)
	}
	n := 0
	switch {
	case c.width >= 0 || c.size == "m":
		m.certain = false
		return 0
	case c.letter == 'd' || c.letter == 'u':
		if n < len(m.in) && (m.in[0] == '-' || m.in[0] == '+') {
			n++
		}
		digits := len(m.in[n:]) - len(strings.TrimLeft(m.in[n:], "0123456789"))
		if n += digits; digits == 0 {
			m.failed = true
			return 0
		}
	case c.letter == 's':
		if n = strings.IndexAny(m.in, spaces); n < 0 {
			n = len(m.in)
		}
		stores = int64(n) + 1
	case c.letter == 'c':
		n, stores = min(1, len(m.in)), 1
	case c.letter == '%' && strings.HasPrefix(m.in, "%"):
		n = 1
	default:
		m.certain = false
		return 0
	}
	m.failed = n == 0
	m.in = m.in[n:]
	return stores
}
