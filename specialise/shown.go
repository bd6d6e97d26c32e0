package specialise

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"comus/cir"
	"comus/ir"
)

// What the program has allocated has no name. People are shown the type that its uses say it has, where it was allocated, and the
// member: "job (malloc at f.c:12).next"; where several objects come from one place, their number: "job (malloc at f.c:12, no. 2).next".

// allocator returns the function of the library that the program calls for an allocation.
func (b *builder) allocator() string {
	fr := b.fr
	for fr.fn.Library && fr.parent != nil && fr.parent.fn.Library {
		fr = fr.parent
	}
	if !fr.fn.Library {
		return "allocated"
	}
	return fr.fn.Source
}

// shownAs returns what people are shown as the name of a cell of an object; "" where its own name is right, or it is none of theirs.
func (o *object) shownAs(l leaf) string {
	if !o.user {
		return ""
	}
	var layout *cir.Shape
	if o.abs != nil {
		layout = o.abs.Looks()
	}
	path, known := layout.Path(l.bit, l.bits)
	if layout == nil {
		path, known = elementPath(o.shape, l.bit)
	}
	if !known {
		return ""
	}
	return typeName(layout) + o.place(0) + path
}

// place says where an object was allocated, and which of several it is; 0: nothing of that.
func (o *object) place(n int) string {
	at := fmt.Sprintf("%s:%d", o.pos.File, o.pos.Line)
	if n > 0 {
		at += fmt.Sprintf(", no. %d", n)
	}
	return " (" + o.by + " at " + at + ")"
}

// typeName returns what an object is called by its layout.
func typeName(s *cir.Shape) string {
	for s != nil && s.Elem != nil {
		s = s.Elem
	}
	if s != nil {
		if _, tag, ok := strings.Cut(s.Name, " "); ok {
			return tag
		}
		if s.Name != "" && s.Name != "struct" && s.Name != "union" {
			return s.Name
		}
	}
	return "object"
}

// elementPath returns the path to a bit of an object of which no type is known: the element, if it is an array of scalars.
func elementPath(s *cir.Shape, bit int64) (path string, known bool) {
	if s != nil && s.Elem != nil && s.Elem.Elem == nil && len(s.Elem.Fields) == 0 && s.Elem.Size > 0 {
		return fmt.Sprintf("[%d]", bit/(s.Elem.Size*8)), true
	}
	return (*cir.Shape)(nil).Path(bit, 0)
}

// nameObjects notes what pointers may point to, as people are shown it. Those allocated at one place have numbers.
func (b *builder) nameObjects(number map[*object]int) {
	for _, at := range slices.Sorted(maps.Keys(b.at)) {
		o := b.at[at]
		name := o.source
		switch {
		case o.user:
			var layout *cir.Shape
			if o.abs != nil {
				layout = o.abs.Looks()
			}
			name = typeName(layout) + o.place(number[o])
		case o.heap || o.global != nil && o.global.Library:
			continue
		}
		if name != "" && o.size >= 0 {
			b.prog.Objects = append(b.prog.Objects, ir.Object{At: at, Size: o.size, Name: name})
		}
	}
}

// numberAllocated tells objects apart that were allocated at one place, in the names that people are shown: in the order of the program's variables.
// It returns the numbers of those of which there are several.
func (b *builder) numberAllocated() map[*object]int {
	at := map[string][]*object{}
	number := map[*object]int{}
	for _, v := range b.prog.Vars {
		c := b.cellOf[v]
		if c == nil || v.Shown == "" || number[c.obj] > 0 {
			continue
		}
		place := c.obj.place(0)
		at[place] = append(at[place], c.obj)
		number[c.obj] = len(at[place])
	}
	for _, v := range b.prog.Vars {
		if c := b.cellOf[v]; c != nil && v.Shown != "" && len(at[c.obj.place(0)]) > 1 {
			v.Shown = strings.Replace(v.Shown, c.obj.place(0), c.obj.place(number[c.obj]), 1)
		}
	}
	maps.DeleteFunc(number, func(o *object, _ int) bool { return len(at[o.place(0)]) < 2 })
	return number
}
