package read

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"comus/cfront/command"
	"comus/cfront/syntax"
)

// Preprocessed is a unit behind the host's preprocessor, or one that was given so. What is preprocessed without a compiler becomes tokens at once.
type Preprocessed struct {
	inv     command.Invocation
	opts    Options
	out     []byte            // what the preprocessor printed, or the user gave as preprocessed
	users   []byte            // what the file holds that it was made of; nil: the user gave out as it is
	given   map[string][]byte // the texts of the user's other files, by their names in out, if they were read already
	done    *stream           // without a compiler
	warning []Warning
}

// endsOfCPlusPlus end the names of files that gcc takes for C++.
var endsOfCPlusPlus = []string{".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".ii"}

// Preprocess reads a unit and preprocesses it.
func Preprocess(ctx context.Context, inv command.Invocation, opts Options) (*Preprocessed, error) {
	if opts.MaxFileSize == 0 {
		opts.MaxFileSize = DefaultMaxFileSize
	}
	if inv.Language == "" && slices.Contains(endsOfCPlusPlus, filepath.Ext(inv.File)) {
		return nil, &Error{Pos: Pos{File: label(inv.Dir, inv.File)}, Msg: "is C++, by its name; comus reads C", Hint: "-x c has it read as C"}
	}
	text, err := readFile(inv.Path(), label(inv.Dir, inv.File), opts.MaxFileSize)
	if err != nil {
		return nil, err
	}
	return preprocessText(ctx, text, inv, opts)
}

// preprocessText preprocesses a unit whose file holds text.
func preprocessText(ctx context.Context, text []byte, inv command.Invocation, opts Options) (*Preprocessed, error) {
	if opts.MaxFileSize == 0 {
		opts.MaxFileSize = DefaultMaxFileSize
	}
	opts.ILP32 = opts.ILP32 || inv.Flags.ILP32 && !opts.LP64
	inv.Flags.ILP32 = opts.ILP32
	u := &Preprocessed{inv: inv, opts: opts}
	if isPreprocessed(text, &inv) {
		u.out = text
		return u, nil
	}
	cc := hostCompiler(opts)
	if cc == nil {
		var err error
		u.done, u.warning, err = ownPreprocess(ctx, text, &u.inv, opts)
		return u, err
	}
	if u.done = ownWithHost(ctx, cc, text, &u.inv, opts); u.done != nil || ctx.Err() != nil {
		return u, ctx.Err()
	}
	out, err := preprocess(ctx, cc, &u.inv, text, opts)
	switch {
	case err != nil:
		return nil, err
	case int64(len(out)) > opts.MaxFileSize:
		return nil, tooLarge(label(inv.Dir, inv.File), opts.MaxFileSize)
	}
	u.out, u.users = out, text
	return u, nil
}

// Tokens returns what package syntax parses.
func (u *Preprocessed) Tokens() (*syntax.Input, []Warning, error) {
	s := u.done
	if s == nil {
		s = align(u.out, u.inv.File, u.inv.Dir, u.users, u.opts.MaxFileSize, u.given)
	}
	if err := checkNesting(s); err != nil {
		return nil, nil, err
	}
	return s.input(label(u.inv.Dir, u.inv.File)), u.warning, nil
}

// Sum returns a hash of all that the tokens depend on, with their places and what the user wrote for them; false if that is not known. The files that the
// user wrote are read for that, and not once more for the tokens.
func (u *Preprocessed) Sum() (sum [sha256.Size]byte, known bool) {
	here, err := os.Getwd() // files are named relative to it
	if err != nil {
		return sum, false
	}
	h := sha256.New()
	add := func(name string, text []byte) {
		fmt.Fprintf(h, "%q %v %d\n", name, text != nil, len(text))
		h.Write(text)
	}
	fmt.Fprintf(h, "%q %#v %v %d\n", here, u.inv, u.opts.ILP32, u.opts.MaxFileSize)
	if u.done != nil {
		for i := range u.done.toks {
			t := &u.done.toks[i]
			fmt.Fprintf(h, "%s %v %v %s %d %d %d %d\n", t.text, t.bol, t.space, t.file.name, t.line, t.col, t.from, t.to)
		}
		for _, p := range u.done.pragmas {
			fmt.Fprintf(h, "%q %d %s %d\n", p.words, p.at, p.file.name, p.line)
		}
		for _, name := range slices.Sorted(maps.Keys(u.done.files)) {
			f := u.done.files[name]
			fmt.Fprintf(h, "%v ", f.system)
			add(f.label, f.text)
		}
		return [sha256.Size]byte(h.Sum(nil)), len(u.warning) == 0
	}
	add("out", u.out)
	add(u.inv.File, u.users)
	if u.users == nil { // nothing but out counts
		return [sha256.Size]byte(h.Sum(nil)), true
	}
	u.given = map[string][]byte{}
	seen := map[string]bool{u.inv.File: true}
	for line := range bytes.Lines(u.out) {
		if rest, ok := bytes.CutPrefix(line, []byte("# ")); ok { // a marker, no definition
			_, name, flags, ok := marker(string(bytes.TrimSuffix(rest, []byte("\n"))))
			if !ok || name == "" || seen[name] {
				continue
			}
			seen[name] = true
			if !isSystem(name, flags) {
				f := &source{name: name}
				u.given[name] = f.load(u.inv.Dir, u.opts.MaxFileSize)
				add(name, u.given[name])
			}
		}
	}
	return [sha256.Size]byte(h.Sum(nil)), true
}
