package html_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The browser that all tests of this package share, without a head.
var browser struct {
	context.Context
	stop func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(code)
}

// tab is a page in a browser.
type tab struct {
	*testing.T
	ctx context.Context
	mu  sync.Mutex
	bad []string // what the page must not do: errors, requests to anywhere
}

// open opens a file in Chromium. At the end of the test it fails for errors of the page, and for requests.
func open(t *testing.T, file string) *tab {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("there is no chromium (make testdeps installs it)")
	}
	if browser.Context == nil {
		opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("chromium"), chromedp.NoSandbox)
		ctx, stopAll := chromedp.NewExecAllocator(context.Background(), opts...)
		ctx, stop := chromedp.NewContext(ctx)
		if err := chromedp.Do(ctx); err != nil {
			t.Fatal(err)
		}
		browser.Context, browser.stop = ctx, func() { stop(); stopAll() }
	}
	ctx, stop := chromedp.NewContext(browser.Context)
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	b := &tab{T: t, ctx: ctx}
	t.Cleanup(func() {
		cancel()
		stop()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, s := range b.bad {
			t.Error(s)
		}
	})
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	page := (&url.URL{Scheme: "file", Path: path}).String()
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, func(ev any) { b.event(ev, page) }); err != nil {
		t.Fatal(err)
	}
	call(b, network.Enable, network.EnableParams{})
	call(b, log.Enable, cdp.Empty{})
	b.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(page))
	return b
}

// event notes what a page must not do.
func (b *tab) event(ev any, page string) {
	what := ""
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		what = "exception: " + ev.ExceptionDetails.Text
	case *log.EventEntryAdded:
		what = fmt.Sprintf("%s: %s", ev.Entry.Level, ev.Entry.Text)
	case *network.EventRequestWillBeSent:
		if u := ev.Request.URL; !strings.HasPrefix(u, page) && !strings.HasPrefix(u, "data:") {
			what = "request: " + u
		}
	}
	if what != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.bad = append(b.bad, what)
	}
}

// do does something in the tab.
func (b *tab) do(actions ...step) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// js returns the value of an expression.
func js[T any](b *tab, expr string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expr))
	if err != nil {
		b.Fatalf("%s: %v", expr, err)
	}
	return v
}

// text returns the text of an element, with single spaces.
func (b *tab) text(selector string) string {
	b.Helper()
	return strings.Join(strings.Fields(js[string](b, fmt.Sprintf("document.querySelector(%q).innerText", selector))), " ")
}

// has fails unless the text of an element has all the parts.
func (b *tab) has(selector string, parts ...string) {
	b.Helper()
	all := b.text(selector)
	for _, p := range parts {
		if !strings.Contains(all, p) {
			b.Errorf("%s has no %q: %s", selector, p, all)
		}
	}
}

// is fails unless an expression has a value.
func is[T comparable](b *tab, expr string, want T) {
	b.Helper()
	if got := js[T](b, expr); got != want {
		b.Errorf("%s is %v, want %v", expr, got, want)
	}
}

// key presses a key, with nothing focused.
func (b *tab) key(keys ...string) {
	b.Helper()
	for _, k := range keys {
		b.do(chromedp.KeyEvent(k))
	}
}

// slide moves the slider.
func (b *tab) slide(n int) {
	b.Helper()
	js[bool](b, fmt.Sprintf("{ const s = document.getElementById('slider'); s.value = %d; s.dispatchEvent(new Event('input')); }", n))
}

// put sets a control and tells the page.
func (b *tab) put(id, value string) {
	b.Helper()
	js[bool](b, fmt.Sprintf("{ const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change')); }", id, value))
}

// media emulates a medium, "print" or "screen", and a scheme of colours.
func (b *tab) media(medium, scheme string) {
	b.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// call calls a command of the browser's protocol.
func call[P, R any](b *tab, c cdp.Command[P, R], params P) R {
	b.Helper()
	r, err := chromedp.Call(b.ctx, c, params)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// step is something that is done in a tab.
type step = chromedp.Action[chromedp.Void]
