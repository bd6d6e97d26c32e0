package world

import (
	"fmt"
	"strings"
	"time"

	"comus/cir/interp"
)

// The calendar, where the local time zone is GMT.

// Offsets of struct tm, of nine ints, and behind them the zone.
const tmInts, tmOffset, tmZone, tmSize = 9, 40, 48, 56

func toDate(c *call) (interp.Value, bool, error) {
	for _, f := range []string{"setenv", "putenv", "clearenv", "unsetenv"} { // they may set TZ
		if _, ok := c.m.Function(f); ok {
			return interp.Value{}, false, nil
		}
	}
	b, err := c.m.Bytes(c.args[0], 8)
	if err != nil || c.m.Model().PointerBits != 64 {
		return interp.Value{}, err != nil, err
	}
	var seconds int64
	for i, x := range b {
		seconds |= int64(x) << (8 * i)
	}
	if seconds < 0 || seconds >= 1<<40 { // far from what anybody needs
		return interp.Value{}, false, nil
	}
	t := time.Unix(seconds, 0).UTC()
	text := make([]byte, 0, tmSize)
	for _, n := range [tmInts]int{t.Second(), t.Minute(), t.Hour(), t.Day(), int(t.Month()) - 1, t.Year() - 1900, int(t.Weekday()), t.YearDay() - 1, 0} {
		text = append(text, little(int64(n), 4)...)
	}
	text = append(text, make([]byte, tmZone-len(text))...)
	if err := c.m.SetBytes(c.args[1], text); err != nil {
		return interp.Value{}, true, err
	}
	if c.zone.Obj == nil {
		c.zone = c.m.Constant("GMT")
	}
	return c.args[1], true, c.m.SetPointer(c.args[1].Plus(tmZone), c.zone)
}

// date reads a struct tm, if its numbers are those of a date.
func (c *call) date(p interp.Value) (time.Time, bool, error) {
	b, err := c.m.Bytes(p, 4*tmInts)
	if err != nil {
		return time.Time{}, false, err
	}
	var n [tmInts]int
	for i := range n {
		n[i] = int(int32(uint32(b[4*i]) | uint32(b[4*i+1])<<8 | uint32(b[4*i+2])<<16 | uint32(b[4*i+3])<<24))
	}
	if n[5] < 0 || n[5] > 8000 {
		return time.Time{}, false, nil
	}
	t := time.Date(n[5]+1900, time.Month(n[4]+1), n[3], n[2], n[1], n[0], 0, time.UTC)
	same := t.Second() == n[0] && t.Minute() == n[1] && t.Hour() == n[2] && t.Day() == n[3] && int(t.Month()) == n[4]+1 && int(t.Weekday()) == n[6] && t.YearDay() == n[7]+1
	return t, same, nil
}

func toText(c *call) (interp.Value, bool, error) {
	t, ok, err := c.date(c.args[0])
	if err != nil || !ok {
		return interp.Value{}, err != nil, err
	}
	return c.args[1], true, c.m.SetBytes(c.args[1], []byte(t.Format("Mon Jan _2 15:04:05 2006\n")+"\x00"))
}

// formats are what strftime's conversions are in the locale "C".
var formats = map[byte]string{'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05", 'y': "06", 'b': "Jan", 'h': "Jan", 'B': "January",
	'a': "Mon", 'A': "Monday", 'e': "_2", 'F': "2006-01-02", 'T': "15:04:05", 'D': "01/02/06", 'R': "15:04", 'c': "Mon Jan _2 15:04:05 2006", 'x': "01/02/06", 'X': "15:04:05",
	'I': "03", 'p': "PM", 'r': "03:04:05 PM"}

func strftime(c *call) (interp.Value, bool, error) {
	f, err := c.m.String(c.args[2])
	if err != nil {
		return interp.Value{}, true, err
	}
	t, ok, err := c.date(c.args[3])
	if err != nil || !ok {
		return interp.Value{}, err != nil, err
	}
	var out strings.Builder
	for i := 0; i < len(f); i++ {
		switch {
		case f[i] != '%':
			out.WriteByte(f[i])
			continue
		case i+1 == len(f):
			return interp.Value{}, false, nil
		}
		i++
		layout, ok := formats[f[i]]
		switch {
		case ok:
			out.WriteString(t.Format(layout))
		case f[i] == 'j':
			fmt.Fprintf(&out, "%03d", t.YearDay())
		case f[i] == '%':
			out.WriteByte('%')
		case f[i] == 'n':
			out.WriteByte('\n')
		default:
			return interp.Value{}, false, nil
		}
	}
	if int64(out.Len()) >= c.args[1].Int() { // what is there then nobody knows; here it is as it was
		return number(0)
	}
	if err := c.m.SetBytes(c.args[0], []byte(out.String()+"\x00")); err != nil {
		return interp.Value{}, true, err
	}
	return number(int64(out.Len()))
}
