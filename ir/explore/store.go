package explore

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
)

// A table numbers byte strings without repetition: the first is 0. The strings
// lie in chunks one after the other; an open-addressing hash table of their
// numbers finds them. Hashes only say where to look: strings are compared as a
// whole, so two different ones never share a number.
//
// The strings of a table must be prefix-free codes: none is the beginning of
// another.
type table struct {
	chunks [][]byte
	where  []uint64 // of each string: its chunk and its offset there, 32 bits each
	slots  []uint32 // a number plus 1, or 0; the length is a power of two
	seed   maphash.Seed
}

const (
	chunkSize = 1 << 20
	minSlots  = 1 << 6
)

func newTable() *table {
	return &table{slots: make([]uint32, minSlots), seed: maphash.MakeSeed()}
}

// intern returns the number of a string, a new one if it is new.
func (t *table) intern(key []byte) uint32 {
	if 4*len(t.where) >= 3*len(t.slots) {
		t.grow()
	}
	k, i, found := t.find(key)
	if found {
		return k
	}
	last := len(t.chunks) - 1
	if last < 0 || len(t.chunks[last])+len(key) > chunkSize {
		t.chunks, last = append(t.chunks, nil), last+1
	}
	t.where = append(t.where, uint64(last)<<32|uint64(len(t.chunks[last])))
	t.chunks[last] = append(t.chunks[last], key...)
	t.slots[i] = uint32(len(t.where))
	return t.slots[i] - 1
}

// find returns the number of a string if there is one, and its slot.
func (t *table) find(key []byte) (k uint32, slot uint64, found bool) {
	mask := uint64(len(t.slots) - 1)
	slot = maphash.Bytes(t.seed, key) & mask
	for ; t.slots[slot] != 0; slot = (slot + 1) & mask {
		if k := t.slots[slot] - 1; bytes.HasPrefix(t.from(k), key) {
			return k, slot, true
		}
	}
	return 0, slot, false
}

// from returns the bytes from the k-th string on; it is at their beginning.
func (t *table) from(k uint32) []byte {
	w := t.where[k]
	return t.chunks[w>>32][w&math.MaxUint32:]
}

// grow doubles the slots. The strings' lengths are known from the order in which
// they lie.
func (t *table) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	mask := uint64(len(t.slots) - 1)
	for k, w := range t.where {
		key := t.from(uint32(k))
		if k+1 < len(t.where) && t.where[k+1]>>32 == w>>32 {
			key = key[:t.where[k+1]-w]
		}
		i := maphash.Bytes(t.seed, key) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = uint32(k + 1)
	}
}

// bytes returns the size of the table in memory.
func (t *table) bytes() int64 {
	n := 8*int64(cap(t.where)) + 4*int64(len(t.slots))
	for _, c := range t.chunks {
		n += int64(cap(c))
	}
	return n
}

// noParent is the predecessor of an initial state.
const noParent = math.MaxUint32

// A stateSet numbers tuples without repetition, and keeps for each the number of
// the one that led to it first. The tuples lie in records of one size: four bytes
// for the predecessor, then for each component as many bytes as the largest
// number in that place so far needs. When a larger one comes, all records are
// written anew, which happens at most three times a component.
type stateSet struct {
	width  []int // bytes of each component in a record
	size   int   // of a record
	chunks [][]byte
	n      int
	slots  []uint32 // see entry; the length is a power of two
	seed   maphash.Seed

	key, rec []byte // scratch
}

// chunkRecords is the number of records in a chunk.
const chunkRecords = 1 << 14

func newStateSet(components int) *stateSet {
	s := &stateSet{width: make([]int, components), size: 4 + components, slots: make([]uint32, minSlots),
		seed: maphash.MakeSeed(), key: make([]byte, 4*components)}
	for c := range s.width {
		s.width[c] = 1
	}
	return s
}

// hash does not depend on the widths. It uses the scratch space key.
func (s *stateSet) hash(tuple []uint32, key []byte) uint64 {
	for c, id := range tuple {
		binary.LittleEndian.PutUint32(key[4*c:], id)
	}
	return maphash.Bytes(s.seed, key)
}

func (s *stateSet) record(i int) []byte {
	at := i % chunkRecords * s.size
	return s.chunks[i/chunkRecords][at : at+s.size]
}

// tuple reads tuple i and returns its predecessor.
func (s *stateSet) tuple(i int, tuple []uint32) (parent uint32) {
	rec := s.record(i)
	at := 4
	for c, w := range s.width {
		tuple[c] = number32(rec[at : at+w])
		at += w
	}
	return number32(rec[:4])
}

func number32(b []byte) uint32 {
	var v uint32
	for i, x := range b {
		v |= uint32(x) << (8 * i)
	}
	return v
}

func appendNumber(buf []byte, v uint32, width int) []byte {
	for range width {
		buf, v = append(buf, byte(v)), v>>8
	}
	return buf
}

// find returns the number of a tuple, -1 if it is new, and the slot where it is or
// would be. It appends the tuple's record to rec, which may be scratch space.
func (s *stateSet) find(tuple []uint32, hash uint64, rec []byte) (i int, slot uint64) {
	for c, id := range tuple {
		if s.width[c] < 4 && id>>(8*s.width[c]) != 0 {
			return -1, 0
		}
		rec = appendNumber(rec, id, s.width[c])
	}
	mask := uint64(len(s.slots) - 1)
	slot = hash & mask
	for ; s.slots[slot] != 0; slot = (slot + 1) & mask {
		k := int(s.slots[slot]&uint32(mask)) - 1
		if s.slots[slot] == s.entry(k, hash) && bytes.Equal(s.record(k)[4:], rec) {
			return k, slot
		}
	}
	return -1, slot
}

// entry returns what the slot of tuple k has: its number plus 1, which is less than
// the number of slots, and in the bits that it leaves the first of the hash, so that
// most other tuples are told apart without a look at them.
func (s *stateSet) entry(k int, hash uint64) uint32 {
	return uint32(hash>>32)&^uint32(len(s.slots)-1) | uint32(k+1)
}

// add records a tuple unless it is there. The limit is on the number of tuples.
func (s *stateSet) add(tuple []uint32, parent uint32, limit int) (i int, isNew, full bool) {
	s.widen(tuple)
	if 4*s.n >= 3*len(s.slots) {
		s.grow()
	}
	hash := s.hash(tuple, s.key)
	i, slot := s.find(tuple, hash, s.rec[:0])
	switch {
	case i >= 0:
		return i, false, false
	case s.n >= limit:
		return -1, false, true
	}
	rec := appendNumber(s.rec[:0], parent, 4)
	for c, id := range tuple {
		rec = appendNumber(rec, id, s.width[c])
	}
	s.rec = rec
	if s.n%chunkRecords == 0 {
		var chunk []byte
		if s.n > 0 { // a small program needs no full chunk
			chunk = make([]byte, 0, chunkRecords*s.size)
		}
		s.chunks = append(s.chunks, chunk)
	}
	last := len(s.chunks) - 1
	s.chunks[last] = append(s.chunks[last], rec...)
	s.slots[slot] = s.entry(s.n, hash)
	s.n++
	return s.n - 1, true, false
}

// widen makes room in the records for the tuple's numbers.
func (s *stateSet) widen(tuple []uint32) {
	old := s.width
	for c, id := range tuple {
		need := old[c]
		for need < 4 && id>>(8*need) != 0 {
			need++
		}
		if need == s.width[c] {
			continue
		}
		if &s.width[0] == &old[0] {
			s.width = append([]int(nil), old...)
		}
		s.width[c] = need
	}
	if &s.width[0] == &old[0] {
		return
	}
	oldSize := s.size
	s.size = 4
	for _, w := range s.width {
		s.size += w
	}
	for k, chunk := range s.chunks {
		wide := make([]byte, 0, len(chunk)/oldSize*s.size)
		for at := 0; at < len(chunk); at += oldSize {
			wide = append(wide, chunk[at:at+4]...)
			from := at + 4
			for c, w := range old {
				wide = append(wide, chunk[from:from+w]...)
				for range s.width[c] - w {
					wide = append(wide, 0)
				}
				from += w
			}
		}
		s.chunks[k] = wide
	}
}

// grow doubles the slots.
func (s *stateSet) grow() {
	s.slots = make([]uint32, 2*len(s.slots))
	mask := uint64(len(s.slots) - 1)
	tuple := make([]uint32, len(s.width))
	for k := range s.n {
		s.tuple(k, tuple)
		hash := s.hash(tuple, s.key)
		i := hash & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = s.entry(k, hash)
	}
}

// bytes returns the size of the store in memory.
func (s *stateSet) bytes() int64 {
	n := 4 * int64(len(s.slots))
	for _, c := range s.chunks {
		n += int64(cap(c))
	}
	return n
}
