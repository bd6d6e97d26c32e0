"""Asks litmus.py (first argument: its folder) about programs, one a line of JSON. For each it prints all candidate executions, one a line: who reads from whom and the
orders of writes, a tab, and which of sc, tso, pso, rc11 allow it (0 or 1 each); then an empty line."""
import json, sys
sys.path.insert(0, sys.argv[1])
import litmus

def models(events, po, rf, mo, original=litmus.models):
    allowed = original(events, po, rf, mo)
    # litmus.py has one event for a read-modify-write, so it misses that one must not read from a write that comes later in mo.
    if any((r, w) in mo for w, r in rf): allowed['rc11'] = False
    source = {r: w for w, r in rf}
    text = ''.join('%d<%d ' % (e.i, source[e.i]) for e in events if e.r())
    for loc in sorted({e.loc for e in events if e.loc}):
        writes = [e.i for e in events if e.w() and e.loc == loc]
        text += ''.join('%d ' % w for w in sorted(writes, key=lambda w: sum((x, w) in mo for x in writes)))
    print(text, ''.join(str(int(allowed[m])) for m in ('sc', 'tso', 'pso', 'rc11')), sep='\t')
    return allowed

litmus.models = models
for line in sys.stdin:
    for _ in litmus.executions([[tuple(i) for i in thread] for thread in json.loads(line)]): pass
    print()
