#include "compare.h"

/* Random text of few different characters, with nulls, at the same places in both worlds. */
static void fill_texts(void) {
  static const char from[] = "aabbAB c,\xe9\x01";
  for (size_t i = 0; i < sizeof W->text; i++)
    worlds[0].text[i] = worlds[1].text[i] = pick(6) ? from[pick(sizeof from - 1)] : 0;
  worlds[0].text[255] = worlds[1].text[255] = 0;
}

#define SIGN(f, args)                                             \
  do {                                                            \
    int a_ = (W = &worlds[0], model_##f args), b_ = (f args);     \
    if ((a_ > 0) != (b_ > 0) || (a_ < 0) != (b_ < 0))             \
      differ(__FILE__, __LINE__, #f #args, 0, a_, 0, b_, 0);      \
    count_call();                                                 \
  } while (0)

static void find_and_measure(void) {
  int i = pick(120), k = 120 + pick(60), n = pick(20), m = pick(4), c = (unsigned char)W->text[pick(256)];
  CALL(strlen, (W->text + i));
  CALL(strnlen, (W->text + i, n));
  CALL(strchr, (W->text + i, c));
  CALL(strchrnul, (W->text + i, c));
  CALL(strrchr, (W->text + i, c));
  CALL(index, (W->text + i, c));
  CALL(rindex, (W->text + i, c));
  CALL(memchr, (W->text + i, c, n));
  CALL(memrchr, (W->text + i, c, n));
  CALL(rawmemchr, (W->text + i, 0));
  CALL(memmem, (W->text + i, n, W->text + k, m));
  CALL(strstr, (W->text + i, W->text + k));
  CALL(strcasestr, (W->text + i, W->text + k));
  CALL(strspn, (W->text + i, W->text + k));
  CALL(strcspn, (W->text + i, W->text + k));
  CALL(strpbrk, (W->text + i, W->text + k));
  SIGN(memcmp, (W->text + i, W->text + k, n));
  SIGN(bcmp, (W->text + i, W->text + k, 0));
  SIGN(strcmp, (W->text + i, W->text + k));
  SIGN(strncmp, (W->text + i, W->text + k, n));
  SIGN(strcasecmp, (W->text + i, W->text + k));
  SIGN(strncasecmp, (W->text + i, W->text + k, n));
  SIGN(strcoll, (W->text + i, W->text + k));
}

static void copy_and_cut(void) {
  int i = pick(60), k = 120 + pick(60), n = pick(20), m = pick(9);
  CALL(memcpy, (W->text + i, W->text + k, n));
  CALL(mempcpy, (W->text + i, W->text + k, n));
  CALL(memmove, (W->text + i, W->text + i + m, n));
  VOID(bcopy, (W->text + i, W->text + i + 3, n));
  CALL(memset, (W->text + i, k + 250, n));
  VOID(bzero, (W->text + k, 2));
  VOID(explicit_bzero, (W->text + k, 1));
  CALL(memccpy, (W->text + i, W->text + k, 'a', n));
  CALL(strcpy, (W->text + i, W->text + k));
  CALL(stpcpy, (W->text + i, W->text + k));
  CALL(strncpy, (W->text + i, W->text + k, n));
  CALL(stpncpy, (W->text + i, W->text + k, n));
  memset(worlds[0].text + 110, 0, 4), memset(worlds[1].text + 110, 0, 4);
  CALL(strcat, (W->text + 64, W->text + k));
  CALL(strncat, (W->text + 64, W->text + k, n));
  CALL(strxfrm, (W->text + i, W->text + k, 80));
}

static char *rest[2];

/* strtok changes the text, and remembers where it was. */
static void tokens(void) {
  for (int i = 0; i < 2; i++)
    strcpy(worlds[i].text, " a,b ,, c"), strcpy(worlds[i].text + 200, ", ");
  CALL(strtok, (W->text, W->text + 200));
  for (int i = 0; i < 4; i++)
    CALL(strtok, (0, W->text + 200));
  fill_texts();
  CALL(strtok_r, (W->text + 3, ",a", &rest[W - worlds]));
  for (int i = 0; i < 5; i++)
    CALL(strtok_r, (0, ", b", &rest[W - worlds]));
  CALL(__strtok_r, (0, "c", &rest[W - worlds]));
  fill_texts();
  rest[0] = worlds[0].text + 5, rest[1] = worlds[1].text + 5;
  for (int i = 0; i < 5; i++)
    CALL(strsep, (&rest[W - worlds], ",b"));
}

static void duplicates(void) {
  char *p = model_strdup(worlds[0].text), *q = model_strndup(worlds[0].text, 3);
  EXPECT(!strcmp(p, worlds[0].text) && !strncmp(q, worlds[0].text, 3) && strlen(q) <= 3);
  OUTCOME(RETURNED, strdup, (""));
  model_free(p), model_free(q);
}

static void characters(void) {
  for (int c = -1; c < 256; c++) {
#define CLASS(f) EXPECT(!model_##f(c) == !f(c)), count_call()
    CLASS(isalnum), CLASS(isalpha), CLASS(isblank), CLASS(iscntrl), CLASS(isdigit), CLASS(isgraph), CLASS(islower), CLASS(isprint);
    CLASS(ispunct), CLASS(isspace), CLASS(isupper), CLASS(isxdigit), CLASS(isascii);
    CALL(toupper, (c));
    CALL(tolower, (c));
    CALL(toascii, (c));
  }
  for (int c = -128; c < 256; c++) {
    EXPECT((*model___ctype_b_loc())[c] == (*__ctype_b_loc())[c]);
    EXPECT((*model___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c]);
    EXPECT((*model___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c]);
  }
  OUTCOME(UNDEFINED, isalpha, (256));
  CALL(__ctype_get_mb_cur_max, ());
}

static void messages(void) {
  for (int e = -3; e < 200; e++) {
    EXPECT(!strcmp(model_strerror(e), strerror(e)));
    char a[40] = "", b[40] = "";
    size_t n = (size_t)pick(40);
    EXPECT(model___xpg_strerror_r(e, a, n) == __xpg_strerror_r(e, b, n));
    EXPECT(!strcmp(a, b));
    EXPECT(!strcmp(model_strerror_r(e, a, n), strerror_r(e, b, n)));
  }
}

void compare_strings(void) {
  for (int i = 0; i < 500; i++) {
    fill_texts();
    find_and_measure();
    copy_and_cut();
    tokens();
  }
  duplicates();
  characters();
  messages();
}
