package cir

import (
	"fmt"
	"strings"
)

// Path returns the path of members and elements from an object of a shape to some of its bits, as C has it: ".next" or "[2].lock"; behind what nobody
// has named, an offset in bytes. Of what the library has made, as a pthread_mutex_t, the inner parts have no names: shown is false for all but the first.
func (s *Shape) Path(bit, bits int64) (path string, shown bool) {
	switch {
	case s == nil || bit < 0:
		return offsetPath(bit), true
	case s.Elem != nil:
		size := s.Elem.Size * 8
		if size <= 0 {
			return offsetPath(bit), true
		}
		rest, shown := s.Elem.Path(bit%size, bits)
		return fmt.Sprintf("[%d]%s", bit/size, rest), shown
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		from, size := f.Offset*8, f.Shape.Size*8
		if f.Bits != nil {
			from, size = from+int64(f.Bits.Offset), int64(f.Bits.Width)
		} else if f.Shape.Elem != nil && f.Shape.Len == 0 {
			size = max(size, bit+bits-from) // a flexible array
		}
		switch {
		case bit < from || bit+bits > from+size:
			continue
		case strings.HasPrefix(f.Name, "__"):
			return "", bit == 0
		}
		rest, shown := "", true
		if f.Bits == nil {
			rest, shown = f.Shape.Path(bit-from, bits)
		}
		if f.Name != "" {
			rest = "." + f.Name + rest
		}
		return rest, shown
	}
	return offsetPath(bit), true
}

// offsetPath returns an offset in bytes; "" for none.
func offsetPath(bit int64) string {
	if bit == 0 {
		return ""
	}
	return fmt.Sprintf("+%d", bit/8)
}
