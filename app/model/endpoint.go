package model

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Site is scheme, host and port of a base URL, in lower case and with the
// port always stated: "https://api.openai.com:443". Keys are bound to it. It is
// empty when the URL breaks a rule of Check.
func Site(baseURL string) string {
	u, problem := parse(baseURL)
	if problem != "" {
		return ""
	}
	return u.Scheme + "://" + bracket(u.Hostname()) + ":" + port(u)
}

// Host is what a person is told a call goes to: the host, and the port where it
// is not the scheme's own. It is empty when the URL breaks a rule of Check.
func Host(baseURL string) string {
	u, problem := parse(baseURL)
	if problem != "" {
		return ""
	}
	if port(u) == usual(u.Scheme) {
		return bracket(u.Hostname())
	}
	return bracket(u.Hostname()) + ":" + port(u)
}

// IsLoopback reports whether a base URL names this machine by a loopback
// address or as localhost. Other names are never looked up, so one that happens
// to lead here is no loopback.
func IsLoopback(baseURL string) bool {
	u, problem := parse(baseURL)
	return problem == "" && loopback(u.Hostname())
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

// parse reads a base URL, host in lower case. problem is a plain sentence, empty
// when nothing is wrong.
func parse(s string) (u *url.URL, problem string) {
	if s == "" {
		return nil, "An address is needed."
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }) {
		return nil, "May only hold plain letters, digits and signs, no spaces."
	}
	u, err := url.Parse(s)
	if err != nil || u.Opaque != "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, "Must begin with https://, or http:// for this machine."
	}
	u.Host = strings.ToLower(u.Host)
	switch {
	case u.User != nil:
		return nil, "Must not hold a user name or password."
	case strings.ContainsAny(s, "?#"):
		return nil, "Must end before any ? or #."
	case !goodHost(u.Hostname()) || !goodPort(u):
		return nil, "Needs a host, and a port from 1 to 65535 if any."
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, "Plain http would show the key and the text to the network. Use https; http is for this machine."
	case strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions"):
		return nil, "Leave /chat/completions out; Callboard adds it."
	}
	return u, ""
}

// goodHost is an address without a zone, or a name of letters, digits, dots and
// hyphens.
func goodHost(host string) bool {
	if strings.Contains(host, ":") {
		a, err := netip.ParseAddr(host)
		return err == nil && a.Zone() == ""
	}
	if len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

func goodPort(u *url.URL) bool {
	if strings.HasSuffix(u.Host, ":") {
		return false
	}
	n, err := strconv.ParseUint(port(u), 10, 16)
	return err == nil && n > 0
}

// port is the port in its shortest form.
func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return strings.TrimLeft(p, "0")
	}
	return usual(u.Scheme)
}

func usual(scheme string) string {
	if scheme == "http" {
		return "80"
	}
	return "443"
}

func bracket(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}
