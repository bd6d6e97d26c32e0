package sema

import (
	"bytes"
	"debug/elf"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront/command"
	"comus/cfront/syntax"
	"comus/cfront/tree"
)

// object is what gcc makes of the data of a program.
type object struct {
	data   map[string][]byte
	relocs map[string]map[int64]string // by variable and offset: "symbol+addend"
}

// compileData asks gcc for the data of a program.
func compileData(t testing.TB, src string, flags ...string) (*object, error) {
	t.Helper()
	dir := t.TempDir()
	file, out := filepath.Join(dir, "t.c"), filepath.Join(dir, "t.o")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-std=gnu17", "-w", "-fno-common", "-fno-pic", "-fno-pie", "-c", "-o", out}, flags...)
	if msg, err := exec.Command("gcc", append(args, file)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s", msg)
	}
	f, err := elf.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	syms, _ := f.Symbols()
	o := &object{data: map[string][]byte{}, relocs: map[string]map[int64]string{}}
	for _, s := range syms {
		if elf.ST_TYPE(s.Info) != elf.STT_OBJECT && elf.ST_TYPE(s.Info) != elf.STT_TLS || int(s.Section) >= len(f.Sections) {
			continue
		}
		sec := f.Sections[s.Section]
		b := make([]byte, s.Size)
		if sec.Type != elf.SHT_NOBITS {
			all, _ := sec.Data()
			copy(b, all[s.Value:])
		}
		name, _, _ := strings.Cut(s.Name, ".")
		o.data[name] = b
	}
	return o, nil
}

// image is the bytes of a variable as its initialiser says; bytes of addresses are left 0 and known is
// false for them.
func image(v *tree.Var) (b []byte, known []bool) {
	b = make([]byte, max(0, v.Type.Size)+v.Extra)
	known = make([]bool, len(b))
	for i := range known {
		known[i] = true
	}
	if v.Init == nil {
		return b, known
	}
	for _, it := range v.Init.Items {
		size := it.Type.Size
		switch x := it.X.(type) {
		case *tree.IntConst:
			if it.Bits != nil {
				for k := 0; k < it.Bits.Width; k++ {
					at := it.Offset*8 + int64(it.Bits.Offset+k)
					b[at/8] &^= 1 << (at % 8)
					b[at/8] |= byte(twos(x.V).Bit(k) << (at % 8))
				}
				continue
			}
			u := twos(x.V)
			for k := int64(0); k < size; k++ {
				b[it.Offset+k] = byte(new(big.Int).Rsh(u, uint(8*k)).Uint64())
			}
		case *tree.FloatConst:
			copy(b[it.Offset:], floatBytes(x, size))
		case *tree.ComplexConst:
			h := size / 2
			if it.Type.Elem.IsInteger() {
				for i, p := range []*tree.FloatConst{x.Re, x.Im} {
					n, _ := p.V.Int(nil)
					for k := int64(0); k < h; k++ {
						b[it.Offset+int64(i)*h+k] = byte(new(big.Int).Rsh(twos(n), uint(8*k)).Uint64())
					}
				}
				continue
			}
			copy(b[it.Offset:], floatBytes(x.Re, h))
			copy(b[it.Offset+h:], floatBytes(x.Im, h))
		case *tree.String:
			for k := int64(0); k < size; k++ {
				b[it.Offset+k] = 0
			}
			copy(b[it.Offset:it.Offset+size], x.Data)
		default:
			for k := int64(0); k < size; k++ {
				known[it.Offset+k] = false
			}
		}
	}
	return b, known
}

// twos is a value in two's complement of 128 bits.
func twos(v *big.Int) *big.Int {
	if v.Sign() < 0 {
		return new(big.Int).Add(v, new(big.Int).Lsh(one, 128))
	}
	return v
}

// floatBytes encodes a constant.
func floatBytes(k *tree.FloatConst, size int64) []byte {
	p, emax := precision(k.Typ)
	stored := p - 1
	explicit := k.Typ.Bits == 80
	if explicit {
		stored = p
	}
	mant, exp, neg := new(big.Int), 0, false
	switch {
	case k.NaN:
		exp = 2*emax + 1
		mant.SetBit(mant, p-2, 1)
		if explicit {
			mant.SetBit(mant, p-1, 1)
		}
	case k.Inf != 0:
		exp, neg = 2*emax+1, k.Inf < 0
		if explicit {
			mant.SetBit(mant, p-1, 1)
		}
	case k.V.Sign() == 0:
		neg = k.V.Signbit()
	default:
		neg = k.V.Signbit()
		e := k.V.MantExp(nil) - 1
		exp = e + emax
		if exp <= 0 {
			e, exp = 1-emax, 0
		}
		m := new(big.Float).SetMantExp(new(big.Float).Abs(k.V), p-1-e)
		mant, _ = m.Int(nil)
		if exp > 0 && !explicit {
			mant.SetBit(mant, p-1, 0)
		}
	}
	all := new(big.Int).Lsh(big.NewInt(int64(exp)), uint(stored))
	all.Or(all, mant)
	if neg {
		all.SetBit(all, k.Typ.Bits-1, 1)
	}
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(new(big.Int).Rsh(all, uint(8*i)).Uint64())
	}
	return b
}

// compareData compares the data of a program's variables with gcc's. It returns the number compared.
func compareData(t *testing.T, src string, fl command.Flags, flags ...string) int {
	t.Helper()
	if fl.ILP32 {
		flags = append(flags, "-m32")
	}
	o, err := compileData(t, src, flags...)
	u, err2 := Check(syntax.Lex("t.c", preprocessed(t, src, flags...)), fl)
	if err != nil || err2 != nil {
		t.Errorf("gcc: %.900v; comus: %v\n%s", err, err2, clip(src))
		return 0
	}
	n := 0
	for _, v := range u.Vars {
		want, ok := o.data[v.Name]
		if !ok || v.Name == "" || !v.Defined {
			continue
		}
		n++
		got, known := image(v)
		if len(got) != len(want) {
			t.Errorf("%s: %d bytes, gcc has %d\n%s", v.Name, len(got), len(want), about(src, v.Name))
			continue
		}
		for i := range known {
			if !known[i] {
				got[i], want[i] = 0, 0
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s:\n\tis   %x\n\tgcc: %x\n%s", v.Name, got, want, about(src, v.Name))
		}
	}
	return n
}

func clip(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

// about returns the lines of a program that have a name in them.
func about(src, name string) string {
	var out []string
	for _, l := range strings.Split(src, "\n") {
		if strings.Contains(l, " "+name+" ") || strings.Contains(l, name+"_") || strings.Contains(l, name+"[") {
			out = append(out, l)
		}
	}
	id := name
	if i := strings.IndexByte(name, '_'); i > 0 {
		id = name[:i]
	}
	for _, l := range strings.Split(src, "\n") {
		if strings.HasPrefix(l, "struct "+id+" ") || strings.HasPrefix(l, "union "+id+" ") {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}
