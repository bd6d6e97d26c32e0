// What gcc does and the standard leaves open, or says of the spelling of what # takes.
#define HAS(x) __has_attribute(x)
#define HAS_X defined X
#define X 0
#define INCLUDES __has_include(<stdio.h>)
#define STRING(x) #x
#if !defined Y && (X || HAS(noreturn))
int late_attribute;
#endif
#if HAS_X && !(HAS_X == 0)
int late_defined;
#endif
#if INCLUDES
int late_include;
#endif
char s[] = STRING(a<:1:> %: %> <% x);
int a<:2:>;
#define BOTH(a, b) a%:%:b
int BOTH(x, y);
