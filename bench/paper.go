package bench

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// paperText is Fig. 5 and 6 of Rasin, Grumberg, Shoham: Modular Verification of
// Concurrent Programs via Sequential Model Checking, ATVA 2018: seconds (or T/O,
// Unknown) of each tool, and CoMuS's calls of SeaHorn.
//
//go:embed paper.csv
var paperText string

// Figure is a published result of CoMuS.
type Figure struct {
	Seconds float64 `json:"seconds"` // 0 if it was not solved
	Outcome string  `json:"outcome"` // "" if it was solved, else T/O
	Checks  int     `json:"sequential_checks"`
}

// paperTool is the tool whose figures are shown.
const paperTool = "CoMuS"

// place is a cell of the paper's tables.
type place struct {
	suite, class string
	threads      int
	column       string
}

var paper = sync.OnceValue(func() map[place]*Figure {
	figures, err := readPaper(paperText)
	if err != nil {
		panic(err) // a mistake in this package
	}
	return figures
})

// published returns what is published for a task, nil if nothing is.
func published(suite, class string, threads int, column string) *Figure {
	return paper()[place{suite, class, threads, column}]
}

// readPaper reads the published figures of CoMuS.
func readPaper(text string) (map[place]*Figure, error) {
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	figures := map[place]*Figure{}
	for i, f := range lines[1:] {
		threads, err := strconv.Atoi(f[2])
		if err != nil {
			return nil, fmt.Errorf("paper.csv:%d: %w", i+2, err)
		}
		if f[4] != paperTool {
			continue
		}
		fig := &Figure{Outcome: f[5]}
		if s, err := strconv.ParseFloat(f[5], 64); err == nil {
			fig.Seconds, fig.Outcome = s, ""
			if fig.Checks, err = strconv.Atoi(f[6]); err != nil {
				return nil, fmt.Errorf("paper.csv:%d: %w", i+2, err)
			}
		}
		figures[place{f[0], f[1], threads, f[3]}] = fig
	}
	return figures, nil
}

// comparison sets a configuration beside the published figures.
type comparison struct {
	rows            int     // that CoMuS solved
	solved          int     // of these
	ours, published float64 // seconds, on those
	moreChecks      []string
	beyond          int // solved, but not by CoMuS
}

// compare compares rows with the published figures, nil if there are none.
func compare(rows []*Row) *comparison {
	c := new(comparison)
	any := false
	for _, r := range rows {
		p := r.Paper
		switch {
		case p == nil:
			continue
		case p.Outcome != "" && r.Right():
			c.beyond++
		case p.Outcome == "":
			c.rows++
			if r.Right() {
				c.solved++
				c.ours += r.Seconds
				c.published += p.Seconds
			}
			if r.Right() && r.Counts != nil && r.Counts.SequentialChecks > p.Checks {
				c.moreChecks = append(c.moreChecks, r.Task)
			}
		}
		any = true
	}
	if !any {
		return nil
	}
	return c
}
