import type { EffectKind } from '../facts/effect.ts';
import type { Level } from '../facts/level.ts';
import type { StaticProgram } from '../shell/evaluated.ts';
import { showCall } from '../shell/quoteWord.ts';
import { gitCommandOf } from './gitCommand.ts';
import { type CodeJudges, onlyComputes } from './inlineCode.ts';
import { isOutOfPlace } from './outOfPlace.ts';
import type { Care, Doing, Program } from './program.ts';
import { programName } from './programName.ts';
import { programNamed, programOf } from './programOf.ts';
import { compilePattern, type ReadArguments, readArguments } from './programPattern.ts';
import { startedBy } from './startedBy.ts';
import { findStaticPrograms, inputFilesOf, readsStatements } from './staticPrograms.ts';
import { classifyTarget, isAtOrAbove, type Place, resolveTarget, type TargetClass } from './targets.ts';
import { asksToDestroy, judgeVerbs } from './verbs.ts';

/** What is known about a program before it runs, from its arguments. */
export interface ProgramKnowledge {
  /** False: nobody said anything about this program, which is not the same as safe. */
  known: boolean;
  effects: { effect: EffectKind; detail: string }[];
  level: Level;
  /** One clause whose subject is the command: `deletes 3 volumes`. */
  reason: string;
  /** What it would touch as far as arguments tell: absolute paths, or names of things elsewhere. */
  touches: string[];
  /** It does no more than look: at files, at the network, at what it reads. */
  onlyLooks: boolean;
  /** A rehearsal shows in its files all that the level is about. */
  visible: boolean;
  /** It stays a caution where a rehearsal shows no harm, and is not certain in all. */
  stays: boolean;
  /** It asks first, and does what it is answered. */
  asks: boolean;
  /** The reason says of some word that its value is not known. */
  isValueOpen: boolean;
  /** The words of the command that the reason speaks of: `docker rm`, where the reason names the rest. */
  head: readonly string[];
}

interface CompiledRule {
  care: Care;
  matches: ReturnType<typeof compilePattern>;
  says: string;
  effect: EffectKind | 'none' | undefined;
  asksOpen: boolean;
  /** What it says holds only of words of these classes. */
  only?: readonly TargetClass[];
}

interface CompiledDoing {
  valued: ReadonlySet<string>;
  rules: readonly CompiledRule[];
}

const levels: Readonly<Record<Care, Level>> = {
  s: 'safe',
  sd: 'safe',
  sh: 'safe',
  c: 'caution',
  cv: 'caution',
  ck: 'caution',
  ca: 'caution',
  d: 'danger',
  dv: 'danger',
  df: 'danger',
};

// Patterns are compiled when a program is first asked about: activation pays for none of them.
const compiled = new Map<Doing, CompiledDoing>();

function compile(doing: Doing): CompiledDoing {
  const known = compiled.get(doing);
  if (known) return known;
  const rules = (doing.rules ?? []).map(([care, pattern, says, effect]) => ({
    care,
    matches: compilePattern(pattern),
    says,
    effect,
    asksOpen: /%\S*unknown/.test(pattern),
    ...onlyClasses(pattern, says),
  }));
  const result = { valued: new Set((doing.valued ?? '').split(' ')), rules };
  compiled.set(doing, result);
  return result;
}

/** `deletes {rest}, which …` is said of those words alone that are meant. */
function onlyClasses(pattern: string, says: string): Pick<CompiledRule, 'only'> {
  const classes = /(?:^| )%([\w|]+)(?: |$)/.exec(pattern)?.[1];
  return classes && says.includes('{rest}, ') ? { only: classes.split('|') as TargetClass[] } : {};
}

/** Whether it is known what a program of this name does. */
export function isKnownProgram(name: string): boolean {
  return isKnown(programOf(name));
}

function isKnown(program: Program | undefined): boolean {
  return program?.does !== undefined || program?.inert === true;
}

/** What is known around a call. */
export interface ProgramSurroundings extends Omit<Place, 'cwd'> {
  /** What it reads, as far as the script's text tells: good enough for finding harm. */
  inputText?: string | undefined;
  /** What it reads, letter for letter. */
  writtenInput?: string | undefined;
  /** It reads a file, or what another program prints, of which the text is not known. */
  isUnread?: boolean | undefined;
  /** It would run where this machine's folders are not: on another machine, in a container. */
  isElsewhere?: boolean | undefined;
  /** Nobody knows the folder in which it would run. */
  isLost?: boolean | undefined;
  /** More words come, which are found or read when it runs. */
  isFed?: boolean | undefined;
}

/**
 * What class of effect a call has and what it would touch, as far as its arguments tell.
 * What is not in the table is not known, and never safe. Arguments may still contain unexpanded variables and patterns.
 */
export function describeProgram(argv: readonly string[], cwd: string, around?: ProgramSurroundings): ProgramKnowledge {
  const meant = withGitAlias(argv);
  if (meant) return describeProgram(meant, cwd, around);
  const name = programName(argv[0] ?? '');
  if (isOutOfPlace(argv[0] ?? '')) return unknown(name);
  const program = programOf(name);
  const doing = program?.does;
  // What only starts others is judged by these.
  if (!doing) return isKnown(program) || startedBy(argv).length > 0 ? onlyReads(name) : unknown(name);
  const found = compile(doing);
  const { home = '/nonexistent', letters, isElsewhere = false } = around ?? {};
  // Nothing there is outside of a workspace that is here.
  const place: Place = { cwd, home, workspaceFolders: isElsewhere ? ['/'] : around?.workspaceFolders, letters };
  const given = doing.oldOptions ? withDash(argv.slice(1)) : argv.slice(1);
  const args = readArguments(given, found.valued, doing.oneDash === true);
  if (doing.slashes) takeSlashes(args);
  const first = args.words[0];
  // Statements for a database may stand in a here-document or a file as well as among the arguments.
  const isFed = !program.readsStatements || readsStatements(argv);
  if (isFed && around?.inputText !== undefined) args.options.push({ name: '<<', value: around.inputText });
  args.isUnread = isFed && around?.inputText === undefined && (around?.isUnread || inputFilesOf(argv).length > 0);
  args.names = named(args.words, args, doing);
  args.isFed = around?.isFed;
  const tell = (
    care: Care,
    says: string,
    effect: EffectKind | 'none' | undefined,
    rest: readonly string[],
    meant: readonly string[] = rest,
  ) =>
    result({
      doing,
      care,
      says,
      effect,
      rest: named(rest, args, doing),
      meant: named(meant, args, doing),
      place,
      isElsewhere: isElsewhere || around?.isLost === true,
      name,
      words: args.words,
      argv,
    });
  if (program.language && onlyComputes(argv, codeJudges(place), around?.writtenInput)) {
    return tell('sd', 'only computes and prints', undefined, []);
  }
  const isOfScript = args.words.length > (doing.helps === 'alone' ? 0 : first === 'run' ? 1 : Number.POSITIVE_INFINITY);
  const isOfModule = doing.helps === 'alone' && args.options.some((option) => option.name === '-m');
  if (doing.helps && !isOfScript && !isOfModule && onlyHelps(args.last, args.options, first)) {
    return tell('sh', 'only prints its help', undefined, []);
  }
  for (const rule of found.rules) {
    const rest = rule.matches(args, place);
    if (!rest) continue;
    const isValueOpen = rule.asksOpen && rest.some((word) => classifyTarget(word, place).has('unknown'));
    return { ...tell(rule.care, rule.says, rule.effect, rest, meantBy(rule, rest, doing, place)), isValueOpen };
  }
  if (doing.rehearses && args.options.some((option) => option.name === '--dry-run')) {
    return tell('s', 'only shows what it would do', undefined, args.words);
  }
  if (doing.verbs) {
    const verb = judgeVerbs(wordsOfItsOwn(args.words, argv));
    if (verb === 'destroys') return tell('d', 'deletes or stops what it names', undefined, args.words);
    if (verb === 'reads') return tell('s', 'only reads', undefined, args.words);
  }
  return tell(doing.care, doing.says, undefined, args.words);
}

/** Without those of a program that it starts, which is judged by itself. */
function wordsOfItsOwn(words: readonly string[], argv: readonly string[]): readonly string[] {
  const length = startedBy(argv)[0]?.argv?.length ?? 0;
  return argv.slice(1, argv.length - length).filter((word) => words.includes(word));
}

/** Options of Windows are no paths; they are told without regard to case. */
function takeSlashes(args: ReadArguments): void {
  const isOption = (word: string) => /^\/[A-Za-z?]+(?::.*)?$/.test(word);
  args.options.push(...args.words.filter(isOption).map((word) => ({ name: word.replace(/:.*/, '').toLowerCase() })));
  args.words = args.words.filter((word) => !isOption(word));
}

function meantBy({ only }: CompiledRule, rest: readonly string[], doing: Doing, place: Place): readonly string[] {
  if (!only || doing.lastIsPlace) return rest;
  const meant = rest.filter((word) => only.some((one) => classifyTarget(word, place).has(one)));
  return meant.length > 0 ? meant : rest;
}

/** Whether a call reads a file, or what another program prints, of which the text is not known. */
export function isUnread({ inputText, inputFile, readsFrom }: StaticProgram): boolean {
  return inputText === undefined && (inputFile !== undefined || readsFrom.length > 0);
}

/** Without a first word that says how, and what `find` and `xargs` put something else in the place of. */
function named(rest: readonly string[], { words, options }: ReadArguments, { how }: Doing): readonly string[] {
  const [first = ''] = words;
  const isHow =
    how !== undefined &&
    rest.length === words.length &&
    (how.is?.test(first) ?? true) &&
    !options.some(({ name }) => how.unless?.split(' ').includes(name));
  return (isHow ? rest.slice(1) : rest).filter((word) => word !== '{}');
}

/**
 * How what a program text starts and names is judged: the commands by the table, as such that nobody rehearses.
 * `further`: levels of what lies in how the commands are connected.
 */
export function codeJudges(place: Place, further: (program: StaticProgram) => Level[] = () => []): CodeJudges {
  const levelOf = (program: StaticProgram): Level[] => {
    const { argv, redirects, inputText } = program;
    const writes = redirects.some(
      ({ operator, target }) => operator.includes('>') && !/^(&?\d+|-|\/dev\/null)$/.test(target),
    );
    const rest: Level[] = [...further(program), ...(writes ? ['caution' as const] : [])];
    const row = programNamed(argv[0] ?? '');
    // Words of the shell that destroy nothing, whatever their arguments.
    if (argv.length === 0 || (row?.planned === 'nothing' && !row.does)) return rest;
    const knowledge = describeProgram(argv, program.cwd, { ...place, inputText, isUnread: isUnread(program) });
    if (!knowledge.known) return [...rest, hasDestroyingVerb(argv) ? 'danger' : 'caution'];
    return [...rest, knowledge.stays ? 'danger' : knowledge.level];
  };
  return {
    levelOfCommands(script) {
      const programs = findStaticPrograms(script, { cwd: place.cwd, home: place.home, env: {} });
      const levels = programs.flatMap(levelOf);
      return levels.includes('danger') ? 'danger' : levels.includes('caution') ? 'caution' : 'safe';
    },
    isSecret: (path) => /[./]/.test(path) && !/\s/.test(path) && classifyTarget(path, place).has('secret'),
  };
}

/** `git -c alias.x='reset --hard' x` is `git reset --hard`, unless git has a command x of its own. */
function withGitAlias(argv: readonly string[]): string[] | undefined {
  const call = gitCommandOf(argv, '/');
  if (call === undefined || gitCommands.has(call.command)) return undefined;
  const aliases = new Map<string, string>();
  for (const setting of call.globals) {
    const [, alias, value] = /^(?:-c)?alias\.([\w-]+)=([^!].*)$/s.exec(setting) ?? [];
    if (alias !== undefined && value !== undefined) aliases.set(alias, value);
  }
  const value = aliases.get(call.command);
  if (value === undefined) return undefined;
  return ['git', ...value.split(/\s+/).filter((word) => word !== ''), ...call.words];
}

const gitCommands = new Set(
  'add am apply archive bisect blame branch bundle checkout cherry-pick clean clone commit config describe diff fetch format-patch gc grep init log ls-files merge mv notes pull push range-diff rebase reflog remote reset restore revert rm shortlog show stash status submodule switch tag worktree'.split(
    ' ',
  ),
);

/** `tar cf a.tar b`: the first word is options without their dash. */
function withDash(args: readonly string[]): string[] {
  const [first = '', ...rest] = args;
  return /^[A-Za-z]+$/.test(first) ? [`-${first}`, ...rest] : [...args];
}

function onlyHelps(
  last: string | undefined,
  options: readonly { name: string; value?: string }[],
  first?: string,
): boolean {
  if (first === 'help') return true;
  if (last === '-h' || last === '--help') return true;
  if (last === '--version') return first === undefined;
  return options.some(({ name, value }) => name === '--help' && value === undefined);
}

interface Told {
  doing: Doing;
  care: Care;
  says: string;
  effect: EffectKind | 'none' | undefined;
  rest: readonly string[];
  /** Those of them of which it is said. */
  meant: readonly string[];
  place: Place;
  isElsewhere: boolean;
  name: string;
  words: readonly string[];
  argv: readonly string[];
}

function result({
  doing,
  care,
  says,
  effect,
  rest,
  meant,
  place,
  isElsewhere,
  name,
  words,
  argv,
}: Told): ProgramKnowledge {
  const form = formOf(says);
  const named = form.lead !== undefined && rest.length > 0;
  // What stands at the end of the sentence only repeats the command where nothing of it was understood.
  const repeats = rest.length === words.length && form.lead === ': ';
  const reason = fill(form, repeats ? [] : namesOf(meant, doing, place, argv));
  const expected = effect ?? doing.effect;
  const kind = expected === 'files' || expected === 'none' ? undefined : expected;
  // Reading a service is a connection, whatever else the program can do.
  const distant = (kind === 'cloud' || kind === 'database') && doing.care === 'c';
  const isSafe = levels[care] === 'safe';
  const own = isSafe && distant ? 'network' : kind;
  const silent = own === undefined || (isSafe && (own !== 'network' || care === 'sh'));
  return {
    known: true,
    effects: silent ? [] : [{ effect: own, detail: reason }],
    level: levels[care],
    reason,
    touches: doing.paths && !isElsewhere ? rest.map((word) => placeHere(word, place)) : [...rest],
    onlyLooks: care === 's' || care === 'sh',
    visible: !isSafe && care !== 'c' && care !== 'd',
    stays: care === 'dv' || care === 'ck' || care === 'ca',
    asks: care === 'ca',
    isValueOpen: false,
    head: named && !repeats ? [name, ...words.slice(0, words.length - rest.length)] : argv,
  };
}

/** Where a path is on this machine; what is on another one (`host:path`) stays as it is written. */
function placeHere(word: string, place: Place): string {
  return classifyTarget(word, place).has('remote') ? word : resolveTarget(word, place);
}

/**
 * Paths as they are typed, as far as it is known that nothing expands them; everything else as it stands. Where the last one
 * says where the others go, it is a text of its own.
 */
function namesOf(
  rest: readonly string[],
  { paths, lastIsPlace }: Doing,
  place: Place,
  argv: readonly string[],
): string[] {
  const { letters } = place;
  // Where the script went elsewhere, a name alone does not say what is meant.
  const isAway = !(place.workspaceFolders ?? [place.cwd]).some((folder) => isAtOrAbove(folder, place.cwd));
  const whole = (word: string) => (isAway && !/^[~$/`]/.test(word) ? resolveTarget(word, place) : word);
  const shown = (words: readonly string[]) => {
    if (!paths || letters === undefined)
      return words
        .map(paths ? whole : (word) => word)
        .join(' ')
        .replace(/\s+/g, ' ');
    return showCall(words.map(whole), words.filter((word) => !letters.has(word)).map(whole));
  };
  const isNamedFirst = argv.some((word) => /^-[A-Za-z]*t|^--t/.test(word));
  const groups = lastIsPlace && rest.length > 1 && !isNamedFirst ? [rest.slice(0, -1), rest.slice(-1)] : [rest];
  return groups.map(shown).filter((text) => text !== '');
}

/** What a row says, in pieces: before the words that remain, what leads to them (absent: it names none), and behind them. */
interface Form {
  before: string;
  lead?: string;
  after: string;
}

function formOf(says: string): Form {
  const [before = '', place] = says.split('{');
  if (place === undefined) return { before, after: '' };
  const [inside = '', after = ''] = place.split('}');
  return { before, lead: inside.slice(0, -'rest'.length), after };
}

function fill({ before, lead, after }: Form, named: readonly string[]): string {
  if (lead === undefined) return before;
  const short = named.map((text) => (text.length > 80 ? `${text.slice(0, 79)}…` : text));
  if (short.length > 0) return `${before}${lead}${short.map((text) => `\`${text}\``).join(' to ')}${after}`;
  return lead === '' ? `${before}what it is given${after}` : before;
}

function onlyReads(name: string): ProgramKnowledge {
  return {
    known: true,
    effects: [],
    level: 'safe',
    reason: 'only reads',
    touches: [],
    onlyLooks: true,
    visible: true,
    stays: false,
    asks: false,
    isValueOpen: false,
    head: [name],
  };
}

function unknown(name: string): ProgramKnowledge {
  const reason = `is not known to Foretell: it may do anything that you may`;
  return {
    known: false,
    effects: [],
    level: 'caution',
    reason: name ? reason : 'is empty',
    touches: [],
    onlyLooks: false,
    visible: false,
    stays: true,
    asks: false,
    isValueOpen: false,
    head: [name],
  };
}

/** How the expected effect of a call is told as an effect of the prediction. */
export function expectedDetail(argv: readonly string[], detail: string): string {
  return `${argv[0] ?? ''} ${detail}`;
}

/** Whether the verb of a call destroys, for programs that are not in the table. */
export function hasDestroyingVerb(argv: readonly string[]): boolean {
  return asksToDestroy(argv);
}
