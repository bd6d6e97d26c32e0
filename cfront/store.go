package cfront

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

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

// Kept is a store for a run of comus: a unit that was found or put there once in the run is what it was then, without being preprocessed again.
type Kept struct {
	store Store
	seen  sync.Map // keys of units by what they are read from
}

// Keep returns a store for a run.
func Keep(s Store) *Kept { return &Kept{store: s} }

// get returns what a unit was built to, nil if that is not there.
func (k *Kept) get(key string, library bool) *build.Unit {
	data := k.store.Get(key)
	if data == nil {
		return nil
	}
	b, err := build.FromBytes(data)
	if err != nil {
		return nil
	}
	b.Library = library
	return b
}

// find looks for a unit in the store, and reports whether it is there. If it is not, and has to be preprocessed for the question, its tokens are there.
func (u *unit) find(ctx context.Context, o Options) (found bool, err error) {
	var text *read.Preprocessed
	u.from = fmt.Sprintf("%#v %d", u.inv, o.DataModel)
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
		if key, ok := o.Store.seen.Load(u.from); ok {
			if u.built = o.Store.get(key.(string), u.library); u.built != nil {
				return true, nil
			}
		}
		if text, err = read.Preprocess(ctx, u.inv, o.read()); err != nil {
			return false, err
		}
		if sum, known := text.Sum(); known {
			u.key = keyOf("unit", hex.EncodeToString(sum[:]), u.inv.Flags, nil)
		}
	}
	if u.key != "" {
		if u.built = o.Store.get(u.key, u.library); u.built != nil {
			o.Store.seen.Store(u.from, u.key)
			u.key = ""
			return true, nil
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
		o.Store.store.Put(u.key, data)
		o.Store.seen.Store(u.from, u.key)
	}
}

// keyOf returns a key.
func keyOf(kind, what string, flags command.Flags, macros []string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %#v %q", kind, what, flags, macros))
	return hex.EncodeToString(sum[:])
}
