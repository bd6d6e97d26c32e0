[[noreturn]] void stop(void);
