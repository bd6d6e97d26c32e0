package explore

import (
	"encoding/binary"
	"fmt"
	"math/big"

	"comus/ir"
	"comus/logic"
)

// Values are stored as int64; those of an unsigned 64-bit type as their bit
// pattern.

func isWide(t ir.Type) bool { return t.Bits == 64 && !t.Signed }

func store(v logic.Value) int64 {
	if k, ok := v.Int64(); ok {
		return k
	}
	return int64(v.Big().Uint64())
}

func load(t ir.Type, k int64) logic.Value {
	if isWide(t) && k < 0 {
		return logic.BigValue(new(big.Int).SetUint64(uint64(k)))
	}
	return logic.IntValue(k)
}

// checkWidths gives up if there is a variable whose values cannot be stored.
func checkWidths(p *ir.Program) error {
	for _, v := range p.Vars {
		if v.Type.Bits > 64 {
			return giveUp{reason: fmt.Sprintf("%s has %d bits", v.Name, v.Type.Bits)}
		}
	}
	return nil
}

// layout divides states into components: component 0 has the values of the shared
// variables, component t+1 the location of thread t and the values of its locals.
// A state is the tuple of its components' numbers. There are few components and
// many states made of them, and a step changes two of them at most.
type layout struct {
	vars   [][]int    // by component, the indexes of its variables
	live   [][][]bool // by thread and location, which of its variables are live there: others are 0
	tables []*table
}

func newLayout(p *ir.Program, live *liveness) *layout {
	l := &layout{vars: make([][]int, len(p.Threads)+1)}
	for i, v := range p.Vars {
		l.vars[v.Thread+1] = append(l.vars[v.Thread+1], i) // ir.Shared is -1
	}
	for t, th := range p.Threads {
		var at [][]bool
		for _, loc := range th.Locs {
			var of []bool
			for _, i := range l.vars[t+1] {
				of = append(of, live.local[loc][p.Vars[i]])
			}
			at = append(at, of)
		}
		l.live = append(l.live, at)
	}
	for range l.vars {
		l.tables = append(l.tables, newTable())
	}
	return l
}

// encode appends the encoding of component c of a state: its location, if it has
// one, and its values as varints. Encodings are prefix-free, because all those of
// one component have the same number of varints.
func (l *layout) encode(buf []byte, c int, locs []int, vals []int64) []byte {
	if c > 0 {
		buf = binary.AppendUvarint(buf, uint64(locs[c-1]))
	}
	for k, i := range l.vars[c] {
		v := vals[i]
		if c > 0 && !l.live[c-1][locs[c-1]][k] {
			v = 0
		}
		buf = binary.AppendVarint(buf, v)
	}
	return buf
}

// decode reads component c with the given number into locs and vals.
func (l *layout) decode(c int, id uint32, locs []int, vals []int64) {
	buf := l.tables[c].from(id)
	if c > 0 {
		u, n := binary.Uvarint(buf)
		locs[c-1], buf = int(u), buf[n:]
	}
	for _, i := range l.vars[c] {
		v, n := binary.Varint(buf)
		vals[i], buf = v, buf[n:]
	}
}

// lookup returns the tuple of a state; false if some component is new. It changes
// nothing.
func (l *layout) lookup(tuple []uint32, buf []byte, locs []int, vals []int64) bool {
	for c := range tuple {
		id, _, found := l.tables[c].find(l.encode(buf[:0], c, locs, vals))
		if !found {
			return false
		}
		tuple[c] = id
	}
	return true
}

// bytes returns the size of the components in memory.
func (l *layout) bytes() int64 {
	n := int64(0)
	for _, t := range l.tables {
		n += t.bytes()
	}
	return n
}
