package cfront

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"comus/cfront/build"
	"comus/cfront/command"
	"comus/cfront/read"
)

// Store keeps bytes under keys, for several at once. What it has under a key may be gone at any time, but is nothing else than what was kept there by the same
// executable: the keys say nothing of comus itself. They are hexadecimal numbers of 64 digits.
type Store interface {
	Get(key string) []byte // nil: nothing
	Put(key string, data []byte)
}

// find looks for a unit in the store, and reports whether it is there. If it is not, and has to be preprocessed for the question, its tokens are there.
func (u *unit) find(ctx context.Context, o Options) (found bool, err error) {
	var text *read.Preprocessed
	switch {
	case o.Weave != nil || o.Library: // the one is not asked what it does, the other one wants to know types, which are not kept
		return false, nil
	case u.headers != nil && !u.library:
		return false, nil
	case u.headers != nil: // a model, the text of which is comus's own
		u.key = keyOf("model", u.inv.File, u.inv.Flags, u.macros)
	case u.text != nil || o.OnlyModels:
		return false, nil
	default:
		if text, err = read.Preprocess(ctx, u.inv, o.read()); err != nil {
			return false, err
		}
		if sum, known := text.Sum(); known {
			u.key = keyOf("unit", hex.EncodeToString(sum[:]), u.inv.Flags, nil)
		}
	}
	if u.key != "" {
		if data := o.Store.Get(u.key); data != nil {
			if b, err := build.FromBytes(data); err == nil {
				b.Library = u.library
				u.built, u.key = b, ""
				return true, nil
			}
		}
	}
	if text != nil {
		u.tokens, u.warnings, err = text.Tokens()
	}
	return false, err
}

// keep keeps what a unit was built to.
func (u *unit) keep(o Options) {
	if u.key == "" || u.warnings != nil {
		return
	}
	if data, err := u.built.Bytes(); err == nil {
		o.Store.Put(u.key, data)
	}
}

// keyOf returns a key.
func keyOf(kind, what string, flags command.Flags, macros []string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %#v %q", kind, what, flags, macros))
	return hex.EncodeToString(sum[:])
}
