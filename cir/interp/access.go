package interp

import (
	"encoding/binary"
	"fmt"

	"comus/cir"
)

// valid is reach, and counts as an access of the thread's.
func (t *thread) valid(p slot, n int64, write bool) (o *Object, off int64, ok bool) {
	if write {
		t.effects++
	}
	if t.hb != nil {
		if t.m.races.touch(t, p, n, write); t.m.done {
			return nil, 0, false
		}
	}
	return t.reach(p, n, write)
}

// reach checks that n bytes at p may be accessed, and returns the object and where. Otherwise
// the run ends.
func (t *thread) reach(p slot, n int64, write bool) (o *Object, off int64, ok bool) {
	if p.obj == nil && p.lo != 0 {
		p = t.m.pointerTo(p.lo)
	}
	m := t.m
	if p.obj == nil {
		if p.lo == 0 {
			return nil, 0, m.undefined(CheckMemory, "null pointer")
		}
		return nil, 0, m.undefined(CheckMemory, fmt.Sprintf("the pointer %#x points to no object", p.lo))
	}
	o, off = p.obj, int64(p.lo)
	m.about = o
	switch {
	case o.kind == codeObject || o.kind == labelObject:
		return nil, 0, m.undefined(CheckMemory, "access to the bytes of a function")
	case o.dead:
		return nil, 0, m.undefined(CheckMemory, o.Name()+" after the end of its life")
	case off < 0 || n < 0 || off > o.size || n > o.size-off:
		return nil, 0, m.undefined(CheckMemory, fmt.Sprintf("%d bytes at offset %d of %s, which has %d", n, off, o.Name(), o.size))
	case write && o.readonly:
		return nil, 0, m.undefined(CheckConst, o.Name()+" is constant")
	}
	m.about = nil
	if o.unknown && !write {
		m.unknownContents(o)
	}
	if m.opt.Observer != nil {
		t.touched(o, off, n, write)
	}
	return o, off, true
}

// near returns n bytes at p if all is well: the object is alive, in one piece, and all their bits were written.
func near(p *slot, n uint64) []byte {
	o := p.obj
	if o == nil {
		return nil
	}
	d := o.data
	off := p.lo
	if off >= uint64(len(d)) || uint64(len(d))-off < n || o.undef != nil && !written(o, off, n) {
		return nil
	}
	return d[off:]
}

// written reports whether all bits of n bytes of an object in one piece were written.
func written(o *Object, off, n uint64) bool {
	u := o.undef[off:]
	if n == 8 {
		return binary.LittleEndian.Uint64(u) == 0
	}
	for _, b := range u[:n] {
		if b != 0 {
			return false
		}
	}
	return true
}

func load8S(t *thread, f *frame, in *inst) bool {
	if d := near(&f.s[in.a], 1); d != nil {
		f.s[in.d].lo = uint64(int64(int8(d[0])))
		return true
	}
	return loadSlow(t, f, in)
}

func load8U(t *thread, f *frame, in *inst) bool {
	if d := near(&f.s[in.a], 1); d != nil {
		f.s[in.d].lo = uint64(d[0])
		return true
	}
	return loadSlow(t, f, in)
}

func load16S(t *thread, f *frame, in *inst) bool {
	if d := near(&f.s[in.a], 2); d != nil {
		f.s[in.d].lo = uint64(int64(int16(binary.LittleEndian.Uint16(d))))
		return true
	}
	return loadSlow(t, f, in)
}

func load16U(t *thread, f *frame, in *inst) bool {
	if d := near(&f.s[in.a], 2); d != nil {
		f.s[in.d].lo = uint64(binary.LittleEndian.Uint16(d))
		return true
	}
	return loadSlow(t, f, in)
}

func load32S(t *thread, f *frame, in *inst) bool {
	if d := near(&f.s[in.a], 4); d != nil {
		f.s[in.d].lo = uint64(int64(int32(binary.LittleEndian.Uint32(d))))
		return true
	}
	return loadSlow(t, f, in)
}

func load32U(t *thread, f *frame, in *inst) bool {
	if d := near(&f.s[in.a], 4); d != nil {
		f.s[in.d].lo = uint64(binary.LittleEndian.Uint32(d))
		return true
	}
	return loadSlow(t, f, in)
}

func load64(t *thread, f *frame, in *inst) bool {
	if d := near(&f.s[in.a], 8); d != nil {
		f.s[in.d].lo = binary.LittleEndian.Uint64(d)
		return true
	}
	return loadSlow(t, f, in)
}

func loadPtr(t *thread, f *frame, in *inst) bool {
	p := &f.s[in.a]
	if d := near(p, 8); d != nil {
		addr := binary.LittleEndian.Uint64(d)
		if prov := p.obj.prov; prov != nil && p.lo&7 == 0 {
			if e := &prov[p.lo>>3]; e.obj != nil && e.addr == addr {
				f.s[in.d] = slot{lo: addr - e.obj.base, obj: e.obj}
				return true
			}
		}
		f.s[in.d] = t.m.getPointer(p.obj, int64(p.lo), addr)
		return true
	}
	return loadSlow(t, f, in)
}

// nearly is near for a store: the n bytes will have been written.
func nearly(p *slot, n uint64) []byte {
	o := p.obj
	if o == nil || o.readonly {
		return nil
	}
	d := o.data
	off := p.lo
	if off >= uint64(len(d)) || uint64(len(d))-off < n {
		return nil
	}
	if o.undef != nil {
		if n == uint64(len(d)) {
			o.undef = nil
		} else {
			clear(o.undef[off : off+n])
		}
	}
	return d[off:]
}

func store8(t *thread, f *frame, in *inst) bool {
	if d := nearly(&f.s[in.a], 1); d != nil {
		d[0] = byte(f.s[in.b].lo)
		t.m.version++
		return true
	}
	return storeSlow(t, f, in)
}

func store16(t *thread, f *frame, in *inst) bool {
	if d := nearly(&f.s[in.a], 2); d != nil {
		binary.LittleEndian.PutUint16(d, uint16(f.s[in.b].lo))
		t.m.version++
		return true
	}
	return storeSlow(t, f, in)
}

func store32(t *thread, f *frame, in *inst) bool {
	if d := nearly(&f.s[in.a], 4); d != nil {
		binary.LittleEndian.PutUint32(d, uint32(f.s[in.b].lo))
		t.m.version++
		return true
	}
	return storeSlow(t, f, in)
}

func store64(t *thread, f *frame, in *inst) bool {
	if d := nearly(&f.s[in.a], 8); d != nil {
		binary.LittleEndian.PutUint64(d, f.s[in.b].lo)
		t.m.version++
		return true
	}
	return storeSlow(t, f, in)
}

func storePtr(t *thread, f *frame, in *inst) bool {
	p, x := &f.s[in.a], f.s[in.b]
	if d := nearly(p, 8); d != nil {
		if x.obj == nil {
			binary.LittleEndian.PutUint64(d, x.lo)
			t.m.version++
			return true
		}
		addr := t.m.number(x)
		binary.LittleEndian.PutUint64(d, addr)
		t.m.version++
		if prov1 := p.obj.prov; prov1 != nil && p.lo&7 == 0 {
			prov1[p.lo>>3] = prov{x.obj, addr}
			return true
		}
		t.m.setProv(p.obj, int64(p.lo), prov{x.obj, addr})
		return true
	}
	return storeSlow(t, f, in)
}

// loadSlow performs any load.
func loadSlow(t *thread, f *frame, in *inst) bool {
	s, undef, ok := t.load(f.s[in.a], &in.x.acc)
	if !ok {
		return false
	}
	f.s[in.d] = s
	if undef != 0 {
		f.blur(in.d, undef)
		return t.readsUnset(in)
	}
	return true
}

// storeSlow performs any store.
func storeSlow(t *thread, f *frame, in *inst) bool {
	return t.store(f.s[in.a], f.s[in.b], 0, &in.x.acc)
}

// scalarSize returns how many bytes an access touches, and how many of them carry the value.
func (m *Machine) scalarSize(a *cir.Access) (touched, used int64) {
	if a.Bits != nil {
		n := int64(a.Bits.Offset+a.Bits.Width+7)/8 - int64(a.Bits.Offset)/8
		return n, n
	}
	n := m.prog.Model.SizeOf(a.Type)
	if a.Type == cir.F80 {
		return n, 10
	}
	return n, n
}

// get and put are load and store, and count as plain accesses of the thread's.
func (t *thread) get(p slot, a *cir.Access) (slot, uint64, bool) {
	if t.hb != nil {
		if t.m.races.scalar(t, p, a, false); t.m.done {
			return slot{}, 0, false
		}
	}
	return t.load(p, a)
}

func (t *thread) put(p, x slot, undef uint64, a *cir.Access) bool {
	if t.hb != nil {
		if t.m.races.scalar(t, p, a, true); t.m.done {
			return false
		}
	}
	return t.store(p, x, undef, a)
}

// load reads a scalar, and which of its bits are indeterminate: of one of more than 64 bits, all or none.
func (t *thread) load(p slot, a *cir.Access) (slot, uint64, bool) {
	m := t.m
	touched, used := m.scalarSize(a)
	if a.Bits != nil {
		p.lo += uint64(a.Bits.Offset / 8)
	}
	o, off, ok := t.reach(p, touched, false)
	if !ok {
		return slot{}, 0, false
	}
	t.aligned(off, o, a)
	var b [64]byte
	m.read(o, off, b[:used], b[32:32+used])
	v := slot{lo: binary.LittleEndian.Uint64(b[:]), hi: binary.LittleEndian.Uint64(b[8:])}
	u := slot{lo: binary.LittleEndian.Uint64(b[32:]), hi: binary.LittleEndian.Uint64(b[40:])}
	if a.Bits != nil {
		v = shiftRight(v, uint(a.Bits.Offset%8), false)
		u = shiftRight(u, uint(a.Bits.Offset%8), false)
		if rest := a.Bits.Offset % 8; rest > 0 && used > 16 {
			v.hi |= uint64(b[16]) << (64 - rest)
			u.hi |= uint64(b[48]) << (64 - rest)
		}
		all := shiftRight(slot{lo: ^uint64(0), hi: ^uint64(0)}, uint(128-a.Bits.Width), false)
		v, u = slot{lo: v.lo & all.lo, hi: v.hi & all.hi}, slot{lo: u.lo & all.lo, hi: u.hi & all.hi}
		v = normal(v.lo, v.hi, cir.Type{Kind: cir.IntKind, Bits: a.Bits.Width, Signed: a.Type.Signed})
	}
	undef := u.lo
	if u.hi != 0 {
		undef = ^uint64(0)
	}
	switch {
	case a.Type.IsPointer():
		if undef != 0 {
			return slot{lo: v.lo}, undef, true
		}
		return m.getPointer(o, off, v.lo), 0, true
	case a.Type == cir.Bool && a.Bits == nil:
		if v.lo > 1 && undef == 0 {
			ok = m.undefined(CheckTrap, fmt.Sprintf("a _Bool whose byte is %d", v.lo))
		}
		return slot{lo: truth(v.lo != 0)}, undef & 1, ok
	case a.Type.IsInt():
		return normal(v.lo, v.hi, a.Type), undef, true
	}
	return v, undef, true
}

// aligned notes an access that is not aligned as it promises.
func (t *thread) aligned(off int64, o *Object, a *cir.Access) {
	if a.Align > 1 && a.Bits == nil && off%min(a.Align, max(o.align, 1)) != 0 {
		t.m.note("alignment", fmt.Sprintf("an access that should be aligned to %d is at offset %d of %s", a.Align, off, o.Name()), t.fr.site())
	}
}

// store writes a scalar of which the bits undef are indeterminate.
func (t *thread) store(p, x slot, undef uint64, a *cir.Access) bool {
	m := t.m
	touched, used := m.scalarSize(a)
	if a.Bits != nil {
		p.lo += uint64(a.Bits.Offset / 8)
	}
	o, off, ok := t.reach(p, touched, true)
	if !ok {
		return false
	}
	t.aligned(off, o, a)
	if a.Type.IsPointer() && undef == 0 {
		m.putPointer(o, off, x)
		return true
	}
	if a.Type.IsPointer() {
		x.lo = m.number(x)
	}
	if a.Type == cir.Bool && a.Bits == nil && undef != 0 {
		undef = ^uint64(0)
	}
	x = widen(x, cir.Type{Kind: cir.IntKind, Bits: min(a.Type.Bits, 128), Signed: true})
	var b, u [32]byte
	if a.Bits != nil {
		t.storeBits(o, off, x, undef, a.Bits, used)
		return true
	}
	binary.LittleEndian.PutUint64(b[:], x.lo)
	binary.LittleEndian.PutUint64(b[8:], x.hi)
	if undef == 0 {
		m.write(o, off, b[:used], nil)
		return true
	}
	binary.LittleEndian.PutUint64(u[:], undef)
	if used > 8 {
		binary.LittleEndian.PutUint64(u[8:], ^uint64(0))
		binary.LittleEndian.PutUint64(u[:], ^uint64(0))
	}
	m.write(o, off, b[:used], u[:used])
	return true
}

// storeBits writes a bit-field whose first byte is at off.
func (t *thread) storeBits(o *Object, off int64, x slot, undef uint64, f *cir.Bits, n int64) {
	var b, u [32]byte
	t.m.read(o, off, b[:n], u[:n])
	for i := range f.Width {
		at := f.Offset%8 + i
		bit := shiftRight(x, uint(i), false).lo & 1
		unset := undef >> min(i, 63) & 1
		b[at/8] = b[at/8]&^(1<<(at%8)) | byte(bit)<<(at%8)
		u[at/8] = u[at/8]&^(1<<(at%8)) | byte(unset)<<(at%8)
	}
	t.m.write(o, off, b[:n], u[:n])
}

// bytesAt returns the bytes of a range, and reports whether all their bits were written. The range is valid.
func (m *Machine) bytesAt(o *Object, off, n int64) ([]byte, bool) {
	b := make([]byte, 2*n)
	m.read(o, off, b[:n], b[n:])
	return b[:n], !any1(b[n:])
}
