import { chmodSync, copyFileSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteWord } from '../../src/core/shell/quoteWord.ts';
import type { Rule } from './scriptCases.ts';

/** Programs that the gate stops. Every one has a stand-in, so that no script of a case can start a real one. */
export const gatedNames = [
  ...['npm', 'npx', 'node', 'yarn', 'pnpm', 'tsc', 'jest', 'eslint', 'deno', 'python3', 'python', 'pip', 'pytest'],
  ...['ruby', 'perl', 'php', 'java', 'mvn', 'gradle', 'gcc', 'cc', 'g++', 'clang', 'cmake', 'go', 'cargo', 'rustc'],
  ...['docker', 'docker-compose', 'podman', 'kubectl', 'helm', 'terraform', 'ansible-playbook', 'aws', 'gcloud'],
  ...['curl', 'wget', 'ssh', 'scp', 'psql', 'mysql', 'redis-cli', 'mongosh', 'gh', 'systemctl', 'app', 'codegen'],
] as const;

/** The folder at the front of `PATH`, in which the same names stand for programs that are gated, or for stand-ins. */
export interface StandIns {
  folder: string;
  /** Binaries that the gate stops. */
  useGated(): void;
  /** Small scripts that do what the rules say. */
  useRules(rules: readonly Rule[]): void;
}

/** Makes the folder `bin` below `base`. */
export function createStandIns(base: string): StandIns {
  const folder = join(base, 'bin');
  const gated = join(base, 'bin-gated');
  const real = join(base, 'bin-real');
  const deeds = join(base, 'deeds');
  for (const made of [gated, real]) mkdirSync(made);
  const binary = join(base, 'some-binary');
  // Any binary that is not one of the system's own files is gated.
  copyFileSync('/bin/true', binary);
  chmodSync(binary, 0o755);
  for (const name of gatedNames) {
    linkSync(binary, join(gated, name));
    writeFileSync(join(real, name), `#!/bin/sh\n. '${deeds}/act.sh'\n`, { mode: 0o755 });
  }
  const use = (target: string) => {
    rmSync(folder, { force: true });
    symlinkSync(target, folder);
  };
  use(gated);
  return {
    folder,
    useGated: () => use(gated),
    useRules(rules) {
      rmSync(deeds, { recursive: true, force: true });
      mkdirSync(deeds);
      writeFileSync(join(deeds, 'act.sh'), actText(rules, deeds));
      use(real);
    },
  };
}

function actText(rules: readonly Rule[], deeds: string): string {
  const branches = rules.map((rule, index) => {
    const keep = (name: string, content: string) => {
      writeFileSync(join(deeds, `${index}.${name}`), content);
      return quoteWord(join(deeds, `${index}.${name}`));
    };
    const pattern = rule.pattern
      .split('*')
      .map((part) => (part === '' ? '' : quoteWord(part)))
      .join('*');
    const lines = [`${pattern})`];
    if (rule.readsStdin) lines.push('/bin/cat > /dev/null');
    for (const [at, { path, content }] of rule.files.entries()) {
      if (content === null) lines.push(`/bin/rm -rf ${quoteWord(path)}`);
      else {
        const place = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
        lines.push(`/bin/mkdir -p ${quoteWord(place)}`, `/bin/cat ${keep(`file${at}`, content)} > ${quoteWord(path)}`);
      }
    }
    if (rule.stdout !== '') lines.push(`/bin/cat ${keep('out', rule.stdout)}`);
    if (rule.stderr !== '') lines.push(`/bin/cat ${keep('err', rule.stderr)} >&2`);
    lines.push(`exit ${rule.exitCode}`, ';;');
    return lines.join('\n');
  });
  return `words="\${0##*/}\${1+ $*}"\ncase $words in\n${branches.join('\n')}\nesac\necho "no stand-in for $words" >&2\nexit 99\n`;
}
