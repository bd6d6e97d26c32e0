// Package html makes web pages of results: one file each, which needs no network, and no JavaScript to be read from beginning to end.
//
// [Verification.Write] writes the page of a program. For UNSAFE it has the source beside a lane for each thread, one row for each row of package
// report/execution, and arrows between the lanes for what orders them; a slider and keys go through the execution, and what variables,
// locks and threads are like at each step stands beside. For SAFE it has the hierarchy of threads, each level's env_move and
// refinements as C, and at each line of the source the invariants that the proof has there. [Bench.Write] writes that of a measurement: tables
// that can be sorted and filtered, and the plots of package bench as pictures. [Scan.Write] writes that of a scan of whole programs: tables of suspects,
// locations and threads, and both accesses of the suspect that is chosen, side by side.
//
// A page is made in three layers. Go makes a view of the result, text and numbers only (steps.go, proof.go, source.go, scan.go, bench.go); the
// templates in assets make HTML of it, and JSON for the scripts; the scripts make the parts that move. A page of another kind
// is a view and a template more beside page.tmpl's frame.
//
// Whatever comes from a program is text to all three: html/template escapes it by context, the scripts set text and never HTML, and
// the page's Content-Security-Policy allows the style and the scripts with the hashes of those embedded here, and nothing else: no
// network, no inline handlers, no inline styles.
//
// The lanes are drawn here, as HTML and SVG. What there is of libraries for diagrams (Mermaid and D2 for sequence diagrams, ECharts and Vega
// for charts) lays out a whole diagram at once, which 100,000 steps do not survive, and none of them steps, filters or reads itself aloud. The
// layout of lanes is a grid, so that a window of rows can be drawn alone: as much as one sees. C is coloured by chroma.
package html
