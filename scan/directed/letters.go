package directed

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"comus/cir"
)

// mostLetters bounds the letters that are tried.
const mostLetters = 80

// lettersOf returns the characters that a program compares with characters of a text: with bytes that it loads. Values go through variables of a function, not from one to another
// one, as the commands of most programs do that are one letter long.
func lettersOf(p *cir.Program) []byte {
	found := map[byte]bool{}
	for _, f := range p.Funcs {
		if f.Library {
			continue
		}
		chars := characters(f)
		note := func(v cir.Value, n cir.Int) {
			if r, ok := v.(*cir.Reg); ok && chars[r] && n.Lo > ' ' && n.Lo < 127 && n.Hi == 0 {
				found[byte(n.Lo)] = true
			}
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*cir.Compare); ok {
					if n, ok := c.Y.(cir.Int); ok {
						note(c.X, n)
					}
					if n, ok := c.X.(cir.Int); ok {
						note(c.Y, n)
					}
				}
			}
			if s, ok := b.Term.(*cir.Switch); ok {
				for _, c := range s.Cases {
					if c.Lo == c.Hi {
						note(s.X, c.Lo)
					}
				}
			}
		}
	}
	all := slices.Sorted(maps.Keys(found))
	return all[:min(len(all), mostLetters)]
}

// readers are functions of the library that return a character.
var readers = map[string]bool{"getchar": true, "getc": true, "fgetc": true, "getchar_unlocked": true, "getc_unlocked": true, "fgetc_unlocked": true, "tolower": true, "toupper": true}

// characters returns the registers of a function that have bytes of memory or characters that were read, extended or not.
func characters(f *cir.Func) map[*cir.Reg]bool {
	chars := map[*cir.Reg]bool{}
	for _, p := range f.Params {
		if p.Reg.Type.IsInt() && p.Reg.Type.Bits == 8 {
			chars[p.Reg] = true
		}
	}
	kept := map[cir.Value]bool{} // variables that have one
	for again := true; again; {
		n := len(chars) + len(kept)
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Load:
					if in.Type.IsInt() && in.Type.Bits == 8 || kept[in.Addr] {
						chars[in.Dst] = true
					}
				case *cir.Call:
					if f, ok := in.Callee.(*cir.Func); ok && in.Dst != nil && readers[f.Source] {
						chars[in.Dst] = true
					}
				case *cir.Convert:
					if r, ok := in.X.(*cir.Reg); ok && chars[r] && in.Dst.Type.IsInt() {
						chars[in.Dst] = true
					}
				case *cir.Store:
					if r, ok := in.X.(*cir.Reg); ok && chars[r] {
						if l, ok := in.Addr.(*cir.Local); ok {
							kept[l] = true
						}
					}
				}
			}
		}
		again = len(chars)+len(kept) > n
	}
	return chars
}

// mostNumbers bounds the numbers of the program's own that are tried.
const mostNumbers = 40

// numbersOf returns the numbers that a program compares others with, as texts, which are not among the usual ones: of x < 10, also 9 and 11.
func numbersOf(p *cir.Program) []string {
	var found []string
	note := func(n int64) {
		if s := strconv.FormatInt(n, 10); len(found) < mostNumbers && !slices.Contains(found, s) && !slices.Contains(numbers, s) {
			found = append(found, s)
		}
	}
	around := func(v cir.Value) {
		if c, ok := v.(cir.Int); ok && c.Hi == uint64(int64(c.Lo)>>63) {
			n := int64(c.Lo)
			note(n)
			if n < math.MaxInt64 {
				note(n + 1)
			}
			if n > math.MinInt64 {
				note(n - 1)
			}
		}
	}
	for _, f := range p.Funcs {
		if f.Library {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*cir.Compare); ok {
					around(c.X)
					around(c.Y)
				}
			}
			if s, ok := b.Term.(*cir.Switch); ok {
				for _, c := range s.Cases {
					around(c.Lo)
					around(c.Hi)
				}
			}
		}
	}
	return found
}
