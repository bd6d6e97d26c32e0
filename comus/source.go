package comus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"comus/cfront"
	"comus/check"
)

// The names of options in certificates.
var (
	dataModels = map[cfront.DataModel]string{cfront.LP64: "LP64", cfront.ILP32: "ILP32"}
	overflows  = map[cfront.Overflow]string{cfront.OverflowAssume: "assume", cfront.OverflowCheck: "check", cfront.OverflowWrap: "wrap"}
)

// keyOf returns the key that a map has a value under.
func keyOf[K comparable](m map[K]string, value, what string) (K, error) {
	for k, v := range m {
		if v == value {
			return k, nil
		}
	}
	var none K
	return none, fmt.Errorf("the certificate names no known %s: %q", what, value)
}

// identify describes the source, and how it is read, for a certificate.
func identify(file string, o cfront.Options) (check.Program, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return check.Program{}, err
	}
	sum := sha256.Sum256(src)
	atomic := "step"
	if o.AtomicStatements {
		atomic = "statement"
	}
	return check.Program{File: filepath.Base(file), SHA256: hex.EncodeToString(sum[:]), DataModel: dataModels[o.DataModel],
		Overflow: overflows[o.Overflow], Atomic: atomic, Check: o.Check.Names(), MaxThreads: o.MaxThreads, MaxAllocs: o.MaxAllocs, Unwind: o.Unwind,
		Unroll: o.UnrollLimit, Parametric: o.Parametric}, nil
}

// sameProgram returns an error unless both are the same text, read with the same meaning.
// Bounds and passes may differ: no verdict that is not Unknown depends on them.
func sameProgram(a, b check.Program) error {
	switch {
	case a.SHA256 != b.SHA256:
		return errors.New("it is about another source: the file has been changed")
	case a.DataModel != b.DataModel || a.Overflow != b.Overflow || a.Atomic != b.Atomic || !slices.Equal(a.Check, b.Check):
		return errors.New("the source was read with other options")
	}
	return nil
}

// SourceOptions returns the options of the front end that a certificate names. The
// error is for names that comus does not know.
func SourceOptions(p check.Program) (cfront.Options, error) {
	o := cfront.Options{AtomicStatements: p.Atomic == "statement", MaxThreads: p.MaxThreads, MaxAllocs: p.MaxAllocs, Unwind: p.Unwind, UnrollLimit: p.Unroll, Parametric: p.Parametric}
	var err error
	if o.DataModel, err = keyOf(dataModels, p.DataModel, "data model"); err != nil {
		return o, err
	}
	if o.Overflow, err = keyOf(overflows, p.Overflow, "reading of overflow"); err != nil {
		return o, err
	}
	if o.Check, err = cfront.ChecksNamed(p.Check); err != nil {
		return o, fmt.Errorf("the certificate: %w", err)
	}
	return o, nil
}

// readings says, for people, what the options that a certificate names change about the
// meaning of the source.
func readings(p check.Program) []string {
	var out []string
	for _, o := range []struct{ flag, value, usual string }{
		{"data-model", p.DataModel, dataModels[cfront.LP64]},
		{"overflow", p.Overflow, overflows[cfront.OverflowAssume]},
		{"atomic", p.Atomic, "step"},
		{"check", strings.Join(p.Check, ","), ""},
	} {
		if o.value != o.usual {
			out = append(out, fmt.Sprintf("the source is read with --%s=%s", o.flag, o.value))
		}
	}
	return out
}
