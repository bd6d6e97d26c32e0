// Table shows rows of cells that can be sorted by a column and filtered. Of many rows only those that one sees are there at all, and in print
// the first thousands.
class Table {
  static height = 33;
  static printed = 3000;

  constructor(box, columns, rows) {
    Object.assign(this, {box, columns, rows, by: -1, down: false, printing: false});
    this.head = el('tr', {});
    this.buttons = columns.map((c, i) => el('button', {type: 'button', click: () => this.sort(i)}, c.name));
    this.cells = columns.map((c, i) => el('th', {scope: 'col', class: c.num ? 'num' : ''}, this.buttons[i]));
    this.head.append(...this.cells);
    this.body = el('tbody', {});
    this.table = el('table', {}, el('thead', {}, this.head), this.body);
    box.append(this.table);
    box.addEventListener('scroll', () => this.draw());
    for (const [event, printing] of [['beforeprint', true], ['afterprint', false]]) {
      addEventListener(event, () => { this.printing = printing; this.draw(); });
    }
    this.filter(() => true);
  }

  filter(keep) {
    this.kept = this.rows.filter(keep);
    this.order();
  }

  // sort sorts by a column, the other way round if it is sorted by it already.
  sort(i) {
    this.down = this.by === i && !this.down;
    this.by = i;
    this.order();
  }

  order() {
    const c = this.columns[this.by], sign = this.down ? -1 : 1;
    this.cells.forEach((th, i) => {
      th.setAttribute('aria-sort', i !== this.by ? 'none' : this.down ? 'descending' : 'ascending');
      this.buttons[i].textContent = this.columns[i].name + (i !== this.by ? '' : this.down ? ' ▼' : ' ▲');
    });
    const none = v => v === '' || v === null || v === undefined;
    this.shown = !c ? this.kept : this.kept.slice().sort((a, b) => {
      const x = a[c.key], y = b[c.key];
      if (none(x) || none(y)) return none(x) - none(y); // what is missing is last, either way
      return sign * (c.num ? x - y : String(x).localeCompare(String(y), 'en', {numeric: true}));
    });
    this.box.scrollTop = 0;
    this.draw();
  }

  // row returns the element of a row without its cells.
  row(r, props) { return el('tr', props); }

  draw() {
    const h = Table.height, n = this.shown.length;
    const a = this.printing ? 0 : Math.max(0, Math.floor(this.box.scrollTop / h) - 10);
    const b = this.printing ? Math.min(n, Table.printed) : Math.min(n, Math.ceil((this.box.scrollTop + (this.box.clientHeight || 640)) / h) + 10);
    const pad = rows => {
      const td = el('td', {colspan: this.columns.length});
      td.style.height = rows * h + 'px';
      return el('tr', {class: 'pad', 'aria-hidden': 'true'}, td);
    };
    this.table.setAttribute('aria-rowcount', n + 1);
    this.body.replaceChildren(...(a ? [pad(a)] : []), ...this.shown.slice(a, b).map((r, i) => {
      const tr = this.row(r, {'aria-rowindex': a + i + 2});
      tr.append(...this.columns.map(c => el('td', {class: [c.num && 'num', c.code && 'code', c.mark && c.mark(r)].filter(Boolean).join(' '), title: c.title ? r[c.title] : undefined}, this.text(c, r))));
      return tr;
    }), ...(b < n && !this.printing ? [pad(n - b)] : []));
  }

  text(c, r) {
    const v = r[c.key];
    return v === null || v === undefined ? '' : c.num && c.digits !== undefined ? v.toFixed(c.digits) : String(v);
  }
}

// The table of a measurement.
if (data.bench) {
  const mark = r => ({right: 'right', wrong: 'wrong', undecided: 'open'})[r.outcome] || '';
  const columns = [{name: 'task', key: 'task'}, {name: 'configuration', key: 'config'}, {name: 'property', key: 'property'}, {name: 'threads', key: 'threads', num: true},
    {name: 'expected', key: 'expect'}, {name: 'verdict', key: 'verdict', mark, title: 'reason'}, {name: 'outcome', key: 'outcome', mark},
    {name: 'seconds', key: 'seconds', num: true, digits: 2}, {name: 'MB', key: 'megabytes', num: true, digits: 0}, {name: 'checks', key: 'checks', num: true, digits: 0}]
    .filter(c => data.bench.some(r => r[c.key] !== '' && r[c.key] !== null && r[c.key] !== undefined));
  const table = new Table($('bench-grid'), columns, data.bench);
  const values = key => [...new Set(data.bench.map(r => r[key]))];
  $('bench-config').append(el('option', {value: ''}, 'all'), ...values('config').map(v => el('option', {value: v}, v)));
  $('bench-outcome').append(el('option', {value: ''}, 'all'), ...values('outcome').map(v => el('option', {value: v}, v)));
  const filter = () => {
    const text = $('bench-find').value.trim().toLowerCase(), config = $('bench-config').value, outcome = $('bench-outcome').value;
    table.filter(r => (!config || r.config === config) && (!outcome || r.outcome === outcome) && (!text || (r.task + ' ' + r.reason).toLowerCase().includes(text)));
    $('bench-count').textContent = table.shown.length + ' of ' + data.bench.length + ' runs';
  };
  ['bench-find', 'bench-config', 'bench-outcome'].forEach(id => $(id).addEventListener('input', filter));
  filter();
}
