import type { Evidence, Risk } from '../facts/risk.ts';
import { outputsOf } from '../programs/outputs.ts';
import { programName } from '../programs/programName.ts';
import type { StaticProgram } from '../programs/staticPrograms.ts';
import { classifyTarget, type Place } from '../programs/targets.ts';
import { shellOf } from '../shell/shells.ts';
import { callAsEvidence, namesAsEvidence } from './evidence.ts';

/** Programs that fetch from other machines. */
export const fetchers =
  /^(curl|wget|aria2c|http|https|httpie|xh|fetch|lwp-request|lynx|w3m|links|nc|ncat|netcat|socat|telnet|ftp|tftp|scp|sftp|rsync|ssh|invoke-webrequest|iwr|irm|invoke-restmethod|gh|aws|gsutil|dig|nslookup|irb)$/i;
// Files that these options name are used as keys, not sent.
const identityOptions = /^(-i|-E|--cert|--key|--cacert|--capath|--identity|-k|--tlscacert|--tlskey)$/;
const senders =
  /^(curl|wget|http|https|httpie|xh|nc|ncat|netcat|socat|telnet|ftp|lftp|tftp|scp|sftp|rsync|ssh|mail|mailx|sendmail|mutt|rclone|aws|gsutil|s3cmd|dig|nslookup|ping|iwr|irm)$/i;
/** Whether this call fetches from another machine. */
export function fetches({ argv }: { argv: readonly string[] }): boolean {
  const name = programName(argv[0] ?? '');
  return fetchers.test(name) || (name === 'openssl' && /^s_(client|time)$/.test(argv[1] ?? ''));
}

/** Whether this call sends to another machine. */
function sends({ argv }: { argv: readonly string[] }): boolean {
  const name = programName(argv[0] ?? '');
  if (name !== 'openssl') return senders.test(name);
  return /^(s_client|s_server|s_time)$/.test(argv[1] ?? '') || argv.some((word) => /^-(url|host|server)$/.test(word));
}

/** Whether a program of this name reads commands. */
export function readsCommands(name: string): boolean {
  return name === 'busybox' || shellOf(name) !== undefined;
}
/** Programs that read code of a programming language. */
export const interpreters =
  /^(python|pypy|perl|ruby|node|nodejs|php|lua|bun|deno|osascript|tclsh|Rscript|iex|invoke-expression)[\d.]*$/i;

/** All programs whose output reaches a program through pipes, nearest first. */
export function upstream(program: StaticProgram): StaticProgram[] {
  const found: StaticProgram[] = [];
  let from = program.readsFrom;
  // The last of a pipeline reads from the one before, which has its own; a group has several.
  for (let hops = 0; from.length > 0 && hops < 64; hops++) {
    found.push(...from);
    from = from.flatMap((one) => one.readsFrom);
  }
  return found;
}

// `curl -o a.sh …; sh a.sh`: a file that was fetched and is run later in the same script.
/** Files that are fetched and run later in the same script. */
export function downloadRisks(programs: readonly StaticProgram[]): Risk[] {
  /** Each file with the call that fetches it. */
  const files = new Map<string, readonly string[]>();
  for (const program of programs) {
    const name = programName(program.argv[0] ?? '');
    const words = program.argv.slice(1).map(plainName);
    const read = [
      ...words,
      ...program.redirects.filter(({ operator }) => operator === '<').map(({ target }) => plainName(target)),
    ];
    const known = [plainName(program.argv[0] ?? ''), ...read].find((word) => files.has(word));
    const runs =
      readsCommands(name) ||
      interpreters.test(name) ||
      /^(source|\.|eval|chmod|exec|xargs)$/.test(name) ||
      files.has(plainName(program.argv[0] ?? ''));
    const source = known === undefined ? undefined : files.get(known);
    if (known !== undefined && source !== undefined && runs) {
      const fact = { kind: 'runsDownload', file: known, argv: source } as const;
      return [{ level: 'danger', fact, evidence: [...namesAsEvidence([known]), callAsEvidence(program)] }];
    }
    // A copy or a link of what was fetched is fetched as well.
    if (source !== undefined && /^(cp|mv|ln|tar|unzip|gunzip|cat|tee|dd|install|base64|openssl)$/.test(name)) {
      for (const word of [...words, ...writtenBy(program)]) files.set(word, source);
    }
    const fetching = [program, ...upstream(program)].find(fetches);
    if (fetching) for (const file of writtenBy(program)) files.set(file, fetching.argv);
  }
  return [];
}

function writtenBy(program: StaticProgram): string[] {
  const name = programName(program.argv[0] ?? '');
  const { argv } = program;
  const files = program.redirects.filter(({ operator }) => operator.includes('>')).map(({ target }) => target);
  files.push(...outputsOf(argv));
  if (/^(scp|rsync|sftp)$/.test(name)) files.push(...argv.slice(1).filter((word) => !word.startsWith('-')));
  // Without another name a file gets that of the address.
  const keepsName =
    (name === 'curl' && argv.some((word) => /^(--remote-name(-all)?|-[a-zA-Z]*[OJ][a-zA-Z]*)$/.test(word))) ||
    (/^(wget|aria2c|axel)$/.test(name) && files.length === 0);
  if (keepsName) {
    const addresses = argv.filter((word) => /\/[\w.-]+$/.test(word));
    files.push(...addresses.map((word) => word.slice(word.lastIndexOf('/') + 1)));
  }
  return files.map(plainName).filter((file) => file !== '' && file !== '-');
}

function plainName(word: string): string {
  return word.replace(/^(\.\/)+/, '');
}

/** Stands for all variables among the names of files. */
const environment = Symbol('environment');

/** Keys and passwords that are read, and whether they could be sent. */
export function secretRisks(programs: readonly StaticProgram[], place: Place): Risk[] {
  const secrets = new Set<string | typeof environment>();
  let sender: StaticProgram | undefined;
  for (const program of programs) {
    const name = programName(program.argv[0] ?? '');
    const written = new Set(outputsOf(program.argv));
    const read = [
      ...program.argv.slice(1),
      ...program.redirects.filter(({ operator }) => operator === '<').map(({ target }) => target),
    ];
    if (!/^(echo|printf|mkdir|touch|grep|rg|git|cd|test|\[|ls|stat|export)$/.test(name) || /^(grep|rg)$/.test(name)) {
      for (const [index, word] of read.entries()) {
        if (identityOptions.test(read[index - 1] ?? '') && /^(ssh|scp|sftp|curl|wget|rsync|mosh|docker)$/.test(name))
          continue;
        const path = word.replace(/^[\w-]*[=@]+@?/, '');
        if (written.has(path) || written.has(word)) continue;
        // A bare word like `token` is rather a pattern or a message than a file.
        if (!/[./]|^id_/.test(path)) continue;
        if (!/^-/.test(path) && classifyTarget(path, place).has('secret')) secrets.add(path);
      }
    }
    if (/^(env|printenv|set|export)$/.test(name) && program.argv.length === 1) secrets.add(environment);
    const opens = program.redirects.some(({ target }) => /^\/dev\/(tcp|udp)\//.test(target));
    if (opens || sends(program)) sender ??= program;
  }
  const [first] = secrets;
  if (first === undefined) return [];
  const names = [...secrets];
  if (sender) {
    const evidence = names.map(
      (name): Evidence => (name === environment ? { kind: 'environment' } : { kind: 'name', name }),
    );
    const path = first === environment ? {} : { path: first };
    return [
      { level: 'danger', fact: { kind: 'sendsSecret', ...path }, evidence: [...evidence, callAsEvidence(sender)] },
    ];
  }
  const paths = names.filter((name) => name !== environment);
  const [path] = paths;
  if (path === undefined) return [];
  return [{ level: 'caution', fact: { kind: 'readsSecret', path }, evidence: namesAsEvidence(paths) }];
}
