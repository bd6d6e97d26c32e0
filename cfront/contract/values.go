package contract

import (
	"strings"
)

// values reads alternatives.
func (p *parser) values() ([]Value, *Fault) {
	var vs []Value
	for {
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		vs = append(vs, v)
		if !p.accept("|") {
			return vs, nil
		}
	}
}

var ofParameter = map[string]ValueKind{"is": Same, "into": Into, "below": BelowParam}

var ofState = map[string]ValueKind{"static": Static, "thread": ThreadLocal, "kept": Kept}

func (p *parser) value() (Value, *Fault) {
	t := p.peek()
	if t.number() || t.text == "-" || t.text == ".." {
		r, err := p.span()
		return Value{Kind: Within, Range: r}, err
	}
	if !t.word() {
		return Value{}, p.want("a value")
	}
	p.next()
	if kind, ok := ofParameter[t.text]; ok {
		i, err := p.parameter()
		return Value{Kind: kind, Param: i}, err
	}
	if kind, ok := ofState[t.text]; ok {
		s, err := p.state()
		if err == nil {
			p.mentioned = append(p.mentioned, Value{Kind: kind, State: s})
		}
		return Value{Kind: kind, State: s}, err
	}
	switch t.text {
	case "any":
		return Value{Kind: Any}, nil
	case "anywhere":
		return Value{Kind: Anywhere}, nil
	case "bytes":
		return Value{Kind: PlainBytes}, nil
	case "null":
		return Value{Kind: Null}, nil
	case "error":
		return p.errorCodes()
	case "fresh":
		return p.fresh()
	}
	return Value{}, fault(t.col, "not a value: %s", t.text)
}

// errorCodes reads the rest of a value after "error".
func (p *parser) errorCodes() (Value, *Fault) {
	v := Value{Kind: Error}
	if !p.accept("(") {
		return v, nil
	}
	for !p.accept(")") {
		t := p.peek()
		if !strings.HasPrefix(t.text, "E") {
			return v, p.want("an error number")
		}
		v.Codes = append(v.Codes, p.next().text)
	}
	return v, nil
}

// fresh reads the rest of a value after "fresh".
func (p *parser) fresh() (Value, *Fault) {
	v := Value{Kind: Fresh}
	t := p.peek()
	switch {
	case t.text == "string":
		p.next()
		v.Fill = AString
		return v, nil
	case t.text == "zero":
		p.next()
		v.Fill = Zeroed
	case t.text == "any":
		p.next()
		v.Fill = FilledAny
	case t.text == "[":
		v.Fill = Undetermined
	default:
		if s, ok := p.t.handles[t.text]; ok {
			p.next()
			v.Handle = t.text
			if !contains(p.f.Writes, s) {
				p.f.Writes = append(p.f.Writes, s)
			}
		}
		return v, nil
	}
	if err := p.expect("["); err != nil {
		return v, err
	}
	var err *Fault
	if v.Size, err = p.product(); err != nil {
		return v, err
	}
	return v, p.expect("]")
}

// span reads a number or a range.
func (p *parser) span() (Range, *Fault) {
	var r Range
	var err *Fault
	if p.peek().text != ".." {
		if r.Low, err = p.bound(); err != nil {
			return r, err
		}
		if p.peek().text != ".." {
			r.High = r.Low
			return r, nil
		}
	}
	dots := p.next()
	t := p.peek()
	if t.number() || t.text == "-" || p.f.Param(t.text) >= 0 || p.t.types[t.text] != nil {
		r.High, err = p.bound()
	} else if r.Low == nil {
		err = fault(dots.col, "a range without ends")
	}
	return r, err
}

func (p *parser) bound() (*Bound, *Fault) {
	b := &Bound{Negative: p.accept("-")}
	var err *Fault
	b.Product, err = p.product()
	return b, err
}

// facts reads what follows the result.
func (p *parser) facts() *Fault {
	f := p.f
	for p.peek().text != "" {
		t, err := p.word("a fact")
		if err != nil {
			return err
		}
		switch t.text {
		case "const":
			f.Purity = Const
		case "pure":
			f.Purity = Pure
		case "reads":
			err = p.touches(&f.Reads)
		case "writes":
			err = p.touches(&f.Writes)
		default:
			err = p.flag(t)
		}
		if err != nil {
			return err
		}
	}
	p.touch()
	return p.consistent()
}

// touches reads the rest of a fact after "reads" or "writes".
func (p *parser) touches(list *[]State) *Fault {
	if err := p.expect(":"); err != nil {
		return err
	}
	s, err := p.state()
	if err == nil && !contains(*list, s) {
		*list = append(*list, s)
	}
	return err
}

// flag sets a fact that is one word.
func (p *parser) flag(t token) *Fault {
	f := p.f
	var flag *bool
	switch t.text {
	case "errno":
		flag = &f.Errno
	case "noreturn":
		flag = &f.NoReturn
	case "ends":
		flag = &f.MayEnd
	case "twice":
		flag = &f.Twice
	case "blocks":
		flag = &f.Blocks
	case "threads":
		flag = &f.Threads
	case "unsafe":
		flag = &f.Unsafe
	case "model":
		flag = &f.Model
	default:
		return fault(t.col, "not a fact: %s", t.text)
	}
	if *flag {
		return fault(t.col, "%s again", t.text)
	}
	*flag = true
	return nil
}

// touch adds the states that the facts do not mention but handles and values do: who
// returns static storage fills it, who returns what is kept looks it up.
func (p *parser) touch() {
	f := p.f
	for _, s := range p.handles {
		list := &f.Writes
		if f.Purity != Impure {
			list = &f.Reads
		}
		if !contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for _, v := range p.mentioned {
		switch {
		case f.Touches(v.State) || f.Purity == Const:
		case f.Purity == Pure || v.Kind == Kept:
			f.Reads = append(f.Reads, v.State)
		default:
			f.Writes = append(f.Writes, v.State)
		}
	}
}

// consistent tells what cannot be true together.
func (p *parser) consistent() *Fault {
	f := p.f
	col := p.peek().col
	if f.Unsafe && len(f.Reads)+len(f.Writes) == 0 {
		return fault(col, "unsafe, but it touches no state")
	}
	if f.Purity == Impure {
		return nil
	}
	if len(f.Writes) > 0 || f.Blocks || f.Threads || f.MayEnd || f.NoReturn || f.Twice {
		return fault(col, "pure, but it has effects")
	}
	for i := range f.Params {
		q := &f.Params[i]
		if q.Writes() || q.Frees || q.FreesBelow || len(q.Retains)+len(q.Calls) > 0 || q.VaList || q.Format != NoFormat {
			return fault(col, "pure, but it has effects through %q", q.Name)
		}
		if f.Purity == Const && q.Reads() {
			return fault(col, "const, but it reads through %q", q.Name)
		}
	}
	if f.Purity == Const && len(f.Reads) > 0 {
		return fault(col, "const, but it reads state")
	}
	return nil
}
