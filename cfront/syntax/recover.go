package syntax

// attempt parses something. If it has an error, that is noted, and what follows up to the end of the statement is skipped. It reports whether
// there was none.
func (p *parser) attempt(f func()) (ok bool) {
	scopes, depth := len(p.scopes), p.depth
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		e, is := r.(*Error)
		if !is || p.peek().kind == EOF { // braces do not match: where anything ends is not known
			panic(r)
		}
		p.errs = append(p.errs, e)
		p.scopes, p.depth, ok = p.scopes[:scopes], depth, false
		p.skipStatement()
	}()
	f()
	return true
}

// skipStatement skips to what follows the statement or declaration that an error is in: behind its semicolon or block, or before the end of
// the block around it.
func (p *parser) skipStatement() {
	for braces := 0; p.peek().kind != EOF; p.next() {
		switch {
		case p.is("{"):
			braces++
		case p.is("}") && braces == 0:
			return
		case p.is("}"):
			if braces--; braces == 0 {
				p.next()
				p.accept(";")
				return
			}
		case p.is(";") && braces == 0:
			p.next()
			return
		}
	}
}

// definesTypes reports whether a declaration that begins at a token may define a type: without it what follows cannot be read.
func (p *parser) definesTypes(begin int) bool {
	switch p.toks[begin].kw {
	case kwTypedef, kwStruct, kwUnion, kwEnum, kwExtension:
		return true
	}
	return false
}
