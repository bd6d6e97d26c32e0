package cfront

// addThreadFuncs adds the rarer functions of the threads library to those that comus
// knows.
func addThreadFuncs() {
	for name, f := range map[string]func(*lowerer, call) *value{
		"pthread_mutexattr_init":        (*lowerer).attrInit,
		"pthread_mutexattr_setrobust":   (*lowerer).attrZero,
		"pthread_mutexattr_setprotocol": (*lowerer).attrKnown,
		"pthread_rwlockattr_setkind_np": (*lowerer).attrKnown,
		"pthread_mutex_destroy":         (*lowerer).mutexDestroy,
		"pthread_spin_destroy":          (*lowerer).mutexDestroy,
		"pthread_rwlock_destroy":        (*lowerer).rwDestroy,
		"pthread_mutex_clocklock":       (*lowerer).tryLockCall,
		"pthread_cond_clockwait":        (*lowerer).waitCall,
		"sem_clockwait":                 (*lowerer).semWait,
		"pthread_rwlock_clockrdlock":    (*lowerer).rwLock,
		"pthread_rwlock_clockwrlock":    (*lowerer).rwLock,
		"pthread_key_create":            (*lowerer).keyCreate,
		"pthread_key_delete":            (*lowerer).keyDelete,
		"pthread_getspecific":           (*lowerer).keyGet,
		"pthread_setspecific":           (*lowerer).keySet,
		"pthread_setcancelstate":        (*lowerer).cancelState,
		"pthread_setcanceltype":         (*lowerer).cancelState,
		"pthread_tryjoin_np":            (*lowerer).tryJoinCall,
		"pthread_timedjoin_np":          (*lowerer).tryJoinCall,
		"pthread_clockjoin_np":          (*lowerer).tryJoinCall,
	} {
		libraryFuncs[name] = f
	}
	for _, f := range []string{"pthread_attr_setschedparam", "pthread_attr_setaffinity_np", "pthread_attr_setstack",
		"pthread_setname_np", "pthread_setschedparam", "pthread_setschedprio", "pthread_setaffinity_np", "pthread_mutexattr_setprioceiling"} {
		libraryFuncs[f] = (*lowerer).anyResult
	}
	libraryFuncs["pthread_testcancel"], libraryFuncs["pthread_attr_setguardsize"] = (*lowerer).nothing, (*lowerer).nothing
}

// cancelState lowers pthread_setcancelstate and pthread_setcanceltype, which have no
// effect as no thread is cancelled.
func (b *lowerer) cancelState(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur != nil && (vals[1].kind != vInt || !vals[1].isNull()) {
		b.fail(c.n, "unsupported: %s with a place for the old state", c.name)
	}
	return b.setResult(c, vals[0])
}
