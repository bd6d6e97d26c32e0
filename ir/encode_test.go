package ir

import (
	"bytes"
	"testing"

	"comus/logic"
)

func TestEncode(t *testing.T) {
	s := newSample()
	s.p.Assumptions = []string{"no signed overflow"}
	big, _ := logic.ParseValue("-170141183460469231731687303715884105728")
	s.p.Vars[0].Init, s.p.Vars[0].Type = &big, Type{Bits: 128, Signed: true}
	s.p.Guesses = []*logic.Term{s.p.L.Le(s.p.Vars[0].Sym, s.p.L.Int(3))}
	var b bytes.Buffer
	if err := s.p.Encode(&b); err != nil {
		t.Fatal(err)
	}
	text := b.Bytes()
	q, err := Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := q.String(), s.p.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(q.Guesses) != 1 || q.Guesses[0].String() != s.p.Guesses[0].String() {
		t.Errorf("guesses are %v, want %v", q.Guesses, s.p.Guesses)
	}
	if q.L == s.p.L || q.Vars[0] == s.p.Vars[0] || q.Vars[0].Sym == s.p.Vars[0].Sym {
		t.Error("the copy shares something")
	}
	for n := range text { // whatever is left of it, there is an error
		if p, err := Decode(bytes.NewReader(text[:n])); err == nil {
			t.Fatalf("the first %d bytes are\n%s", n, p)
		}
	}
}

func TestDecodeNonsense(t *testing.T) {
	s := newSample()
	var b bytes.Buffer
	if err := s.p.Encode(&b); err != nil {
		t.Fatal(err)
	}
	for i := range b.Bytes() { // no panic, and what is decoded is sound
		text := bytes.Clone(b.Bytes())
		text[i] ^= 0x15
		if p, err := Decode(bytes.NewReader(text)); err == nil {
			if err := p.Check(); err != nil {
				t.Errorf("byte %d: %v", i, err)
			}
		}
	}
}
