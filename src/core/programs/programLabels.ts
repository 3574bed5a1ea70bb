import type { ProgramLabel } from '../facts/programLabel.ts';
import { shellOf } from '../shell/shells.ts';
import { isGit } from './gitCommand.ts';
import { programName } from './programName.ts';
import { type LabelledProgram, shimLabels, upkeepLabels } from './shims.ts';
import { startedBy } from './startedBy.ts';

/** githooks(5), and what `git p4` adds. */
const hooks = new Set(
  'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change'.split(
    ' ',
  ),
);

/**
 * How each program came about, as far as its arguments and what started it tell: hooks of git, commands that a program hands
 * to a shell, what `sudo` or `xargs` start, and what version managers do before the real program runs.
 */
export function programLabels<P extends LabelledProgram>(programs: readonly P[]): Map<P, ProgramLabel> {
  const byId = new Map<number, P>();
  for (const program of programs) if (program.id !== undefined) byId.set(program.id, program);
  const labels = new Map([...upkeepLabels(programs), ...shimLabels(programs)]);
  for (const program of programs) {
    if (program.label !== undefined) labels.set(program, program.label);
    if (labels.has(program)) continue;
    const parent = program.parent === undefined ? undefined : byId.get(program.parent);
    const label = parent && labelOf(program.argv, parent.argv);
    if (label) labels.set(program, label);
  }
  return labels;
}

function labelOf(argv: readonly string[], parent: readonly string[]): ProgramLabel | undefined {
  const by = programName(parent[0] ?? '');
  if (isGit(by, true)) {
    const name = [argv[0], argv[1]].map((word = '') => programName(word)).find((word) => hooks.has(word));
    if (name !== undefined) return { kind: 'hook', name };
  }
  if (shellOf(by)) return undefined;
  const isShell = shellOf(argv[0] ?? '') !== undefined;
  // `find -exec sh -c …`: that shell was asked for.
  const name = programName(argv[0] ?? '');
  const wrapped = startedBy(parent).find((one) => one.argv && programName(one.argv[0] ?? '') === name);
  if (wrapped) return { kind: 'startedBy', by, ...(wrapped.asUser === undefined ? {} : { asUser: wrapped.asUser }) };
  const words = isShell ? onlyScript(argv) : undefined;
  return words === undefined ? undefined : { kind: 'line', by, words };
}

/** The script of `sh -c script`, as programs start it; `undefined` where there is more to the call. */
function onlyScript(argv: readonly string[]): string | undefined {
  const [, option = '', ...rest] = argv;
  if (!/^-[a-z]*c$/.test(option)) return undefined;
  // git and others hand over arguments behind the script: `sh -c 'script "$@"' script a b`.
  const [script, ...others] = rest[0] === '--' ? rest.slice(1) : rest;
  if (script === undefined) return undefined;
  if (others.length === 0) return script;
  return others[0] === script.replace(/ "\$@"$/, '') ? [others[0], ...others.slice(1)].join(' ') : undefined;
}
