// Run knows an execution, and what the state is after each of its rows. States are not kept, but one in every few hundred.
class Run {
  static every = 256;

  constructor(d) {
    Object.assign(this, d);
    this.into = new Map();
    this.from = new Map();
    for (const o of this.orders) {
      if (!this.into.has(o.b)) this.into.set(o.b, []);
      if (!this.from.has(o.a)) this.from.set(o.a, []);
      this.into.get(o.b).push(o);
      this.from.get(o.a).push(o);
    }
    this.locks = this.locks || [];
    this.last = new Map(this.involved.map(i => [i, true]));
    const state = {
      vals: this.vars.map(v => v.v),
      held: this.locks.map(() => []),
      stands: this.threads.map(() => ({s: 'absent', k: -1, f: -1, l: 0})),
    };
    for (const m of this.start || []) state.stands[m.t] = m;
    this.kept = [Run.copy(state)];
    this.rows.forEach((r, i) => {
      for (const c of r.c || []) {
        c.o = state.vals[c.v]; // what it was before
        state.vals[c.v] = c.x;
      }
      this.apply(state, r);
      if ((i + 1) % Run.every === 0) this.kept.push(Run.copy(state));
    });
  }

  static copy(s) { return {vals: s.vals.slice(), held: s.held.map(h => h.slice()), stands: s.stands.slice()}; }

  apply(state, r) {
    for (const c of r.c || []) state.vals[c.v] = c.x;
    for (const l of r.l || []) {
      const held = state.held[l.k];
      if (l.g) held.push({t: l.t, h: l.h || ''});
      else {
        const i = held.findIndex(x => x.t === l.t && x.h === (l.h || ''));
        held.splice(i < 0 ? 0 : i, 1);
      }
    }
    for (const m of r.m || []) state.stands[m.t] = m;
  }

  // at returns the state after n rows.
  at(n) {
    const k = Math.floor(n / Run.every), state = Run.copy(this.kept[k]);
    for (let i = k * Run.every; i < n; i++) this.apply(state, this.rows[i]);
    return state;
  }

  // ordersFrom returns the index of the first order that leads to a row or a later one; they are sorted by that.
  ordersFrom(row) {
    let lo = 0, hi = this.orders.length;
    while (lo < hi) {
      const mid = lo + hi >> 1;
      if (this.orders[mid].b < row) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  site(i) { return this.sites[this.rows[i].s]; }

  // effects returns what a row did, in words.
  effects(i) {
    const r = this.rows[i], out = [];
    for (const l of r.l || []) out.push((l.g ? 'takes ' : 'gives back ') + this.locks[l.k] + (l.h ? ' (' + l.h + ')' : ''));
    for (const c of r.c || []) out.push(this.vars[c.v].n + ': ' + c.o + ' → ' + c.x);
    out.push(...(r.e || []));
    return out;
  }

  // has tells whether a row speaks of some text, or is at the line that it is the number of.
  has(i, text) {
    const s = this.site(i);
    return String(s.l) === text || s.t.toLowerCase().includes(text) || this.effects(i).some(e => e.toLowerCase().includes(text));
  }
}
