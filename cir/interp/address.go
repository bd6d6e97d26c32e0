package interp

import (
	"encoding/binary"
	"sort"
)

// Addresses as integers. They are given out in ascending order when somebody asks: each object gets
// a place of its own for ever, with a gap behind it. So an integer says which object it
// points into, one past the end included, whatever way it came.
const (
	firstAddress64 = 0x5555_5575_6040
	firstAddress32 = 0x0804_8000
	lastAddress32  = 0xF000_0000
	gap            = 16
)

// slot is the value of a register. Integers of up to 64 bits are in lo, extended by their sign; wider ones
// in lo and hi. Floats are as memory holds them. A pointer is an offset lo into obj, or, without obj,
// the integer lo.
type slot struct {
	lo, hi uint64
	obj    *Object
}

// address returns the address of an object, giving it one if it has none.
func (m *Machine) address(o *Object) uint64 {
	if o.base == 0 && m.opt.Observer != nil {
		return m.observedAddress(o)
	}
	if o.base == 0 {
		a := uint64(max(o.align, 16))
		if a&(a-1) != 0 {
			a = 16
		}
		o.base = (m.nextAddress + a - 1) &^ (a - 1)
		m.nextAddress = o.base + uint64(o.size) + gap
		if m.words == 2 && m.nextAddress > lastAddress32 {
			panic(limit("no more addresses of 32 bits"))
		}
		m.byAddress = append(m.byAddress, o)
	}
	return o.base
}

// number returns a pointer as an integer.
func (m *Machine) number(p slot) uint64 {
	n := p.lo
	if p.obj != nil {
		n += m.address(p.obj)
	}
	if m.words == 2 {
		n = uint64(uint32(n))
	}
	return n
}

// pointerTo returns the pointer that an integer is.
func (m *Machine) pointerTo(addr uint64) slot {
	if m.words == 2 {
		addr = uint64(uint32(addr))
	}
	if addr == 0 {
		return slot{}
	}
	i := sort.Search(len(m.byAddress), func(i int) bool { return m.byAddress[i].base > addr }) - 1
	if i >= 0 {
		if o := m.byAddress[i]; addr-o.base <= uint64(o.size) {
			return slot{lo: addr - o.base, obj: o}
		}
	}
	return slot{lo: addr}
}

// samePointer compares pointers for equality.
func (m *Machine) samePointer(x, y slot) bool {
	if x.obj == y.obj {
		return x.lo == y.lo
	}
	if inside(x) && inside(y) {
		return false
	}
	return m.number(x) == m.number(y)
}

// inside reports whether p is null or points into its object or to its end.
func inside(p slot) bool {
	if p.obj == nil {
		return p.lo == 0
	}
	return p.lo <= uint64(p.obj.size)
}

// below reports whether x's address is less than y's.
func (m *Machine) below(x, y slot) bool {
	if x.obj == y.obj && x.obj != nil {
		return int64(x.lo) < int64(y.lo)
	}
	return m.number(x) < m.number(y)
}

// putPointer stores a pointer in an object. The range is valid.
func (m *Machine) putPointer(o *Object, off int64, p slot) {
	var b [8]byte
	addr := m.number(p)
	binary.LittleEndian.PutUint64(b[:], addr)
	m.write(o, off, b[:m.wordSize()], nil)
	if p.obj != nil {
		m.setProv(o, off, prov{p.obj, addr})
	}
}

// getPointer returns the pointer whose bytes, at off of an object, are those of addr.
func (m *Machine) getPointer(o *Object, off int64, addr uint64) slot {
	if addr == 0 {
		return slot{}
	}
	if off&(1<<m.words-1) == 0 {
		if p, i, _ := m.at(o, off, 1, false); p.prov != nil {
			if e := p.prov[i>>m.words]; e.obj != nil && e.addr == addr {
				return m.within(e.obj, addr)
			}
		}
	}
	return m.pointerTo(addr)
}

// within returns the pointer into o that is addr as an integer.
func (m *Machine) within(o *Object, addr uint64) slot {
	off := addr - m.address(o)
	if m.words == 2 {
		off = uint64(int64(int32(off)))
	}
	return slot{lo: off, obj: o}
}

// wordSize is the size of a pointer in bytes.
func (m *Machine) wordSize() int64 { return 1 << m.words }
