package check

import (
	"bytes"
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	one := &Certificate{Format: Format, Version: Version, Program: Program{SHA256: "1"}, Verdict: "SAFE"}
	two := &Certificate{Format: Format, Version: Version, Program: Program{SHA256: "1", Check: []string{"memory"}}, Verdict: "SAFE"}
	for _, s := range []*Set{NewSet(nil, []*Certificate{one}), NewSet([]string{"assert", "memory"}, []*Certificate{one, two})} {
		var text bytes.Buffer
		if err := s.Write(&text); err != nil {
			t.Fatal(err)
		}
		plain := strings.Contains(text.String(), `"`+SetFormat+`"`)
		got, err := ReadSet(&text)
		if err != nil || len(got.Certificates) != len(s.Certificates) || len(got.Properties) != len(s.Properties) || plain != (len(s.Properties) > 0) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestReadSet(t *testing.T) {
	const cert = `{"format": "comus-certificate", "version": 3, "program": {"sha256": "1"}, "verdict": "SAFE"}`
	const other = `{"format": "comus-certificate", "version": 3, "program": {"sha256": "2"}, "verdict": "SAFE"}`
	const old = `{"format": "comus-certificate", "version": 2, "program": {"sha256": "1"}, "verdict": "SAFE"}`
	set := func(rest string) string { return `{"format": "comus-certificates", ` + rest + `}` }
	for _, c := range []struct{ text, want string }{
		{set(`"version": 1, "properties": ["assert"], "certificates": [` + cert + `]`), ""},
		{set(`"version": 2, "properties": ["assert"], "certificates": [` + cert + `]`), "version 1"},
		{set(`"version": 1, "properties": [], "certificates": [` + cert + `]`), "no properties"},
		{set(`"version": 1, "properties": ["assert"], "certificates": []`), "no certificate"},
		{set(`"version": 1, "properties": ["assert"], "certificates": [null]`), "certificate 1"},
		{set(`"version": 1, "properties": ["assert"], "certificates": [` + old + `]`), "version 3"},
		{set(`"version": 1, "properties": ["assert"], "certificates": [` + cert + "," + other + `]`), "certificate 2 is for another source"},
		{set(`"version": 1, "properties": ["assert"], "certificates": [` + cert + `], "more": 1`), "unknown field"},
		{set(`"version": 1, "properties": ["assert"], "certificates": [`+cert+`]`) + "x", "more after its end"},
		{"{", "not a certificate"},
		{old, "version 3"},
	} {
		_, err := ReadSet(strings.NewReader(c.text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
}
