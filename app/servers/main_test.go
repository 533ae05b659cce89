//go:build unix

package servers_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"callboard/app/servers"
)

// serveWord makes this binary a tool server, with a mode and a folder after it.
const serveWord = "serve-tools-for-test"

func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == serveWord {
		serve(os.Args[2], os.Args[3])
		return
	}
	goleak.VerifyTestMain(m)
}

// serve is a tool server of one kind; folder is the test's own.
func serve(mode, folder string) {
	if mode != "host" {
		note(folder, "pid", os.Getpid())
	}
	switch mode {
	case "good":
		good(&mcp.StdioTransport{})
	case "stays":
		good(&mcp.StdioTransport{})
		time.Sleep(time.Minute)
	case "echo":
		echo()
	case "mute":
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "garbage":
		fmt.Println("Welcome to the server, " + os.Getenv("CANARY"))
		time.Sleep(time.Minute)
	case "exits":
		fmt.Fprintln(os.Stderr, "no config file; canary "+os.Getenv("CANARY"))
		os.Exit(3)
	case "closes": // its output, and stays
		_ = os.Stdout.Close()
		time.Sleep(time.Minute)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		fork(folder, "leaf", &syscall.SysProcAttr{})
		time.Sleep(time.Minute)
	case "strays":
		fork(folder, "leaf", &syscall.SysProcAttr{Setsid: true})
		good(&mcp.StdioTransport{})
	case "host": // starts a server that does not mind its input, as Callboard would
		servers.StartForTest(os.Args[0], serveWord, "garbage", folder)
		time.Sleep(time.Minute)
	case "leaf":
		signal.Ignore(syscall.SIGTERM)
		note(folder, "leaf", os.Getpid())
		time.Sleep(time.Minute)
	default:
		raw(mode)
	}
}

func note(folder, name string, pid int) {
	_ = os.WriteFile(folder+"/"+name+".tmp", fmt.Append(nil, pid), 0o600)
	_ = os.Rename(folder+"/"+name+".tmp", folder+"/"+name)
}

// fork starts a server below this one, which holds its pipes too.
func fork(folder, mode string, attr *syscall.SysProcAttr) {
	c := exec.Command(os.Args[0], serveWord, mode, folder)
	c.Stdout, c.Stderr, c.SysProcAttr = os.Stdout, os.Stderr, attr
	if err := c.Start(); err != nil {
		panic(err)
	}
	for {
		if _, err := os.Stat(folder + "/" + mode); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// tools is a real server with three tools.
func tools() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "good", Version: "1.2"}, nil)
	for _, n := range []string{"add", "list_all", "drop-it"} {
		s.AddTool(&mcp.Tool{
			Name: n, Title: "The " + n, Description: "Does " + n + ".",
			InputSchema: json.RawMessage(`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"number"}}}`),
		}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	}
	return s
}

func good(t mcp.Transport) { _ = tools().Run(context.Background(), t) }

// echo is a server that repeats everything it was given.
func echo() {
	v := os.Getenv("CANARY")
	s := mcp.NewServer(&mcp.Implementation{Name: "I know " + v, Version: v}, nil)
	says := []string{
		"It is " + v + ".", base64.StdEncoding.EncodeToString([]byte(v)), base64.StdEncoding.EncodeToString([]byte("user:" + v)),
		fmt.Sprintf("%x", v), strings.Join(strings.Split(v, ""), "\u200b"), strings.Repeat("a", 500) + v, v[:10] + "\x07" + v[10:],
	}
	for i, text := range says {
		s.AddTool(&mcp.Tool{Name: fmt.Sprintf("t%d", i), Title: text, Description: text, InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	}
	s.AddTool(&mcp.Tool{Name: v, InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	fmt.Fprintln(os.Stderr, "env", os.Environ())
	_ = s.Run(context.Background(), &mcp.StdioTransport{})
	os.Exit(1)
}

// raw is a server by hand, for what a real one would not do.
func raw(mode string) {
	in := bufio.NewScanner(os.Stdin)
	lists := 0
	for in.Scan() {
		var req struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(in.Bytes(), &req) != nil || req.ID == nil {
			continue
		}
		switch req.Method {
		case "initialize":
			answer(req.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"0"}}`)
		case "tools/list":
			lists++
			page(mode, req.ID, lists)
		default:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method, %s"}}`+"\n", req.ID, os.Getenv("CANARY"))
		}
	}
}

func answer(id json.RawMessage, result string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
}

// page answers a request for tools in the way of mode.
func page(mode string, id json.RawMessage, n int) {
	one := func(name, text string) string {
		d, _ := json.Marshal(text)
		return fmt.Sprintf(`{"name":%q,"description":%s,"inputSchema":{"type":"object"}}`, name, d)
	}
	switch mode {
	case "dies":
		os.Exit(0)
	case "refuses":
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"go away %s"}}`+"\n", id, os.Getenv("CANARY"))
	case "long":
		_, _ = os.Stdout.Write(append(append([]byte(`{"jsonrpc":"`), bytes.Repeat([]byte("x"), 10<<20)...), '\n'))
	case "flood": // messages without end, each small
		for range 1 << 20 {
			fmt.Printf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%q}}`+"\n", strings.Repeat("x", 4000))
		}
	case "endless":
		answer(id, fmt.Sprintf(`{"tools":[%s],"nextCursor":"c%d"}`, one(fmt.Sprint("t", n), ""), n))
	case "circle":
		answer(id, fmt.Sprintf(`{"tools":[%s],"nextCursor":"same"}`, one(fmt.Sprint("t", n), "")))
	case "pages":
		next := `,"nextCursor":"` + strings.Repeat("c", n) + `"`
		if n == 3 {
			next = ""
		}
		answer(id, fmt.Sprintf(`{"tools":[%s]%s}`, one(fmt.Sprint("t", n), ""), next))
	case "many":
		all := make([]string, 5000)
		for i := range all {
			all[i] = one(fmt.Sprint("t", i), "")
		}
		answer(id, `{"tools":[`+strings.Join(all, ",")+`]}`)
	case "wrong":
		answer(id, `{"tools":"none"}`)
	case "hostile":
		answer(id, `{"tools":[`+strings.Join([]string{
			one("bidi", "safe \u202e evil \U000e0041\U000e0042 \x1b[31mred\x00 \U000e0101 end\nof\tit"),
			one("long", strings.Repeat("日", 2000)),
			one("bad name", ""), one("../x", ""), one("é", ""), one("", ""), one(strings.Repeat("n", 129), ""),
			one("twice", "first"), one("twice", "second"), `null`,
			fmt.Sprintf(`{"name":"huge","inputSchema":{"type":"object","x":%q}}`, strings.Repeat("s", 300<<10)),
			`{"name":"schemaless"}`,
		}, ",")+`]}`)
	}
}
