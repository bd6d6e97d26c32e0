package graph

import (
	"reflect"
	"testing"
)

type shape interface{ sides() int }

type (
	square struct{ Size int8 }
	node   struct {
		Name       string
		Next, Twin *node
		All        []*node
		Of         shape
		Raw, None  []byte
		Flag       bool
		Far        int64
		Bits       uint64
		Parts      []part
	}
	part   struct{ Inner []part }
	other  struct{ N int }
	hidden struct{ n int }
)

func (square) sides() int { return 4 }
func (*node) sides() int  { return 0 }
func (other) sides() int  { return 1 }

func sample() *node {
	n := &node{Name: "n\xff", Raw: []byte{}, Flag: true, Far: -1 << 63, Bits: 1<<64 - 1, Of: square{-3}, Parts: []part{{Inner: []part{{}, {}}}}}
	m := &node{Name: "n\xff", Next: n, Of: n, All: []*node{}}
	n.Next, n.Twin, n.All = m, m, []*node{n, nil, m}
	return n
}

// TestGraph writes a graph and reads it: the same values, and the same things are the same.
func TestGraph(t *testing.T) {
	types := Of(square{}, &node{})
	want := sample()
	data, err := types.Write(want)
	if err != nil {
		t.Fatal(err)
	}
	var got node
	if err := types.Read(data, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.Next != got.Twin || got.Next.Next != &got || got.All[0] != &got || got.Next.Of != shape(&got) {
		t.Error("what was one is two")
	}
	again, err := types.Write(&got)
	if err != nil || string(again) != string(data) {
		t.Errorf("written once more it is something else: %v", err)
	}
}

// TestBad reads what is damaged, and writes what cannot be: there are errors, or something else comes out, but nothing breaks.
func TestBad(t *testing.T) {
	types := Of(square{}, &node{})
	data, err := types.Write(sample())
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		var got node
		if types.Read(data[:i], &got) == nil {
			t.Errorf("%d of %d bytes are enough", i, len(data))
		}
		for bit := range 8 {
			bad := append([]byte{}, data...)
			bad[i] ^= 1 << bit
			var got node
			_ = types.Read(bad, &got)
		}
	}
	for _, bad := range []any{&hidden{n: 1}, &map[int]int{}, &node{Of: other{}}} {
		if _, err := types.Write(bad); err == nil {
			t.Errorf("%T is written", bad)
		}
	}
}
