// Lanes draws the rows of a run, a lane for each thread. Of long runs only the rows that one sees are there at all.
class Lanes {
  static gutter = 62;
  static span = 120; // rows that an arrow goes over, if it is not one of the current row

  constructor(box, go) {
    this.box = box;
    this.go = go;
    this.kinds = new Set(['create', 'join', 'lock', 'read', 'unseen']);
    this.heads = el('div', {class: 'lane-heads', 'aria-hidden': 'true'});
    this.canvas = el('div', {class: 'canvas', role: 'presentation'});
    box.append(this.heads, this.canvas);
    box.addEventListener('scroll', () => this.draw());
    new ResizeObserver(() => this.layout()).observe(box);
  }

  // set shows those rows of a run that view lists.
  set(run, view) {
    this.run = run;
    this.view = view;
    this.place = new Map(view.map((r, i) => [r, i]));
    this.layout();
  }

  layout() {
    if (!this.run) return;
    const n = this.run.threads.length, room = this.box.clientWidth - Lanes.gutter - 8;
    if (room <= 0) return;
    this.width = Math.max(132, Math.min(420, room / n));
    this.tall = this.width < 250;
    this.box.classList.toggle('tall', this.tall);
    this.height = this.tall ? 68 : 52; // of a row: two lines of text, or three
    this.gap = Math.min(36, Math.max(16, this.width * 0.1));
    this.total = Lanes.gutter + n * this.width;
    this.canvas.style.width = this.heads.style.width = this.total + 'px';
    this.canvas.style.height = this.view.length * this.height + 12 + 'px';
    this.heads.replaceChildren(...this.run.threads.map((name, t) => {
      const c = el('span', {class: 'chip ' + laneOf(t), title: 'thread ' + name}, name);
      c.style.left = this.left(t) + 'px';
      c.style.maxWidth = this.width - this.gap + 'px';
      return c;
    }));
    this.draw();
  }

  left(thread) { return Lanes.gutter + thread * this.width; }
  right(thread) { return this.left(thread) + this.width - this.gap; }
  middle(i) { return i * this.height + 5 + (this.height - 10) / 2; }

  // select makes a row the current one: after it, nothing has happened yet.
  select(row, state, scroll) {
    this.row = row;
    this.state = state;
    const i = this.place.get(row);
    if (scroll && i !== undefined) {
      const top = this.middle(i), room = this.box.clientHeight - 40;
      if (top - 40 < this.box.scrollTop || top + 40 > this.box.scrollTop + room) this.box.scrollTop = top - room / 2;
      const x = this.left(this.run.rows[row].t);
      if (x - Lanes.gutter < this.box.scrollLeft || x + this.width > this.box.scrollLeft + this.box.clientWidth) this.box.scrollLeft = x - Lanes.gutter;
    } else if (scroll && row < 0) this.box.scrollTop = 0;
    this.draw();
  }

  // draw draws the rows that one sees, and a few more.
  draw() {
    if (!this.run || !this.width) return;
    const h = this.height, n = this.view.length;
    const a = Math.max(0, Math.floor(this.box.scrollTop / h) - 6);
    const b = Math.min(n, Math.ceil((this.box.scrollTop + this.box.clientHeight) / h) + 6);
    const kids = [this.arrows(a, b)];
    for (let i = a; i < b; i++) kids.push(...this.step(i));
    this.canvas.replaceChildren(...kids);
    this.box.setAttribute('aria-activedescendant', this.row >= 0 ? 'step-' + this.row : '');
  }

  step(i) {
    const r = this.view[i], row = this.run.rows[r], site = this.run.site(r);
    const effects = this.run.effects(r).join(', '), bad = this.run.last.has(r);
    const classes = ['step', laneOf(row.t), r > this.row && 'later', r === this.row && 'now-at', bad && 'bad'].filter(Boolean);
    const under = [bad && this.run.race ? 'races' : '', effects, site.a ? 'approximated' : '', site.l ? 'line ' + site.l : ''].filter(Boolean).join(' · ');
    const card = el('div', {
      class: classes.join(' '), id: 'step-' + r, role: 'option', 'aria-selected': r === this.row ? 'true' : 'false',
      'aria-setsize': this.view.length, 'aria-posinset': i + 1, title: site.t + (effects ? '\n' + effects : ''),
      'aria-label': 'step ' + (r + 1) + ', thread ' + this.run.threads[row.t] + ', ' + under + ': ' + site.t, click: () => this.go(r),
    }, el('b', {}, ...(this.tall ? breakable(site.t) : [site.t])), el('small', {}, under));
    card.style.top = i * this.height + 5 + 'px';
    card.style.left = this.left(row.t) + 'px';
    card.style.width = this.width - this.gap + 'px';
    const no = el('span', {class: 'step-no', 'aria-hidden': 'true'}, String(r + 1));
    no.style.top = i * this.height + 5 + 'px';
    return [no, card];
  }

  // arrows draws the lanes' lines and the arrows that can be seen from rows a to b.
  arrows(a, b) {
    const top = a * this.height, size = (b - a) * this.height;
    const out = svg('svg', {width: this.total, height: this.view.length * this.height, 'aria-hidden': 'true'});
    for (let t = 0; t < this.run.threads.length; t++) {
      const x = this.left(t) + 14;
      out.append(svg('line', {class: 'life ' + laneOf(t), x1: x, x2: x, y1: top, y2: top + size}));
    }
    const first = this.view[a] ?? 0, last = this.view[Math.max(a, b - 1)] ?? 0;
    const until = this.view[Math.min(b + Lanes.span, this.view.length) - 1] ?? 0;
    const draw = (o, on) => {
      const i = this.place.get(o.a), j = this.place.get(o.b);
      if (this.kinds.has(o.k) && i !== undefined && j !== undefined && (on || j - i <= Lanes.span)) out.append(...this.arrow(i, this.run.rows[o.a].t, j, this.run.rows[o.b].t, o.k, on));
    };
    for (let i = this.run.ordersFrom(first); i < this.run.orders.length && this.run.orders[i].b <= until; i++) {
      const o = this.run.orders[i];
      if (o.a <= last && o.a !== this.row && o.b !== this.row) draw(o, false);
    }
    for (const o of this.run.into.get(this.row) || []) draw(o, true);
    for (const o of (this.run.from.get(this.row) || []).slice(0, 50)) draw(o, true);
    const [x, y] = this.run.involved.slice(-2).map(r => this.place.get(r));
    if (this.run.race && x !== undefined && y !== undefined) out.append(this.raceLink(x, y));
    return out;
  }

  arrow(i, s, j, t, kind, on) {
    const right = t > s, y1 = this.middle(i), y2 = this.middle(j);
    const x1 = right ? this.right(s) : this.left(s), x2 = right ? this.left(t) - 2 : this.right(t) + 2;
    const d = right ? 1 : -1, bend = Math.max(12, Math.min(Math.abs(x2 - x1) * 0.6, 60));
    const cls = 'k-' + kind + (on ? ' on' : '');
    return [svg('path', {class: 'arrow ' + cls, d: `M${x1} ${y1} C${x1 + d * bend} ${y1} ${x2 - d * bend} ${y2} ${x2 - d * 6} ${y2}`}),
      svg('path', {class: 'head ' + cls, d: `M${x2} ${y2} l${-d * 9} -4.5 v9 z`})];
  }

  // raceLink joins the two accesses of a race, which nothing orders.
  raceLink(i, j) {
    const r = this.view[i], q = this.view[j], s = this.run.rows[r].t, t = this.run.rows[q].t;
    const [x1, x2] = s < t ? [this.right(s), this.left(t)] : [this.left(s), this.right(t)];
    const y1 = this.middle(i), y2 = this.middle(j), mx = (x1 + x2) / 2, my = (y1 + y2) / 2, d = x2 > x1 ? 1 : -1;
    return svg('path', {class: 'race-link', d: `M${x1} ${y1} L${mx + d * 4} ${my - 5} L${mx - d * 4} ${my + 5} L${x2} ${y2}`});
  }
}


// breakable returns the text of a statement with places where it may go on in the next line.
function breakable(text) {
  return text.slice(0, 200).split(/(?<=[_(,.>])/).flatMap(part => [part, el('wbr')]);
}
