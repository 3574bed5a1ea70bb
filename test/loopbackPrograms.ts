import { once } from 'node:events';
import net from 'node:net';

/** Servers that a command starts for itself, and their clients. */

/** `node many.js PORT`: 60 answers of 100,000 bytes by 20 connections, then a second server on the same port: exit code 4. */
export const manyRequests = `const http = require('node:http');
const port = Number(process.argv[2]);
const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
const server = http.createServer((request, response) => response.end('x'.repeat(100_000)));
const ask = (path) => new Promise((done) => http.get({ host: '127.0.0.1', port, path, agent }, (response) => {
  let size = 0;
  response.on('data', (piece) => { size += piece.length; }).on('end', () => done(size));
}));
server.listen(port, '127.0.0.1', async () => {
  console.log(JSON.stringify(server.address()));
  const sizes = await Promise.all(Array.from({ length: 60 }, (_, at) => ask('/' + at)));
  console.log(sizes.reduce((sum, size) => sum + size, 0));
  http.createServer().on('error', ({ code }) => { console.log(code); process.exit(4); }).listen(port, '127.0.0.1');
});`;

/** `python3 ends.py PORT`: what both ends of a connection are called, how they close, and who is refused when the server is gone. */
export const bothEnds = `import socket, sys
port = int(sys.argv[1])
server = socket.create_server(('127.0.0.1', port))
client = socket.create_connection(('127.0.0.1', port))
served, (host, number) = server.accept()
print(served.getsockname() == client.getpeername() == ('127.0.0.1', port), host, number == client.getsockname()[1])
served.sendall(b'hi'); print(client.recv(9)); client.shutdown(socket.SHUT_WR); print(served.recv(9))
served.close(); client.close(); server.close()
try: socket.create_connection(('127.0.0.1', port))
except OSError as error: print(error.strerror)
again = socket.create_server(('127.0.0.1', port)); print(again.getsockname()[1] == port)
`;

/** A port of the loopback that nobody has. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
