package ui

import (
	"os"

	"callboard/app/profile"
)

// userDir is the person's own folder, empty when the system names none.
func userDir() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return dir
}

// where is where agents are looked for when no folder is named: in each tool's
// own folders, and from the folder the program was started in up to the root
// of its repository.
func where(start string) profile.Where {
	return profile.Where{Home: userDir(), Start: start, Managed: profile.ManagedFolder(), Getenv: os.Getenv}
}
