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
			return giveUp{fmt.Sprintf("%s has %d bits", v.Name, v.Type.Bits)}
		}
	}
	return nil
}

// encode appends a state's encoding: its locations and values as varints. Each
// state has one encoding and no two states share one.
func encode(buf []byte, locs []int, vals []int64) []byte {
	for _, l := range locs {
		buf = binary.AppendUvarint(buf, uint64(l))
	}
	for _, v := range vals {
		buf = binary.AppendVarint(buf, v)
	}
	return buf
}

// decode reads what encode wrote into locs and vals.
func decode(key string, locs []int, vals []int64) {
	i := 0
	next := func() uint64 {
		var u uint64
		for shift := 0; ; shift += 7 {
			c := key[i]
			i++
			u |= uint64(c&0x7f) << shift
			if c < 0x80 {
				return u
			}
		}
	}
	for k := range locs {
		locs[k] = int(next())
	}
	for k := range vals {
		u := next()
		vals[k] = int64(u>>1) ^ -int64(u&1)
	}
}
