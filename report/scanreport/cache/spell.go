package cache

import (
	"errors"

	"comus/cir"
	"comus/report/scanreport"
	"comus/scan"
)

// Where texts of the source are no part of the key, an entry has the numbers of the sites that the accesses of its findings are at: what stands there now is what is shown.

// sited has the numbers of the sites of a finding's accesses, from 1; 0: it has none.
type sited struct{ A, B int }

// sitedIn returns the numbers of the sites of a program's findings.
func sitedIn(p *scanreport.Program, sites []*cir.Site) ([]sited, error) {
	if sites == nil {
		return nil, nil
	}
	numbers := map[*cir.Site]int{}
	for i, s := range sites {
		numbers[s] = i + 1
	}
	list := make([]sited, len(p.Findings))
	for i, f := range p.Findings {
		if len(f.Suspects) == 0 {
			return nil, errors.New("nobody knows where the accesses of a finding are")
		}
		first := f.Suspects[0] // the one that is shown
		for _, x := range []struct {
			a  *scan.Access
			to *int
		}{{first.A, &list[i].A}, {first.B, &list[i].B}} {
			if x.a.Site == nil {
				continue
			}
			if *x.to = numbers[x.a.Site]; *x.to == 0 {
				return nil, errors.New("an access is at no site of the program's own code")
			}
		}
	}
	return list, nil
}

// spell gives the accesses of findings the texts that stand there now, and reports whether they are where they have to be.
func spell(p *scanreport.Program, list []sited, sites []*cir.Site) bool {
	if len(list) != len(p.Findings) {
		return false
	}
	for i, f := range p.Findings {
		if !spellOne(&f.A, list[i].A, sites) || !spellOne(&f.B, list[i].B, sites) {
			return false
		}
	}
	return true
}

func spellOne(a *scanreport.Access, number int, sites []*cir.Site) bool {
	if number == 0 {
		return a.Place == scanreport.Place{}
	}
	if number > len(sites) {
		return false
	}
	now := scanreport.TextAt(sites[number-1])
	if a.Place != now.Place || a.Stmt != now.Stmt {
		return false
	}
	a.Text = now.Text
	return true
}
