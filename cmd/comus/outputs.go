package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// output is a file that the command line has comus write.
type output struct {
	flag string // by which it was asked for
	file string // "": it was not
	kind kind
	// makes tells that the folder for it is made, too.
	makes bool
}

// forceFlag defines --force, for every command that writes files.
func (c *command) forceFlag(f *pflag.FlagSet) {
	f.BoolVar(&c.force, "force", false, "overwrite existing files, even those that comus did not write for the same flag")
}

// claim finds out before the work what keeps the files that are asked for from being written, as far as that can be seen:
// there is no folder for one, one is read by this run, two are the same, or one is there and is not what comus writes to
// it. The last is what --force allows.
func (c *command) claim(outputs []output, inputs ...string) error {
	outputs = slices.DeleteFunc(slices.Clone(outputs), func(o output) bool { return o.file == "" })
	for i, o := range outputs {
		if err := o.writable(); err != nil {
			return err
		}
		if err := apart(o.file, inputs...); err != nil {
			return err
		}
		for _, before := range outputs[:i] {
			if sameOutput(before.file, o.file) {
				return fmt.Errorf("%s: %s and %s would both write it", o.file, before.flag, o.flag)
			}
		}
		if c.force {
			continue
		}
		if err := o.replaceable(); err != nil {
			return err
		}
	}
	return nil
}

// claimFolder is claim for a folder that comus fills: it is new, or empty, or one that comus has filled before.
func (c *command) claimFolder(folder, flag string, of folderKind) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fileError(folder, err)
	case c.force || len(entries) == 0 || of.is(folder):
		return nil
	}
	return fmt.Errorf("%s: already exists and is no %s, so %s does not write to it (hint: add --force)", folder, of.name, flag)
}

// writable finds out before the work what would keep a file from being written, as far as that can be seen.
func (o output) writable() error {
	if st, err := os.Stat(o.file); err == nil && st.IsDir() {
		return fmt.Errorf("%s: is a directory", o.file)
	}
	if _, err := os.Stat(filepath.Dir(o.file)); err != nil && !o.makes {
		return fileError(o.file, err)
	}
	return nil
}

// apart refuses to write to a file that is one of those to read, by whatever name. Empty names are none.
func apart(out string, inputs ...string) error {
	to, err := os.Stat(out)
	if err != nil || !to.Mode().IsRegular() {
		return nil // a pipe, say, or a terminal
	}
	for _, in := range inputs {
		if from, err := os.Stat(in); err == nil && os.SameFile(from, to) {
			return fmt.Errorf("%s: would be overwritten; it is the same file as %s, which is read", out, in)
		}
	}
	return nil
}

// sameOutput tells whether two names are those of one file, which need not be there yet. A terminal or a pipe may be
// written to twice.
func sameOutput(a, b string) bool {
	to, err := os.Stat(a)
	if err == nil {
		from, err := os.Stat(b)
		return err == nil && to.Mode().IsRegular() && os.SameFile(from, to)
	}
	return realPath(a) == realPath(b)
}

// realPath returns the name of a file without links in its folder, as far as that can be found out.
func realPath(file string) string {
	if folder, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		file = filepath.Join(folder, filepath.Base(file))
	}
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	return file
}

// replaceable refuses to write over a regular file that is no output of the same kind. What has nothing in it may go,
// unless its name says that it is source.
func (o output) replaceable() error {
	st, err := os.Stat(o.file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fileError(o.file, err)
	case !st.Mode().IsRegular():
		return nil
	case !o.kind.source && isSource(o.file):
		return fmt.Errorf("%s: is a C or C++ file, and %s would overwrite it (hint: add --force)", o.file, o.flag)
	case st.Size() == 0:
		return nil
	}
	text, err := readStart(o.file)
	if err != nil {
		return fileError(o.file, err)
	}
	if !o.kind.wrote(text) {
		return fmt.Errorf("%s: already exists and is no %s, so %s does not overwrite it (hint: add --force)", o.file, o.kind.name, o.flag)
	}
	return nil
}

// isSource tells whether the name of a file, or of what it is a link to, is that of C or C++.
func isSource(file string) bool {
	names := []string{file}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		names = append(names, target)
	}
	return slices.ContainsFunc(names, func(n string) bool {
		return slices.Contains(sourceSuffixes, strings.ToLower(filepath.Ext(n)))
	})
}

// sourceSuffixes end the names of sources and headers, in small letters.
var sourceSuffixes = []string{".c", ".h", ".i", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".ii", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".inl", ".tcc"}
