// What is shown of a scan: tables of suspects, locations and threads that filters narrow, and both accesses of the suspect that is chosen, side by side.

// ChoiceTable is a table of which one row is chosen, by the pointer and by keys.
class ChoiceTable extends Table {
  constructor(box, columns, rows, choose) {
    super(box, columns, rows);
    this.tell = choose;
    box.addEventListener('keydown', e => {
      const page = Math.max(1, Math.floor(box.clientHeight / Table.height) - 2);
      const by = {ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity}[e.key];
      if (by === undefined || e.ctrlKey || e.altKey || e.metaKey) return;
      e.preventDefault();
      this.move(by);
    });
  }

  row(r, props) {
    return el('tr', {...props, 'aria-selected': String(r === this.chosen), 'data-row': String(r.id), click: () => this.choose(r)});
  }

  // move chooses another one of the rows that are shown.
  move(by) {
    const n = this.shown.length, at = this.shown.indexOf(this.chosen);
    if (n) this.choose(this.shown[Math.min(n - 1, Math.max(0, at < 0 ? 0 : at + by))]);
  }

  choose(r) {
    this.chosen = r;
    const at = this.shown.indexOf(r), y = at * Table.height, head = Table.height;
    if (at >= 0 && this.box.clientHeight) {
      if (y < this.box.scrollTop) this.box.scrollTop = y;
      else if (y + Table.height + head > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = y + Table.height + head - this.box.clientHeight;
    }
    this.draw();
    if (this.tell) this.tell(r);
  }
}

if (data.scan) {
  const scan = data.scan, files = scan.files, programs = scan.programs;
  // Folders that all files are in are told once.
  const folder = files.map(f => f.slice(0, f.lastIndexOf('/') + 1)).reduce((a, b) => {
    while (!b.startsWith(a)) a = a.slice(0, a.slice(0, -1).lastIndexOf('/') + 1);
    return a;
  }, files.length ? files[0].slice(0, files[0].lastIndexOf('/') + 1) : '');
  const shared = folder.length > 1 ? folder.length : 0;
  if (shared) {
    $('scan-folder').textContent = 'Places are in ' + folder;
    $('scan-folder').hidden = false;
  }
  const fileName = i => files[i].slice(shared);
  const at = p => p.l ? fileName(p.f) + ':' + p.l + ':' + p.c : '';
  const threadName = (program, i) => {
    const t = i < 0 ? undefined : programs[program].threads[i];
    return t ? t.name + (t.many ? ' (several)' : '') : '?';
  };
  const held = locks => locks && locks.length ? locks.join(', ') : 'no lock';
  const low = s => s.toLowerCase();

  // What is searched and sorted.
  const met = new Set();
  scan.findings.forEach((f, i) => {
    const one = f.p + ' ' + f.names[0];
    Object.assign(f, {id: i, name: f.names[0] + (f.names.length > 1 ? ' and ' + (f.names.length - 1) + ' more' : ''), best: !met.has(one), program: programs[f.p].name, first: at(f.a), second: at(f.b), says: f.verdict === 'open' ? f.state : f.verdict,
      threads: f.one ? '' : threadName(f.p, f.a.t) + ' / ' + threadName(f.p, f.b.t)});
    met.add(one);
    f.text = low([...f.names, f.first, f.second, f.threads, f.a.fn, f.b.fn, f.a.text, f.b.text, f.reason, f.help, f.why, f.told, ...(f.a.locks || []), ...(f.b.locks || [])].join('\n'));
  });
  scan.locations.forEach((l, i) => {
    Object.assign(l, {id: i, program: programs[l.p].name, place: at(l.at), held: (l.locks || []).join(', '), by: (l.threads || []).map(t => threadName(l.p, t)).join(', ')});
    l.text = low([l.name, l.type, l.place, l.held, l.by].join('\n'));
  });
  const threads = programs.flatMap((p, i) => p.threads.map(t => ({program: p.name, name: t.name, many: t.many ? 'several' : 'one', place: at(t.at), parent: t.parent < 0 ? '' : threadName(i, t.parent)})));

  const several = programs.length > 1;
  document.querySelectorAll('.several').forEach(e => { e.hidden = !several; });
  const of = column => several ? [column] : [];

  // choices fills a list with the values that there are, most frequent first, with how often.
  const choices = (id, values) => {
    const n = new Map();
    values.forEach(v => n.set(v, (n.get(v) || 0) + 1));
    $(id).append(el('option', {value: ''}, 'all'), ...[...n].sort((a, b) => b[1] - a[1]).map(([v, k]) => el('option', {value: '=' + v}, v + ' (' + k + ')')));
  };
  // filtering connects controls with a table: each has its id and a test of a row. then is called whenever other rows are shown.
  const filtering = (table, what, count, tests, then) => {
    const filter = () => {
      const on = tests.filter(([id]) => $(id).value.trim() !== '').map(([id, test]) => r => test(r, $(id).value));
      table.filter(r => on.every(t => t(r)));
      $(count).textContent = table.shown.length + ' of ' + table.rows.length + ' ' + what;
      if (then) then(table);
    };
    tests.forEach(([id]) => $(id).addEventListener('input', filter));
    filter();
  };
  const words = (r, v) => low(v).split(/\s+/).every(w => r.text.includes(w));
  const is = f => (r, v) => f(r).some(x => '=' + x === v);
  const filesOf = f => [...new Set([f.a, f.b].filter(p => p.l).map(p => fileName(p.f)))];

  // Suspects.
  const mark = r => ({new: 'open', confirmed: 'wrong', impossible: 'right'})[r.says] || 'quiet';
  const table = new ChoiceTable($('scan-grid'), [{name: 'state', key: 'says', mark}, {name: 'location', key: 'name', code: true, title: 'name'}, {name: 'an access', key: 'first', title: 'first'},
    {name: 'another one', key: 'second', title: 'second'}, {name: 'threads', key: 'threads', title: 'threads'}, {name: 'why', key: 'reason', title: 'reason'}, ...of({name: 'program', key: 'program'}), {name: 'rank', key: 'rank', num: true, digits: 0}],
    scan.findings, f => show(f));
  choices('scan-state', scan.findings.map(f => f.says));
  choices('scan-file', scan.findings.flatMap(filesOf));
  choices('scan-program', scan.findings.map(f => f.program));
  // Nothing is shown of suspects that the filter leaves out: neither the chosen one nor its line at the end.
  const listed = [...document.querySelectorAll('#all li')], summary = $('all').querySelector('summary'), listing = summary.textContent;
  const only = table => {
    const shown = new Set(table.shown.map(f => f.id)), all = shown.size === table.rows.length;
    listed.forEach((li, i) => { li.hidden = !shown.has(i); }); // they are in the order of the findings
    summary.textContent = all ? listing : listing + ': ' + listed.filter(li => !li.hidden).length + ' that the filter leaves';
    if (!started || table.chosen && shown.has(table.chosen.id)) return;
    if (table.shown.length) return table.choose(table.shown[0]);
    table.chosen = undefined;
    $('scan-detail').replaceChildren(el('p', {class: 'none'}, 'No suspect is like that.'));
  };
  let started = false;
  filtering(table, 'suspects', 'scan-count', [['scan-find', words], ['scan-state', is(f => [f.says])], ['scan-file', is(filesOf)], ['scan-program', is(f => [f.program])], ['scan-best', f => f.best]], only);

  // lines shows the source around a place.
  const lines = p => {
    const all = (scan.source[p.f] || {}), out = [];
    for (let n = p.l - 4; n <= p.l + 4; n++) {
      if (!all[n]) continue;
      const code = all[n].map(([cls, text]) => cls ? el('span', {class: cls}, text) : text);
      out.push(el('span', {class: 'sl' + (n === p.l ? ' hit' : '')}, el('span', {class: 'no'}, String(n)), el('span', {class: 'tx'}, ...code)));
    }
    return out.length ? el('pre', {class: 'snippet', tabindex: '0', 'aria-label': 'Source around ' + at(p)}, ...out) : el('p', {class: 'none'}, 'The source cannot be read now.');
  };
  const pairs = list => el('dl', {class: 'facts'}, ...list.filter(([, v]) => v).flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)]));
  const part = (f, a, lane) => {
    const t = a.t < 0 ? undefined : programs[f.p].threads[a.t];
    return el('article', {class: 'card part lane' + lane},
      el('h3', {}, el('span', {class: 'chip lane' + lane}, 'thread ' + threadName(f.p, a.t)), ' ' + a.does),
      el('p', {class: 'what'}, el('code', {}, a.text || '?')),
      el('p', {class: 'where'}, (at(a) || 'its place is not known') + (a.fn ? ' in ' + a.fn : '')),
      lines(a),
      pairs([['holds', a.locks ? el('code', {}, held(a.locks)) : held()], ['created', t && t.parent >= 0 && 'by ' + threadName(f.p, t.parent) + (at(t.at) ? ' at ' + at(t.at) : '')]]));
  };
  // place is the only one of what is not between two threads.
  const place = (f, a) => el('article', {class: 'card part lane0'}, el('p', {class: 'what'}, el('code', {}, a.text || '?')), el('p', {class: 'where'}, (at(a) || 'its place is not known') + (a.fn ? ' in ' + a.fn : '')), lines(a));
  const show = f => {
    $('scan-detail').replaceChildren(
      el('h3', {class: 'finding-head'}, f.head),
      f.one ? el('div', {class: 'parts'}, place(f, f.a)) : el('div', {class: 'parts n2'}, part(f, f.a, 0), el('p', {class: 'versus', 'aria-hidden': 'true'}, el('span', {}, f.order ? 'while' : f.verdict === 'confirmed' ? 'races with' : 'may race with')), part(f, f.b, 1)),
      el('div', {class: 'card'}, pairs([['why', f.reason], ['what would help', f.help], ['locations', f.names.length > 1 && f.names.join(', ')], [f.verdict, f.told], ['suppressed', f.why],
        ['known as', f.print && el('code', {}, f.print)], ['program', several && f.program]])));
    history.replaceState(null, '', '#finding=' + f.id);
  };

  // Locations and threads.
  const status = r => r.status === 'suspected' ? 'open' : 'right';
  const locs = new Table($('loc-grid'), [{name: 'location', key: 'name', code: true, title: 'name'}, {name: 'status', key: 'status', mark: status}, {name: 'locks', key: 'held', code: true, title: 'held'}, {name: 'type', key: 'type', code: true, title: 'type'},
    {name: 'threads', key: 'by', title: 'by'}, {name: 'accesses', key: 'n', num: true, digits: 0}, {name: 'suspects', key: 'suspects', num: true, digits: 0}, {name: 'declared or allocated', key: 'place', title: 'place'}, ...of({name: 'program', key: 'program'})], scan.locations);
  choices('loc-status', scan.locations.map(l => l.status));
  choices('loc-file', scan.locations.filter(l => l.at.l).map(l => fileName(l.at.f)));
  choices('loc-program', scan.locations.map(l => l.program));
  filtering(locs, 'locations', 'loc-count', [['loc-find', words], ['loc-status', is(l => [l.status])], ['loc-file', is(l => l.at.l ? [fileName(l.at.f)] : [])], ['loc-program', is(l => [l.program])]]);
  new Table($('thread-grid'), [{name: 'thread', key: 'name', code: true}, {name: 'at a time', key: 'many'}, {name: 'created by', key: 'parent'}, {name: 'created at', key: 'place'}, ...of({name: 'program', key: 'program'})], threads);

  // Keys that work wherever nothing is typed.
  addEventListener('keydown', e => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.defaultPrevented) return;
    if (e.key === 'Escape' && e.target.id === 'scan-find') $('scan-grid').focus();
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    if (e.key === '/') {
      e.preventDefault();
      $('scan-find').focus();
    } else if (e.key === 'j' || e.key === 'k') table.move(e.key === 'j' ? 1 : -1);
  });
  started = true;
  const wanted = /^#finding=(\d+)$/.exec(location.hash);
  if (scan.findings.length) table.choose(scan.findings[wanted ? +wanted[1] : 0] || scan.findings[0]);
}
