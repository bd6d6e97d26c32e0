package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"regexp"

	"comus/bench"
	"comus/check"
	"comus/replay"
	"comus/report/scanreport"
	"comus/witness"
)

// kind is a kind of files that comus writes.
type kind struct {
	name   string
	wrote  func(text []byte) bool // tells whether comus has written a file of this kind
	source bool                   // it is C
}

// maxStart bounds what is read of a file to find out what it is.
const maxStart = 64 << 20

// readStart reads a file, or the beginning of a large one.
func readStart(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxStart))
}

// The kinds of files.
var (
	aPage        = kind{name: "page of comus", wrote: isPage}
	aCertificate = kind{name: "certificate of comus", wrote: isCertificate}
	aWitness     = kind{name: "witness of comus", wrote: isWitness}
	aSARIF       = kind{name: "SARIF of comus", wrote: isSARIF}
	aBaseline    = kind{name: "baseline of comus scan", wrote: isBaseline}
	aProfile     = kind{name: "profile of comus", wrote: isProfile}
	aTranslation = kind{name: "translation of comus", wrote: isTranslation, source: true}
	aReplay      = kind{name: "file of comus replay", wrote: isReplay, source: true}
)

// folderKind is a kind of folders that comus fills.
type folderKind struct {
	name string
	is   func(folder string) bool
}

// aMeasurement is the output of comus bench.
var aMeasurement = folderKind{"output folder of comus bench", bench.IsOutput}

// isPage tells whether a text is a page of --html: its end says so.
func isPage(text []byte) bool {
	return bytes.HasPrefix(text, []byte("<!DOCTYPE html>")) && bytes.Contains(text, []byte("<footer>Made by comus"))
}

// isCertificate tells whether a text is one of --certificate, of this version or of another one.
func isCertificate(text []byte) bool {
	m := certificateHead.FindSubmatch(text)
	return m != nil && (string(m[1]) == check.Format || string(m[1]) == check.SetFormat)
}

var certificateHead = regexp.MustCompile(`^\{\s*"format":\s*"([\w-]+)"`)

// isWitness tells whether a text is a witness that comus has produced.
func isWitness(text []byte) bool {
	w, err := witness.Read("", text)
	if err != nil || len(w) == 0 {
		return false
	}
	for _, e := range w {
		if e.Metadata.Producer.Name != "comus" {
			return false
		}
	}
	return true
}

// isSARIF tells whether a text is SARIF of comus.
func isSARIF(text []byte) bool { return sarifHead.Match(text) }

var sarifHead = regexp.MustCompile(`^\{\s*"\$schema":[^\n]*\n\s*"version":\s*"2\.1\.0",\s*"runs":\s*\[\s*\{\s*"tool":\s*\{\s*"driver":\s*\{\s*"name":\s*"comus"`)

// isBaseline tells whether a text is one of --write-baseline.
func isBaseline(text []byte) bool {
	var b scanreport.Baseline
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(&b) == nil && b.Format > 0 && b.Findings != nil
}

// isProfile tells whether a text is a profile: compressed, with the names of what was measured, and of comus's own functions.
func isProfile(text []byte) bool {
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return false
	}
	plain, _ := io.ReadAll(io.LimitReader(z, maxStart)) // a part is enough
	if len(plain) > 262 && string(plain[257:262]) == "ustar" {
		return false // an archive, perhaps of comus's source
	}
	return bytes.Contains(plain, []byte("comus")) &&
		(bytes.Contains(plain, []byte("nanoseconds")) || bytes.Contains(plain, []byte("alloc_space")))
}

// isReplay tells whether a text is a file of comus replay, whose first line says so.
func isReplay(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.HasPrefix(line, []byte("/* "+replay.Marker)) || bytes.HasPrefix(line, []byte("# "+replay.Marker))
}

// isTranslation tells whether a text is one of comus translate.
func isTranslation(text []byte) bool { return translationHead.Match(text) }

var translationHead = regexp.MustCompile(`^/\* [^\n]*: (lazy|eager) sequentialization(, [^\n]*| without bounds)\. \*/\n`)
