// Package digest tells programs apart by their contents: programs with the same digest and the same places are the same in every field, so that
// whatever is computed of one holds of the other. Where only places differ, they say which has become which: lines come and go above a function
// that has not changed otherwise.
//
// It knows no type of package cir but places, [cir.Pos]: it follows whatever there is by reflection, so that a field that is added some day cannot be forgotten.
// The names of the files of places are part of the digest, their lines and columns are not; this holds for places in texts, too. Warnings are
// no part of the program.
// What pointers lead to is numbered in the order in which it is met, and told once; that two fields lead to the same thing is part of the digest.
package digest

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"comus/cir"
)

// Sum is a digest.
type Sum [sha256.Size]byte

// Of returns the digest of a program, and its places in a fixed order: programs with the same digest have as many, in the same files. The error says
// what of it cannot be told apart, and is that of no program today.
func Of(p *cir.Program) (Sum, []cir.Pos, error) {
	h := sha256.New()
	w := &writer{out: bufio.NewWriterSize(h, 1<<16), numbers: make(map[thing]uint64, 1<<16), types: map[reflect.Type]uint64{}, files: map[string]bool{}}
	q := *p
	q.Warnings = nil
	w.value(reflect.ValueOf(&q))
	for len(w.waiting) > 0 && w.err == nil { // no recursion: programs are as deep as their call graphs
		v := w.waiting[0]
		w.waiting = w.waiting[1:]
		w.value(v)
	}
	if w.err != nil {
		return Sum{}, nil, w.err
	}
	if err := w.out.Flush(); err != nil {
		return Sum{}, nil, err
	}
	return Sum(h.Sum(nil)), w.places, nil
}

// thing is what a pointer leads to. A struct and its first field have one address.
type thing struct {
	at uintptr
	t  reflect.Type
}

type writer struct {
	out     *bufio.Writer
	numbers map[thing]uint64
	types   map[reflect.Type]uint64
	waiting []reflect.Value // what pointers lead to, not yet told
	places  []cir.Pos
	files   map[string]bool // of places
	buf     [binary.MaxVarintLen64]byte
	err     error
}

func (w *writer) number(n uint64) {
	if _, err := w.out.Write(w.buf[:binary.PutUvarint(w.buf[:], n)]); err != nil {
		w.err = err
	}
}

func (w *writer) text(s string) {
	w.number(uint64(len(s)))
	if _, err := io.WriteString(w.out, s); err != nil {
		w.err = err
	}
}

// value tells a value, pointers by the numbers of what they lead to.
func (w *writer) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		w.number(uint64(bit(v.Bool())))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.number(v.Uint())
	case reflect.String:
		w.text(w.withoutPlaces(v.String()))
	case reflect.Slice:
		w.number(uint64(bit(v.IsNil())))
		w.number(uint64(v.Len()))
		w.elements(v)
	case reflect.Array:
		w.elements(v)
	case reflect.Struct:
		if v.Type() == placeType {
			at := cir.Pos{File: v.Field(0).String(), Line: int(v.Field(1).Int()), Col: int(v.Field(2).Int())}
			w.text(at.File)
			w.files[at.File] = true
			w.places = append(w.places, at)
			return
		}
		for i := range v.NumField() {
			w.value(v.Field(i))
		}
	case reflect.Interface:
		if v.IsNil() {
			w.number(0)
			return
		}
		w.dynamic(v.Elem().Type())
		w.value(v.Elem())
	case reflect.Pointer:
		w.pointer(v)
	default:
		w.err = fmt.Errorf("a program with a %s has no digest", v.Type())
	}
}

var placeType = reflect.TypeFor[cir.Pos]()

// place is what [cir.Pos.String] returns.
var place = regexp.MustCompile(`([^\s()'",]+):(\d{1,9}):(\d{1,9})\b`)

// withoutPlaces returns a text without the lines and columns of the places in it, which are noted.
func (w *writer) withoutPlaces(text string) string {
	if strings.IndexByte(text, ':') < 0 {
		return text
	}
	return place.ReplaceAllStringFunc(text, func(s string) string {
		m := place.FindStringSubmatch(s)
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		at := cir.Pos{File: m[1], Line: line, Col: col}
		if !w.files[at.File] || at.String() != s {
			return s
		}
		w.places = append(w.places, at)
		return at.File + ":place"
	})
}

func bit(is bool) byte {
	if is {
		return 1
	}
	return 0
}

func (w *writer) elements(v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 && (v.Kind() == reflect.Slice || v.CanAddr()) {
		if _, err := w.out.Write(v.Bytes()); err != nil {
			w.err = err
		}
		return
	}
	for i := range v.Len() {
		w.value(v.Index(i))
	}
}

// dynamic tells the type of what an interface holds: by name the first time, from then on by its number.
func (w *writer) dynamic(t reflect.Type) {
	n, known := w.types[t]
	if !known {
		n = uint64(len(w.types)) + 1
		w.types[t] = n
	}
	w.number(n)
	if !known {
		w.text(t.String())
	}
}

func (w *writer) pointer(v reflect.Value) {
	if v.IsNil() {
		w.number(0)
		return
	}
	key := thing{v.Pointer(), v.Type()}
	n, known := w.numbers[key]
	if !known {
		n = uint64(len(w.numbers)) + 1
		w.numbers[key] = n
		w.waiting = append(w.waiting, v.Elem())
	}
	w.number(n)
}
