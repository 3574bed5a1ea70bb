/**
 * What a prediction has to say of an attempt: `unknown`: how it ends, because the network would answer; `offline`: the program
 * went on without an answer, rehearsed offline; `exact`: nobody is there to be reached, for real as well; `refused`: something
 * else of the machine would be needed, and is named.
 */
export type Label = 'unknown' | 'offline' | 'exact' | 'refused';

export interface NetworkAttempt {
  name: string;
  script: string;
  label: Label;
  needs: string;
  /** Without confinement a packet is sent or a server reached; else the reason why that is not shown. */
  proof: true | string;
}

type Row = readonly [name: string, script: string, label: Label, proof?: string];

// Addresses for documentation (RFC 5737, RFC 3849): nobody has them.
const away = '198.51.100.7';
const away6 = '2001:db8::7';
const noTrace = 'leaves no trace';

const python = (code: string) =>
  `python3 - <<'END'\nimport os, socket, sys, threading, time\nsocket.setdefaulttimeout(1)\n${code}\nEND`;
const pythonRows: Row[] = [
  ['tcp', `socket.create_connection(("${away}", 80))`, 'unknown'],
  [
    'tcp, not waiting',
    `s = socket.socket(); s.setblocking(False); sys.exit(s.connect_ex(("${away}", 80)) != 115)`,
    'unknown',
  ],
  ['tcp by IPv6', `socket.create_connection(("${away6}", 80))`, 'unknown'],
  [
    'tcp, and goes on',
    `try:\n  socket.create_connection(("${away}", 80))\nexcept OSError:\n  pass\nprint("went on")`,
    'offline',
  ],
  ['udp', `socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("${away}", 53))`, 'unknown'],
  ['udp, connected', `s = socket.socket(type=socket.SOCK_DGRAM); s.connect(("${away}", 99)); s.send(b"x")`, 'unknown'],
  ['udp by sendmsg', `socket.socket(type=socket.SOCK_DGRAM).sendmsg([b"x"], [], 0, ("${away}", 99))`, 'unknown'],
  ['udp by IPv6', `socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b"x", ("${away6}", 99))`, 'unknown'],
  [
    'broadcast',
    `s = socket.socket(type=socket.SOCK_DGRAM); s.setsockopt(1, 6, 1); s.sendto(b"x", ("255.255.255.255", 99))`,
    'unknown',
    'needs a network that can be broadcast to',
  ],
  ['multicast', `socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("224.0.0.1", 99))`, 'unknown'],
  ['name of a host', `socket.getaddrinfo("example.invalid", 80)`, 'unknown'],
  [
    'name of a host, and goes on',
    `try:\n  socket.gethostbyname("example.invalid")\nexcept OSError:\n  print("no name")`,
    'offline',
  ],
  ['http', `import urllib.request; urllib.request.urlopen("http://${away}/", timeout=1)`, 'unknown'],
  ['smtp', `import smtplib; smtplib.SMTP("${away}", timeout=1)`, 'unknown'],
  ['fast open', `socket.socket().sendto(b"x", 0x20000000, ("${away}", 80))`, 'unknown'],
  [
    'mptcp',
    `socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).connect(("${away}", 80))`,
    'unknown',
    'kernels may be built without it',
  ],
  [
    'in a thread, and ends',
    `t = threading.Thread(target=lambda: socket.socket().connect_ex(("${away}", 80)), daemon=True); t.start(); time.sleep(0.1); print("done")`,
    'offline',
  ],
  [
    'in a child, and ends',
    `if os.fork() == 0:\n  socket.socket().connect_ex(("${away}", 80)); os._exit(0)\nos.wait(); print("done")`,
    'offline',
  ],
  ['server of the machine', `socket.create_connection(("127.0.0.1", int(os.environ["TCP"])))`, 'unknown'],
  ['server of the machine by IPv6', `socket.create_connection(("::1", int(os.environ["TCP6"])))`, 'unknown'],
  [
    'server of the machine by a mapped address',
    `socket.create_connection(("::ffff:127.0.0.1", int(os.environ["TCP"])))`,
    'unknown',
  ],
  ['server of the machine by 0.0.0.0', `socket.create_connection(("0.0.0.0", int(os.environ["TCP"])))`, 'unknown'],
  [
    'datagram to the machine',
    `socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", int(os.environ["UDP"])))`,
    'unknown',
  ],
  ['socket of a daemon', `s = socket.socket(socket.AF_UNIX); s.connect(os.environ["DAEMON"])`, 'unknown'],
  [
    'socket of a daemon, and goes on',
    `s = socket.socket(socket.AF_UNIX); s.connect_ex(os.environ["DAEMON"])`,
    'offline',
  ],
  ['nobody on a port', `sys.exit(socket.socket().connect_ex(("127.0.0.1", 1)) != 111)`, 'exact', 'nobody is there'],
  [
    'own server',
    `s = socket.create_server(("127.0.0.1", 0)); socket.create_connection(s.getsockname()); print("reached")`,
    'exact',
    'it is its own',
  ],
  ['own socket', `a, b = socket.socketpair(); a.send(b"x"); print(b.recv(1))`, 'exact', 'it is its own'],
  ['interfaces', `print(socket.if_nameindex())`, 'refused', noTrace],
  ['vsock', `s = socket.socket(40, socket.SOCK_STREAM); s.connect((2, 99))`, 'refused', noTrace],
  [
    'ring of calls',
    `import ctypes, platform; sys.exit(ctypes.CDLL(None, use_errno=True).syscall(425, 4, ctypes.create_string_buffer(120)) >= 0)`,
    'exact',
    noTrace,
  ],
];

const node = (code: string) => `node -e '${code}'`;
const nodeRows: Row[] = [
  ['tcp', `require("net").connect(80, "${away}")`, 'unknown'],
  ['tcp by IPv6', `require("net").connect(80, "${away6}")`, 'unknown'],
  [
    'tcp, and goes on',
    `require("net").connect(80, "${away}").on("error", () => {}).unref(); console.log("on")`,
    'offline',
  ],
  ['fetch', `fetch("http://${away}/", { signal: AbortSignal.timeout(500) })`, 'unknown'],
  [
    'fetch, and goes on',
    `fetch("http://${away}/", { signal: AbortSignal.timeout(300) }).catch(() => console.log("on"))`,
    'offline',
  ],
  [
    'fetch, and says that there is no network',
    `fetch("http://${away}/", { signal: AbortSignal.timeout(300) }).catch(() => console.log("offline"))`,
    'unknown',
  ],
  ['http', `require("http").get("http://${away}/")`, 'unknown'],
  ['https by name', `require("https").get("https://example.invalid/")`, 'unknown'],
  ['udp', `require("dgram").createSocket("udp4").send("x", 99, "${away}", (e) => process.exit(e ? 1 : 0))`, 'unknown'],
  ['name of a host', `require("dns").lookup("example.invalid", (e) => process.exit(e ? 1 : 0))`, 'unknown'],
  [
    'question to a name server',
    `const r = new (require("dns").Resolver)({ timeout: 200, tries: 1 }); r.setServers(["${away}"]); r.resolve4("example.invalid", (e) => process.exit(e ? 1 : 0))`,
    'unknown',
  ],
  [
    'server of the machine',
    `require("net").connect(Number(process.env.TCP), "127.0.0.1").on("connect", () => process.exit())`,
    'unknown',
  ],
  [
    'server of the machine by name',
    `require("net").connect(Number(process.env.TCP), "localhost").on("connect", () => process.exit())`,
    'unknown',
  ],
  ['socket of a daemon', `require("net").connect(process.env.DAEMON).on("connect", () => process.exit())`, 'unknown'],
  [
    'own server',
    `const s = require("net").createServer((c) => c.end("x")).listen(0, "127.0.0.1", () => require("net").connect(s.address().port, "127.0.0.1").on("data", () => process.exit()))`,
    'exact',
    'it is its own',
  ],
];

const shellRows: Row[] = [
  ['tcp', `: 2> /dev/null < /dev/tcp/${away}/80`, 'unknown'],
  ['tcp, and goes on', `(: < /dev/tcp/${away}/80) 2> /dev/null; echo on`, 'offline'],
  ['udp', `echo x > /dev/udp/${away}/99`, 'unknown'],
  ['server of the machine', ': < "/dev/tcp/127.0.0.1/$TCP"', 'unknown'],
  [
    'in the background, and ends',
    `(sleep 0.1; : < /dev/tcp/${away}/80) 2> /dev/null & sleep 0.3; echo done`,
    'offline',
  ],
];

const perlRows: Row[] = [
  ['tcp', `use IO::Socket::INET; IO::Socket::INET->new(PeerAddr => "${away}:80", Timeout => 1) or exit 1`, 'unknown'],
  [
    'udp',
    `use IO::Socket::INET; IO::Socket::INET->new(PeerAddr => "${away}:99", Proto => "udp")->send("x")`,
    'unknown',
  ],
  ['name of a host', 'gethostbyname("example.invalid") or exit 2', 'unknown'],
];

const rows = (needs: string, list: readonly Row[], wrap: (code: string) => string): NetworkAttempt[] =>
  list.map(([name, code, label, proof]) => ({
    name: `${needs}: ${name}`,
    script: wrap(code),
    label,
    needs,
    proof: proof ?? true,
  }));

export const networkAttempts: readonly NetworkAttempt[] = [
  ...rows('python3', pythonRows, python),
  ...rows('node', nodeRows, node),
  ...rows('bash', shellRows, (code) => code),
  ...rows('perl', perlRows, (code) => `perl -e '${code}'`),
];
