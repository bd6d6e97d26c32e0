package comus

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"comus/cfront"
	"comus/check"
	"comus/ir"
)

// Source is a C program whose text has been read, once: all that is asked of it later is
// about this text, whatever becomes of the file. It is the only place of this package that
// knows how a program comes out of a text.
type Source struct {
	// File is the name that it was read from.
	File string
	text string
	hash string // SHA-256 of the text
}

// maxText is the size of a text above which the front end says that it is too large, if its
// options do not say it.
const maxText = 8 << 20

// Open reads the text of a source file. An error is that of the front end, a *cfront.Error.
func Open(file string, how cfront.Options) (*Source, error) {
	text, err := readText(file, cmp.Or(max(how.MaxFileSize, 0), maxText)+1)
	if err != nil {
		if _, better := cfront.ParseFile(file, how); better != nil {
			err = better // in the words of the front end
		}
		return nil, err
	}
	sum := sha256.Sum256(text)
	return &Source{File: file, text: string(text), hash: hex.EncodeToString(sum[:])}, nil
}

// readText reads what is a file, or behaves like one, up to a limit.
func readText(file string, limit int64) ([]byte, error) {
	st, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if st.Mode()&(fs.ModeDevice|fs.ModeSocket) != 0 {
		return nil, fmt.Errorf("%s: is not a regular file", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// Reading is a source read within some bounds, or with any number of threads where a loop
// creates them: the program that one question is about.
type Reading struct {
	Program  *ir.Program
	Warnings []string
	// MoreThreads tells whether a larger bound of threads could make more executions part of
	// the program.
	MoreThreads bool
	// ID names the source and how it was read, in certificates.
	ID check.Program
}

// Read makes a program of the source. Each reading is one of its own, which shares nothing
// with others: engines are not trusted with the program that their answers are checked on
// where they read one themselves.
func (s *Source) Read(how cfront.Options) (*Reading, error) {
	r, err := cfront.Parse(s.File, []byte(s.text), how)
	if err != nil {
		return nil, err
	}
	if afterRead != nil {
		afterRead(r.Program)
	}
	out := &Reading{Program: r.Program, Warnings: r.Warnings, MoreThreads: r.BoundedThreads, ID: s.identity(how)}
	if !r.HasAssertions {
		out.Warnings = append(out.Warnings, s.File+": warning: the program contains no assertion: nothing can fail")
	}
	return out, nil
}

// afterRead changes every program that is read, for tests: this front end makes no
// approximations.
var afterRead func(*ir.Program)

// identity describes the source, and how it is read, for a certificate.
func (s *Source) identity(how cfront.Options) check.Program {
	atomic := "step"
	if how.AtomicStatements {
		atomic = "statement"
	}
	return check.Program{File: filepath.Base(s.File), SHA256: s.hash, DataModel: dataModels[how.DataModel],
		Overflow: overflows[how.Overflow], Atomic: atomic, Check: how.Check.Names(), MaxThreads: how.MaxThreads, MaxAllocs: how.MaxAllocs,
		Unwind: how.Unwind, Unroll: how.UnrollLimit, Parametric: how.Parametric}
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
