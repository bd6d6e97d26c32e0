// Package cache keeps what scans found out in a folder, so that a program that has not changed is not analysed again, and what their units were built to
// (units.go), so that a file that has not changed is not read again.
//
// An entry is a file, named after all that it depends on: what was analysed of the program as it was read and linked (package cir/digest: sources, headers, models and the
// flags that they were read with have no other way to matter; mostly its slice, package scan/slice), how it was to be analysed, and the executable of comus, by its contents. So there is nothing that an edit
// would have to invalidate: what has changed has another name. Only where things stand in the source, and the texts there, are no part of the name; where
// they have changed, they are replaced (moved.go, spell.go). The file begins with a hash of the rest; one that is damaged, or of another
// program, counts as not there. Files are written beside and renamed, so that several processes can use a folder at once, and the
// oldest ones go when there are too many.
package cache

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"comus/cir"
	"comus/internal/whole"
	"comus/report/scanreport"
)

// magic begins a file; its number changes with the form.
const magic = "comus scan cache 3\n"

// suffix ends the name of an entry. Nothing but that and units is touched in the folder.
const suffix = ".comus-scan"

// unitSuffix ends the name of the entry of a unit.
const unitSuffix = ".comus-unit"

// maxBytes bounds the entries of a folder.
const maxBytes = 256 << 20

// Folder is a folder of entries.
type Folder struct {
	path string
	tool [sha256.Size]byte
	most int64
}

// Open returns a folder, which is made if it is not there.
func Open(path string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	tool, err := executable()
	if err != nil {
		return nil, err
	}
	return &Folder{path: path, tool: tool, most: maxBytes}, nil
}

// executable returns the hash of comus itself.
func executable() (sum [sha256.Size]byte, err error) {
	name, err := os.Executable()
	if err != nil {
		return sum, err
	}
	f, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum, err
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// Key names what an entry depends on beside comus: parts that have to be told apart.
func (f *Folder) Key(parts ...string) string {
	h := sha256.New()
	h.Write(f.tool[:])
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Where is where things stand in a program. It is no part of the key.
type Where struct {
	// Places are all that matter, in a fixed order: as many in each program with the same key.
	Places []cir.Pos
	// Sites are those of instructions whose texts are no part of the key either, in a fixed order, as many in each program with the same key; nil: all texts are part of it.
	Sites []*cir.Site
}

// Get returns what was kept under a key, of a program where things stand so; nil if there is nothing, or nothing that can be used.
func (f *Folder) Get(key string, at Where) *scanreport.Program {
	file := filepath.Join(f.path, key+suffix)
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	p, err := decode(key, data, at)
	if err != nil {
		return nil
	}
	_ = used(file) // matters to nobody but prune
	return p
}

// Put keeps what is known of a program where things stand so under a key.
func (f *Folder) Put(key string, p *scanreport.Program, at Where) error {
	data, err := encode(key, p, at)
	if err != nil {
		return err
	}
	if int64(len(data)) > f.most {
		return nil
	}
	file := filepath.Join(f.path, key+suffix)
	if err := whole.WriteFile(file, data); err != nil {
		return err
	}
	_ = used(file) // a file system's own clock may be behind
	return f.prune()
}

// used marks an entry as used now: those that were not for the longest time go first.
func used(file string) error {
	now := time.Now()
	return os.Chtimes(file, now, now)
}

// prune removes the oldest entries where there are too many.
func (f *Folder) prune() error {
	list, err := os.ReadDir(f.path)
	if err != nil {
		return err
	}
	type file struct {
		name string
		size int64
		used time.Time
	}
	var entries []file
	total := int64(0)
	for _, e := range list {
		key, after, found := strings.Cut(e.Name(), suffix)
		if !found {
			key, after, found = strings.Cut(e.Name(), unitSuffix)
		}
		if !found || len(key) != 2*sha256.Size {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() { // another process has removed it
			continue
		}
		if after != "" && time.Since(info.ModTime()) < time.Hour { // somebody is about to write it
			continue
		}
		entries = append(entries, file{e.Name(), info.Size(), info.ModTime()})
		total += info.Size()
	}
	slices.SortFunc(entries, func(x, y file) int { return cmp.Or(x.used.Compare(y.used), cmp.Compare(x.name, y.name)) })
	for _, e := range entries {
		if total <= f.most {
			break
		}
		if err := os.Remove(filepath.Join(f.path, e.name)); err != nil && !os.IsNotExist(err) {
			return err
		}
		total -= e.size
	}
	return nil
}

// entry is what is kept of a program.
type entry struct {
	Program *scanreport.Program
	Places  packed
	Sites   []sited // of the program's findings; nil: texts are part of the key
}

// encode returns the file of an entry.
func encode(key string, p *scanreport.Program, at Where) ([]byte, error) {
	sites, err := sitedIn(p, at.Sites)
	if err != nil {
		return nil, err
	}
	kept := *p
	kept.Findings = nil
	for _, x := range p.Findings {
		y := *x
		y.Suspects = nil // they lead to the whole program
		kept.Findings = append(kept.Findings, &y)
	}
	var body bytes.Buffer
	zip := gzip.NewWriter(&body)
	if err := gob.NewEncoder(zip).Encode(entry{&kept, pack(at.Places), sites}); err != nil {
		return nil, err
	}
	if err := zip.Close(); err != nil {
		return nil, err
	}
	return sealed(key, body.Bytes()), nil
}

// sealed returns the file of an entry with a body.
func sealed(key string, body []byte) []byte {
	sum := sumOf(key, body)
	return slices.Concat([]byte(magic), sum[:], body)
}

// unsealed returns the body of a file that is a whole entry under a key.
func unsealed(key string, data []byte) ([]byte, error) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(rest) < sha256.Size {
		return nil, fmt.Errorf("not an entry of a cache")
	}
	sum, body := [sha256.Size]byte(rest[:sha256.Size]), rest[sha256.Size:]
	if sum != sumOf(key, body) {
		return nil, fmt.Errorf("an entry of a cache that is damaged")
	}
	return body, nil
}

// sumOf covers the key, too: an entry under the name of another one is none.
func sumOf(key string, body []byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte(key), body...))
}

func decode(key string, data []byte, at Where) (*scanreport.Program, error) {
	body, err := unsealed(key, data)
	if err != nil {
		return nil, err
	}
	zip, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	var e entry
	if err := gob.NewDecoder(zip).Decode(&e); err != nil {
		return nil, err
	}
	before, err := e.Places.unpack()
	if err != nil {
		return nil, err
	}
	if !slices.Equal(before, at.Places) {
		if m := moverOf(before, at.Places); m == nil || !m.program(e.Program) {
			return nil, errors.New("what was kept cannot be moved to the places that things have now")
		}
	}
	if at.Sites != nil && !spell(e.Program, e.Sites, at.Sites) {
		return nil, errors.New("what was kept is of other accesses")
	}
	return e.Program, nil
}
