package read

import "strconv"

// pragmas takes from the pragmas what matters to the meaning of declarations, and warns of those
// that do and are not followed.
func (u *Unit) pragmas(warnings *[]Warning) {
	u.Weak, u.Renamed = map[string]string{}, map[string]string{}
	p := packer{now: u.Flags.PackStruct, initial: u.Flags.PackStruct}
	for _, g := range u.stream.pragmas {
		w := g.words
		at := func(i int) string {
			if i < len(w) {
				return w[i]
			}
			return ""
		}
		ignored := ""
		switch at(0) {
		case "pack":
			if p.pragma(w[1:]) {
				u.packs = append(u.packs, packing{g.at, p.now})
			} else {
				ignored = "#pragma pack"
			}
		case "weak":
			if at(2) == "=" {
				u.Weak[at(1)] = at(3)
			} else {
				u.Weak[at(1)] = ""
			}
		case "redefine_extname":
			u.Renamed[at(1)] = at(2)
		case "scalar_storage_order":
			ignored = "#pragma scalar_storage_order"
		case "omp", "acc":
			ignored = "#pragma " + at(0)
		}
		if ignored != "" && !g.file.system {
			*warnings = append(*warnings, Warning{Pos{File: g.file.label, Line: int(g.line)}, ignored + " is ignored"})
		}
	}
}

// packer follows #pragma pack.
type packer struct {
	now, initial int
	stack        []packed
}

type packed struct {
	name string
	max  int
}

// pragma takes the words behind "pack"; false if they mean nothing.
func (p *packer) pragma(w []string) bool {
	if len(w) < 2 || w[0] != "(" || w[len(w)-1] != ")" {
		return false
	}
	w = w[1 : len(w)-1]
	if len(w) == 0 {
		p.now = p.initial
		return true
	}
	number := func(s string) bool {
		n, err := strconv.ParseInt(s, 0, 32)
		if err != nil || n < 0 || n > 16 || n&(n-1) != 0 {
			return false
		}
		if p.now = int(n); n == 0 {
			p.now = p.initial
		}
		return true
	}
	switch w[0] {
	case "push":
		p.stack = append(p.stack, packed{"", p.now})
		for _, a := range w[1:] {
			if a != "," && !number(a) {
				p.stack[len(p.stack)-1].name = a
			}
		}
		return true
	case "pop":
		i := len(p.stack) - 1
		if len(w) > 2 {
			if number(w[2]) {
				return true
			}
			for i >= 0 && p.stack[i].name != w[2] {
				i--
			}
		}
		if i < 0 {
			return false
		}
		p.now = p.stack[i].max
		p.stack = p.stack[:i]
		return true
	}
	return number(w[0])
}
