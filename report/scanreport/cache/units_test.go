package cache

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestUnits keeps units and finds them again, several at once; one that is damaged, or is there under the name of another one, counts as not there.
func TestUnits(t *testing.T) {
	f, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	u := f.Units()
	text := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, 100+i) }
	key := func(i int) string { return strings.Repeat(string(rune('a'+i)), 64) }
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			u.Put(key(i/3), text(i/3))
			if got := u.Get(key(i / 3)); !bytes.Equal(got, text(i/3)) {
				t.Errorf("%d: %x", i, got)
			}
		}()
	}
	wg.Wait()
	if err := u.Close(); err != nil {
		t.Fatal(err)
	}
	if u.Get(key(9)) != nil {
		t.Error("found though nobody kept it")
	}
	one, _ := u.file(key(1))
	two, _ := u.file(key(2))
	data, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(two, data)
	if u.Get(key(2)) != nil {
		t.Error("a unit is found under the name of another one")
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1
		write(one, bad)
		if u.Get(key(1)) != nil {
			t.Fatalf("byte %d is damaged, and nobody sees it", i)
		}
		write(one, data[:i])
		if u.Get(key(1)) != nil {
			t.Fatalf("found with %d of %d bytes", i, len(data))
		}
	}
}

// TestUnitsPrune bounds a folder with units and results.
func TestUnitsPrune(t *testing.T) {
	f, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f.most = 3000
	result := f.Key("result")
	if err := f.Put(result, sample("p"), Where{}); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		u := f.Units()
		u.Put(strings.Repeat(string(rune('a'+i)), 64), make([]byte, 1000))
		if err := u.Close(); err != nil {
			t.Fatal(err)
		}
	}
	list, err := filepath.Glob(filepath.Join(f.path, "*"))
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, name := range list {
		st, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		total += st.Size()
	}
	if total > f.most || len(list) != 2 || f.Get(result, Where{}) != nil {
		t.Errorf("%d entries of %d bytes", len(list), total)
	}
}
