package cfront

// addThreadFuncs adds the rarer functions of the threads library to those that comus
// knows.
func addThreadFuncs() {
	for name, f := range map[string]func(*lowerer, call) *value{
		"pthread_mutexattr_init":      (*lowerer).attrInit,
		"pthread_mutexattr_setrobust": (*lowerer).attrZero,
		"pthread_mutex_destroy":       (*lowerer).mutexDestroy,
		"pthread_spin_destroy":        (*lowerer).mutexDestroy,
		"pthread_rwlock_destroy":      (*lowerer).rwDestroy,
		"pthread_mutex_clocklock":     (*lowerer).tryLockCall,
		"pthread_cond_clockwait":      (*lowerer).waitCall,
		"sem_clockwait":               (*lowerer).semWait,
		"pthread_rwlock_clockrdlock":  (*lowerer).rwLock,
		"pthread_rwlock_clockwrlock":  (*lowerer).rwLock,
	} {
		libraryFuncs[name] = f
	}
}
