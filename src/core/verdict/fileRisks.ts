import type { Level } from '../facts/level.ts';
import type { Loss, LossClass } from '../facts/loss.ts';
import { isUserSettings } from '../loss/git/gitEffects.ts';
import { classifyTarget, isAtOrAbove, isTemporaryPath, type Place, type TargetClass } from '../programs/targets.ts';
import type { FileChange } from '../view/fileChange.ts';
import { wayBack } from '../words/recoveryText.ts';
import type { Facts, Risk } from './facts.ts';

const shown = 20;

/** What a fact's place is judged from. */
export function placeOf(facts: Facts): Place {
  const cwd = facts.action.kind === 'command' ? facts.action.cwd : (facts.workspaceFolders[0] ?? '/');
  return { cwd, home: facts.home, workspaceFolders: facts.workspaceFolders };
}

/** Risks that the changed files and the losses of a prediction prove. */
export function fileRisks(facts: Facts): Risk[] {
  const place = placeOf(facts);
  return [...commitRisks(facts.loss), ...lossRisks(facts, place), ...placeRisks(facts, place), ...modeRisks(facts)];
}

/** Whether the files of the prediction show that something was deleted, overwritten or lost, git's own files aside. */
export function showsHarm(facts: Facts): boolean {
  return facts.loss.length > 0 || facts.files.some((file) => file.change !== 'created' && !inGit(file.path));
}

/** Whether a path is one of git's own files. */
export function inGit(path: string): boolean {
  return /(^|\/)\.git(\/|$)/.test(path);
}

/** Lost commits and stashes. What is still in the files, or in the commits that replace them, is less than lost work. */
function commitRisks(losses: readonly Loss[]): Risk[] {
  const risks: Risk[] = [];
  const takenAway: Loss[] = [];
  for (const loss of losses) {
    if (loss.class !== 'commits' && loss.class !== 'stash') continue;
    if (loss.recovery.kind !== 'none') {
      takenAway.push(loss);
      continue;
    }
    const what = loss.class === 'stash' ? `the stashed work ${loss.path}` : loss.why;
    risks.push({ level: 'danger', reason: `Loses ${what}, for good.`, evidence: [loss.path] });
  }
  for (const level of ['danger', 'caution'] as const) {
    const some = takenAway.filter((loss) => commitLevel(loss) === level);
    const [first] = some;
    if (first === undefined || first.recovery.kind === 'none') continue;
    const names = cut(some.map((loss) => loss.why).join('; '));
    risks.push({
      level,
      reason: `Takes away ${names}; it can be brought back ${wayBack(first.recovery)}.`,
      evidence: some.map((loss) => loss.path).slice(0, shown),
    });
  }
  return risks;
}

function commitLevel({ class: lossClass, commits, recovery }: Loss): Level {
  // Every commit is on a remote: the repository is one clone away.
  if (recovery.kind === 'remote') return 'caution';
  if (lossClass === 'commits' && commits !== undefined && (commits.replacedBy > 0 || commits.inFiles)) return 'caution';
  return 'danger';
}

function lossRisks(facts: Facts, place: Place): Risk[] {
  const risks: Risk[] = [];
  const files = facts.loss.filter((loss) => loss.class !== 'commits' && loss.class !== 'stash');
  const forGood = files.filter(
    (loss) => loss.recovery.kind === 'none' && (loss.sizeBytes > 0 || loss.class === 'unknown'),
  );
  const isTemporary = (loss: Loss) => isTemporaryPath(loss.path) && !inWorkspace(loss.path, facts);
  const temporary = forGood.filter(isTemporary);
  const lasting = forGood.filter((loss) => !isTemporary(loss));
  for (const [going, verb] of goings) {
    const some = lasting.filter((loss) => (loss.going ?? 'deleted') === going);
    const [light, heavy] = parted(some, (loss) => going !== 'edited' && weighsLittle(loss, place));
    const level = going === 'edited' ? 'caution' : 'danger';
    if (heavy.length > 0) risks.push({ level, ...sentence(verb, heavy, elsewhere(heavy)) });
    if (light.length > 0) risks.push({ level: 'caution', ...sentence(verb, light, elsewhere(light)) });
  }
  if (temporary.length > 0) {
    risks.push({ level: 'caution', ...sentence('Deletes or overwrites', temporary, 'in the temporary folder') });
  }
  // What the action itself packs into an archive is as good as moved.
  const [packed, unpacked] = parted(files, ({ recovery }) => recovery.kind === 'file' && recovery.format !== undefined);
  const back = unpacked.filter((loss) => loss.recovery.kind !== 'none' && loss.class !== 'reproducible');
  for (const [going, verb] of goings) {
    if (going === 'edited') continue;
    const losses = back.filter((loss) => (loss.going ?? 'deleted') === going);
    const [first] = losses;
    if (first === undefined || first.recovery.kind === 'none') continue;
    const which = `that can be brought back ${wayBack(first.recovery)}`;
    risks.push({ level: 'caution', ...sentence(verb, losses, which) });
  }
  const [inArchive] = packed;
  if (inArchive !== undefined && inArchive.recovery.kind !== 'none') {
    const which = `that can be brought back ${wayBack(inArchive.recovery)}`;
    risks.push({ level: 'safe', ...sentence('Deletes or overwrites', packed, which) });
  }
  const rebuilt = files.filter((loss) => loss.class === 'reproducible' && loss.recovery.kind !== 'none');
  if (rebuilt.length > 0 && rebuilt.length === files.length) {
    risks.push({ level: 'safe', ...sentence('Deletes', rebuilt, 'that can be built again') });
  }
  return risks;
}

/** Those for which something holds, and the others; asked once each, because there can be 50,000. */
function parted(losses: readonly Loss[], holds: (loss: Loss) => boolean): [Loss[], Loss[]] {
  const parts: [Loss[], Loss[]] = [[], []];
  for (const loss of losses) parts[holds(loss) ? 0 : 1].push(loss);
  return parts;
}

const goings = [
  ['deleted', 'Deletes'],
  ['replaced', 'Overwrites'],
  ['edited', 'Edits'],
] as const;

/** Of what git was told to ignore, so little is no work: a line or two. */
const littleBytes = 128;
const littleLines = 2;

/** Ignored by git, and a leftover of some program or hardly anything; a key or a setting is never little. */
function weighsLittle(loss: Loss, place: Place): boolean {
  const isLittle = loss.class === 'ignored' && loss.sizeBytes <= littleBytes && (loss.lines ?? 0) <= littleLines;
  if (loss.class !== 'leftover' && !isLittle) return false;
  if (!mayBeSpecial.test(loss.path)) return true;
  const classes = classifyTarget(loss.path, place);
  return !(['secret', 'startup', 'guard'] as const).some((special) => classes.has(special));
}

function elsewhere(losses: readonly Loss[]): string {
  if (losses.every((loss) => loss.class === 'outside-repository')) return 'that no repository has';
  const lines = linesOf(losses);
  return lines === 1 || (lines === 0 && losses.length === 1) ? 'that exists nowhere else' : 'that exist nowhere else';
}

function linesOf(losses: readonly Loss[]): number {
  return losses.reduce((sum, loss) => sum + (loss.lines ?? 0), 0);
}

const uncommittedClasses: ReadonlySet<LossClass> = new Set([
  'modified',
  'untracked',
  'index',
  'ignored',
  'leftover',
  'unsaved',
]);

function sentence(verb: string, losses: readonly Loss[], which: string): { reason: string; evidence: string[] } {
  const lines = linesOf(losses);
  const bytes = losses.reduce((sum, loss) => sum + loss.sizeBytes, 0);
  const uncommitted = losses.every((loss) => uncommittedClasses.has(loss.class));
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

function placeRisks(facts: Facts, place: Place): Risk[] {
  const byRule = new Map<PlaceRule, string[]>();
  for (const { path, type } of facts.files) {
    // Git's own files are told by the effects on git; its examples of hooks do nothing.
    if (inGit(path) && (!/\.git\/hooks\/./.test(path) || path.endsWith('.sample') || type === 'directory')) continue;
    const within = inWorkspace(path, facts);
    if (within && !mayBeSpecial.test(path)) continue;
    const classes = classifyTarget(path, place);
    // What is set there is told, and judged, as settings of git.
    if (isUserSettings(path)) classes.delete('startup');
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
