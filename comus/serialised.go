package comus

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check"
	"comus/ir"
	"comus/specialise"
)

// The processes of a portfolio are all asked about the same reading of the source. Reading takes as long as many
// an engine needs, so they are given what was read. A process that asks about the source in another way reads it itself.

// readingText is what is written of a Reading, before its program.
type readingText struct {
	How         specialise.Options
	Warnings    []string
	MoreThreads bool
	ID          check.Program
}

// serialised is a reading that other processes are given.
type serialised struct {
	how     specialise.Options
	reading *Reading // nil if it is only there as text
	text    []byte
}

// keep keeps a reading, which nobody changes, for other processes and for [Source.check].
func (s *Source) keep(how specialise.Options, r *Reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made = &serialised{how: how, reading: r}
}

// written returns the reading that was kept as text.
func (s *Source) written() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made == nil {
		return nil, os.ErrNotExist
	}
	return s.made.write()
}

func (m *serialised) write() ([]byte, error) {
	if m.text == nil {
		var out bytes.Buffer
		if err := gob.NewEncoder(&out).Encode(readingText{m.how, m.reading.Warnings, m.reading.MoreThreads, m.reading.ID}); err != nil {
			return nil, err
		}
		if err := m.reading.Program.Encode(&out); err != nil {
			return nil, err
		}
		m.text = out.Bytes()
	}
	return m.text, nil
}

// read makes a reading of the text: one of its own.
func (m *serialised) read() (*Reading, error) {
	text, err := m.write()
	if err != nil {
		return nil, err
	}
	in := bytes.NewReader(text)
	head, err := readHead(in)
	if err != nil {
		return nil, err
	}
	p, err := ir.Decode(in)
	if err != nil {
		return nil, err
	}
	return &Reading{Program: p, Warnings: head.Warnings, MoreThreads: head.MoreThreads, ID: head.ID}, nil
}

// readHead reads what stands before the program.
func readHead(in *bytes.Reader) (head readingText, err error) {
	err = gob.NewDecoder(in).Decode(&head)
	return head, err
}

// OpenSerialised is [Open] in a process of a portfolio: what the portfolio has read is in a file, and the units are read when
// something else is asked about them.
func OpenSerialised(units []command.Invocation, how cfront.Options, file string) (*Source, error) {
	start := time.Now()
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	head, err := readHead(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	s := &Source{units: units, how: how, made: &serialised{how: head.How, text: text}}
	if len(units) > 0 {
		s.File = units[0].File
	}
	s.took = time.Since(start)
	return s, nil
}

// kept returns the reading that was kept, if it is what is asked for.
func (s *Source) kept(how specialise.Options) *Reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made == nil || s.made.how != how {
		return nil
	}
	r, err := s.made.read()
	if err != nil { // then it is read again
		return nil
	}
	r.Read = s.calls
	return r
}

// load reads the units if they have not been read.
func (s *Source) load(ctx context.Context) (*cfront.Program, error) {
	s.loading.Lock()
	defer s.loading.Unlock()
	if s.prog == nil {
		p, err := cfront.Load(ctx, s.units, s.how)
		if err != nil {
			return nil, err
		}
		s.prog = p
	}
	return s.prog, nil
}
