/* What the runs are looked for: an assertion at a place, or a call of an error function; and whether one process may make many of them; how long they go on, if COMUS_SECONDS in the
   environment does not say otherwise. */
extern const char comus_file[];
extern const unsigned comus_line;
extern const int comus_together;
extern const double comus_seconds;
