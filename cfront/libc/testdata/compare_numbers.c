#include "compare.h"

static void random_number(void) {
  static const char *const parts[] = {"0", "1", "7", "9", "12", "99999999999", "-", "+", " ", "\t", "0x", "x", "a", "F", "z", ".", "e", "p",
    "inf", "nan", "(", ")", "2147483648", "9223372036854775807", "9223372036854775808", "18446744073709551615", "infinity", "E+3", "e-400"};
  char s[200] = "";
  for (int n = pick(6); n >= 0; n--)
    strcat(s, parts[pick(sizeof parts / sizeof *parts)]);
  strcpy(worlds[0].text, s), strcpy(worlds[1].text, s);
}

#define END ((char **)&W->pointer)
#define AT_END EXPECT((char *)worlds[0].pointer - worlds[0].text == (char *)worlds[1].pointer - worlds[1].text)
#define PARSE(f, ...)                               \
  do {                                              \
    CALL(f, (W->text, END, ##__VA_ARGS__));         \
    AT_END;                                         \
  } while (0)

static void parse(void) {
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  int base = bases[pick(6)];
  PARSE(strtol, base);
  PARSE(strtoll, base);
  PARSE(strtoul, base);
  PARSE(strtoull, base);
  PARSE(strtoimax, base);
  PARSE(strtoumax, base);
  CALL(atoi, (W->text));
  CALL(atol, (W->text));
  CALL(atoll, (W->text));
  CALL(strtol, (W->text, 0, base));
}

/* A subnormal result may set errno or not. */
static void parse_floats(void) {
  W = &worlds[1];
  double x = strtod(W->text, 0);
  if (x == 0 || fabs(x) >= 2.3e-308) {
    if (!isnan(x) && fabs(x) < 1e18)
      PARSE(strtod);
    (void)(W = &worlds[0], model_strtod(W->text, END)), (void)(W = &worlds[1], strtod(W->text, END));
    AT_END;
    double y = (W = &worlds[0], model_strtod(W->text, END)), z = model_atof(W->text);
    EXPECT(y == x || (isnan(x) && isnan(y)));
    EXPECT(z == x || isnan(x));
    EXPECT(model_strtof(W->text, 0) == (float)x || isnan(x));
    EXPECT(model_strtold(W->text, 0) == x || isnan(x));
  }
}

void compare_numbers(void) {
  for (int i = 0; i < 8000; i++) {
    random_number();
    parse();
    parse_floats();
  }
  worlds[0].pointer = worlds[1].pointer = 0;
  for (int base = -2; base < 40; base++) {
    CALL(strtol, (W->text, 0, base));
    CALL(strtoul, (W->text, 0, base));
  }
}
