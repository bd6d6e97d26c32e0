package cache

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"comus/report/scanreport"
	"comus/scan"
)

// sample is a program with something in every part.
func sample(name string) *scanreport.Program {
	return &scanreport.Program{Name: name, Files: []string{"a.c"}, Lines: 3, Threads: []scanreport.Thread{{Name: "main", Parent: -1}},
		Locations: []scanreport.Location{{Name: "x\xff", Why: scan.Locked, Locks: []string{"m"}, Threads: []int{0}}},
		Findings: []*scanreport.Finding{{Names: []string{"y"}, Reason: "no common lock", Rank: 2, Decision: scanreport.Decision{Verdict: scanreport.Open},
			Suspects: []*scan.Suspect{{Rank: 2}}}},
		Assumptions: []string{"malloc does not return NULL"}, Funcs: 1, Accesses: 7}
}

// TestGet keeps a program and finds it again, under its own key only; a file that is damaged, cut off or of another key counts as not there.
func TestGet(t *testing.T) {
	f, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	want := sample("a")
	key, other := f.Key("a", "bc"), f.Key("ab", "c")
	if key == other {
		t.Fatal("parts are not told apart")
	}
	if f.Get(key, Where{}) != nil {
		t.Fatal("found before it was kept")
	}
	if err := f.Put(key, want, Where{}); err != nil {
		t.Fatal(err)
	}
	want.Findings[0].Suspects = nil
	if got := f.Get(key, Where{}); !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	data, err := os.ReadFile(filepath.Join(f.path, key+suffix))
	if err != nil {
		t.Fatal(err)
	}
	write := func(key string, data []byte) {
		if err := os.WriteFile(filepath.Join(f.path, key+suffix), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(other, data)
	if f.Get(other, Where{}) != nil {
		t.Error("an entry is found under the name of another one")
	}
	for i := range data {
		bad := append([]byte{}, data...)
		bad[i] ^= 4
		write(key, bad)
		if f.Get(key, Where{}) != nil {
			t.Fatalf("byte %d is damaged, and nobody sees it", i)
		}
		write(key, data[:i])
		if f.Get(key, Where{}) != nil {
			t.Fatalf("found with %d of %d bytes", i, len(data))
		}
	}
}

// TestPrune bounds a folder: the entry that was used last stays, and what is none of the cache's.
func TestPrune(t *testing.T) {
	f, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(f.path, "notes.txt")
	if err := os.WriteFile(foreign, make([]byte, 5000), 0o666); err != nil {
		t.Fatal(err)
	}
	f.most = 2000
	for i := range 20 {
		key := f.Key(string(rune('a' + i)))
		if err := f.Put(key, sample("p"), Where{}); err != nil {
			t.Fatal(err)
		}
		if f.Get(key, Where{}) == nil {
			t.Fatalf("entry %d is gone at once", i)
		}
	}
	list, err := filepath.Glob(filepath.Join(f.path, "*"+suffix))
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
	if total > f.most || len(list) == 0 {
		t.Errorf("%d entries of %d bytes", len(list), total)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error(err)
	}
}
