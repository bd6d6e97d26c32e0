package interp

import (
	"comus/cir"
)

// Sizes of memory's parts.
const (
	pageSize  = 1 << 11 // of the parts of a large object
	wholeSize = 1 << 20 // an object of at most this size is in one piece
	wholeHeap = 1 << 12 // one of the heap, of which there may be many of which little is used
	arbitrary = 0xA5    // what a byte that was never written is read as, without Options.Zeros
)

// kind is what an object is.
type kind uint8

const (
	dataObject  kind = iota
	heapObject       // what Alloc made
	codeObject       // a function: it has an address, and no bytes
	labelObject      // the labels of a function: block i is at offset i*labelStep
)

const labelStep = 16

// page is bytes of an object.
type page struct {
	data  []byte // none: the object is not alive, has no bytes, or is in pages
	undef []byte // the bits that were never written; nil: there are none
	prov  []prov // for each aligned word, the pointer that was stored there last; nil: none was
}

// prov says that the word that is addr as an integer was stored as a pointer into obj. It
// holds as long as the bytes are those of addr: nobody removes it.
type prov struct {
	obj  *Object
	addr uint64
}

// An Object is a piece of memory: an instance of a global or local, or of what Alloc or Alloca made.
type Object struct {
	page     // of a small object
	pages    map[int64]*page
	size     int64
	align    int64
	base     uint64 // its address as an integer; 0: nobody has asked for it
	place    uint64 // what that is to be, with an observer
	kind     kind
	readonly bool
	dead     bool // its life has ended, or did not begin
	private  bool // its address is not known outside of one activation
	internal bool // it is the library's own
	visible  bool // it is part of the environment, of which the program sees it
	unknown  bool // what it held at first is not known, nor has anything read it
	fresh    bool // pages that do not exist are indeterminate, not 0
	owner    *fn  // of codeObject and labelObject
	name     string
	words    uint // log2 of the size of a pointer
	shadow   *shadow
	weak     map[int64]*cells // with Options.Atomics: what atomic accesses were of
}

// Name is what reports call the object.
func (o *Object) Name() string {
	if o.name == "" {
		return "an object"
	}
	return "'" + o.name + "'"
}

// Size is the object's size in bytes.
func (o *Object) Size() int64 { return o.size }

// emptyPages stand for pages that were never written.
var (
	zeroPage  = &page{data: make([]byte, pageSize)}
	freshPage = &page{data: make([]byte, pageSize), undef: ones(pageSize)}
)

// ones returns n bytes of ones.
func ones(n int64) []byte {
	b := make([]byte, 0, n)
	for k := n; k > 0; k = n - int64(len(b)) {
		b = append(b, allOnes[:min(k, int64(len(allOnes)))]...)
	}
	return b
}

// newObject returns an object of zeros, or of indeterminate bytes.
func (m *Machine) newObject(name string, size, align int64, fresh bool) *Object {
	o := m.newStatic(name, size, align, fresh)
	if m.opt.Observer != nil {
		m.reserve(o)
	}
	return o
}

// newStatic is newObject for what is no thread's.
func (m *Machine) newStatic(name string, size, align int64, fresh bool) *Object {
	o := &Object{size: size, align: align, fresh: fresh, name: name, words: m.words}
	if size > wholeSize || fresh && size > wholeHeap {
		if size > m.maxObject {
			panic(limit("an object of " + itoa(size) + " bytes"))
		}
		o.pages = map[int64]*page{}
		return o
	}
	m.charge(size)
	if fresh {
		b := make([]byte, 2*size)
		o.data = b[:size:size]
		o.undef = b[size:]
		for i := range o.undef {
			o.undef[i] = 0xff
		}
		if size == 0 {
			o.undef = nil
		}
	} else {
		o.data = make([]byte, size)
	}
	return o
}

// charge counts bytes of the interpreter's memory.
func (m *Machine) charge(n int64) {
	m.memory += n + 64
	if m.memory > m.maxMemory {
		panic(limit("more memory than " + itoa(m.maxMemory) + " bytes"))
	}
}

// end ends the life of an object.
func (m *Machine) end(o *Object) {
	if !o.dead {
		m.observeLife(o, true)
		if o.pages == nil {
			m.memory -= o.size + 64
		} else {
			m.memory -= int64(len(o.pages)) * (pageSize + 64)
		}
	}
	o.dead = true
	o.page, o.pages = page{}, nil
}

// at returns the page with the byte at off, its place there, and how many of the n bytes from there it
// has. For writing, a page that does not exist is made.
func (m *Machine) at(o *Object, off, n int64, write bool) (p *page, i, k int64) {
	if o.pages == nil {
		return &o.page, off, n
	}
	i = off % pageSize
	k = min(n, pageSize-i)
	p = o.pages[off/pageSize]
	if p == nil {
		if !write {
			if o.fresh {
				return freshPage, i, k
			}
			return zeroPage, i, k
		}
		m.charge(pageSize)
		p = &page{data: make([]byte, pageSize)}
		if o.fresh {
			p.undef = ones(pageSize)
		}
		o.pages[off/pageSize] = p
	}
	return p, i, k
}

// read copies bytes from an object, and which of their bits were never written. The range
// is within the object, which is alive.
func (m *Machine) read(o *Object, off int64, data, undef []byte) {
	for n := int64(len(data)); n > 0; n = int64(len(data)) {
		p, i, k := m.at(o, off, n, false)
		copy(data[:k], p.data[i:i+k])
		if p.undef != nil {
			copy(undef[:k], p.undef[i:i+k])
			for j, u := range undef[:k] {
				data[j] = data[j]&^u | m.unset&u
			}
		} else {
			clear(undef[:k])
		}
		data, undef, off = data[k:], undef[k:], off+k
	}
}

// write stores bytes and says which of their bits are indeterminate (nil: none).
func (m *Machine) write(o *Object, off int64, data, undef []byte) {
	m.version++
	for n := int64(len(data)); n > 0; n = int64(len(data)) {
		p, i, k := m.at(o, off, n, true)
		copy(p.data[i:i+k], data[:k])
		switch {
		case undef != nil && any1(undef[:k]):
			if p.undef == nil {
				p.undef = make([]byte, len(p.data))
			}
			copy(p.undef[i:i+k], undef[:k])
		case p.undef != nil && k == int64(len(p.data)):
			p.undef = nil
		case p.undef != nil:
			clear(p.undef[i : i+k])
		}
		data, off = data[k:], off+k
		if undef != nil {
			undef = undef[k:]
		}
	}
}

// any1 reports whether a byte is not 0.
func any1(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return true
		}
	}
	return false
}

// copyBytes copies bytes with what is known of them: as memmove does.
func (m *Machine) copyBytes(dst *Object, to int64, src *Object, from, n int64) {
	if n == 0 || dst == src && to == from {
		return
	}
	if src.pages == nil && dst.pages == nil {
		if src.undef == nil && dst.undef == nil {
			m.version++
			copy(dst.data[to:to+n], src.data[from:from+n])
			m.copyProv(dst, to, src, from, n)
			return
		}
		m.copyPiece(dst, to, src, from, n)
		return
	}
	const piece = pageSize // both directions, so that moves within an object are right
	if dst == src && to > from {
		for k := n; k > 0; {
			j := min(k, piece)
			k -= j
			m.copyPiece(dst, to+k, src, from+k, j)
		}
		return
	}
	for k := int64(0); k < n; k += piece {
		m.copyPiece(dst, to+k, src, from+k, min(n-k, piece))
	}
}

// copyPiece is copyBytes for few bytes.
func (m *Machine) copyPiece(dst *Object, to int64, src *Object, from, n int64) {
	var small [128]byte
	b := small[:]
	if 2*n > int64(len(b)) {
		b = make([]byte, 2*n)
	}
	data, undef := b[:n], b[n:2*n]
	m.read(src, from, data, undef)
	provs := m.provsOf(src, from, n)
	m.write(dst, to, data, undef)
	for _, e := range provs {
		m.setProv(dst, to+e.at, e.prov)
	}
}

// placedProv is a prov and where it is.
type placedProv struct {
	at int64
	prov
}

// provsOf returns the provenance of the pointers in a range.
func (m *Machine) provsOf(o *Object, off, n int64) []placedProv {
	var found []placedProv
	w := int64(1) << o.words
	for a := (off + w - 1) &^ (w - 1); a+w <= off+n; a += w {
		p, i, k := m.at(o, a, off+n-a, false)
		if p.prov == nil {
			a += (k - 1) &^ (w - 1)
			continue
		}
		if e := p.prov[i>>o.words]; e.obj != nil {
			found = append(found, placedProv{a - off, e})
		}
	}
	return found
}

// copyProv copies the provenance of pointers.
func (m *Machine) copyProv(dst *Object, to int64, src *Object, from, n int64) {
	if src.prov == nil || (to^from)&(1<<src.words-1) != 0 {
		return
	}
	for _, e := range m.provsOf(src, from, n) {
		m.setProv(dst, to+e.at, e.prov)
	}
}

// setProv notes that a pointer was stored.
func (m *Machine) setProv(o *Object, off int64, e prov) {
	if off&(1<<o.words-1) != 0 {
		return
	}
	p, i, _ := m.at(o, off, 1, true)
	if p.prov == nil {
		n := (int64(len(p.data)) + 1<<o.words - 1) >> o.words
		m.charge(16 * n)
		p.prov = make([]prov, n)
	}
	p.prov[i>>o.words] = e
}

// setGlobal fills an object with what a global is initialised to.
func (m *Machine) setGlobal(o *Object, g *cir.Global) error {
	if n := int64(len(g.Data)); n > g.Size {
		return errorf("global %s: %d bytes of data in an object of %d", g.Name, n, g.Size)
	}
	for off := 0; off < len(g.Data); off += pageSize {
		part := g.Data[off:min(len(g.Data), off+pageSize)]
		if any1(part) {
			m.write(o, int64(off), part, nil)
		}
	}
	for _, r := range g.Relocs {
		target, err := m.symbol(r.Target)
		if err != nil {
			return err
		}
		if r.Offset < 0 || r.Offset+m.wordSize() > g.Size {
			return errorf("global %s: address at %d in an object of %d bytes", g.Name, r.Offset, g.Size)
		}
		target.lo += uint64(r.Addend)
		m.putPointer(o, r.Offset, target)
	}
	return nil
}
