package waits_test

import (
	"strings"
	"testing"

	"comus/internal/long"
)

// accounts is a program whose threads take the locks of two accounts.
func accounts(before, open, pair, client, start string) string {
	return head + `struct account { int id; long balance; pthread_mutex_t lock; };
struct bank { struct account *acc; int n; };
struct client { struct bank *bank; int id; };
static struct bank bank; static struct client cl[4];
` + before + `
static int bank_open(struct bank *b, int n) {
  b->n = n;
  b->acc = malloc(n * sizeof *b->acc);
  if (!b->acc) return -1;
  for (int i = 0; i < n; i++) { ` + open + ` }
  return 0;
}
static void lock_pair(struct account *a, struct account *b) { ` + pair + ` }
static void unlock_pair(struct account *a, struct account *b) { U(&a->lock); U(&b->lock); }
static void transfer(struct account *from, struct account *to) { lock_pair(from, to); from->balance--; to->balance++; unlock_pair(from, to); }
static void *f(void *p) {
  struct client *c = p;
  for (int i = 0; i < 9; i++) {
    int x = (int)(rand() % (unsigned)c->bank->n), y = (int)(rand() % (unsigned)c->bank->n);
    ` + client + `
  }
  return 0;
}
int main(void) {
  pthread_t t[4];
  if (bank_open(&bank, 5) != 0) return 1;
  for (int i = 0; i < 4; i++) { cl[i].bank = &bank; cl[i].id = i; pthread_create(&t[i], 0, f, &cl[i]); }
  ` + start + `
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
`
}

// TestIndexed has threads that take the locks of two accounts in the order of numbers, and such that do not: what stands in «» makes the difference.
func TestIndexed(t *testing.T) {
	const open = "b->acc[i].id = i; b->acc[i].balance = 9; pthread_mutex_init(&b->acc[i].lock, 0);"
	const by = "if (a->id < b->id) { L(&a->lock); L(&b->lock); } else { L(&b->lock); L(&a->lock); }"
	const two = "if (x == y) continue; transfer(&c->bank->acc[x], &c->bank->acc[y]);"
	for i, c := range []struct{ name, before, open, pair, client, start string }{
		{"twice the same", "", open, by, "if (x == y «&& i») continue; transfer(&c->bank->acc[x], &c->bank->acc[y]);", ""},
		{"another one meanwhile", "", open, by, "if (x == y) continue; «x = (x + 1) % c->bank->n;» transfer(&c->bank->acc[x], &c->bank->acc[y]);", ""},
		{"the same once more", "", open, by, two + "«transfer(&c->bank->acc[x], &c->bank->acc[x]);»", ""},
		{"by variables", "", open, by, "struct account *from = &c->bank->acc[x], *to = &c->bank->acc[y]; if («i && »from == to) continue; transfer(from, to);", ""},
		{"the next one", "", open, by, "y = x + 1; if (y < c->bank->n) transfer(&c->bank->acc[x], &c->bank->acc[y «- 1»]);", ""},
		{"some have the same number", "", "b->acc[i].id = i «/ 2»; pthread_mutex_init(&b->acc[i].lock, 0);", by, two, ""},
		{"all have the same number", "", "b->acc[i].id = «0 *» i; pthread_mutex_init(&b->acc[i].lock, 0);", by, two, ""},
		{"not all have a number", "", "«if (i)» b->acc[i].id = i; pthread_mutex_init(&b->acc[i].lock, 0);", by, two, ""},
		{"the number of another one", "", "«int k = i; i++; b->acc[k].id = i; i = k;» b->acc[i].id = i; pthread_mutex_init(&b->acc[i].lock, 0);", by, two, ""},
		{"the number changes meanwhile", "", "«int k = i;» b->acc[i].id = i; «i = 0;» pthread_mutex_init(&b->acc[i].lock, 0); «i = k;»", by, two, ""},
		{"numbers are exchanged", "", open, by, two + "«if (x) c->bank->acc[x].id = y;»", ""},
		{"main changes a number", "", open, by, two, "«bank.acc[0].id = 3;»"},
		{"main writes a number again", "", open, by, two, "«int i = 2; bank.acc[i].id = i;»"},
		{"bytes of a number", "", open + "«*(char *)&b->acc[i].id = 7;»", by, two, ""},
		{"cleared", "", "«memset(&b->acc[i], 0, sizeof b->acc[i]);» " + open, by, two, ""},
		{"a lock that begins without a number", "static void more(struct bank *b) { «int i = 0; pthread_mutex_init(&b->acc[i].lock, 0);» b->n--; }", open, by, two, "more(&bank);"},
		{"another array", "", open, by, two, "«bank.acc = malloc(5 * sizeof *bank.acc); for (int i = 0; i < 5; i++) { bank.acc[i].id = i; pthread_mutex_init(&bank.acc[i].lock, 0); }»"},
		{"the array somewhere else", "", open, by, two, "«bank.acc++;»"},
		{"two banks", "static struct bank second;", open, by, two, "«bank_open(&second, 5); cl[1].bank = &second;»"},
		{"threads before main", "static void *f(void *); «__attribute__((constructor))» static void early(void) { pthread_create(&u, 0, f, &cl[0]); }", open, by, two, "(void)early;"},
		{"always in the same order", "", open, "if (a->id < b->id) { L(&a->lock); L(&b->lock); } else { «L(&a->lock); L(&b->lock); return;» L(&b->lock); L(&a->lock); }", two, ""},
		{"by something else", "", open, "if (a->«balance < b->balance) { L(&a->lock); L(&b->lock); } else if (a->»id < b->id) { L(&a->lock); L(&b->lock); } else { L(&b->lock); L(&a->lock); }", two, ""},
		{"up and down", "", open, by, "if (x == y) continue; transfer(&c->bank->acc[x], &c->bank->acc[y]); «if (x > y) { L(&c->bank->acc[x].lock); L(&c->bank->acc[y].lock); U(&c->bank->acc[y].lock); U(&c->bank->acc[x].lock); }»", ""},
		{"down", "", open, "if (a->id > b->id) { L(&a->lock); L(&b->lock); } else { «if (a->id < 2) { L(&a->lock); L(&b->lock); return; }» L(&b->lock); L(&a->lock); }", two, ""},
		{"addresses", "", open, "if (a < b) { L(&a->lock); L(&b->lock); } else { L(&b->lock); L(&a->lock); }", "«if (0)» if (x == y) continue; transfer(&c->bank->acc[x], &c->bank->acc[y]);", ""},
		{"checked inside", "", open, "if (a == b «&& x») exit(1); " + by, "transfer(&c->bank->acc[x], &c->bank->acc[y]);", ""},
		{"by a pointer to a function", "static void transfer(struct account *, struct account *); static void (*volatile how)(struct account *, struct account *) = transfer;", open, by, "if (x == y) continue; how(&c->bank->acc[x], &c->bank->acc[«x + 0 *» y]);", ""},
	} {
		if !long.Turn(i, 4) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			text := accounts(c.before, c.open, c.pair, c.client, c.start)
			with, without := strings.NewReplacer("«", "", "»", "").Replace(text), wrong.ReplaceAllString(text, "")
			if found, _ := loadText(t, with).arranged(t); found != nil {
				t.Errorf("it is proved: %v", found.Order)
			}
			if _, why := loadText(t, without).arranged(t); why != nil {
				t.Errorf("without what is wrong: %v", why)
			}
		})
	}
}
