package cache

import (
	"os"
	"path/filepath"
	"sync"

	"comus/internal/whole"
)

// Units are what the units of programs were built to (package cfront says by what it finds them), beside the results in a folder, for several at once.
type Units struct {
	folder *Folder
	mu     sync.Mutex
	wrote  bool
	err    error // the first of Put
}

// Units returns the units in the folder.
func (f *Folder) Units() *Units { return &Units{folder: f} }

// file returns the file of a unit, and the key that it is sealed with.
func (u *Units) file(key string) (file, sealedBy string) {
	sealedBy = u.folder.Key("unit", key)
	return filepath.Join(u.folder.path, sealedBy+unitSuffix), sealedBy
}

// Get returns what was kept of a unit; nil if there is nothing, or nothing that can be used.
func (u *Units) Get(key string) []byte {
	file, by := u.file(key)
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	body, err := unsealed(by, data)
	if err != nil {
		return nil
	}
	_ = used(file) // matters to nobody but prune
	return body
}

// Put keeps a unit.
func (u *Units) Put(key string, data []byte) {
	if int64(len(data)) > u.folder.most {
		return
	}
	file, by := u.file(key)
	err := whole.WriteFile(file, sealed(by, data))
	if err == nil {
		_ = used(file) // a file system's own clock may be behind
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.wrote = true
	if u.err == nil {
		u.err = err
	}
}

// Close removes the oldest entries of the folder where there are too many. The error is the first one of Put, or of that.
func (u *Units) Close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.err == nil && u.wrote {
		u.err = u.folder.prune()
	}
	return u.err
}
