package vault

import "callboard/app/fault"

// The rules of making and opening a home.
var (
	ErrExists = fault.New(fault.Conflict, "vault_exists", "this home already has a key").
			Then("Unlock it, or set CALLBOARD_HOME to another folder.")
	ErrNone = fault.New(fault.NotFound, "vault_missing", "there is no Callboard home here yet").
		Then("Make one with callboard init, or start the window.")
	ErrShort = fault.New(fault.Invalid, "passphrase_short", "the passphrase is too short").
			Then("Use at least 8 characters.")
	ErrProtection = fault.New(fault.Invalid, "protection_unknown", "this kind of protection is not known").
			Then("Choose passphrase, keyring or file.")
	ErrTwoKeys = fault.New(fault.Conflict, "two_keys", "this home has more than one key file").
			Then("Move the one that does not belong here out of the folder.")
	ErrKeyMissing = fault.New(fault.Unavailable, "key_missing", "the key file is gone, and without it the store cannot be read").
			Then("Put it back from a backup, or use the recovery key.")
	ErrDataKeyMissing = fault.New(fault.Unavailable, "data_key_missing", "the data key file dek.age is gone, and without it the store cannot be read").
				Then("Put dek.age back from a backup.")
	ErrStoreMissing = fault.New(fault.Unavailable, "store_missing", "the key is here but the store folder is gone").
			Then("Put the store folder back from a backup.")
	ErrKeyExposed = fault.New(fault.Denied, "key_exposed", "the key file key.txt can be read by other users of this computer").
			Then("Run chmod 600 on it, then try again.")
	ErrDataKeyDiffers = fault.New(fault.Unavailable, "data_key_differs", "the data key file dek.age is not the one this store was made with").
				Then("Put the right dek.age back from a backup.")
	ErrNoRoom = fault.New(fault.Unavailable, "disk_full", "there is too little room on the disk").
			Then("Free some space, then try again.")
)

// The rules of changing how a home is opened.
var (
	ErrNotLocked = fault.New(fault.Conflict, "vault_open", "this home is open").
			Then("Lock it first.")
	ErrRecoveryKey = fault.New(fault.Unauthenticated, "recovery_key_wrong", "this recovery key does not open this home").
			Then("Check it letter by letter; a newer recovery key replaces an older one.")
	ErrNoRecovery = fault.New(fault.NotFound, "recovery_key_none", "this home has no recovery key").
			Then("Put the key file back from a backup.")
	ErrUnverified = fault.New(fault.Unavailable, "key_unverified", "nothing was changed: the new key could not be read back").
			Then("Try again; check the disk if it happens twice.")
)

// ErrRekeyDamage says that Rekey found rows it cannot seal anew.
var ErrRekeyDamage = fault.New(fault.Conflict, "rekey_damage", "nothing was changed: there are damaged rows, which cannot be encrypted anew").
	Then("Discard them, then try again.")

// The rules of the system keyring.
var (
	ErrKeyringMissing = fault.New(fault.Unavailable, "keyring_missing", "there is no system keyring on this computer").
				Then("Start a desktop session that has one, or use the recovery key.")
	ErrKeyringEntry = fault.New(fault.Unavailable, "keyring_entry_missing", "the system keyring does not hold this home's key").
			Then("Use the recovery key.")
	ErrKeyringLocked = fault.New(fault.Unavailable, "keyring_locked", "the system keyring is locked or does not answer").
				Then("Unlock the keyring, then try again.")
)

// The rules of backup and restore.
var (
	ErrBackupPlace = fault.New(fault.Invalid, "backup_place", "the backup cannot go there").
			Then("Name a folder outside the home that is not there yet or is empty.")
	ErrBackupUnsound = fault.New(fault.Unavailable, "backup_unsound", "no backup was made: the copy differs from the home").
				Then("Try again on another disk, and run callboard verify.")
	ErrBackupNone = fault.New(fault.NotFound, "backup_none", "this folder is not a finished Callboard backup").
			Then("Name the folder that holds backup.json.")
	ErrBackupNewer = fault.New(fault.Unavailable, "backup_newer", "nothing was restored: a newer Callboard made this backup").
			Then("Update Callboard, then try again.")
	ErrBackupDamaged = fault.New(fault.Unavailable, "backup_damaged", "nothing was restored: the backup is damaged").
				Then("Use another backup.")
)

// ErrLockSlow says that Lock did not wait any longer.
var ErrLockSlow = fault.New(fault.Unavailable, "lock_overrun", "Callboard is locked, but some work was still under way").
	Then("Look at what you changed last once it is unlocked.")
