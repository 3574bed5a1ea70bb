import type { Loss } from '../loss/loss.ts';
import type { FileChange } from '../view/fileChange.ts';
import type { Facts, Risk } from './facts.ts';
import { classifyTarget, isAtOrAbove, isTemporaryPath, type Surroundings, type TargetClass } from './targets.ts';

const shown = 20;

/** What a fact's place is judged from. */
export function placeOf(facts: Facts): Surroundings {
  const cwd = facts.action.kind === 'command' ? facts.action.cwd : (facts.workspaceFolders[0] ?? '/');
  return { cwd, home: facts.home, workspaceFolders: facts.workspaceFolders };
}

/**
 * Risks that the changed files and the losses of a prediction prove. `discards`: a program that throws work away went
 * well, so what was overwritten is lost and not edited.
 */
export function fileRisks(facts: Facts, discards: boolean): Risk[] {
  const place = placeOf(facts);
  return [...lossRisks(facts, discards), ...placeRisks(facts, place), ...modeRisks(facts)];
}

/** Whether the files of the prediction show that something was deleted, overwritten or lost, git's own files aside. */
export function showsHarm(facts: Facts): boolean {
  return facts.loss.length > 0 || facts.files.some((file) => file.change !== 'created' && !inGit(file.path));
}

/** Whether a path is one of git's own files. */
export function inGit(path: string): boolean {
  return /(^|\/)\.git(\/|$)/.test(path);
}

function lossRisks(facts: Facts, discards: boolean): Risk[] {
  const risks: Risk[] = [];
  const changes = new Map(facts.files.map((file) => [file.path, file]));
  const commits = facts.loss.filter((loss) => loss.class === 'commits' || loss.class === 'stash');
  for (const loss of commits.filter((one) => one.recoverable === 'no')) {
    const what = loss.class === 'stash' ? `the stashed work ${loss.path}` : loss.why;
    risks.push({ level: 'danger', reason: `Loses ${what}, for good.`, evidence: [loss.path] });
  }
  const recoverableCommits = commits.filter((one) => one.recoverable !== 'no');
  if (recoverableCommits.length > 0) {
    const names = recoverableCommits.map((loss) => loss.why).join('; ');
    risks.push({
      level: 'caution',
      reason: `Takes away ${cut(names)}; it can be brought back ${recoverableCommits[0]?.recoverable.replace(/^yes, /, '') ?? ''}.`,
      evidence: recoverableCommits.map((loss) => loss.path).slice(0, shown),
    });
  }
  const files = facts.loss.filter((loss) => loss.class !== 'commits' && loss.class !== 'stash');
  const forGood = files.filter((loss) => loss.recoverable === 'no' && (loss.sizeBytes > 0 || loss.class === 'unknown'));
  const isTemporary = (loss: Loss) => isTemporaryPath(loss.path) && !inWorkspace(loss.path, facts);
  const isDeleted = (loss: Loss) => (changes.get(loss.path)?.change ?? 'deleted') === 'deleted';
  const temporary = forGood.filter(isTemporary);
  const lasting = forGood.filter((loss) => !isTemporary(loss));
  const deleted = lasting.filter(isDeleted);
  const replaced = lasting.filter((loss) => !isDeleted(loss) && (discards || shrinks(changes.get(loss.path))));
  const edited = lasting.filter((loss) => !isDeleted(loss) && !replaced.includes(loss));
  if (deleted.length > 0) risks.push({ level: 'danger', ...sentence('Deletes', deleted, elsewhere(deleted)) });
  if (replaced.length > 0) risks.push({ level: 'danger', ...sentence('Overwrites', replaced, elsewhere(replaced)) });
  if (edited.length > 0) risks.push({ level: 'caution', ...sentence('Edits', edited, elsewhere(edited)) });
  if (temporary.length > 0) {
    risks.push({ level: 'caution', ...sentence('Deletes or overwrites', temporary, 'in the temporary folder') });
  }
  const back = files.filter((loss) => loss.recoverable !== 'no' && loss.class !== 'reproducible');
  for (const [verb, losses] of [
    ['Deletes', back.filter(isDeleted)],
    ['Overwrites', back.filter((loss) => !isDeleted(loss) && shrinks(changes.get(loss.path)))],
  ] as const) {
    if (losses.length === 0) continue;
    const how = losses[0]?.recoverable.replace(/^yes, /, '') ?? '';
    risks.push({ level: 'caution', ...sentence(verb, losses, `that can be brought back ${how}`) });
  }
  const rebuilt = files.filter((loss) => loss.class === 'reproducible' && loss.recoverable !== 'no');
  if (rebuilt.length > 0 && rebuilt.length === files.length) {
    risks.push({ level: 'safe', ...sentence('Deletes', rebuilt, 'that can be built again') });
  }
  return risks;
}

function elsewhere(losses: readonly Loss[]): string {
  if (losses.every((loss) => loss.class === 'outside-repository')) return 'that no repository has';
  const lines = linesOf(losses);
  return lines === 1 || (lines === 0 && losses.length === 1) ? 'that exists nowhere else' : 'that exist nowhere else';
}

function linesOf(losses: readonly Loss[]): number {
  return losses.reduce((sum, loss) => sum + (loss.lines ?? 0), 0);
}

// What is left of a file that shrank to less than half is not an edit; nor is another kind of node in its place.
function shrinks(change: FileChange | undefined): boolean {
  if (change?.change !== 'modified') return change?.change === 'renamed' || change?.change === 'created';
  const before = change.before?.sizeBytes ?? change.sizeBytes;
  return before > 0 && change.sizeBytes < before / 2;
}

function sentence(verb: string, losses: readonly Loss[], which: string): { reason: string; evidence: string[] } {
  const lines = linesOf(losses);
  const bytes = losses.reduce((sum, loss) => sum + loss.sizeBytes, 0);
  const uncommitted = losses.every((loss) => /^(modified|untracked|index|ignored|unsaved)$/.test(loss.class));
  const size = lines > 0 ? count(lines, uncommitted ? 'uncommitted line' : 'line') : bytesText(bytes);
  return {
    reason: `${verb} ${count(losses.length, 'file')} with ${size} ${which}.`,
    evidence: losses.map((loss) => loss.path).slice(0, shown),
  };
}

interface PlaceRule {
  level: Risk['level'];
  class: TargetClass;
  says: (files: string) => string;
}

// The worst class that a path has decides; each path counts once.
const placeRules: readonly PlaceRule[] = [
  { level: 'danger', class: 'device', says: (files) => `Changes ${files} of the machine's devices.` },
  {
    level: 'danger',
    class: 'startup',
    says: (files) => `Changes ${files} that will be run or read at the next start.`,
  },
  { level: 'danger', class: 'secret', says: (files) => `Changes ${files} with keys or passwords.` },
  { level: 'danger', class: 'guard', says: (files) => `Changes ${files} that decide what agents and editors may do.` },
  { level: 'danger', class: 'system', says: (files) => `Changes ${files} of the system.` },
  { level: 'caution', class: 'outside', says: (files) => `Changes ${files} outside the workspace.` },
];

// Everything in a workspace that could be a key, a start file or settings has one of these in its path. The full
// question costs 10 µs a path, and there can be 50,000.
const mayBeSpecial =
  /\/\.|key|pem|secret|token|credential|cert|shadow|sudoers|cookies|logins|cron|systemd|init\.d|profile\.d|rc\.local|preload|Launch|autostart|fish|\/(AGENTS|CLAUDE|GEMINI)|id_|auth\.|kubeconfig|\.(p12|pfx|jks|kdbx|ppk|asc|gpg|env|conf)$/i;

function placeRisks(facts: Facts, place: Surroundings): Risk[] {
  const byRule = new Map<PlaceRule, string[]>();
  for (const { path, type } of facts.files) {
    // Git's own files are told by the effects on git; its examples of hooks do nothing.
    if (inGit(path) && (!/\.git\/hooks\/./.test(path) || path.endsWith('.sample') || type === 'directory')) continue;
    const within = inWorkspace(path, facts);
    if (within && !mayBeSpecial.test(path)) continue;
    const classes = classifyTarget(path, place);
    if (within) {
      classes.delete('outside');
      classes.delete('system');
    }
    const rule = placeRules.find(
      (one) => classes.has(one.class) && !(classes.has('temporary') && one.class === 'outside'),
    );
    if (!rule) continue;
    const paths = byRule.get(rule);
    if (paths) paths.push(path);
    else byRule.set(rule, [path]);
  }
  return [...byRule].map(([rule, paths]) => ({
    // A workspace's own `.env` is work as other work is: what is lost of it is told by the losses.
    level:
      (rule.class === 'secret' || rule.class === 'guard') && paths.every((path) => inWorkspace(path, facts))
        ? 'caution'
        : rule.level,
    reason: rule.says(count(paths.length, 'file')),
    evidence: paths.slice(0, shown),
  }));
}

function modeRisks(facts: Facts): Risk[] {
  const risks: Risk[] = [];
  const made = facts.files.filter((file) => file.change !== 'deleted' && file.type !== 'symlink');
  const gains = (file: FileChange, bits: number) =>
    (Number.parseInt(file.mode, 8) & bits) !== 0 && (Number.parseInt(file.before?.mode ?? '0', 8) & bits) === 0;
  const special = made.filter((file) => file.type === 'file' && gains(file, 0o6000));
  const open = made.filter((file) => gains(file, 0o002) && (Number.parseInt(file.mode, 8) & 0o1000) === 0);
  if (special.length > 0) {
    risks.push({
      level: 'danger',
      reason: `Makes ${count(special.length, 'file')} run with the rights of the owner.`,
      evidence: special.map((file) => file.path).slice(0, shown),
    });
  }
  if (open.length > 0) {
    risks.push({
      level: open.some((file) => file.change === 'mode') ? 'danger' : 'caution',
      reason: `Lets everybody on this machine write ${count(open.length, 'file')}.`,
      evidence: open.map((file) => file.path).slice(0, shown),
    });
  }
  return risks;
}

function inWorkspace(path: string, facts: Facts): boolean {
  return facts.workspaceFolders.some((folder) => folder !== '/' && isAtOrAbove(folder, path));
}

/** `1 file`, `12,345 files`. */
export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString('en-US')} ${noun}${amount === 1 ? '' : 's'}`;
}

function bytesText(bytes: number): string {
  if (bytes < 1024) return count(bytes, 'byte');
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

function cut(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
