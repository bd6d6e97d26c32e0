package cache

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	"comus/cir"
	"comus/report/scanreport"
)

// What is known of a program holds as well where it was moved in its files: analyses do not look at lines and columns, but for
// their order. So where a program differs from what was kept in nothing but places, and these are in the same order, they are replaced.

// packed has places in few bytes.
type packed struct {
	Files []string
	Data  []byte // for each place its file, by index, and its line and column less those of the one before, as varints
}

// pack returns places in few bytes.
func pack(places []cir.Pos) (p packed) {
	index := map[string]int{}
	var last cir.Pos
	for _, at := range places {
		i, ok := index[at.File]
		if !ok {
			i = len(p.Files)
			index[at.File] = i
			p.Files = append(p.Files, at.File)
		}
		p.Data = binary.AppendUvarint(p.Data, uint64(i))
		p.Data = binary.AppendVarint(p.Data, int64(at.Line-last.Line))
		p.Data = binary.AppendVarint(p.Data, int64(at.Col-last.Col))
		last = at
	}
	return p
}

// unpack returns the places that were packed.
func (p packed) unpack() (places []cir.Pos, err error) {
	var last cir.Pos
	for r := bytes.NewReader(p.Data); r.Len() > 0; {
		i, err := binary.ReadUvarint(r)
		if err != nil {
			return nil, err
		}
		line, err := binary.ReadVarint(r)
		if err != nil {
			return nil, err
		}
		col, err := binary.ReadVarint(r)
		if err != nil {
			return nil, err
		}
		if i >= uint64(len(p.Files)) {
			return nil, errors.New("a place in no file")
		}
		last = cir.Pos{File: p.Files[i], Line: last.Line + int(line), Col: last.Col + int(col)}
		places = append(places, last)
	}
	return places, nil
}

// mover replaces places.
type mover struct {
	to     map[cir.Pos]cir.Pos
	lines  map[cir.Pos]int // of places without a column
	bases  map[cir.Pos]int // the same, by the last part of files' names
	known  map[string]bool // the files, and the last parts of their names
	failed bool
}

// moverOf returns what replaces places by others, one by one; nil if that is not just a move: one place or line becomes two, or the order changes.
func moverOf(from, to []cir.Pos) *mover {
	if len(from) != len(to) {
		return nil
	}
	m := &mover{to: map[cir.Pos]cir.Pos{}, lines: map[cir.Pos]int{}, bases: map[cir.Pos]int{}, known: map[string]bool{}}
	for i, a := range from {
		b := to[i]
		base := filepath.Base(a.File)
		m.known[a.File], m.known[base] = true, true
		if a.File != b.File || !put(m.to, a, b) || !put(m.lines, cir.Pos{File: a.File, Line: a.Line}, b.Line) || !put(m.bases, cir.Pos{File: base, Line: a.Line}, b.Line) {
			return nil
		}
	}
	if !inOrder(m.to, comparePlaces) || !inOrder(m.lines, cmp.Compare[int]) || !inOrder(m.bases, cmp.Compare[int]) {
		return nil
	}
	return m
}

// put maps a place to something, and reports whether it is not mapped to anything else.
func put[T comparable](m map[cir.Pos]T, from cir.Pos, to T) bool {
	if is, ok := m[from]; ok {
		return is == to
	}
	m[from] = to
	return true
}

// inOrder reports whether what the places of each file are mapped to is in the same order, nothing twice.
func inOrder[T any](m map[cir.Pos]T, compare func(x, y T) int) bool {
	keys := slices.SortedFunc(maps.Keys(m), comparePlaces)
	for i := 1; i < len(keys); i++ {
		if keys[i].File == keys[i-1].File && compare(m[keys[i-1]], m[keys[i]]) >= 0 {
			return false
		}
	}
	return true
}

// comparePlaces orders places by file, line and column.
func comparePlaces(x, y cir.Pos) int {
	return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col))
}

// program replaces the places in what is known of a program, and reports whether all of them are known.
func (m *mover) program(p *scanreport.Program) bool {
	m.value(reflect.ValueOf(p).Elem())
	slices.Sort(p.Assumptions)
	for i := range p.Locations {
		slices.Sort(p.Locations[i].Locks)
	}
	return !m.failed
}

var (
	placeType  = reflect.TypeFor[scanreport.Place]()
	accessType = reflect.TypeFor[scanreport.Access]()
)

func (m *mover) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(m.text(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			m.value(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			m.value(v.Index(i))
		}
	case reflect.Struct:
		switch v.Type() {
		case placeType:
			at := v.Addr().Interface().(*scanreport.Place)
			to := m.place(cir.Pos{File: at.File, Line: at.Line, Col: at.Col})
			*at = scanreport.Place{File: to.File, Line: to.Line, Col: to.Col}
			return
		case accessType:
			a := v.Addr().Interface().(*scanreport.Access)
			a.Stmt = m.line(m.lines, a.File, a.Stmt)
		}
		for i := range v.NumField() {
			m.value(v.Field(i))
		}
	}
}

// place replaces a place.
func (m *mover) place(at cir.Pos) cir.Pos {
	to, ok := m.to[at]
	if !ok && at != (cir.Pos{}) {
		m.failed = true
	}
	return to
}

// line replaces a line of a file.
func (m *mover) line(of map[cir.Pos]int, file string, line int) int {
	to, ok := of[cir.Pos{File: file, Line: line}]
	if !ok && line != 0 {
		m.failed = true
	}
	return to
}

// place is a place in a text: of a file, which stands there with or without its folder, a line, and perhaps a column.
var place = regexp.MustCompile(`([^\s()'",:]+):(\d{1,9})(?::(\d{1,9}))?\b`)

// text replaces the places in a text.
func (m *mover) text(s string) string {
	return place.ReplaceAllStringFunc(s, func(s string) string {
		x := place.FindStringSubmatch(s)
		if !m.known[x[1]] {
			return s
		}
		line, _ := strconv.Atoi(x[2])
		if x[3] != "" {
			col, _ := strconv.Atoi(x[3])
			return m.place(cir.Pos{File: x[1], Line: line, Col: col}).String()
		}
		return x[1] + ":" + strconv.Itoa(m.line(m.bases, filepath.Base(x[1]), line))
	})
}
