package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"comus/bench"
	"comus/check"
	"comus/comus"
	"comus/internal/whole"
	"comus/ir"
	"comus/ir/interp"
	"comus/report/html"
	"comus/seqmc"
)

// page returns the file that --html means, and the folder that is to be made for it: of a folder, its index.html. A folder is one that is there, or a
// name that ends like one.
func (f fileFlag) page() (file, folder string) {
	name := string(f)
	if strings.HasSuffix(name, "/") {
		folder = name
	}
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		return filepath.Join(name, "index.html"), ""
	}
	if folder != "" {
		return filepath.Join(name, "index.html"), folder
	}
	return name, ""
}

// pageOutput returns the page as what is to be written. A folder that is to be made for it has nothing to write over.
func (f fileFlag) pageOutput() output {
	file, folder := f.page()
	if folder != "" {
		file = ""
	}
	return output{flag: "--html", file: file, kind: aPage}
}

// pages makes the page that --html asks for.
type pages struct {
	to fileFlag // "" for none
	// programs has what the proofs speak about, which is found while the verification is supervised.
	programs chan map[*check.Certificate]*ir.Program
}

func newPages(to fileFlag) *pages {
	return &pages{to, make(chan map[*check.Certificate]*ir.Program, 1)}
}

// proofs finds the programs that the proofs of a result speak about.
func (p *pages) proofs(ctx context.Context, source *comus.Source, res *comus.Result) {
	if p.to == "" {
		return
	}
	out := map[*check.Certificate]*ir.Program{}
	for _, of := range res.Properties {
		cert := of.Result.Certificate
		if of.Verdict != seqmc.Safe || cert == nil || cert.Method != "" || out[cert] != nil {
			continue
		}
		if prog, err := source.Certified(ctx, cert); err == nil { // else the page says that it has no formulas
			out[cert] = prog
		}
	}
	p.programs <- out
}

// write writes the page of a report.
func (p *pages) write(r *report) error {
	if p.to == "" {
		return nil
	}
	page := html.Verification{Title: r.title, Result: r.res, Version: version(), Created: time.Now()}
	select {
	case page.Proofs = <-p.programs:
	default: // it did not come to its end
	}
	left := func(name, format string, args ...any) {
		page.Left = append(page.Left, html.Left{Name: name, Text: fmt.Sprintf(format, args...)})
	}
	for _, of := range r.properties() {
		if page.Properties = append(page.Properties, htmlProperty(of)); of.Verdict == seqmc.Unknown {
			r.open(of.Result, left)
		}
	}
	r.tried(left)
	r.evidence(func(name, format string, args ...any) {
		page.Evidence = append(page.Evidence, name+": "+fmt.Sprintf(format, args...))
	})
	page.Evidence = append(page.Evidence, "by the engine "+r.res.Engine+" in "+seconds(r.res.Elapsed))
	if err := writePage(p.to, page.Write); err != nil {
		return err
	}
	r.page, _ = p.to.page()
	return nil
}

// htmlProperty returns the verdict on a property as a page shows it.
func htmlProperty(of comus.PropertyResult) html.Property {
	w := words[of.Name]
	out := html.Property{Name: of.Name, Verdict: of.Verdict, Result: of.Result, How: of.Result.Engine + ", " + seconds(of.Result.Elapsed)}
	finding := func(tr interp.Trace, depends func(*ir.Edge) bool) {
		out.Findings = append(out.Findings, html.Finding{Trace: tr, Depends: depends})
	}
	switch {
	case of.Verdict == seqmc.Safe:
		out.Says = w.safe + everyNumber([]comus.PropertyResult{of})
	case of.Verdict == seqmc.Unsafe:
		out.Says = w.unsafe
		finding(of.Result.Trace, nil)
		for _, more := range of.More {
			finding(more.Trace, nil)
		}
	default:
		out.Says, out.How = "not decided", oneLine(of.Reason)
		if s := of.Result.Suspected; s != nil {
			out.Says = w.suspected
			finding(s.Trace, s.Depends)
		}
	}
	return out
}

// writePage writes a page, and makes the folder for it.
func writePage(to fileFlag, write func(w io.Writer) error) error {
	file, folder := to.page()
	if folder != "" {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return fileError(folder, err)
		}
	}
	if err := whole.Write(file, write); err != nil {
		return fileError(file, err)
	}
	return nil
}

// writeBench writes the page of a measurement.
func writeBench(to fileFlag, rep *bench.Report) error {
	page := html.Bench{Report: rep, Version: version(), Created: time.Now()}
	return writePage(to, page.Write)
}
