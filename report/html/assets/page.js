'use strict';
// What all pages have: the data, small helpers that set text and never HTML, the theme, the source with its marks and invariants.

const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);

// el makes an element; properties that are functions are listeners, children that are strings become text.
function el(name, props, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(props || {})) {
    if (v === undefined || v === false) continue;
    if (typeof v === 'function') e.addEventListener(k, v);
    else if (k === 'class') e.className = v;
    else e.setAttribute(k, v === true ? '' : v);
  }
  e.append(...children.filter(c => c !== undefined && c !== null && c !== false));
  return e;
}

function svg(name, props, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [k, v] of Object.entries(props)) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

const laneOf = thread => 'lane' + thread % 8;

// The theme is that of the system until one is chosen.
{
  const themes = ['', 'light', 'dark'], names = ['as the system', 'light', 'dark'];
  let at = 0;
  const button = $('theme');
  button.hidden = false;
  button.addEventListener('click', () => {
    at = (at + 1) % themes.length;
    if (themes[at]) document.documentElement.dataset.theme = themes[at];
    else delete document.documentElement.dataset.theme;
    button.textContent = 'Theme: ' + names[at];
  });
}

// Source shows one file at a time, and marks lines.
class Source {
  constructor() {
    this.files = [...document.querySelectorAll('.file')];
    this.choice = $('file');
    this.marked = [];
    this.shown = -1;
    if (this.choice) this.choice.addEventListener('change', () => this.show(+this.choice.value));
    if (this.files.length) this.show(0);
  }

  show(file) {
    if (file === this.shown || file < 0 || file >= this.files.length) return;
    this.shown = file;
    this.files.forEach((f, i) => { f.hidden = i !== file; });
    if (this.choice) this.choice.value = String(file);
  }

  line(file, line) { return $('line-' + file + '-' + line); }

  // scroll brings a line into view, within its file only, and others with it as far as there is room.
  scroll(file, line, others = []) {
    const li = this.line(file, line);
    if (!li) return;
    this.show(file);
    const list = li.parentElement, room = list.clientHeight, h = li.clientHeight;
    const y = l => l.getBoundingClientRect().top - list.getBoundingClientRect().top;
    let top = y(li), bottom = top + h;
    for (const o of others) {
      const other = o.file === file && this.line(o.file, o.line);
      if (!other) continue;
      const a = Math.min(top, y(other)), b = Math.max(bottom, y(other) + h);
      if (b - a <= room) [top, bottom] = [a, b];
    }
    if (top < 0 || bottom > room) list.scrollTop += bottom - top > h ? (top + bottom - room) / 2 : top - room / 3;
  }

  // fail marks the lines that a violation is about.
  fail(lines) {
    document.querySelectorAll('.source li.bad').forEach(l => l.classList.remove('bad'));
    for (const l of lines) {
      const li = this.line(l.f, l.l);
      if (li) li.classList.add('bad');
    }
  }

  // mark shows where threads stand; at is the line of the step, of a thread, or undefined.
  mark(stands, at, failed) {
    for (const [li, lane] of this.marked) {
      li.classList.remove('at', 'err', lane);
      li.querySelector('.here').replaceChildren();
    }
    this.marked = [];
    const use = (file, line, lane) => {
      const li = this.line(file, line);
      if (li) this.marked.push([li, lane]);
      return li;
    };
    for (const s of stands) {
      const li = use(s.file, s.line, laneOf(s.thread));
      if (li) li.querySelector('.here').append(el('span', {class: 'chip ' + laneOf(s.thread) + (s.waits ? ' stuck' : ''), title: 'thread ' + s.name + (s.waits ? ' waits here' : ' is here')}, s.name.split(' ')[0]));
    }
    if (at) {
      const li = use(at.file, at.line, laneOf(at.thread));
      if (li) {
        li.classList.add('at', laneOf(at.thread));
        if (failed) li.classList.add('err');
      }
    }
  }
}

const source = new Source();

// The invariants at a line are shown beside the source, for the pointer and for the keyboard.
{
  const list = $('holds-list');
  let pinned = '', shown = '';
  const show = at => {
    const all = (data.invariants || {})[at];
    if (!all || at === shown) return;
    shown = at;
    document.querySelectorAll('.source li.sel').forEach(l => l.classList.remove('sel'));
    const [file, line] = at.split(':');
    const li = source.line(file, line);
    if (li) li.classList.add('sel');
    const items = of => el('dl', {}, ...of.flatMap(i => [el('dt', {}, i.w), el('dd', {}, el('pre', {class: 'c'}, i.c))]));
    const major = all.filter(i => !i.m), minor = all.filter(i => i.m);
    list.replaceChildren(el('p', {}, 'Line ' + line + ', whenever the thread is there:'), items(major));
    if (minor.length) list.append(el('details', {open: !major.length}, el('summary', {}, minor.length + (major.length ? ' more' : '') + ' of the proofs of refinements'), items(minor)));
  };
  if (list) {
    for (const li of document.querySelectorAll('.source li[data-line]')) {
      const button = li.querySelector('button.inv');
      if (!button) continue;
      const at = li.dataset.line;
      li.addEventListener('mouseenter', () => show(at));
      button.addEventListener('focus', () => show(at));
      button.addEventListener('click', () => { pinned = pinned === at ? '' : at; shown = ''; show(at); });
      li.addEventListener('mouseleave', () => { if (pinned && pinned !== at) show(pinned); });
    }
    const lines = [...document.querySelectorAll('.source li button.inv')].map(b => b.dataset.line);
    const first = lines.find(at => data.invariants[at].some(i => !i.m)) || lines[0];
    if (first) show(first);
  }
}

// In print, everything that can be opened is open, and nothing that can be chosen is missing.
{
  let closed = [], hidden = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open])')];
    hidden = [...document.querySelectorAll('section[data-finding][hidden], details[data-finding][hidden], .file[hidden]')];
    closed.forEach(d => { d.open = true; });
    hidden.forEach(e => { e.hidden = false; });
  });
  addEventListener('afterprint', () => {
    closed.forEach(d => { d.open = false; });
    hidden.forEach(e => { e.hidden = true; });
  });
}
