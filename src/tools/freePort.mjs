// Ports of the loopback interface.
import { createServer } from 'node:net';

/** The wanted port of 127.0.0.1 if nobody listens on it, else any that is free. Throws one sentence for what is no port. */
export async function freePort(wanted) {
  const port = Number(wanted);
  if (!/^\d+$/.test(String(wanted)) || port > 65_535) {
    throw new Error(`${wanted} is no port; choose a number from 0 to 65535.`);
  }
  return (await tryPort(port)) ?? (await tryPort(0));
}

/** The port, or `undefined` where it cannot be had: it is taken, or only root may listen there. */
function tryPort(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1' }, () => {
      const { port: had } = server.address();
      server.close(() => resolve(had));
    });
  });
}
