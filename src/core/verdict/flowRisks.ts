import { posix } from 'node:path';
import type { CodeDeedKind } from '../facts/codeDeed.ts';
import type { Level } from '../facts/level.ts';
import type { Risk, SpecialPlace } from '../facts/risk.ts';
import { pathsInCode } from '../programs/code/pathsInCode.ts';
import { scriptFileOf } from '../programs/codeFromInput.ts';
import { codeJudges } from '../programs/describeProgram.ts';
import { fetches } from '../programs/fetchedPlaces.ts';
import { type CodeJudges, decodesText, findInlineCode, inlineCodeOf, interpreterOf } from '../programs/inlineCode.ts';
import { staysThere, writtenOutside } from '../programs/mounts.ts';
import { outputsOf } from '../programs/outputs.ts';
import { programName } from '../programs/programName.ts';
import { holds, programNamed, programOf } from '../programs/programOf.ts';
import { mayBeSameCall } from '../programs/sameCall.ts';
import { logsIn } from '../programs/staticPrograms.ts';
import { classifyTarget, isAtOrAbove, type Place, resolveTarget, type TargetClass } from '../programs/targets.ts';
import { type Elsewhere, lettersOf, type StaticProgram, type StaticRedirect } from '../shell/evaluated.ts';
import { hiddenCharacters } from '../shell/hiddenCharacters.ts';
import { readScript } from '../shell/script.ts';
import type { ScriptCommand } from '../shell/scriptReading.ts';
import { findUnsetVariables } from '../shell/unsetVariables.ts';
import { readsCode, secretRisks, upstream } from './dataRisks.ts';
import { environmentRisks } from './environmentRisks.ts';
import { callAsEvidence, callOf, hasOpenName, namesAsEvidence } from './evidence.ts';
import { type Facts, isComplete, wasAllRun } from './facts.ts';
import { downloadRisks, feedsShell, runsInput } from './fetchedCode.ts';
import { placeOf, showsHarm } from './fileRisks.ts';
import { turnsHistoryOff } from './historyOff.ts';
import { areSettled, isSameAgain } from './programRisks.ts';

/**
 * Risks that lie in how the parts of a script are connected: code that is fetched and run, secrets that are sent,
 * files that are overwritten by redirections, variables without value, programs that start themselves without end.
 */
export function flowRisks(programs: readonly StaticProgram[], facts: Facts): Risk[] {
  const place = placeOf(facts);
  const risks: Risk[] = [];
  const unseen = facts.exitCode === undefined;
  let paths: ReadonlySet<string> | undefined;
  const isChanged = (path: string) => {
    paths ??= new Set(facts.files.map((file) => file.path));
    return paths.has(path);
  };
  for (const program of programs) {
    if (unseen) risks.push(...unseenRisks(program, place));
    if (unseen || isUnrun(program, facts)) risks.push(...outputRisks(program, place, isChanged, facts));
    risks.push(
      ...inputRisks(program),
      ...elsewhereRisks(program, facts),
      ...redirectRisks(program, place, isChanged, facts),
      ...codeRisks(program, place).flatMap((risk) => asItRan(risk, program, facts)),
      ...(becameKnown(program, programs, facts) ? [] : nameRisks(program, place)),
    );
    risks.push(...environmentRisks(program, { ...place, cwd: program.cwd }));
  }
  const fetching = { ...place, path: facts.env['PATH'], absent: facts.absent ?? [] };
  risks.push(...downloadRisks(programs, fetching), ...secretRisks(programs, place, facts.programs));
  risks.push(...scriptRisks(facts, place));
  return risks;
}

function inputRisks(program: StaticProgram): Risk[] {
  const sources = upstream(program);
  const call = callAsEvidence(program);
  const name = programName(program.argv[0] ?? '');
  const row = programOf(name);
  const runsWords = readsCode(name) || row?.evaluates || row?.feeds;
  const fetchedWords = program.substituted.find(fetches);
  if (runsWords && fetchedWords) {
    const fact = { kind: 'runsOutput', does: 'fetches', ...callOf(fetchedWords) } as const;
    return [{ level: 'danger', fact, evidence: [call, callAsEvidence(fetchedWords)] }];
  }
  if (sources.length === 0) return [];
  if (!runsInput(program) && !feedsShell(program)) return [];
  const fetched = sources.find(fetches);
  if (fetched) {
    const fact = { kind: 'runsOutput', does: 'fetches', ...callOf(fetched) } as const;
    return [{ level: 'danger', fact, evidence: [callAsEvidence(fetched), call] }];
  }
  const decoded = sources.find(isDecoder);
  if (decoded) {
    const fact = { kind: 'runsOutput', does: 'unpacks', ...callOf(decoded) } as const;
    return [{ level: 'danger', fact, evidence: [call] }];
  }
  // Known text is judged by what is in it, as commands of its own.
  if (program.inputText !== undefined) return [];
  if (program.inputFile !== undefined && readElsewhere(program)) return [];
  const fact = { kind: 'runsOutput', does: 'prints', argv: sources.at(-1)?.argv ?? [] } as const;
  return [{ level: 'caution', fact, evidence: [call] }];
}

/** A file that a shell elsewhere reads: nobody runs that here, so it is told; not where all was run, and so nothing elsewhere. */
function elsewhereRisks(program: StaticProgram, facts: Facts): Risk[] {
  const elsewhere = readElsewhere(program);
  const { inputFile: file, inputText } = program;
  if (file === undefined || elsewhere === undefined || wasAllRun(program, facts)) return [];
  const isRead = inputText === undefined ? {} : { isRead: true as const };
  const fact = { kind: 'runsUnread', file, elsewhere, ...isRead } as const;
  return [{ level: 'caution', fact, evidence: namesAsEvidence([file]) }];
}

/** Where what a program reads is run as code, if that is not here. */
function readElsewhere(program: StaticProgram): Elsewhere | undefined {
  if (logsIn(program.argv)) return 'machine';
  return runsInput(program) ? program.inside?.elsewhere : undefined;
}

// Where nothing was run, what stands in a script file or already in a file is not known.
function unseenRisks(program: StaticProgram, place: Place): Risk[] {
  const name = programName(program.argv[0] ?? '');
  const risks: Risk[] = [];
  const sourced = /^(source|\.)$/.test(name);
  const file = sourced ? program.argv.slice(1).find((word) => !/^[-+]/.test(word)) : scriptFileOf(program.argv);
  // With `-n` a shell only reads.
  const onlyReads = !sourced && program.argv.some((word) => /^-[a-z]*n$/.test(word));
  if (file !== undefined && !onlyReads) {
    risks.push({ level: 'caution', fact: { kind: 'runsUnread', file }, evidence: namesAsEvidence([file]) });
  }
  for (const { operator, target } of program.inside?.elsewhere ? [] : program.redirects) {
    const overwrites = /^(>|>\||&>)$/.test(operator) || (operator === '>&' && !/^(\d+|-)$/.test(target));
    const classes = classifyTarget(target, { ...place, cwd: program.cwd });
    if (!overwrites || classes.has('sink') || classes.has('temporary')) continue;
    risks.push({ level: 'caution', fact: { kind: 'overwrites', target }, evidence: namesAsEvidence([target]) });
  }
  return risks;
}

/** Nobody ran it, so no file shows what it writes. */
function isUnrun(program: StaticProgram, facts: Facts): boolean {
  return runsOf(program, facts).some(({ basis }) => basis === 'assumed' || basis === 'imagined');
}

function runsOf({ argv }: StaticProgram, { programs }: Facts): Facts['programs'] {
  const call = argv.join('\0');
  return programs.filter((run) => run.argv.join('\0') === call);
}

/** What files and effects show of code that really ran to its end, and does the same again; of what it starts, each start is told. */
const shownDeeds: ReadonlySet<CodeDeedKind> = new Set(['deletes', 'deletes-temporary', 'changes', 'runs']);

/** Code that really ran is judged by what it did: facts show it. What failed may come further another time. */
function asItRan(risk: Risk, program: StaticProgram, facts: Facts): Risk[] {
  const { fact } = risk;
  if (fact.kind !== 'code' || !(fact.deed === 'writes' || shownDeeds.has(fact.deed))) return [risk];
  const runs = runsOf(program, facts);
  if (runs.length === 0 || !runs.every(({ basis }) => basis === 'rehearsed' || basis === 'remembered')) return [risk];
  if (fact.deed === 'writes') return [];
  if (!isComplete(facts) || !runs.every(isSameAgain)) return [risk];
  if (fact.deed === 'runs' && !wasStarted(fact.script, facts)) return [risk];
  if (areSettled(runs)) return [];
  if (runs.some(({ exitCode }) => exitCode === undefined)) return [risk];
  const failed = showsHarm(facts) ? fact : { ...fact, outcome: 'failed' as const };
  const isGrave = namesGravePlace(program, placeOf(facts));
  return [{ ...risk, level: risk.level === 'danger' && !isGrave ? 'caution' : risk.level, fact: failed }];
}

/** What was refused there today is asked for all the same. */
function namesGravePlace({ argv, cwd, inputText }: StaticProgram, place: Place): boolean {
  return pathsInCode(inlineCodeOf(argv, inputText) ?? '').some((path) => {
    const classes = classifyTarget(path, { ...place, cwd });
    return (['root', 'home', 'system'] as const).some((one) => classes.has(one)) && !classes.has('temporary');
  });
}

/** All that a script names was started, and judged as calls of their own; none of it reached others. */
function wasStarted(script: string | undefined, { programs, effects }: Facts): boolean {
  if (script === undefined || effects.some(({ effect }) => effect === 'network')) return false;
  const { commands, problem } = readScript(script);
  const names = new Set(programs.map(({ argv }) => programName(argv[0] ?? '')));
  return !problem && commands.every(({ words }) => names.has(programName(words[0]?.text ?? '')));
}

/** An option that names a file writes it as a redirection does. `isChanged`: the files of the prediction tell it already. */
function outputRisks(
  program: StaticProgram,
  place: Place,
  isChanged: (path: string) => boolean,
  { standing, missing }: Facts,
): Risk[] {
  const around = { ...place, cwd: program.cwd, letters: lettersOf(program.fields) };
  const isMaker = programOf(program.argv[0] ?? '')?.makesKeys === true;
  return outputsOf(program.argv).flatMap((target): Risk[] => {
    if (isChanged(resolveTarget(target, around))) return [];
    const classes = classifyTarget(target, around);
    const has = (...wanted: TargetClass[]) => wanted.some((one) => classes.has(one));
    const isThere = standing?.includes(resolveTarget(target, around));
    const isNew = missing?.includes(resolveTarget(target, around)) === true;
    const isOnlyNew = has('secret', 'repository') && !has('startup', 'guard', 'system', 'device', 'outside');
    const risk = redirectRisk({ operator: '>', target }, around, isNew);
    if (risk && !(isOnlyNew && (isThere === false || (isThere === undefined && isMaker)))) return [risk];
    // A workspace in the temporary folder is a workspace.
    const isOurs = (place.workspaceFolders ?? []).some((folder) => isAtOrAbove(folder, resolveTarget(target, around)));
    if (has('sink', 'remote') || (has('temporary') && !isOurs) || isThere === false) return [];
    const fact = { kind: 'overwrites' as const, target, ...(isThere ? { isThere } : {}) };
    return [{ level: 'caution', fact, evidence: namesAsEvidence([target]) }];
  });
}

function isDecoder(program: StaticProgram): boolean {
  const [name = '', ...words] = program.argv;
  if (holds(programOf(name)?.decodes, words)) return true;
  const code = inlineCodeOf(program.argv, program.inputText);
  const language = interpreterOf(name);
  return language !== undefined && code !== undefined && decodesText(code, language);
}

// `isChanged`: the files of the prediction tell it already.
function redirectRisks(
  program: StaticProgram,
  place: Place,
  isChanged: (path: string) => boolean,
  facts: Facts,
): Risk[] {
  const risks: Risk[] = [];
  for (const redirect of program.redirects) {
    const { operator, target, fields } = redirect;
    if (/^\/dev\/(tcp|udp)\//.test(target)) {
      const address = target.replace(/^\/dev\/(tcp|udp)\//, '').replace('/', ':');
      risks.push({ level: 'danger', fact: { kind: 'connects', address }, evidence: namesAsEvidence([target]) });
      continue;
    }
    if (operator === '<' || (/^[<>]&$/.test(operator) && /^[\d-]+$/.test(target))) continue;
    const around = { ...place, cwd: program.cwd, letters: lettersOf(fields) };
    const writesHere = writtenHere(redirect, program);
    if (program.inside?.elsewhere && writesHere === undefined) {
      risks.push(...writtenElsewhere(redirect, program, around));
      continue;
    }
    const path = writesHere ?? resolveTarget(target, around);
    if (isChanged(path)) continue;
    const risk = redirectRisk({ operator, target: writesHere ?? target }, around, facts.missing?.includes(path));
    if (!risk) continue;
    const { fact } = risk;
    risks.push(
      wasAllRun(program, facts) && fact.kind === 'writesPlace' ? { ...risk, fact: { ...fact, stays: true } } : risk,
    );
  }
  return risks;
}

/** Where on this machine that lies which a redirection in a container writes. */
function writtenHere({ target }: StaticRedirect, { inside, cwd, isLost }: StaticProgram): string | undefined {
  if (!inside?.mounts || (isLost && !target.startsWith('/'))) return undefined;
  return writtenOutside(posix.resolve(cwd, target), inside.mounts);
}

/** What is written on another machine, or is a container's own, is nowhere here; what is gone with the container concerns nobody. */
function writtenElsewhere({ operator, target, fields }: StaticRedirect, program: StaticProgram, around: Place): Risk[] {
  const { inside } = program;
  const [field] = fields;
  if (!inside?.elsewhere) return [];
  if (field && staysThere(field, program, inside.mounts ?? [], inside.isFresh === true)) return [];
  // Nothing there is outside of a workspace that is here.
  const risk = redirectRisk({ operator, target }, { ...around, home: '/~', workspaceFolders: ['/'] });
  const writes = { kind: 'writesPlace', place: 'outside', target, appends: operator.includes('>>') } as const;
  const isKept = !classifyTarget(target, around).has('sink') && !classifyTarget(target, around).has('temporary');
  const { elsewhere } = inside;
  if (risk?.fact.kind === 'writesPlace') return [{ ...risk, fact: { ...risk.fact, elsewhere } }];
  if (!isKept || writes.appends) return [];
  return [{ level: 'caution', fact: { ...writes, elsewhere }, evidence: namesAsEvidence([target]) }];
}

/** `isNew`: nothing is there, so nothing that it keeps is touched. */
function redirectRisk(
  { operator, target }: Omit<StaticRedirect, 'fields'>,
  around: Place,
  isNew = false,
): Risk | undefined {
  const classes = classifyTarget(target, around);
  const appends = operator.includes('>>');
  if (isNew && (classes.has('system') || classes.has('outside')))
    for (const kept of ['secret', 'repository'] as const) classes.delete(kept);
  const risk = (level: Level, place: SpecialPlace): Risk => ({
    level,
    fact: { kind: 'writesPlace', place, target, appends, ...(isNew ? { isNew: true as const } : {}) },
    evidence: namesAsEvidence([target]),
  });
  if (classes.has('sink')) return undefined;
  if (classes.has('device')) return risk('danger', 'device');
  if (classes.has('startup')) return risk('danger', 'startup');
  if (classes.has('guard')) return risk('danger', 'guard');
  if (classes.has('secret') || classes.has('repository')) return risk(appends || isNew ? 'caution' : 'danger', 'keeps');
  if (classes.has('system') && !classes.has('temporary')) return risk('danger', 'system');
  if (classes.has('outside')) return risk('caution', 'outside');
  return undefined;
}

/** How what inline code starts and names is judged, what lies in the connections of commands included. */
export function judgesOfCode(place: Place): CodeJudges {
  return codeJudges(place, (started) => inputRisks(started).map(({ level }) => level));
}

function codeRisks(program: StaticProgram, place: Place): Risk[] {
  const code = inlineCodeOf(program.argv, program.inputText);
  const language = interpreterOf(program.argv[0] ?? '');
  if (code === undefined || language === undefined) return [];
  const judges = judgesOfCode({ ...place, cwd: program.cwd });
  const evidence = [callAsEvidence(program)];
  const risks = findInlineCode(code, language, judges).map(({ level, deed, script, path }): Risk => {
    const written = path === undefined ? undefined : redirectRisk({ operator: '>', target: path }, place);
    return (
      written ?? {
        level,
        fact: { kind: 'code', language, deed, ...(script === undefined ? {} : { script }) },
        evidence,
      }
    );
  });
  return [...risks.filter(({ level }) => level === 'danger'), ...risks.filter(({ level }) => level !== 'danger')].slice(
    0,
    2,
  );
}

/** All was run, and something was started that no other call of the script can have been: what the open name stood for. */
function becameKnown(program: StaticProgram, programs: readonly StaticProgram[], facts: Facts): boolean {
  if (!hasOpenName(program.argv) || !wasAllRun(program, facts)) return false;
  const others = programs.filter(({ argv }) => !hasOpenName(argv));
  return facts.programs.some(({ argv }) => !others.some((other) => mayBeSameCall(other, argv)));
}

// `$X -rf /`: who runs is only known when it runs, but what it is told is not.
function nameRisks(program: StaticProgram, place: Place): Risk[] {
  if (!hasOpenName(program.argv)) return [];
  // What stands for the name comes first.
  const ofName = program.argv.length === 1 ? program.substituted : program.substituted.slice(0, 1);
  const fetched = program.argv[0]?.startsWith('$(') ? ofName.find(fetches) : undefined;
  if (fetched) {
    const fact = { kind: 'runsOutput', does: 'fetches', ...callOf(fetched) } as const;
    return [{ level: 'danger', fact, evidence: [callAsEvidence(fetched)] }];
  }
  const words = program.argv.slice(1);
  const around = { ...place, letters: lettersOf(program.fields) };
  const destroys = words.some((word) => /^-[a-z]*([rR][a-z]*f|f[a-z]*[rR])|^--(recursive|force)$/.test(word));
  const wide = words.some((word) =>
    ['root', 'home', 'system', 'everything'].some((one) => classifyTarget(word, around).has(one as 'root')),
  );
  const level = destroys && wide ? 'danger' : 'caution';
  return [{ level, fact: { kind: 'openProgram', ...callOf(program) }, evidence: [callAsEvidence(program)] }];
}

function scriptRisks(facts: Facts, place: Place): Risk[] {
  if (facts.action.kind !== 'command') return [];
  const reading = readScript(facts.action.script);
  const risks: Risk[] = [];
  if (
    reading.problem &&
    facts.action.shell !== 'pwsh' &&
    facts.action.shell !== 'cmd' &&
    facts.exitCode === undefined
  ) {
    const fact = { kind: 'unreadableScript', problem: reading.problem.message } as const;
    risks.push({ level: 'caution', fact, evidence: [] });
  }
  if (reading.commands.some(turnsHistoryOff))
    risks.push({ level: 'caution', fact: { kind: 'historyOff' }, evidence: [] });
  const characters = hiddenCharacters(reading);
  if (characters.length > 0)
    risks.push({ level: 'caution', fact: { kind: 'hiddenCharacters', characters }, evidence: [] });
  const bomb = findBomb(reading.commands);
  if (bomb !== undefined) {
    risks.push({ level: 'danger', fact: { kind: 'bomb', name: bomb }, evidence: namesAsEvidence([bomb]) });
  }
  for (const variable of findUnsetVariables(reading, facts.env, facts.action.shell === 'fish')) {
    const command = reading.commands[variable.commandId];
    const words = command?.words.map((word) => word.text) ?? [];
    const program = words.map(programName).find((word) => programNamed(word.replace(/^mkfs\..*/, 'mkfs'))?.harms);
    if (program === undefined || !words.includes(variable.word)) continue;
    const hit = variable.word.replace(new RegExp(`\\$\\{?${variable.name}\\b[^}/]*\\}?`, 'g'), '').replace(/["']/g, '');
    const wide =
      hit.startsWith('/') && ['root', 'system', 'home'].some((one) => classifyTarget(hit, place).has(one as 'root'));
    const { name, word, certain: isCertain } = variable;
    const fact = { kind: 'unsetVariable', name, isCertain, program, word, becomes: hit, isWide: wide } as const;
    // As they are written, with their quotes.
    const fields = words.map((text) => ({ text, isOpen: true }));
    risks.push({ level: wide ? 'danger' : 'caution', fact, evidence: [callAsEvidence({ argv: words, fields })] });
  }
  return risks;
}

// A function that starts itself, directly or through others, in the background or in a pipe.
function findBomb(commands: readonly ScriptCommand[]): string | undefined {
  const starts = new Map<string, { callee: string; splits: boolean }[]>();
  const pipes = new Set(commands.flatMap((command) => command.pipedFrom));
  for (const { id, inFunction, words, background, pipedFrom } of commands) {
    if (inFunction === undefined) continue;
    const callee = words[0]?.text ?? '';
    const splits = background || pipedFrom.length > 0 || pipes.has(id);
    starts.set(inFunction, [...(starts.get(inFunction) ?? []), { callee, splits }]);
  }
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    (starts.get(from) ?? []).some(({ callee }) => {
      if (callee === to) return true;
      if (seen.has(callee)) return false;
      seen.add(callee);
      return reaches(callee, to, seen);
    });
  for (const [name, calls] of starts) {
    if (
      calls.some(
        ({ callee, splits }) => splits && starts.has(callee) && (callee === name || reaches(callee, name, new Set())),
      )
    ) {
      return name;
    }
  }
  return undefined;
}
