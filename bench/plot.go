package bench

import (
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The size of a figure, and how much of its width the legend has.
const (
	plotWidth   = 24 * vg.Centimeter
	plotHeight  = 12 * vg.Centimeter
	legendWidth = 7 * vg.Centimeter
)

// figure is a plot with a legend beside it.
type figure struct {
	*plot.Plot
	legend plot.Legend
	lines  int
}

// style is how a line and its points look: lines with the same hue belong together.
type style struct{ hue, dashes int }

// next returns a style of its own for the next line.
func (p *figure) next() style { return style{p.lines, p.lines} }

// newFigure returns a figure of times, with a logarithmic axis for them.
func newFigure(title, x string) *figure {
	p := &figure{Plot: plot.New(), legend: plot.NewLegend()}
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, "seconds"
	p.Y.Scale = plot.LogScale{}
	p.Y.Tick.Marker = plot.LogTicks{Prec: -1}
	p.legend.Top, p.legend.Left, p.legend.Padding = true, true, vg.Points(3)
	p.Add(plotter.NewGrid())
	return p
}

// QuantilePlot writes an SVG: for each configuration the number of tasks that are
// solved within a time each. It reports whether there was anything to draw.
func (rep *Report) QuantilePlot(w io.Writer) (bool, error) {
	p := newFigure(rep.Suite, "tasks solved")
	p.X.Min = 0
	add := func(name string, seconds []float64) error {
		if len(seconds) == 0 {
			return nil
		}
		slices.Sort(seconds)
		pts := make(plotter.XYs, len(seconds))
		for i, s := range seconds {
			pts[i] = plotter.XY{X: float64(i + 1), Y: max(s, leastTime)}
		}
		return p.addLine(fmt.Sprintf("%s (%d)", name, len(seconds)), p.next(), pts, pts)
	}
	for _, c := range rep.Configs {
		var seconds []float64
		for _, r := range rep.of(c.Name) {
			if r.Right() {
				seconds = append(seconds, r.Seconds)
			}
		}
		if err := add(c.Name, seconds); err != nil {
			return false, err
		}
	}
	var seconds []float64
	for _, r := range rep.of(rep.Configs[0].Name) {
		if r.Paper != nil && r.Paper.Outcome == "" {
			seconds = append(seconds, r.Paper.Seconds)
		}
	}
	if err := add(paperTool+", as published", seconds); err != nil {
		return false, err
	}
	if p.lines == 0 {
		return false, nil
	}
	return true, p.svg(w)
}

// ScalingPlot writes an SVG with the time of a configuration against the number
// of threads, both in logarithms, and the fitted powers. It reports whether there
// was anything to draw.
func (rep *Report) ScalingPlot(config string, w io.Writer) (bool, error) {
	list := rep.growths(config)
	if len(list) == 0 {
		return false, nil
	}
	p := newFigure(rep.Suite+", "+config, "threads")
	p.X.Scale = plot.LogScale{}
	var threads []int
	var classes, columns []string
	for _, g := range list {
		pts := make(plotter.XYs, len(g.rows))
		for j, r := range g.rows {
			pts[j] = plotter.XY{X: float64(r.Threads), Y: max(r.Seconds, leastTime)}
			threads = append(threads, r.Threads)
		}
		name, line := g.class+" "+g.column, pts
		if g.fitted > 0 {
			name += fmt.Sprintf(", threads^%.1f", g.exponent)
			line = nil
			for _, x := range []float64{pts[0].X, pts[len(pts)-1].X} {
				line = append(line, plotter.XY{X: x, Y: g.factor * math.Pow(x, g.exponent)})
			}
		}
		s := style{indexIn(&classes, g.class), indexIn(&columns, g.column)}
		if err := p.addLine(name, s, line, pts); err != nil {
			return false, err
		}
	}
	slices.Sort(threads)
	p.X.Tick.Marker = threadTicks(slices.Compact(threads))
	return true, p.svg(w)
}

// indexIn returns the place of a name in a list, to which it is added if it is new.
func indexIn(list *[]string, name string) int {
	i := slices.Index(*list, name)
	if i < 0 {
		i = len(*list)
		*list = append(*list, name)
	}
	return i
}

// addLine draws a line and points.
func (p *figure) addLine(name string, look style, line, points plotter.XYs) error {
	p.lines++
	shape := look.hue%3 + 5*(look.dashes%2) // plotutil has rings and so on, from 5 on the filled ones
	l, err := plotter.NewLine(line)
	if err != nil {
		return err
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	l.Color, l.Dashes, l.Width = plotutil.Color(look.hue), plotutil.Dashes(look.dashes), vg.Points(1.2)
	s.GlyphStyle = draw.GlyphStyle{Color: plotutil.Color(look.hue), Radius: vg.Points(2.5), Shape: plotutil.Shape(shape)}
	p.Add(l, s)
	p.legend.Add(name, l, s)
	return nil
}

// threadTicks marks numbers of threads, and labels as many as there is room for.
type threadTicks []int

// Ticks returns the marks.
func (t threadTicks) Ticks(_, _ float64) []plot.Tick {
	var ticks []plot.Tick
	last := 0.0
	for _, n := range t {
		label := ""
		if float64(n) >= last*1.1 {
			label, last = fmt.Sprint(n), float64(n)
		}
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: label})
	}
	return ticks
}

// svg writes the figure.
func (p *figure) svg(w io.Writer) error {
	// Leave some room, and a range even if there is one value only.
	p.Y.Min, p.Y.Max = p.Y.Min/1.3, p.Y.Max*1.3
	if _, log := p.X.Scale.(plot.LogScale); log {
		p.X.Min, p.X.Max = p.X.Min/1.1, p.X.Max*1.1
	} else {
		p.X.Max++
	}
	c := vgsvg.New(plotWidth, plotHeight)
	all := draw.New(c)
	p.Draw(draw.Crop(all, 0, -legendWidth, 0, 0))
	p.legend.Draw(draw.Crop(all, plotWidth-legendWidth+vg.Points(10), 0, 0, -vg.Points(20)))
	_, err := c.WriteTo(w)
	return err
}
