package types

// Layout is how a struct or union is laid out.
type Layout struct {
	Union  bool
	Packed bool
	Pack   int64 // #pragma pack: the largest alignment of a member; 0: none
	Align  int64 // the least alignment, of an attribute; 0: none
	MS     bool  // Microsoft's rules for bit-fields
}

// FieldSpec is what the layout of a member depends on, besides its Field's Type, BitField and Width.
type FieldSpec struct {
	Align  int64 // of an attribute or _Alignas; 0: none
	Packed bool
}

// layouter is gcc's record_layout_info. All numbers are bits.
type layouter struct {
	t        *Target
	l        Layout
	far      int64 // bytes before pos, a multiple of farBytes: bits of huge arrays do not fit
	pos      int64
	align    int64
	userAlgn bool
	// ms
	prev      *Field // the field that a run of bit-fields began with
	remaining int64
}

// field is a member as gcc's layout_decl sees it.
type field struct {
	*Field
	spec     FieldSpec
	size     int64 // -1: none
	far      int64 // bytes besides size, a multiple of farBytes
	align    int64
	user     bool
	packed   bool
	bitField bool // has not become an ordinary one
}

const bigAlign = 128 // BIGGEST_ALIGNMENT

// farBytes is more than any alignment.
const farBytes = 1 << 40

// LayOut computes the offsets of members and the size and alignment of a struct or union.
// user tells that an attribute had a part in the alignment.
func (t *Target) LayOut(l Layout, fields []Field, specs []FieldSpec) (size, align int64, user bool) {
	r := &layouter{t: t, l: l, align: max(8, l.Align*8)}
	if l.Align > 0 {
		r.userAlgn = true
	}
	for i := range fields {
		f := &field{Field: &fields[i], spec: specs[i]}
		f.far = max(f.Type.Size, 0) &^ (farBytes - 1)
		f.size = (f.Type.Size - f.far) * 8
		if f.Type.Kind == Array && f.Type.Len < 0 && f.Type.VLA == nil || f.Type.Size < 0 {
			f.size = -1
		}
		if f.BitField {
			f.size = int64(f.Width)
		}
		f.bitField = f.BitField
		f.align, f.user = max(1, f.spec.Align*8), f.spec.Align > 0
		f.packed = f.spec.Packed || l.Packed && (f.BitField || f.Type.Align > 1)
		if l.Union {
			r.placeUnion(f)
		} else {
			r.place(f, i == len(fields)-1)
		}
	}
	bytes := r.far + (r.pos+7)/8
	a := r.align / 8
	return roundUp(bytes, a), a, r.userAlgn
}

func roundUp(n, to int64) int64 {
	if to <= 0 {
		return n
	}
	return (n + to - 1) / to * to
}

// lowBit is the least significant bit of n that is set.
func lowBit(n int64) int64 { return n & -n }

func (r *layouter) pack() int64 { return r.l.Pack * 8 }

// decl is gcc's layout_decl of a field.
func (r *layouter) decl(f *field, known int64) {
	oldUser, packed, zero := f.user, f.packed, false
	typeAlign := f.Type.Align * 8
	natural := func() {
		if typeAlign > f.align {
			f.align, f.user = typeAlign, f.Type.UserAlign
		}
	}
	switch {
	case f.bitField:
		if f.size == 0 && !r.l.MS {
			zero, packed = true, false
			natural()
		}
		if f.size == 8 || f.size == 16 || f.size == 32 || f.size == 64 || f.size == 128 && r.t.PointerBits == 64 {
			if !(f.size > 8 && f.packed) && (known == 0 || known >= f.size) {
				f.align = max(f.size, f.align)
				f.bitField = false
			}
		}
	case packed && f.user:
	default:
		natural()
	}
	if packed && !oldUser {
		f.align = min(f.align, 8)
	}
	if !packed && !f.user {
		f.align = r.t.adjust(f.Type, f.align)
	}
	if mfa := r.pack(); mfa != 0 && !zero {
		f.align = min(f.align, mfa)
	}
}

// typeAlign is the alignment of a bit-field's type.
func (r *layouter) typeAlign(f *field) int64 {
	if f.Type.UserAlign {
		return f.Type.Align * 8
	}
	return r.t.adjust(f.Type, f.Type.Align*8)
}

// desired is gcc's update_alignment_for_field.
func (r *layouter) desired(f *field, known int64) int64 {
	r.decl(f, known)
	user := f.user
	switch {
	case r.l.MS:
		applies := !f.BitField
		if f.BitField {
			if f.size != 0 {
				applies = !f.packed
			} else {
				applies = r.prev != nil && r.prev.BitField && r.prev.Width != 0
			}
		}
		if applies {
			a := max(f.Type.Align*8, f.align)
			if !f.BitField && f.packed {
				a = f.align
			}
			if r.l.Pack != 0 {
				a = min(a, r.pack())
			}
			r.align = max(r.align, a)
		}
	case f.BitField:
		if f.Name == "" {
			break
		}
		a := r.typeAlign(f)
		switch {
		case f.size == 0:
		case r.l.Pack != 0:
			a = min(a, r.pack())
		case f.packed:
			a = min(a, 8)
		}
		r.align = max(r.align, f.align, a)
		user = user || f.Type.UserAlign
	default:
		r.align = max(r.align, f.align)
	}
	r.userAlgn = r.userAlgn || user
	return f.align
}

func (r *layouter) placeUnion(f *field) {
	r.desired(f, 0)
	f.Offset, f.BitOffset = 0, 0
	if size := roundUp(f.size, 8); f.size >= 0 && (f.far > r.far || f.far == r.far && size > r.pos) {
		r.far, r.pos = f.far, size
	}
}

// place is gcc's place_field.
func (r *layouter) place(f *field, last bool) {
	known := lowBit(r.pos)
	if known == 0 && r.far > 0 {
		known = farBytes
	}
	desired := r.desired(f, known)
	if known == 0 {
		known = max(bigAlign, r.align)
	}
	if known < desired && (!r.l.MS || r.prev == nil) {
		r.pos = roundUp(r.pos, desired)
	}
	if !r.l.MS && f.bitField && !f.packed && r.l.Pack == 0 && f.size != 0 {
		a := r.typeAlign(f)
		if (r.pos%a+f.size+a-1)/a > f.Type.Size*8/a {
			r.pos = roundUp(r.pos, a)
		}
		r.userAlgn = r.userAlgn || f.Type.UserAlign
	}
	if r.l.MS {
		r.placeMS(f, known < desired, desired)
	}
	f.Offset, f.BitOffset = r.far+r.pos/8, 0
	if f.BitField {
		f.BitOffset = int(r.pos % 8)
	}
	if r.l.MS && r.prev == nil && f.BitField {
		r.prev = f.Field
	}
	if f.size < 0 {
		return
	}
	r.far += f.far
	r.pos += f.size
	if r.l.MS && f.BitField && f.size != 0 && last {
		r.pos += r.remaining
	}
}

// placeMS is the part of place_field about ms_struct.
func (r *layouter) placeMS(f *field, realign bool, desired int64) {
	saved := r.prev
	typeSize := f.Type.Size * 8
	if r.prev != nil {
		if f.BitField && f.size != 0 && r.prev.Width != 0 && r.prev.BitField && f.Type.Size == r.prev.Type.Size {
			if r.remaining < f.size {
				r.pos += r.remaining
				r.prev = f.Field
				r.remaining = max(0, typeSize-f.size)
			} else {
				r.remaining -= f.size
				realign = false
			}
		} else {
			if r.prev.Width != 0 {
				r.pos += r.remaining
			} else {
				saved = nil
			}
			if !f.BitField || f.size == 0 {
				r.prev = nil
			}
		}
		if realign {
			r.pos = roundUp(r.pos, desired)
		}
	}
	differs := f.size != 0
	if saved != nil {
		differs = f.Type.Size != saved.Type.Size
	}
	if !f.BitField || differs {
		if f.size >= 0 && typeSize >= 0 {
			r.remaining = max(0, typeSize-f.size)
		}
		a := int64(8)
		if !f.packed {
			a = f.Type.Align * 8
		}
		if r.l.Pack != 0 {
			a = min(a, r.pack())
		}
		r.pos = roundUp(r.pos, a)
		r.prev = nil
	}
}
