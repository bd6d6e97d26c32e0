package happens

import (
	"math/rand/v2"
	"testing"
)

// world is a few threads and one object; every place of an access is its thread's number.
type world struct {
	ts    []*Thread
	mem   Memory
	races int
}

// newWorld returns a main thread and n threads that it created.
func newWorld(n int) *world {
	w := &world{ts: []*Thread{NewThread(0, nil)}}
	for i := range n {
		w.ts = append(w.ts, NewThread(i+1, w.ts[0]))
	}
	return w
}

func (w *world) access(t int, off, n int64, k Kind) {
	w.mem.Access(w.ts[t], off, n, k, uint64(t), func(int64, Access) { w.races++ })
}

func (w *world) store(t int, off int64, release bool) {
	w.mem.Store(w.ts[t], off, 4, release, false)
}

// TestOrder has sequences of actions and whether they race at the end.
func TestOrder(t *testing.T) {
	const data, flag = 0, 64
	tests := []struct {
		name string
		run  func(w *world)
		race bool
	}{
		{"two writes", func(w *world) { w.access(1, data, 4, PlainWrite) }, true},
		{"created later", func(w *world) { w.access(0, data, 4, PlainWrite); w.ts[2] = NewThread(2, w.ts[0]) }, false},
		{"other bytes", func(w *world) { w.access(1, data+4, 4, PlainWrite); w.access(1, data-0+9, 1, PlainWrite) }, false},
		{"part", func(w *world) { w.access(1, data+3, 1, PlainRead) }, true},
		{"atomic", func(w *world) { w.access(1, data, 4, AtomicWrite) }, true},
		{"lock", func(w *world) {
			var c Clock
			w.access(1, data, 4, PlainWrite)
			w.ts[1].Release(&c)
			w.ts[2].Acquire(c)
		}, false},
		{"after the release", func(w *world) {
			var c Clock
			w.ts[1].Release(&c)
			w.access(1, data, 4, PlainWrite)
			w.ts[2].Acquire(c)
		}, true},
		{"release and acquire", func(w *world) {
			w.access(1, data, 4, PlainWrite)
			w.store(1, flag, true)
			w.mem.Load(w.ts[2], flag, 4, true)
		}, false},
		{"relaxed load", func(w *world) {
			w.access(1, data, 4, PlainWrite)
			w.store(1, flag, true)
			w.mem.Load(w.ts[2], flag, 4, false)
		}, true},
		{"acquire fence", func(w *world) {
			w.access(1, data, 4, PlainWrite)
			w.store(1, flag, true)
			w.mem.Load(w.ts[2], flag, 4, false)
			w.ts[2].Fence(true, false)
		}, false},
		{"release fence", func(w *world) {
			w.access(1, data, 4, PlainWrite)
			w.ts[1].Fence(false, true)
			w.store(1, flag, false)
			w.mem.Load(w.ts[2], flag, 4, true)
		}, false},
		{"write behind the fence", func(w *world) {
			w.ts[1].Fence(false, true)
			w.access(1, data, 4, PlainWrite)
			w.store(1, flag, false)
			w.mem.Load(w.ts[2], flag, 4, true)
		}, true},
		{"release sequence by another thread's update", func(w *world) {
			w.access(1, data, 4, PlainWrite)
			w.store(1, flag, true)
			w.mem.Store(w.ts[3], flag, 4, false, true)
			w.mem.Load(w.ts[2], flag, 4, true)
		}, false},
		{"release sequence by the same thread's store", func(w *world) {
			w.access(1, data, 4, PlainWrite)
			w.store(1, flag, true)
			w.store(1, flag, false)
			w.mem.Load(w.ts[2], flag, 4, true)
		}, false},
		{"another thread's store ends it", func(w *world) {
			w.access(1, data, 4, PlainWrite)
			w.store(1, flag, true)
			w.store(3, flag, false)
			w.mem.Load(w.ts[2], flag, 4, true)
		}, true},
		{"a plain write ends it", func(w *world) {
			w.access(1, data, 4, PlainWrite)
			w.store(1, flag, true)
			w.access(1, flag, 4, PlainWrite)
			w.mem.Load(w.ts[2], flag, 4, true)
		}, true},
		{"an ordered atomic write does not hide a plain one", func(w *world) {
			var c Clock
			w.access(1, data, 4, PlainWrite)
			w.ts[1].Release(&c)
			w.ts[3].Acquire(c)
			w.access(3, data, 4, AtomicWrite)
			w.mem.Load(w.ts[2], data, 4, true)
			w.access(2, data, 4, AtomicRead)
			if w.races != 1 {
				t.Errorf("hidden: %d races", w.races)
			}
		}, true},
	}
	for _, test := range tests {
		w := newWorld(3)
		test.run(w)
		w.access(2, data, 4, PlainWrite)
		if w.races > 0 != test.race {
			t.Errorf("%s: %d races", test.name, w.races)
		}
	}
}

// TestDivided accesses parts of a word in all ways, and asks for each byte who was there.
func TestDivided(t *testing.T) {
	for a := range int64(20) {
		for n := int64(1); n < 12; n++ {
			w := newWorld(2)
			w.access(1, 3, 7, PlainRead)
			w.access(1, a, n, PlainWrite)
			for b := range int64(40) {
				w.races = 0
				w.access(2, b, 1, PlainRead)
				if in := b >= a && b < a+n; in != (w.races > 0) {
					t.Fatalf("write at %d+%d, read at %d: %d races", a, n, b, w.races)
				}
			}
		}
	}
}

// TestSpans accesses a large object as a whole and in parts, and asks each word who was there, as one is told that notes each byte by itself.
func TestSpans(t *testing.T) {
	const words, first = 3 * leastSpan, direct - leastSpan // some words are found without a map, others by it
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		w, bytes := newWorld(3), make([]Memory, words*wordSize)
		for range 12 {
			off, n := int64(r.IntN(words*wordSize)), int64(1+r.IntN(20))
			if r.IntN(2) == 0 {
				n = int64(r.IntN(words * wordSize))
			}
			n = min(n, words*wordSize-off)
			th, kind, clock := 1+r.IntN(3), Kind(r.IntN(4)), Clock(nil)
			if r.IntN(3) == 0 {
				w.ts[1+r.IntN(3)].Release(&clock)
				w.ts[th].Acquire(clock)
			}
			raced := false
			for b := off; b < off+n; b++ {
				bytes[b].Access(w.ts[th], 0, 1, kind, uint64(th), func(int64, Access) { raced = true })
			}
			w.races = 0
			if w.access(th, first*wordSize+off, n, kind); r.IntN(8) == 0 {
				for b := range bytes {
					bytes[b].AccessAll(w.ts[th], kind, uint64(th), func(int64, Access) { raced = true })
				}
				w.mem.AccessAll(w.ts[th], kind, uint64(th), func(int64, Access) { w.races++ })
			}
			if raced != (w.races > 0) {
				t.Fatalf("seed %d: %d bytes at %d: %d races, by bytes: %v", seed, n, off, w.races, raced)
			}
		}
	}
}
