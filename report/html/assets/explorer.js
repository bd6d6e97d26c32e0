// Explorer goes through an execution: it keeps the slider, the lanes, the source and the state together.
class Explorer {
  constructor(runs) {
    this.runs = runs.map(d => new Run(d));
    this.slider = $('slider');
    $('explorer').hidden = false;
    $('explorer-source').append($('source-box'));
    $('sources').hidden = true;
    this.lanes = new Lanes($('lanes'), row => this.go(row + 1));
    this.controls();
    document.querySelectorAll('.findings button').forEach(b => b.addEventListener('click', () => this.finding(+b.dataset.finding)));
    const asked = /^#(?:finding=(\d+)&)?step=(\d+)$/.exec(location.hash);
    this.finding(asked && asked[1] ? +asked[1] : 0, asked ? +asked[2] : undefined);
  }

  controls() {
    const click = (id, f) => $(id).addEventListener('click', f);
    click('first', () => this.go(0));
    click('last', () => this.go(this.run.rows.length));
    click('prev', () => this.move(-1));
    click('next', () => this.move(1));
    this.slider.addEventListener('input', () => this.slide(+this.slider.value));
    $('only').addEventListener('change', () => this.filter());
    $('find').addEventListener('input', () => this.filter());
    document.querySelectorAll('.legend input').forEach(i => i.addEventListener('change', () => {
      if (i.checked) this.lanes.kinds.add(i.dataset.kind);
      else this.lanes.kinds.delete(i.dataset.kind);
      this.lanes.draw();
    }));
    document.addEventListener('keydown', e => this.key(e));
    document.querySelectorAll('a[data-line]').forEach(a => a.addEventListener('click', e => {
      const [f, l] = a.dataset.line.split(':');
      e.preventDefault();
      source.scroll(+f, +l);
      $('explorer').scrollIntoView({block: 'start'});
    }));
    document.querySelectorAll('.source li.ran').forEach(li => li.addEventListener('dblclick', () => this.line(li.dataset.line)));
  }

  key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA|SUMMARY)$/.test(e.target.tagName) && e.target !== this.slider) return;
    const within = this.run && this.pos > 0 ? this.run.rows[this.pos - 1].t : -1;
    const lanes = document.activeElement === $('lanes');
    if (document.activeElement && document.activeElement.matches('.source, pre') && e.key !== 'ArrowLeft' && e.key !== 'ArrowRight') return;
    const step = n => e.shiftKey && within >= 0 ? this.move(n, within) : this.move(n);
    switch (e.key) {
      case 'ArrowRight': case 'n': step(1); break;
      case 'ArrowLeft': case 'p': step(-1); break;
      case 'ArrowDown': if (!lanes) return; step(1); break;
      case 'ArrowUp': if (!lanes) return; step(-1); break;
      case 'PageDown': if (!lanes) return; this.move(10); break;
      case 'PageUp': if (!lanes) return; this.move(-10); break;
      case 'Home': this.go(0); break;
      case 'End': this.go(this.run.rows.length); break;
      default: return;
    }
    e.preventDefault();
  }

  // finding shows an execution, at a step or at its end.
  finding(i, step) {
    if (!this.runs[i]) i = 0;
    this.run = this.runs[i];
    this.index = i;
    document.querySelectorAll('section[data-finding], details[data-finding]').forEach(s => { s.hidden = +s.dataset.finding !== i; });
    document.querySelectorAll('.findings button').forEach(b => b.setAttribute('aria-pressed', String(+b.dataset.finding === i)));
    $('only').replaceChildren(el('option', {value: ''}, 'all'), ...this.run.threads.map((name, t) => el('option', {value: t}, name)));
    $('find').value = '';
    source.fail(this.run.involved.map(r => this.run.site(r)));
    this.filter(step === undefined ? this.run.rows.length : Math.min(step, this.run.rows.length));
  }

  // filter chooses the rows that the lanes show; the state is always that after all rows up to the current one.
  filter(at = this.pos) {
    const only = $('only').value, text = $('find').value.trim().toLowerCase();
    this.view = [];
    for (let i = 0; i < this.run.rows.length; i++) {
      if ((only === '' || this.run.rows[i].t === +only) && (text === '' || this.run.has(i, text))) this.view.push(i);
    }
    this.lanes.set(this.run, this.view);
    this.slider.max = this.view.length;
    this.go(at, true);
  }

  // slide goes to the n-th of the rows that are shown, 0 is the beginning.
  slide(n) { this.go(n === 0 ? 0 : this.view[n - 1] + 1); }

  // index of the first row that is shown at or after a position.
  seek(pos) {
    let lo = 0, hi = this.view.length;
    while (lo < hi) {
      const mid = lo + hi >> 1;
      if (this.view[mid] < pos) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  // move goes some steps on, of those that are shown, or of a thread.
  move(n, thread) {
    if (thread !== undefined) {
      for (let i = this.pos - 1 + n; i >= 0 && i < this.run.rows.length; i += n) {
        if (this.run.rows[i].t === thread) return this.go(i + 1);
      }
      return;
    }
    const passed = this.seek(this.pos); // rows before the current one
    const on = this.view[passed - 1] === this.pos - 1 ? passed : n < 0 ? passed + 1 : passed;
    this.slide(Math.max(0, Math.min(this.view.length, on + n)));
  }

  // line goes to the next step at a line.
  line(at) {
    const [f, l] = at.split(':').map(Number), n = this.run.rows.length;
    for (let k = 0; k < n; k++) {
      const i = (this.pos + k) % n, s = this.run.site(i);
      if (s.f === f && s.l === l) return this.go(i + 1);
    }
  }

  // go makes it so that a number of rows have happened.
  go(pos, again) {
    if (pos === this.pos && !again) return;
    this.pos = pos;
    const run = this.run, state = run.at(pos), before = pos > 0 ? run.at(pos - 1) : undefined;
    this.slider.value = this.seek(pos);
    this.slider.setAttribute('aria-valuetext', pos ? 'step ' + pos + ' of ' + run.rows.length : 'beginning');
    const hidden = run.rows.length - this.view.length;
    $('count').textContent = `step ${pos} of ${run.rows.length}` + (hidden ? ` (${this.view.length} shown)` : '');
    $('first').disabled = $('prev').disabled = pos === 0;
    $('last').disabled = $('next').disabled = pos === run.rows.length;
    this.tell(pos - 1);
    this.lanes.select(pos - 1, state, true);
    showState(run, state, before, pos > 0 ? run.rows[pos - 1] : undefined);
    this.marks(state, pos);
    const hash = (this.runs.length > 1 ? '#finding=' + this.index + '&' : '#') + 'step=' + pos;
    clearTimeout(this.later);
    this.later = setTimeout(() => { try { history.replaceState(null, '', hash); } catch { /* a page within a page may not */ } }, 300);
  }

  // tell says what the current row does, and what it comes after.
  tell(i) {
    const now = $('now');
    if (i < 0) {
      now.className = 'now';
      now.replaceChildren('Before the first step.');
      return;
    }
    const run = this.run, row = run.rows[i], site = run.site(i);
    now.className = 'now ' + laneOf(row.t);
    const effects = run.effects(i).join(', ');
    const to = (n, text) => el('button', {type: 'button', click: () => this.go(n + 1)}, text + ' ' + (n + 1));
    const why = {create: () => 'its thread was created', join: () => 'that thread ended', lock: o => o.w + ' was given back', read: o => o.w + ' was written'};
    const whence = (run.into.get(i) || []).slice(0, 6).flatMap((o, k) => [k ? '; ' : 'after ', to(o.a, 'step'), ` (${why[o.k](o)} by ${run.threads[run.rows[o.a].t]})`]);
    const file = site.f >= 0 && data.files.length > 1 ? data.files[site.f] + ':' : 'line ';
    now.replaceChildren(el('span', {class: 'chip ' + laneOf(row.t)}, 'thread ' + run.threads[row.t]), el('span', {class: 'stmt'}, site.t),
      site.l ? file + site.l : '', effects ? ' · ' + effects : '', site.a ? ' · approximated: ' + site.a : '',
      el('span', {class: 'whence'}, ...(whence.length ? whence : [this.run.last.has(i) && run.race ? 'nothing orders this access and the other one' : '\u00a0'])));
  }

  // marks shows in the source where the threads stand, and the line of the step.
  marks(state, pos) {
    const stands = [];
    state.stands.forEach((s, t) => {
      if (s.f >= 0 && s.l > 0 && !['absent', 'created', 'ended'].includes(s.s)) stands.push({thread: t, name: this.run.threads[t], file: s.f, line: s.l, waits: s.s === 'waits'});
    });
    const site = pos > 0 ? this.run.site(pos - 1) : undefined;
    const at = site && site.f >= 0 ? {file: site.f, line: site.l, thread: this.run.rows[pos - 1].t} : undefined;
    source.mark(stands, at, pos > 0 && this.run.last.has(pos - 1));
    if (at) source.scroll(at.file, at.line, stands);
  }
}

// showState shows threads, locks and variables after a row, and what it has changed.
function showState(run, state, before, row) {
  const chip = t => el('span', {class: 'chip ' + laneOf(t)}, run.threads[t]);
  const table = (title, head, rows) => rows.length ? [el('table', {}, el('caption', {}, title), el('thead', {class: 'sr'}, el('tr', {}, ...head.map(h => el('th', {scope: 'col'}, h)))), el('tbody', {}, ...rows))] : [];
  const words = {absent: 'not created', created: 'created, has not started', runs: 'can go on', ended: 'has ended'};
  const threads = state.stands.map((s, t) => {
    const changed = row && (row.m || []).some(m => m.t === t && before.stands[t].s !== m.s);
    const doing = s.s === 'waits' ? el('span', {class: 'waits'}, 'waits for ' + s.w) : s.s === 'stands' ? el('span', {class: 'waits'}, (run.race ? 'before ' : '') + s.w.replace(/^data race at /, '')) : el('span', {class: s.s === 'runs' ? '' : 'quiet'}, words[s.s] || s.s);
    return el('tr', {class: changed ? 'changed' : ''}, el('td', {}, chip(t)), el('td', {}, doing));
  });
  const locks = run.locks.map((name, k) => {
    const held = state.held[k], waiting = state.stands.flatMap((s, t) => s.s === 'waits' && s.k === k ? [t] : []);
    const cell = el('td', {});
    if (held.length) cell.append('held by ', ...held.flatMap(h => [chip(h.t), h.h ? ' (' + h.h + ') ' : ' ']));
    else cell.append(el('span', {class: 'quiet'}, 'free'));
    if (waiting.length) cell.append(el('br'), el('span', {class: 'waits'}, 'awaited by '), ...waiting.flatMap(t => [chip(t), ' ']));
    return el('tr', {class: row && (row.l || []).some(l => l.k === k) ? 'changed' : ''}, el('th', {scope: 'row'}, name), cell);
  });
  const variable = i => {
    const written = row && (row.c || []).findLast(c => c.v === i), now = state.vals[i], old = before && before.vals[i];
    const cell = el('td', {});
    if (written) cell.append(el('del', {}, old), ' → ', el('ins', {}, now), now === old ? ' (the same)' : '');
    else cell.append(now);
    return el('tr', {class: written ? 'changed' : ''}, el('th', {scope: 'row'}, run.vars[i].n), cell);
  };
  const of = thread => run.vars.flatMap((v, i) => v.t === thread ? [i] : []);
  const some = list => list.length <= 400 ? list : list.filter(i => state.vals[i] !== run.vars[i].v || row && (row.c || []).some(c => c.v === i)).slice(0, 400);
  const head = ['name', 'value'], shared = some(of(-1));
  const out = [...table('Shared variables', head, shared.map(variable)), ...table('Locks', ['lock', 'who'], locks), ...table('Threads', ['thread', 'does'], threads)];
  if (row) out.push(...table('Local to ' + run.threads[row.t], head, some(of(row.t)).map(variable)));
  $('state').replaceChildren(...out);
}

if (data.runs && data.runs.length) new Explorer(data.runs);
