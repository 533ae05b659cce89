package storage_test

import (
	"slices"
	"time"
)

func timed(do func()) int64 {
	start := time.Now()
	do()
	return int64(time.Since(start))
}

func median(ns []int64) int64 {
	slices.Sort(ns)
	return ns[len(ns)/2]
}
