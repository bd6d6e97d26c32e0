package read

import (
	"bytes"
	"sort"
	"strings"

	"comus/cfront/command"

	"modernc.org/cc/v4"
)

// Unit is a unit that has been read.
type Unit struct {
	File  string        // as the user names it
	AST   *cc.AST       // after cc.Parse: without types
	Flags command.Flags // those that matter to what it means
	// Weak holds what #pragma weak says: names, and for "weak a = b" what a is an alias of, else "".
	Weak map[string]string
	// Renamed holds what #pragma redefine_extname says: the names that the linker sees.
	Renamed map[string]string

	stream   *stream
	out      output
	end      int // where the text of the user's tokens ends in out
	literals map[int32]string
	packs    []packing
}

// ILP32 tells whether int, long and pointers have 32 bits.
func (u *Unit) ILP32() bool { return u.Flags.ILP32 }

// token returns the number of the user's token that a token of cc's comes from; -1 for none.
func (u *Unit) token(t cc.Token) int {
	p := t.Position()
	if p.Filename != unitName {
		return -1
	}
	i := u.out.index(p.Offset)
	if i < 0 || p.Offset >= u.end {
		return -1
	}
	return int(u.out.from[i])
}

// Pos returns the place of a node: that of its first token, as [cc.Node]'s Position has it. What
// comes from a macro is at the macro's name.
func (u *Unit) Pos(n cc.Node) Pos {
	if n == nil {
		return Pos{}
	}
	p := n.Position()
	if p.Filename != unitName {
		return Pos{File: u.File}
	}
	return u.At(p.Offset)
}

// At returns the place of an offset in the text that cc has parsed: the Offset of a
// [cc.Node]'s Position.
func (u *Unit) At(offset int) Pos {
	i := u.out.index(offset)
	if i < 0 || offset >= u.end {
		return Pos{File: u.File}
	}
	return u.stream.pos(int(u.out.from[i]))
}

// System tells whether a node comes from a header of the system.
func (u *Unit) System(n cc.Node) bool {
	p := n.Position()
	i := u.out.index(p.Offset)
	return i < 0 || p.Offset >= u.end || u.stream.toks[u.out.from[i]].file.system
}

// Implicit tells whether a declaration is one that this package added, of a name that the
// program uses without declaring it, such as __VERIFIER_nondet_int.
func (u *Unit) Implicit(n cc.Node) bool {
	return u.out.index(n.Position().Offset) < 0
}

// Prefix returns the prefix of a string literal or character constant: "", "L", "u8", "u" or
// "U". In the tree it may have another one: see the package comment.
func (u *Unit) Prefix(t cc.Token) string {
	if i := u.out.index(t.Position().Offset); i >= 0 {
		if p, ok := u.literals[int32(i)]; ok {
			return p
		}
	}
	if strings.HasPrefix(t.SrcStr(), "L") {
		return "L"
	}
	return ""
}

// extent returns the numbers of the first and last of the user's tokens of a node.
func (u *Unit) extent(n cc.Node) (first, last int) {
	first, last = -1, -1
	for _, t := range cc.NodeTokens(n) {
		if i := u.token(t); i >= 0 {
			if first < 0 || i < first {
				first = i
			}
			last = max(last, i)
		}
	}
	for last >= 0 && u.stream.toks[last].kind == str && last+1 < len(u.stream.toks) && u.stream.toks[last+1].kind == str {
		last++ // adjacent literals are one token in the tree
	}
	return first, last
}

// Text returns what the user wrote for a node, in one line without comments. A node that a
// macro made is the text of the macro's call, unless all of it is from the call's arguments.
func (u *Unit) Text(n cc.Node) string {
	first, last := u.extent(n)
	if first < 0 {
		return ""
	}
	a, b := &u.stream.toks[first], &u.stream.toks[last]
	if a.file != b.file || a.file.text == nil {
		return u.spelled(first, last)
	}
	from, to := a.from, b.to
	spelled := a.to > 0 && b.to > 0 && a.from < b.to
	if spelled && a.call != nil {
		for i := first; i <= last && spelled; i++ {
			t := &u.stream.toks[i]
			spelled = t.to > 0 && t.from >= from && t.to <= to
		}
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
		return u.spelled(first, last)
	}
	return oneLine(a.file.text[from:to])
}

// spelled returns the preprocessed text of tokens.
func (u *Unit) spelled(first, last int) string {
	var b strings.Builder
	for i := first; i <= last; i++ {
		t := &u.stream.toks[i]
		if i > first && (t.space || t.bol) {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
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

// packing is the largest alignment of members from a token on; 0: no limit.
type packing struct{ at, max int }

// Pack returns the largest alignment that #pragma pack and -fpack-struct leave to the members of
// a struct or union; 0 if there is no limit. As in gcc, what is in force at the } counts.
func (u *Unit) Pack(n *cc.StructOrUnionSpecifier) int {
	at := u.token(n.Token3)
	i := sort.Search(len(u.packs), func(i int) bool { return u.packs[i].at > at })
	if i == 0 {
		return u.Flags.PackStruct
	}
	return u.packs[i-1].max
}

// InputPos returns the place of a node in the input file itself, if the user gave a preprocessed
// one: [Unit.Pos] follows its line markers. Else it is that of Pos.
func (u *Unit) InputPos(n cc.Node) Pos {
	p := n.Position()
	i := u.out.index(p.Offset)
	if i < 0 || p.Offset >= u.end || u.stream.self == nil {
		return u.Pos(n)
	}
	at := u.stream.toks[u.out.from[i]].at
	before := u.stream.self.text[:at]
	return Pos{File: u.File, Line: bytes.Count(before, []byte("\n")) + 1, Col: len(before) - bytes.LastIndexByte(before, '\n')}
}
