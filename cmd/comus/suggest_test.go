package main

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"check", "certificate", "strategy", "show", "scan"}
	for word, want := range map[string]string{"chek": "check", "chcek": "check", "scn": "scan", "strategie": "strategy", "shw": "show", "frobnicate": "", "x": "", "json": ""} {
		if got := nearest(word, words); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	for _, p := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"abc", "abc", 0}, {"abc", "acb", 2}} {
		if got := edits(p.a, p.b); got != p.want {
			t.Errorf("%q, %q: %d, want %d", p.a, p.b, got, p.want)
		}
	}
}
