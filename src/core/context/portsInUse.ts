import { readFile } from 'node:fs/promises';

/** An address as the launcher writes it (`protocol.md`): `tcp 127.0.0.1:80`, `udp [::1]:53`, or one without a port. */
export interface Address {
  protocol: 'tcp' | 'udp';
  host: string;
  port: number;
}

/** `undefined` where the text is none: a path, or a name. */
export function addressOf(text: string): Address | undefined {
  const [, protocol, six, four, port] = /^(tcp|udp) (?:\[([\da-f:.]+)\]|([\d.]+)):(\d+)$/i.exec(text) ?? [];
  const host = six ?? four;
  if (host === undefined) return undefined;
  return { protocol: protocol === 'tcp' ? 'tcp' : 'udp', host, port: Number(port) };
}

/** Ports on which somebody of this machine listens now, `tcp 80` each; `undefined` where that cannot be read. */
export async function portsInUse(): Promise<ReadonlySet<string> | undefined> {
  const found = new Set<string>();
  for (const table of ['tcp', 'tcp6', 'udp', 'udp6']) {
    const text = await readFile(`/proc/net/${table}`, 'latin1').catch(() => undefined);
    // A machine may have no IPv6.
    if (text === undefined && !table.endsWith('6')) return undefined;
    const protocol = table.slice(0, 3);
    for (const line of text?.split('\n').slice(1) ?? []) {
      // proc(5): "sl local:port remote:port state …"; 0A: it listens.
      const [, local = '', , state] = line.trim().split(/\s+/);
      const port = Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16);
      if (Number.isNaN(port) || (protocol === 'tcp' && state !== '0A')) continue;
      found.add(`${protocol} ${port}`);
    }
  }
  return found;
}
