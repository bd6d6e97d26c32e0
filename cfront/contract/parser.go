package contract

import "strconv"

// A parser reads the contract of one line.
type parser struct {
	t      *Table
	tokens []token
	f      *Function
	// mentioned are values of storage and of what is kept that are spoken of.
	mentioned []Value
	handles   []State // the states of the handles among the parameters
}

func (p *parser) peek() token { return p.tokens[0] }

func (p *parser) next() token {
	t := p.tokens[0]
	if t.text != "" {
		p.tokens = p.tokens[1:]
	}
	return t
}

// accept takes the next token if it is this one.
func (p *parser) accept(text string) bool {
	if p.peek().text != text {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(text string) *Fault {
	if !p.accept(text) {
		return p.want(strconv.Quote(text))
	}
	return nil
}

// want is the fault that something else stands here.
func (p *parser) want(what string) *Fault {
	t := p.peek()
	if t.text == "" {
		return fault(t.col, "want %s, the line ends", what)
	}
	return fault(t.col, "want %s, not %q", what, t.text)
}

func (p *parser) word(what string) (token, *Fault) {
	if !p.peek().word() {
		return token{}, p.want(what)
	}
	return p.next(), nil
}

// function reads the whole line.
func (p *parser) function() *Fault {
	name, err := p.word("the name of a function")
	if err != nil {
		return err
	}
	p.f.Name = name.text
	if err := p.expect("("); err != nil {
		return err
	}
	if err := p.names(); err != nil {
		return err
	}
	if err := p.params(); err != nil {
		return err
	}
	if err := p.expect("="); err != nil {
		return err
	}
	if p.accept("void") {
		return p.facts()
	}
	if p.f.Results, err = p.values(); err != nil {
		return err
	}
	return p.facts()
}

// names collects the names of the parameters, so that one may speak of a later one.
func (p *parser) names() *Fault {
	depth, first := 0, true
	for _, t := range p.tokens {
		switch t.text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		}
		if depth < 0 {
			return nil
		}
		if first && t.word() {
			if p.f.Param(t.text) >= 0 {
				return fault(t.col, "a second parameter %s", t.text)
			}
			p.f.Params = append(p.f.Params, Param{Name: t.text})
		}
		first = depth == 0 && t.text == ","
	}
	return nil // params says what is missing
}

// params reads the parameters up to the closing parenthesis.
func (p *parser) params() *Fault {
	if p.accept(")") {
		return nil
	}
	for i := 0; ; i++ {
		var param *Param
		if p.accept("...") {
			p.f.Variadic = &Param{Name: "..."}
			param = p.f.Variadic
		} else {
			if _, err := p.word("a parameter"); err != nil {
				return err
			}
			param = &p.f.Params[i]
		}
		param.Nullable = p.accept("?")
		if p.accept(":") {
			if err := p.traits(param); err != nil {
				return err
			}
		}
		if p.accept(")") {
			return nil
		}
		if p.f.Variadic != nil {
			return p.want(`")"`)
		}
		if !p.accept(",") {
			return p.want(`"," or ")"`)
		}
	}
}

// traits reads what happens through a parameter.
func (p *parser) traits(param *Param) *Fault {
	for n := 0; ; n++ {
		t := p.peek()
		if t.text == "," || t.text == ")" {
			if n == 0 {
				return p.want("what happens through the parameter")
			}
			return nil
		}
		if err := p.trait(param); err != nil {
			return err
		}
	}
}

var formats = map[string]Format{"printf": Printf, "scanf": Scanf, "wprintf": WidePrintf, "wscanf": WideScanf}

var times = map[string]When{"now": Now, "later": Later, "signal": AsSignal, "thread": InThread}

func (p *parser) trait(param *Param) *Fault {
	t := p.peek()
	if t.number() || t.text == "-" || t.text == ".." {
		r, err := p.span()
		param.Domain = &r
		return err
	}
	if !t.word() {
		return p.want("what happens through the parameter")
	}
	p.next()
	if f, ok := formats[t.text]; ok {
		param.Format = f
		return nil
	}
	switch t.text {
	case "r", "w", "rw":
		a, err := p.access(t.text)
		param.Accesses = append(param.Accesses, a)
		return err
	case "free":
		if p.accept("below") {
			param.FreesBelow = true
		} else {
			param.Frees = true
		}
	case "ignored":
		param.Ignored = true
	case "passed":
		param.Passed = true
	case "va":
		param.VaList = true
	case "keep":
		k, err := p.retention()
		param.Retains = append(param.Retains, k)
		return err
	case "calls":
		c, err := p.calls()
		param.Calls = append(param.Calls, c)
		return err
	default:
		s, ok := p.t.handles[t.text]
		if !ok {
			return fault(t.col, "neither a trait nor a handle: %s", t.text)
		}
		param.Handle = t.text
		p.handles = append(p.handles, s)
	}
	return nil
}

// access reads the rest of an access after "r", "w" or "rw".
func (p *parser) access(kind string) (Access, *Fault) {
	a := Access{Reads: kind != "w", Writes: kind != "r"}
	if err := p.expect("["); err != nil {
		return a, err
	}
	for {
		l, err := p.limit()
		if err != nil {
			return a, err
		}
		a.Extent = append(a.Extent, l)
		if p.accept("]") {
			break
		}
		if !p.accept(",") {
			return a, p.want(`"]"`)
		}
	}
	if t := p.peek(); t.text == "=" {
		p.next()
		if !a.Writes {
			return a, fault(t.col, "an access that does not write stores nothing")
		}
		var err *Fault
		a.Stores, err = p.values()
		return a, err
	}
	return a, nil
}

var limits = map[string]LimitKind{"z": String, "wz": WideString, "all": Whole, "below": Below, "deep": Deep}

// limit reads one bound of an extent.
func (p *parser) limit() (Limit, *Fault) {
	if kind, ok := limits[p.peek().text]; ok && p.tokens[1].text != "(" && p.f.Param(p.peek().text) < 0 {
		p.next()
		return Limit{Kind: kind}, nil
	}
	product, err := p.product()
	return Limit{Kind: Bytes, Bytes: product}, err
}

// product reads factors.
func (p *parser) product() (Product, *Fault) {
	var product Product
	for {
		f, err := p.factor()
		if err != nil {
			return nil, err
		}
		product = append(product, f)
		if !p.accept("*") {
			return product, nil
		}
	}
}

func (p *parser) factor() (Factor, *Fault) {
	t := p.peek()
	if t.number() {
		p.next()
		n, err := strconv.ParseInt(t.text, 10, 64)
		if err != nil {
			return Factor{}, fault(t.col, "bad number %s", t.text)
		}
		return Factor{Kind: Number, Number: n}, nil
	}
	if !t.word() {
		return Factor{}, p.want("a size")
	}
	p.next()
	if (t.text == "z" || t.text == "wz") && p.accept("(") {
		i, err := p.parameter()
		if err != nil {
			return Factor{}, err
		}
		kind := StringIn
		if t.text == "wz" {
			kind = WideStringIn
		}
		return Factor{Kind: kind, Param: i}, p.expect(")")
	}
	if i := p.f.Param(t.text); i >= 0 {
		return Factor{Kind: ParamValue, Param: i}, nil
	}
	if _, ok := p.t.types[t.text]; ok {
		return Factor{Kind: SizeOf, Type: t.text}, nil
	}
	return Factor{}, fault(t.col, "neither a parameter nor a type: %s", t.text)
}

// parameter reads the name of a parameter.
func (p *parser) parameter() (int, *Fault) {
	t, err := p.word("a parameter")
	if err != nil {
		return 0, err
	}
	i := p.f.Param(t.text)
	if i < 0 {
		return 0, fault(t.col, "no parameter %s", t.text)
	}
	return i, nil
}

func (p *parser) state() (State, *Fault) {
	t, err := p.word("a state")
	if err != nil {
		return "", err
	}
	if _, ok := p.t.states[State(t.text)]; !ok {
		return "", fault(t.col, "no state %s", t.text)
	}
	return State(t.text), nil
}

// retention reads the rest of a trait after "keep".
func (p *parser) retention() (Retention, *Fault) {
	contents := p.accept("contents")
	s, err := p.state()
	k := Retention{State: s, Contents: contents}
	if err != nil {
		return k, err
	}
	if p.accept("(") {
		for !p.accept(")") {
			t, err := p.word("an access")
			if err != nil {
				return k, err
			}
			if t.text != "r" && t.text != "w" && t.text != "rw" {
				return k, fault(t.col, "want r, w or rw, not %q", t.text)
			}
			a, err := p.access(t.text)
			if err != nil {
				return k, err
			}
			k.Accesses = append(k.Accesses, a)
		}
	}
	k.Async = p.accept("async")
	if !contains(p.f.Writes, s) {
		p.f.Writes = append(p.f.Writes, s)
	}
	return k, nil
}

// calls reads the rest of a trait after "calls".
func (p *parser) calls() (Call, *Fault) {
	t := p.peek()
	when, ok := times[t.text]
	if !ok {
		return Call{}, p.want("now, later, signal or thread")
	}
	p.next()
	c := Call{When: when}
	if !p.accept("(") {
		return c, nil
	}
	c.Args = [][]Value{}
	for !p.accept(")") {
		if len(c.Args) > 0 {
			if err := p.expect(","); err != nil {
				return c, err
			}
		}
		vs, err := p.values()
		if err != nil {
			return c, err
		}
		c.Args = append(c.Args, vs)
	}
	return c, nil
}
