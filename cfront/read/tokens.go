package read

import (
	"context"
	"slices"
	"strings"

	"comus/cfront/command"
	"comus/cfront/syntax"
	"comus/cfront/types"
)

// Tokens reads a unit and preprocesses it: what package syntax parses.
func Tokens(ctx context.Context, inv command.Invocation, opts Options) (*syntax.Input, []Warning, error) {
	u, err := Preprocess(ctx, inv, opts)
	if err != nil {
		return nil, nil, err
	}
	return u.Tokens()
}

// Text is [Tokens] for a unit whose file holds text.
func Text(ctx context.Context, text []byte, inv command.Invocation, opts Options) (*syntax.Input, []Warning, error) {
	u, err := preprocessText(ctx, text, inv, opts)
	if err != nil {
		return nil, nil, err
	}
	return u.Tokens()
}

// Embedded preprocesses a unit that is no file, with headers that are none either, by their names.
func Embedded(ctx context.Context, name, text string, headers map[string]string, flags command.Flags, macros []string) (*syntax.Input, error) {
	inv := command.Invocation{File: name, Flags: flags}
	for _, m := range macros {
		inv.Preprocess = append(inv.Preprocess, "-D", m)
	}
	s, _, err := ownPreprocess(ctx, []byte(text), &inv, Options{MaxFileSize: DefaultMaxFileSize, ILP32: flags.ILP32, headers: headers})
	if err != nil {
		return nil, err
	}
	return s.input(name), nil
}

var syntaxKind = [...]syntax.Kind{punct: syntax.Punct, word: syntax.Ident, number: syntax.Number, str: syntax.String, char: syntax.Char, other: syntax.Invalid}

// input returns the tokens for the parser, pragmas among them.
func (s *stream) input(name string) *syntax.Input {
	in := &syntax.Input{File: name, Tokens: make([]syntax.Token, 0, len(s.toks)+len(s.pragmas)), System: map[string]bool{}}
	var number []int // of the stream's token, for each; -1 for a pragma
	next := 0
	pragmas := func(before int) {
		for ; next < len(s.pragmas) && s.pragmas[next].at <= before; next++ {
			g := s.pragmas[next]
			in.Tokens = append(in.Tokens, syntax.Token{Kind: syntax.Pragma, Text: strings.Join(g.words, " "), Space: true,
				Pos: types.Pos{File: g.file.label, Line: int(g.line)}})
			number = append(number, -1)
		}
	}
	for i := range s.toks {
		pragmas(i)
		t := &s.toks[i]
		p := s.pos(i)
		if t.file.system {
			in.System[p.File] = true
		}
		in.Tokens = append(in.Tokens, syntax.Token{Kind: syntaxKind[t.kind], Space: t.space || t.bol, Text: t.text, Pos: types.Pos(p)})
		number = append(number, i)
	}
	pragmas(len(s.toks))
	in.Text = func(first, last int) string { return s.userText(number, first, last) }
	return in
}

// userText returns what the user wrote for the tokens first to last, in one line. What a macro made is the
// text of the macro's call, unless all of it is from the call's arguments.
func (s *stream) userText(number []int, first, last int) string {
	for first < last && number[first] < 0 {
		first++
	}
	for last > first && number[last] < 0 {
		last--
	}
	if first >= len(number) || number[first] < 0 {
		return ""
	}
	return s.written(number[first], number[last])
}

// written returns what the user wrote for some of the stream's tokens.
func (s *stream) written(first, last int) string {
	a, b := &s.toks[first], &s.toks[last]
	if a.file != b.file || a.file.text == nil {
		return s.spelled(first, last)
	}
	from, to := a.from, b.to
	spelled := a.to > 0 && b.to > 0 && a.from < b.to
	if spelled && a.call != nil {
		spelled = !slices.ContainsFunc(s.toks[first:last+1], func(t token) bool { return t.to == 0 || t.from < from || t.to > to })
	}
	if !spelled || a.call != b.call {
		if a.call != nil {
			from = a.call.start
		}
		if b.call != nil {
			to = b.call.end
		}
	}
	if from < 0 || to <= from || int(to) > len(a.file.text) {
		return s.spelled(first, last)
	}
	return oneLine(a.file.text[from:to])
}

// oneLine returns a text of C in one line: white space and comments become one blank.
func oneLine(text []byte) string {
	var b strings.Builder
	l := newLexer(text)
	l.raw = true
	for {
		t, ok := l.next()
		if !ok {
			return b.String()
		}
		if b.Len() > 0 && (t.space || t.bol) {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
}

// spelled returns the preprocessed text of tokens.
func (s *stream) spelled(first, last int) string {
	var b strings.Builder
	for i := first; i <= last; i++ {
		t := &s.toks[i]
		if i > first && (t.space || t.bol) {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}
