package html

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"sync"
)

//go:embed assets
var assets embed.FS

// page is what every page has.
type page struct {
	Title   string
	Kind    string // "verification", "scan" or "bench": the template of its body
	Body    any
	Data    any // for the scripts
	Version string
	Created string
}

// text returns an embedded file.
func text(name string) string {
	b, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// style and script are those of all pages.
var (
	style  = text("page.css")
	script = text("page.js") + text("run.js") + text("lanes.js") + text("explorer.js") + text("table.js") + text("scan.js")
)

// templates are the frame of a page and its bodies, which most runs of comus need none of.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"style":  func() template.CSS { return template.CSS(style) },
		"script": func() template.JS { return template.JS(script) },
		"policy": func() string {
			return fmt.Sprintf("default-src 'none'; img-src data:; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", hash(style), hash(script))
		},
		"lane": func(thread int) int { return thread % lanes },
	}).ParseFS(assets, "assets/*.tmpl"))
})

// lanes is how many colours of threads there are.
const lanes = 8

// hash returns what a Content-Security-Policy calls a text by.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// write writes the page.
func (p *page) write(w io.Writer) error { return templates().ExecuteTemplate(w, "page.tmpl", p) }
