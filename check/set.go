package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// SetFormat is the value of Set.Format.
const SetFormat = "comus-certificates"

// SetVersion is the version of that format.
const SetVersion = 1

// Set is the evidence for the verdicts on several properties, which may take several
// certificates; some properties may have none.
type Set struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// Properties are those that were asked about. Empty: those that the one certificate is about.
	Properties   []string       `json:"properties"`
	Certificates []*Certificate `json:"certificates"`
}

// NewSet returns the set of some certificates for the verdicts on some properties.
func NewSet(properties []string, certs []*Certificate) *Set {
	return &Set{Format: SetFormat, Version: SetVersion, Properties: properties, Certificates: certs}
}

// ReadSet reads a set, or one certificate. It checks the formats' names and versions, that the certificates are about the
// same source, read in the same way, and that nothing follows, only.
func ReadSet(r io.Reader) (*Set, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var head struct{ Format string }
	if json.NewDecoder(bytes.NewReader(text)).Decode(&head) != nil || head.Format != SetFormat {
		c, err := Read(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		return &Set{Format: SetFormat, Version: SetVersion, Certificates: []*Certificate{c}}, nil
	}
	var s Set
	if err := decode(bytes.NewReader(text), &s); err != nil {
		return nil, err
	}
	return &s, s.check()
}

// check reports what is wrong with a set that was read.
func (s *Set) check() error {
	switch {
	case s.Version != SetVersion:
		return fmt.Errorf("not certificates of format %q, version %d", SetFormat, SetVersion)
	case len(s.Properties) == 0 || len(s.Certificates) == 0:
		return errors.New("not certificates: there are no properties, or there is no certificate")
	}
	for i, c := range s.Certificates {
		switch {
		case c == nil || c.Format != Format || c.Version != Version:
			return fmt.Errorf("not a certificate of format %q, version %d: certificate %d", Format, Version, i+1)
		case c.Program.sourceID() != s.Certificates[0].Program.sourceID():
			return fmt.Errorf("not certificates: certificate %d is for another source than the first, or reads it in another way", i+1)
		}
	}
	return nil
}

// sourceID is what two certificates of the same source agree on.
type sourceID struct {
	sha256, dataModel, entry, unknown, overflow, atomic string
	noHost                                              bool
}

func (p Program) sourceID() sourceID {
	return sourceID{p.SHA256, p.DataModel, p.Entry, p.Unknown, p.Overflow, p.Atomic, p.NoHost}
}

// Write writes the set; one certificate that is all there is, as it is.
func (s *Set) Write(w io.Writer) error {
	if len(s.Properties) == 0 && len(s.Certificates) == 1 {
		return s.Certificates[0].Write(w)
	}
	return encode(w, s)
}
