import path from 'node:path';
import type { CommandAction } from '../action/action.ts';
import type { Keeping } from '../facts/alternative.ts';
import type { Loss } from '../facts/loss.ts';
import { isLostForGood, type Recovery } from '../facts/recovery.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { isGit } from '../programs/gitCommand.ts';
import { quoteCall, quoteWord } from '../shell/quoteWord.ts';
import { readScript } from '../shell/script.ts';
import { shellOf } from '../shell/shells.ts';

/** A command that may reach the same and lose nothing. What it is good for is only known when it was rehearsed. */
export interface Candidate {
  script: string;
  keeps: Keeping[];
}

/** Where candidates may keep things. */
export interface KeepingPlace {
  home: string;
  /** Makes names that nobody has yet, for example `20261123-1405`. */
  stamp: string;
}

/** A part of names that nobody has yet, by the clock of the machine: `20261123-140509`. */
export function keepingStamp(now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}

/** More words than this nobody reads in a command. */
const mostWords = 24;

/**
 * Commands that may do what a command does without its losses: by what its prediction says is lost, and by its programs.
 * Groups of candidates: of each, the first one that proves itself is enough. Made for shells that read POSIX scripts.
 */
export function saferCandidates(action: CommandAction, prediction: Prediction, place: KeepingPlace): Candidate[][] {
  if (action.shell !== 'bash' && action.shell !== 'sh' && action.shell !== 'zsh') return [];
  const groups = [
    stashing(action, prediction, place),
    naming(action, prediction, place),
    moving(action, prediction, place),
    packing(action, prediction, place),
    notPruning(action, prediction),
    codeInFile(action, prediction, place),
  ];
  const given = action.script.trim();
  return groups.map((group) => group.filter(({ script }) => script !== given)).filter((group) => group.length > 0);
}

/** Changes of tracked files that go: git's stash takes them, and with them often all that the command is for. */
function stashing(action: CommandAction, prediction: Prediction, place: KeepingPlace): Candidate[] {
  const changed = prediction.loss.filter((loss) => isLostForGood(loss) && loss.class === 'modified');
  if (changed.length === 0) return [];
  const names = namesFor(prediction, place);
  const paths = wordsOf(
    changed.map((loss) => loss.path),
    action.cwd,
  );
  const keeps: Keeping[] = [{ kind: 'stash' }];
  const stashes = ['git stash push', 'git stash push --keep-index'];
  const some = paths && paths.length <= 8 ? stashes.map((stash) => `${stash} -- ${paths.join(' ')}`) : [];
  const alone = names ? [] : [...stashes, ...some].map((script) => ({ script, keeps }));
  // Only what is lost is put away, where that is enough.
  const first = [...some, ...stashes].map((stash) => ({
    script: before(action, [...(names?.commands ?? []), stash]),
    keeps: names ? [...keeps, names.keeping] : keeps,
  }));
  return [...alone, ...first];
}

/** Commits and stash entries that lose their name get another one. */
function naming(action: CommandAction, prediction: Prediction, place: KeepingPlace): Candidate[] {
  const names = namesFor(prediction, place);
  if (!names) return [];
  const { commands, keeping, renames } = names;
  const first = { script: before(action, commands), keeps: [keeping] };
  return renames ? [{ script: renames, keeps: [keeping] }, first] : [first];
}

interface NamesKept {
  commands: string[];
  keeping: Extract<Keeping, { kind: 'names' }>;
  /** The whole command only deletes one branch: another name for it does the same. */
  renames: string | undefined;
}

/** New names for what no name would reach any more. */
function namesFor({ effects, loss, programs }: Prediction, { stamp }: KeepingPlace): NamesKept | undefined {
  const lost = new Set(loss.flatMap((one) => (one.class === 'commits' || one.class === 'stash' ? [one.path] : [])));
  if (lost.size === 0) return undefined;
  const commands: string[] = [];
  const names: string[] = [];
  let renames: string | undefined;
  const facts = effects.flatMap(({ git }) => git ?? []);
  for (const fact of facts) {
    const word = `kept-${stamp}${names.length === 0 ? '' : `-${names.length + 1}`}`;
    if (fact.kind === 'stashDropped' && lost.has(fact.name)) {
      commands.push(`git branch ${word} ${quoteWord(fact.name)}`);
      names.push(word);
    } else if (
      (fact.kind === 'refDeleted' && fact.lost.count > 0) ||
      (fact.kind === 'refMoved' && fact.dropped.count > 0)
    ) {
      const at = fact.kind === 'refDeleted' ? fact.was : fact.from;
      const branch = /^refs\/heads\/(.+)$/.exec(fact.ref)?.[1];
      if (!lost.has(branch ?? fact.ref)) continue;
      commands.push(`git branch ${word} ${at.slice(0, 12)}`);
      names.push(word);
      if (fact.kind === 'refDeleted' && facts.length === 1 && programs.length === 1 && branch !== undefined)
        renames = `git branch -m ${quoteWord(branch)} ${word}`;
    }
  }
  if (commands.length === 0 || commands.length > 8) return undefined;
  return { commands, keeping: { kind: 'names', names }, renames };
}

/** A command that does nothing but delete: what it deletes can be moved away as well. */
function moving({ cwd }: CommandAction, { files, loss }: Prediction, place: KeepingPlace): Candidate[] {
  if (!loss.some(isLostForGood) || files.length === 0 || files.some(({ change }) => change !== 'deleted')) return [];
  const deleted = new Set(files.map((file) => file.path));
  const tops = files.flatMap((file) => (deleted.has(path.posix.dirname(file.path)) ? [] : [file.path]));
  const folder = keptPath(place, tops, '');
  const make = `mkdir -m 700 ${folder.word}`;
  const keeps: Keeping[] = [{ kind: 'folder', path: folder.path }];
  const words = wordsOf(tops, cwd);
  const candidates: Candidate[] = [];
  if (words && words.length <= mostWords)
    candidates.push({ script: `${make} && mv -t ${folder.word} -- ${words.join(' ')}`, keeps });
  const parents = new Set(tops.map((top) => path.posix.dirname(top)));
  const [parent] = parents;
  const parentWord = parents.size === 1 && parent !== undefined ? wordsOf([parent], cwd)?.[0] : undefined;
  if (parentWord !== undefined) {
    const all = `find ${parentWord.startsWith('-') ? `./${parentWord}` : parentWord} -mindepth 1 -maxdepth 1`;
    candidates.push({ script: `${make} && ${all} -exec mv -t ${folder.word} {} +`, keeps });
  }
  return candidates;
}

/** What is lost is packed first; then the command as it was given. */
function packing(action: CommandAction, prediction: Prediction, place: KeepingPlace): Candidate[] {
  // What was staged is in git's object database, and goes with its next gc.
  const passing = new Set<Recovery['kind']>(['none', 'index', 'objectDatabase', 'storedByAction']);
  const isGoing = (loss: Loss) => passing.has(loss.recovery.kind);
  const lost = prediction.loss.filter((loss) => isGoing(loss) && loss.going !== undefined);
  const paths = lost.map((loss) => loss.path);
  if (paths.length === 0) return [];
  const whole = wordsOf(paths, action.cwd);
  const firsts = wordsOf([...new Set(paths.map((one) => topBelow(one, action.cwd)))], action.cwd);
  const words = [whole, firsts].find((some) => some !== undefined && some.length <= mostWords);
  if (!words) return [];
  const archive = keptPath(
    place,
    prediction.files.flatMap((file) => (file.change === 'deleted' ? [file.path] : [])),
    '.tgz',
  );
  const names = namesFor(prediction, place);
  const keeping: Keeping = { kind: 'archive', path: archive.path };
  const pack = `tar -czf ${archive.word} -- ${words.join(' ')}`;
  const keeps = names ? [keeping, names.keeping] : [keeping];
  return [{ script: before(action, [...(names?.commands ?? []), pack]), keeps }];
}

/** Git packs its objects without deleting those that nothing reaches. */
function notPruning({ script }: CommandAction, { programs }: Prediction): Candidate[] {
  const [program, ...others] = programs;
  if (!program || others.some(({ parent }) => parent === undefined)) return [];
  const { argv } = program;
  if (!isGit(argv[0] ?? '') || argv[1] !== 'gc') return [];
  const words = argv.filter((word) => !/^--prune(?:=|$)/.test(word));
  const { commands } = readScript(script);
  // The words of the script are those of the call: nothing else is in it.
  if (words.length === argv.length || commands.length !== 1 || quoteCall(argv) !== script.trim()) return [];
  return [{ script: quoteCall(words), keeps: [{ kind: 'objects' }] }];
}

/** What a shell would read from a pipe is put into a file: nothing is run before all of it came, and it can be read. */
function codeInFile({ script }: CommandAction, { verdict }: Prediction, place: KeepingPlace): Candidate[] {
  if (!verdict.reasons.some(({ kind }) => kind === 'runsOutput')) return [];
  const { body, problem } = readScript(script);
  const [only, ...more] = body.kind === 'list' ? body.items : [body];
  if (problem || more.length > 0 || only?.kind !== 'pipeline' || only.isNegated) return [];
  const last = only.items.at(-1);
  if (last?.kind !== 'command') return [];
  const { words, assignments, redirects, pos, end } = last.command;
  const shell = words[0];
  const before = /^(.*[^\s|])\s*\|\s*$/s.exec(script.slice(0, pos))?.[1];
  if (!shell || before === undefined || script.slice(end).trim() !== '') return [];
  if (words.length > 1 || assignments.length > 0 || redirects.length > 0 || shellOf(shell.text)?.dialect !== 'posix')
    return [];
  const file = keptPath(place, [], '.sh');
  const code = `${before} > ${file.word} && ${shell.text} ${file.word}`;
  return [{ script: code, keeps: [{ kind: 'code', path: file.path }] }];
}

/** First these commands, and the given one only if they succeed. */
function before({ script }: CommandAction, commands: readonly string[]): string {
  const isOne = !/[\n;&]|\|\|/.test(script.trim());
  return `${commands.join(' && ')} && ${isOne ? script.trim() : `{\n${script}\n}`}`;
}

/** Paths as words of a command that is run in `cwd`; nothing where one of them is no text. */
function wordsOf(paths: readonly string[], cwd: string): string[] | undefined {
  if (paths.some((one) => one.includes('\0') || one.includes('\ufffd') || /[\udc80-\udcff]/.test(one)))
    return undefined;
  return paths.map((one) => {
    const relative = path.posix.relative(cwd, one);
    return quoteWord(relative === '' ? '.' : relative.startsWith('../') || relative === '..' ? one : relative);
  });
}

/** The part of a path below a folder that is named first; of others the folder that they are in. */
function topBelow(one: string, folder: string): string {
  if (!one.startsWith(`${folder}/`)) return path.posix.dirname(one);
  return `${folder}/${one.slice(folder.length + 1).split('/')[0]}`;
}

/** A path that nothing stands at yet and that does not go: in the home folder, else where the system keeps what may last. */
function keptPath(
  { home, stamp }: KeepingPlace,
  going: readonly string[],
  ending: string,
): { path: string; word: string } {
  const name = `kept-${stamp}${ending}`;
  const goes = going.some((one) => home === one || home.startsWith(`${one}/`));
  return goes || home === '/'
    ? { path: `/var/tmp/${name}`, word: `/var/tmp/${name}` }
    : { path: path.posix.join(home, name), word: `~/${name}` };
}
