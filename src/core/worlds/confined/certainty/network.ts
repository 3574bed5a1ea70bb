import { readFile } from 'node:fs/promises';
import type { Doubt } from '../../../facts/doubt.ts';
import type { NoticeFact } from '../../../facts/notice.ts';
import type { RunRecord } from '../wire/runRecord.ts';

/** An address as the launcher writes it (`protocol.md`): `tcp 127.0.0.1:80`, `udp [::1]:53`, or one without a port. */
interface Address {
  protocol: 'tcp' | 'udp';
  host: string;
  port: number;
}

function addressOf(text: string): Address | undefined {
  const [, protocol, six, four, port] = /^(tcp|udp) (?:\[([\da-f:.]+)\]|([\d.]+)):(\d+)$/i.exec(text) ?? [];
  const host = six ?? four;
  if (host === undefined) return undefined;
  return { protocol: protocol === 'tcp' ? 'tcp' : 'udp', host, port: Number(port) };
}

function isLoopback({ host }: Address): boolean {
  return host === '::1' || host === '::' || host === '0.0.0.0' || /^(?:::ffff:)?127\./i.test(host);
}

/** Names of other machines are asked for here: what answers is the network. */
const nameServicePort = 53;

/** Ports on which somebody of this machine listens now, `tcp 80` each; `undefined` where that cannot be read. */
async function portsInUse(): Promise<ReadonlySet<string> | undefined> {
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

/** What the network has to do with a run, besides its effects. */
export interface NetworkPart {
  doubts: Doubt[];
  notices: NoticeFact[];
  /** How it ended may be the network's answer. */
  isEndUnknown: boolean;
}

const nothing: NetworkPart = { doubts: [], notices: [], isEndUnknown: false };

/**
 * No connection leaves a rehearsal. Where nobody of this machine listens on a port of its own, refusing it is exact. Of
 * others, a program of the user's that went on and succeeded was rehearsed offline; how the rest would have gone is unknown.
 */
export async function networkPart(record: RunRecord, isForeign: boolean): Promise<NetworkPart> {
  const tried = record.effects.flatMap(({ kind, detail }) => (kind === 'connects' ? [detail] : []));
  const served = record.effects.flatMap(({ kind, detail }) => (kind === 'listens' ? [detail] : []));
  if (tried.length === 0 && served.length === 0) return nothing;
  const inUse = await portsInUse();
  const isInUse = ({ protocol, port }: Address) => inUse?.has(`${protocol} ${port}`) ?? true;
  const doubts: Doubt[] = [];
  for (const on of new Set(served)) {
    const address = addressOf(on);
    if (address && isInUse(address)) doubts.push({ kind: 'portTaken', on });
  }
  const away: string[] = [];
  for (const to of new Set(tried)) {
    const address = addressOf(to);
    if (!address || !isLoopback(address) || address.port === nameServicePort) away.push(to);
    else if (isInUse(address)) doubts.push({ kind: 'connects', to });
  }
  const { finished, endedBy } = record;
  const succeeded = (finished?.how === 'exited' && finished.exitCode === 0) || endedBy?.kind === 'goesOn';
  const wentOn = isForeign && succeeded;
  if (away.length > 0 && wentOn) return { doubts, notices: [{ kind: 'offline', to: away }], isEndUnknown: false };
  for (const to of away) doubts.push({ kind: 'connects', to });
  return { doubts, notices: [], isEndUnknown: isForeign && doubts.some(({ kind }) => kind === 'connects') };
}
