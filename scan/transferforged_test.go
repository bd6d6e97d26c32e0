package scan_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/scancheck"
	"comus/cir/interp/sample"
	"comus/internal/long"
	"comus/internal/randrace"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// copied returns a certificate that can be changed.
func copied(t *testing.T, c *certificate.Certificate) *certificate.Certificate {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	d := &certificate.Certificate{}
	if err := json.Unmarshal(text, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestTransferMutations changes what certificates say of how the ownership of objects is transferred: each state that is taken out, or changed, is missed, and so are locks, cells and links.
func TestTransferMutations(t *testing.T) {
	long.Only(t)
	done := 0
	for _, src := range []string{transferring(slotPut, slotTake), transferring(stackPut, stackTake), transferring(fifoPut, fifoTake), transferring(fifoPut, "LOCK j = q.head; if (j) { if (j == q.tail) q.head = q.tail = 0; else q.head = j->next; } UNLOCK")} {
		p := load(t, text(t, transferHeader+src))
		r, err := scan.Analyse(t.Context(), p.Program, nil, scan.Options{Certificate: true})
		if err != nil {
			t.Fatal(err)
		}
		refused := func(what string, change func(h *certificate.Transfer)) {
			t.Helper()
			c := copied(t, r.Certificate)
			if len(c.Transfers) != 1 {
				t.Fatalf("%d transfers", len(c.Transfers))
			}
			change(&c.Transfers[0])
			done++
			rep, err := scancheck.Check(t.Context(), p.Program, r.Points, c)
			if err != nil {
				return
			}
			for i, l := range c.Locations {
				if slices.Contains(l.Pairs, certificate.Transferred) && rep.Certified(i) {
					t.Errorf("%s: nobody saw it: %s is certified\n%s", what, l.Name, src)
					return
				}
			}
		}
		h := r.Certificate.Transfers[0]
		for i := range h.Containers[0].States {
			refused("a state less", func(h *certificate.Transfer) {
				h.Containers[0].States = slices.Delete(h.Containers[0].States, i, i+1)
			})
			refused("an object belongs to a container, or does not", func(h *certificate.Transfer) {
				s := &h.Containers[0].States[i]
				s.In = !s.In
			})
			refused("a link leads to an object, or does not", func(h *certificate.Transfer) {
				s := &h.Containers[0].States[i]
				s.Pred = !s.Pred
			})
			for k := range h.Containers[0].Cells {
				for _, is := range []string{"null", "else"} {
					if h.Containers[0].States[i].Cells[k].Is != is {
						refused("a cell holds something else", func(h *certificate.Transfer) {
							h.Containers[0].States[i].Cells[k] = certificate.Word{Is: is}
						})
					}
				}
			}
		}
		refused("another link", func(h *certificate.Transfer) { h.Link = 16 })
		refused("a link in the middle", func(h *certificate.Transfer) { h.Link = 12 })
		refused("another lock", func(h *certificate.Transfer) { h.Containers[0].Lock.Off += 40 })
		refused("no objects", func(h *certificate.Transfer) { h.Objects = nil })
		refused("no containers", func(h *certificate.Transfer) { h.Containers = nil })
		refused("a cell is elsewhere", func(h *certificate.Transfer) { h.Containers[0].Cells[0].At.Off += 4 })
		refused("another object", func(h *certificate.Transfer) { h.Objects = []int{h.Containers[0].Lock.Object} })
		refused("nothing is owned", func(h *certificate.Transfer) {
			for i := range h.Containers[0].Cells {
				h.Containers[0].Cells[i].Owns = false
			}
		})
	}
	t.Logf("%d changes", done)
}

// TestRandQueuesForged has certificates of random programs that claim of all that is suspected that its ownership is transferred, with all states that any program's
// containers are in: where runs show a race, no location that has it may be confirmed.
func TestRandQueuesForged(t *testing.T) { forgedTransfer(t, randrace.Queues) }

// TestRandListsForged does so with lists that are walked, and taken out as a whole.
func TestRandListsForged(t *testing.T) { forgedTransfer(t, randrace.Lists) }

func forgedTransfer(t *testing.T, program func(uint64) string) {
	count, first := randomCount()
	if os.Getenv("COMUS_SCAN") == "" {
		count = uint64(long.N(30, 6))
	}
	pool := map[int]map[int64][]certificate.ContainerState{} // by the number of cells and the link
	refused, confirmed, races, proofs := 0, 0, 0, 0
	for seed := first; seed < first+count; seed++ {
		src := program(seed)
		p, err := cfront.LoadText(t.Context(), command.Invocation{File: "r.c"}, []byte(src), cfront.Options{NoHost: true, Libraries: true})
		if err != nil {
			t.Fatal(err)
		}
		pts, err := pointsto.AnalyseOpen(t.Context(), p.Program)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scan.Analyse(t.Context(), p.Program, pts, scan.Options{Certificate: true, Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Certificate.Transfers {
			rep, err := scancheck.Check(t.Context(), p.Program, pts, r.Certificate)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range rep.Refused {
				if strings.Contains(s, "transfer of ownership") {
					t.Errorf("seed %d: %s\n%s", seed, s, src)
				}
			}
			proofs++
			n := len(h.Containers[0].Cells)
			if pool[n] == nil {
				pool[n] = map[int64][]certificate.ContainerState{}
			}
			for _, s := range h.Containers[0].States {
				if !slices.ContainsFunc(pool[n][h.Link], func(x certificate.ContainerState) bool {
					return slices.Equal(x.Cells, s.Cells) && x.Link == s.Link && x.In == s.In && x.Pred == s.Pred
				}) {
					pool[n][h.Link] = append(pool[n][h.Link], s)
				}
			}
		}
		runs, err := sample.Run(t.Context(), p.Program, sample.Options{Runs: 12, Races: true, MaxSteps: 1 << 16})
		if err != nil {
			continue
		}
		races += len(runs.Races)
		c := copied(t, r.Certificate)
		forge(c, certificate.Transferred)
		for n, links := range pool {
			for link, states := range links {
				c.Transfers = append(c.Transfers, forgedTransfers(pts, n, link, states)...)
			}
		}
		rep, err := scancheck.Check(t.Context(), p.Program, pts, c)
		if err != nil {
			t.Fatal(err)
		}
		wrong, right := map[[2]int]bool{}, map[[2]int]bool{}
		for k, l := range r.Locations {
			for _, s := range l.Suspects {
				a, b := s.A.Site.Pos.Line, s.B.Site.Pos.Line
				lines := [2]int{min(a, b), max(a, b)}
				if rep.Certified(k) {
					right[lines] = true
					confirmed++
				} else {
					wrong[lines] = true
					refused++
				}
			}
		}
		for _, f := range runs.Races {
			a, b := f.What.First.Site.Pos.Line, f.What.Second.Site.Pos.Line
			if lines := [2]int{min(a, b), max(a, b)}; right[lines] && !wrong[lines] {
				t.Errorf("seed %d: a forged certificate is confirmed, and a run shows a race: %s and %s of %s\n%s", seed, sideText(f.What.First), sideText(f.What.Second), f.What.Object, src)
			}
		}
	}
	t.Logf("%d programs, %d with a proof of their own: of the suspects %d are not confirmed, and %d are; runs show %d races", count, proofs, refused, confirmed, races)
	if proofs == 0 && !testing.Short() {
		t.Error("no ownership is transferred")
	}
}

// forgedTransfers claims that the ownership of all objects of malloc is transferred by the first n members of the global a, each one owning, or all but one.
func forgedTransfers(pts *pointsto.Result, n int, link int64, states []certificate.ContainerState) (list []certificate.Transfer) {
	h := certificate.Transfer{Link: link}
	q := -1
	for _, o := range pts.Objects {
		if o.Site != nil && o.Func.Library && o.Func.Source == "malloc" {
			h.Objects = append(h.Objects, o.ID)
		}
		if o.Global != nil && o.Global.Source == "a" {
			q = o.ID
		}
	}
	if q < 0 {
		return nil
	}
	for weak := -1; weak < n; weak++ {
		k := certificate.Container{Lock: certificate.At{Object: q}, States: states}
		for i := range n {
			off := int64(40 + 8*i)
			if n == 2 && i == 1 && weak == 1 {
				off = 56 // the address of the last link
			}
			k.Cells = append(k.Cells, certificate.OwnCell{At: certificate.At{Object: q, Off: off}, Owns: i != weak})
		}
		g := h
		g.Containers = []certificate.Container{k}
		list = append(list, g)
	}
	return list
}
