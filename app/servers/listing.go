package servers

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The bounds on one conversation with a server, in bytes and pages.
const (
	maxMessage = 4 << 20  // one message
	maxTalk    = 32 << 20 // all messages of one discovery
	maxPages   = 64
)

// heard is what a server said of itself.
type heard struct {
	name, version string
	tools         []*mcp.Tool
}

// listTools connects, lists every tool and closes. Its errors are for classify
// only: they may hold the server's words.
func listTools(ctx context.Context, t mcp.Transport, version string) (h heard, err error) {
	client := mcp.NewClient(
		&mcp.Implementation{Name: "callboard", Version: version},
		&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}},
	)
	session, err := client.Connect(ctx, t, nil)
	if err != nil {
		return h, err
	}
	defer func() { _ = session.Close() }() // what was listed stands, however the server takes its leave
	if r := session.InitializeResult(); r != nil && r.ServerInfo != nil {
		h.name, h.version = r.ServerInfo.Name, r.ServerInfo.Version
	}
	h.tools, err = everyPage(ctx, session)
	return h, err
}

func everyPage(ctx context.Context, session *mcp.ClientSession) ([]*mcp.Tool, error) {
	var out []*mcp.Tool
	seen := map[string]bool{}
	cursor := ""
	for range maxPages {
		page, err := session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, err
		}
		out = append(out, page.Tools...)
		if len(out) > MaxTools {
			return nil, errTooMany
		}
		cursor = page.NextCursor
		switch {
		case cursor == "":
			return out, nil
		case seen[cursor]: // it would go round for ever
			return nil, errInvalid
		}
		seen[cursor] = true
	}
	return nil, errTooMany
}

// known is what may be kept of what was heard.
func (h heard) known(sv Server, r redactor) Known {
	k := Known{}
	k.Name, _ = r.line(h.name, MaxTitle)
	k.Version, _ = r.line(h.version, MaxTitle)
	seen := map[string]bool{}
	for _, t := range h.tools {
		schema, fits := schemaDigest(t.InputSchema)
		if !validTool.MatchString(t.Name) || r.clean(t.Name) != t.Name || seen[t.Name] || !fits {
			k.Dropped++
			continue
		}
		seen[t.Name] = true
		kept := Tool{ID: sv.ToolID(t.Name), Name: t.Name, Schema: schema}
		title := t.Title
		if title == "" && t.Annotations != nil {
			title = t.Annotations.Title
		}
		var inTitle, inText int
		kept.Title, inTitle = r.line(title, MaxTitle)
		kept.Description, inText = r.line(t.Description, MaxDescription)
		kept.Hidden = inTitle + inText
		k.Tools = append(k.Tools, kept)
	}
	return k
}

// channel is the way to a server while it is open. The protocol runs on its
// transport; verdict is what the channel itself knows of why it failed, empty
// if nothing; said is what the server wrote beside the protocol.
type channel interface {
	transport() mcp.Transport
	hangUp() // ends all that waits; may be called more than once
	close()  // returns when nothing of it is left
	verdict() Code
	said(r redactor) string
}

// classify puts a failure into the closed list.
func classify(ctx context.Context, ch channel, err error) Code {
	wire, isWire := errors.AsType[*jsonrpc.Error](err)
	switch v := ch.verdict(); {
	case errors.Is(err, errTooMany):
		return TooMany
	case errors.Is(err, errInvalid):
		return Invalid
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), errTimeout):
		return TimedOut
	case ctx.Err() != nil:
		return Cancelled
	case v != "":
		return v
	case isWire && wire != nil:
		return Refused
	}
	return Invalid
}
