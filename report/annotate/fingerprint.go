package annotate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// fingerprintName names the fingerprints, with a version that changes when what they are made of does.
const fingerprintName = "comusViolation/v1"

// fingerprints are those that were given, each with how often.
type fingerprints map[string]int

// Fingerprint gives findings their fingerprints. dir is the working directory, which file names are relative to. Findings
// that look alike are numbered in their order.
func Fingerprint(findings []Finding, dir string) {
	given, names := fingerprints{}, newFiles(dir)
	for i := range findings {
		findings[i].Fingerprint = given.of(&findings[i], names)
	}
}

// of returns a finding's fingerprint: the same for the same problem in another version of the program, in which lines have
// moved. It is made of the property, files, functions and statements, and of no line; of a race or deadlock without the order of
// the threads, which may be another one in the next run. Findings that agree in all of that are numbered.
func (p fingerprints) of(f *Finding, names *files) string {
	locations := []Location{f.Location}
	if f.Involved != nil {
		locations = nil
		for _, x := range f.Involved {
			locations = append(locations, x.Location)
		}
	}
	var parts []string
	for _, s := range locations {
		parts = append(parts, describe(s, names))
	}
	slices.Sort(parts)
	sum := sha256.Sum256([]byte(strings.Join(append(parts, f.Property), "\x00\x00")))
	print := hex.EncodeToString(sum[:16])
	p[print]++
	return fmt.Sprintf("%s:%d", print, p[print])
}

// describe tells a location without its lines.
func describe(s Location, names *files) string {
	name, _ := names.relative(s.File)
	parts := []string{name, position.ReplaceAllString(s.Text, "")}
	for _, calls := range [][]Call{s.Calls, s.Created} {
		for _, c := range calls {
			parts = append(parts, c.Function)
		}
		parts = append(parts, "")
	}
	return strings.Join(parts, "\x00")
}

// position finds a line, perhaps with a column, in a text that names a place.
var position = regexp.MustCompile(`:\d+(:\d+)?\b`)
