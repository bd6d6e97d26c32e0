package shrink

import (
	"slices"
	"strings"
)

// node is a statement or a declaration: a line of its own, or a head with a body.
type node struct {
	head    []string
	hasBody bool
	body    []*node
	hasElse bool
	orElse  []*node
	tail    []string // of do: while (…);
}

// statement reports whether n has a body and is one of if, while, for, …
func (n *node) statement() bool {
	switch first(n.head) {
	case "", "if", "while", "for", "do", "switch":
		return n.hasBody
	}
	return false
}

func first(tokens []string) string {
	if len(tokens) == 0 {
		return ""
	}
	return tokens[0]
}

// parser reads nodes from tokens.
type parser struct {
	tokens []string
	bad    bool
}

// parse returns the declarations of a program, or false if it does not
// understand the text.
func parse(src string) ([]*node, bool) {
	p := &parser{tokens: tokenize(src)}
	list := p.list()
	return list, !p.bad && len(p.tokens) == 0
}

// list reads nodes up to a closing brace or the end.
func (p *parser) list() []*node {
	var out []*node
	for !p.bad && len(p.tokens) > 0 && p.tokens[0] != "}" {
		out = append(out, p.node()...)
	}
	return out
}

// take removes the next n tokens and returns them.
func (p *parser) take(n int) []string {
	if n <= 0 || n > len(p.tokens) {
		p.bad, p.tokens = true, nil
		return nil
	}
	out := slices.Clone(p.tokens[:n])
	p.tokens = p.tokens[n:]
	return out
}

// node reads one statement or declaration, which becomes several nodes if it
// declares several variables.
func (p *parser) node() []*node {
	switch t := first(p.tokens); {
	case strings.HasPrefix(t, "#"):
		return []*node{{head: p.take(1)}}
	case t == "{":
		return []*node{{hasBody: true, body: p.body()}}
	case t == "if" || t == "while" || t == "for" || t == "switch":
		n := &node{head: p.take(closing(p.tokens, 1) + 1), hasBody: true}
		n.body = p.body()
		if t == "if" && first(p.tokens) == "else" {
			p.take(1)
			n.hasElse, n.orElse = true, p.body()
		}
		return []*node{n}
	case t == "do":
		n := &node{head: p.take(1), hasBody: true}
		n.body = p.body()
		n.tail = p.take(slices.Index(p.tokens, ";") + 1)
		return []*node{n}
	}
	return p.simple()
}

// body reads what a head stands for: a block, or a single statement.
func (p *parser) body() []*node {
	if first(p.tokens) != "{" {
		if p.bad || len(p.tokens) == 0 {
			p.bad = true
			return nil
		}
		return p.node()
	}
	p.take(1)
	list := p.list()
	p.take(1)
	return list
}

// simple reads tokens up to a semicolon, or a function.
func (p *parser) simple() []*node {
	value := first(p.tokens) == "return" // a { after a ) begins a compound literal
	for i := 0; i < len(p.tokens); i++ {
		switch t := p.tokens[i]; {
		case t == "=":
			value = true
		case t == ";":
			if i == 0 {
				p.take(1)
				return nil
			}
			return split(p.take(i + 1))
		case t == "{" && i > 0 && p.tokens[i-1] == ")" && !value:
			n := &node{head: p.take(i), hasBody: true}
			n.body = p.body()
			return []*node{n}
		case t == "(" || t == "[" || t == "{":
			if i = closing(p.tokens, i); i < 0 {
				i = len(p.tokens)
			}
		}
	}
	p.bad = true
	return nil
}

// split makes one declaration of each variable: int x = 1, *p; becomes
// int x = 1; int *p;
func split(tokens []string) []*node {
	whole := []*node{{head: tokens}}
	n := 0 // words at the start
	for isWord(tokens[n]) {
		n++
	}
	if tokens[n] != "*" {
		n--
	}
	if n < 1 || tokens[0] == "return" || tokens[0] == "case" || tokens[0] == "goto" {
		return whole
	}
	var out []*node
	from := n
	for i := n; i < len(tokens); i++ {
		switch tokens[i] {
		case "(", "[", "{":
			if i = closing(tokens, i); i < 0 {
				return whole
			}
		case ",", ";":
			out = append(out, &node{head: slices.Concat(tokens[:n], tokens[from:i], []string{";"})})
			from = i + 1
		}
	}
	return out
}

// text prints a program.
func text(list []*node) string {
	var b strings.Builder
	write(&b, list, "")
	return b.String()
}

func write(b *strings.Builder, list []*node, indent string) {
	for _, n := range list {
		b.WriteString(indent + join(n.head))
		if !n.hasBody {
			b.WriteByte('\n')
			continue
		}
		if len(n.body) == 0 && !n.hasElse && (first(n.head) == "while" || first(n.head) == "for") {
			b.WriteString("\n" + indent + "    ;\n")
			continue
		}
		if len(n.head) > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("{\n")
		write(b, n.body, indent+"    ")
		if n.hasElse {
			b.WriteString(indent + "} else {\n")
			write(b, n.orElse, indent+"    ")
		}
		b.WriteString(indent + "}")
		if len(n.tail) > 0 {
			b.WriteString(" " + join(n.tail))
		}
		b.WriteByte('\n')
	}
}
