package storage_test

func holdAndWait() bool { return false }
