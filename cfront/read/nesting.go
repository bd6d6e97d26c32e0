package read

// Limits that keep recursive code within the stack.
const (
	maxNesting = 10_000 // brackets within brackets
	maxPrefix  = 10_000 // prefix operators and keywords in a row
	maxChain   = 30_000 // operators and labels of one statement or declaration, between commas
	maxElse    = 5000   // branches of one if ... else if ...
)

// nesting counts what makes a syntax tree deep.
type nesting struct {
	depth int
	run   int // prefix operators in a row
	quest int // ? in the statement
	chain int // operators and labels of the statement
	elses [maxNesting + 1]int
	prev  string
}

// checkNesting rejects units whose nesting would exhaust the stack of a recursive-descent
// parser, and of the phases behind it.
func checkNesting(s *stream) error {
	var n nesting
	for i := range s.toks {
		if what := n.step(&s.toks[i]); what != "" {
			return s.errorAt(i, what)
		}
	}
	return nil
}

// step takes the next token and says what is too much, or nothing.
func (n *nesting) step(t *token) string {
	if (n.prev == ";" || n.prev == "}") && t.text != "else" {
		n.elses[n.depth] = 0
	}
	n.prev = t.text
	prefix := false
	switch t.kind {
	case punct:
		if t.text != ")" && t.text != "]" {
			n.chain++
		}
		prefix = n.punct(t.text)
		if n.depth > maxNesting {
			return "brackets are nested too deeply"
		}
	case word:
		prefix = t.text == "sizeof"
		if t.text == "else" {
			n.elses[n.depth]++
		}
	}
	if n.run++; !prefix {
		n.run = 0
	}
	switch {
	case n.run > maxPrefix:
		return "operators are nested too deeply"
	case n.quest > maxPrefix, n.elses[n.depth] > maxElse:
		return "conditions are nested too deeply"
	case n.chain > maxChain:
		return "a statement or declaration is too long"
	}
	return ""
}

// punct takes a punctuator and tells whether it may be a prefix operator.
func (n *nesting) punct(text string) bool {
	switch text {
	case "(", "[", "{":
		if n.depth++; n.depth <= maxNesting {
			n.elses[n.depth] = 0
		}
		if text == "{" {
			n.chain, n.quest = 0, 0
		}
	case ")", "]", "}":
		n.depth = max(0, n.depth-1)
	case "?":
		n.quest++
	case ",":
		if n.depth > 0 {
			n.chain, n.quest = 0, 0 // the initialiser of a large table is no deep tree
		}
	case ";":
		n.chain, n.quest = 0, 0
	case "!", "~", "-", "+", "*", "&", "--", "++", "&&":
		return true
	}
	return false
}
