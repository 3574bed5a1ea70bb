import type { ArithmeticExpression } from 'unbash';
import { arithmeticValue } from './arithmetic.ts';
import { assign, forgetAssigned } from './assign.ts';
import { type Ending, joined, mayStop } from './ending.ts';
import {
  knownField,
  type Scope,
  type Started,
  type StaticField,
  type StaticPlace,
  type StaticProgram,
} from './evaluated.ts';
import { type Expansion, expandWord, variablesOf } from './expandWord.ts';
import { inherited, innerProgram, move, withPlaces, withRead } from './inner.ts';
import { giveNamedInput, type KnownInput, readInput, readRedirect } from './redirected.ts';
import { changeFolder, changeStack, copyScope, firstScope, inDoubt, mergeScopes, setBraces } from './scope.ts';
import { readScript } from './script.ts';
import type { ScriptCommand, ScriptNode, ScriptReading } from './scriptReading.ts';
import { changeOptions, changePatterns } from './shellOptions.ts';

/** What is known of programs; the shell itself knows only its own words. */
export interface StarterKnowledge {
  /** What a call would start; empty of what only does its own work. */
  startedBy(argv: readonly string[]): Started[];
  /** Texts that it would hand to a shell, besides those: what it reads, what stands in its code. */
  scriptsOf(program: StaticProgram): Started[];
  /** The files that a call reads in the place of its input, as its words name them. */
  inputFilesOf(argv: readonly string[]): string[];
}

/** What a part of a script stands in. */
interface Setting {
  readsFrom: StaticProgram[];
  /** What the text of a starter reads, for the programs in it: `ssh host bash <<EOF`. */
  input?: KnownInput | undefined;
  inside?: Started;
  /** Functions that are at work, and where each was left by `return`. */
  calls: readonly string[];
  left: Scope[];
}

const deepest = 6;
const mostPrograms = 4000;
const mostRounds = 64;

/**
 * The programs that a script would start, in the order of time, those in functions, branches, substitutions, `bash -c`,
 * `eval`, here-documents for shells and behind `sudo` or `xargs` included. Nothing is run or looked up: words, braces,
 * variables, arguments of functions, loops over known words, `cd` and subshells are followed as bash does. `cd` is taken
 * to succeed. What is not known is kept as it is written, with the reason.
 */
export function evaluateScript(
  script: string | ScriptReading,
  place: StaticPlace,
  knowledge: StarterKnowledge,
): StaticProgram[] {
  const evaluation = new Evaluation(place, knowledge);
  evaluation.runText(script, firstScope(place), { readsFrom: [], calls: [], left: [] });
  return evaluation.programs;
}

// A class, because the programs and the depth grow while texts within texts are read.
class Evaluation {
  readonly programs: StaticProgram[] = [];
  private readonly place: StaticPlace;
  private readonly knowledge: StarterKnowledge;
  private depth = 0;
  /** Functions that something calls; the others are gone through where they stand. */
  private readonly called = new Set<string>();

  constructor(place: StaticPlace, knowledge: StarterKnowledge) {
    this.place = place;
    this.knowledge = knowledge;
  }

  runText(script: string | ScriptReading, scope: Scope, setting: Setting): Ending {
    const reading = typeof script === 'string' ? readScript(script) : script;
    for (const { words, inFunction } of reading.commands) {
      const name = words[0]?.text;
      if (name !== undefined && name !== inFunction) this.called.add(name);
    }
    return this.run(reading.body, scope, setting);
  }

  private run(node: ScriptNode, scope: Scope, setting: Setting): Ending {
    if (this.programs.length >= mostPrograms) return { ok: scope, failed: scope, programs: [] };
    switch (node.kind) {
      case 'command':
        return this.command(node.command, scope, setting);
      case 'list':
        return this.list(node.items, scope, setting);
      case 'choice':
        return this.choice(node, scope, setting);
      case 'pipeline':
        return this.pipeline(node, scope, setting);
      case 'apart': {
        const { programs } = this.run(node.body, copyScope(scope), setting);
        return { ok: scope, failed: scope, programs };
      }
      case 'if': {
        const test = this.run(node.test, scope, setting);
        const ways = [this.sometimes(node.body, test.ok ?? scope, setting)];
        if (node.otherwise) ways.push(this.sometimes(node.otherwise, test.failed ?? scope, setting));
        else ways.push({ ok: test.failed, programs: [] });
        return joined(ways, test, scope);
      }
      case 'case': {
        const ways = node.bodies.map((body) => this.sometimes(body, scope, setting));
        return joined([...ways, { ok: scope, programs: [] }], { programs: [] }, scope);
      }
      case 'while':
        return this.whileLoop(node, scope, setting);
      case 'for':
        return this.forLoop(node, scope, setting);
      case 'count':
        return this.countLoop(node, scope, setting);
      case 'arithmetic':
        return { ...this.arithmetic(node.expression, scope), programs: [] };
      case 'function': {
        scope.functions.set(node.name, node.body);
        if (this.called.has(node.name)) return { ok: scope, programs: [] };
        const apart = copyScope(scope);
        delete apart.positional;
        const { programs } = this.sometimes(node.body, apart, { ...setting, calls: [...setting.calls, node.name] });
        return { ok: scope, programs };
      }
    }
  }

  private sometimes(node: ScriptNode, scope: Scope, setting: Setting): Ending {
    return this.run(node, { ...copyScope(scope), isUncertain: true }, setting);
  }

  private list(items: readonly ScriptNode[], scope: Scope, setting: Setting): Ending {
    const programs: StaticProgram[] = [];
    let last: Ending = { ok: scope, programs };
    let at = scope;
    let leaves = false;
    for (const item of items) {
      last = this.run(item, at, setting);
      programs.push(...last.programs);
      // `set -e`: what surely fails ends the script; where that is not known, what follows is told.
      if (at.endsOnFailure && !last.ok && /^(?:command|arithmetic)$/.test(item.kind)) leaves = true;
      const next = mergeScopes(last.ok, last.failed);
      leaves ||= last.leaves === true || !next;
      at = next ?? copyScope(at);
      if (leaves) at.isUncertain = true;
    }
    return { ...last, programs, ...(leaves ? { leaves } : {}) };
  }

  /** `a && b || c`: each runs where what stands before it ended that way. */
  private choice(node: Extract<ScriptNode, { kind: 'choice' }>, scope: Scope, setting: Setting): Ending {
    const [first, ...rest] = node.items;
    if (!first) return { ok: scope, programs: [] };
    const wasUncertain = scope.isUncertain;
    let { ok, failed, programs, leaves } = this.run(first, scope, setting);
    for (const [index, item] of rest.entries()) {
      const isAnd = node.operators[index] === '&&';
      const before = isAnd ? ok : failed;
      const way = this.sometimes(item, before ?? scope, setting);
      programs = [...programs, ...way.programs];
      if (!before) continue;
      for (const one of [way.ok, way.failed]) if (one) one.isUncertain = wasUncertain;
      if (way.leaves && !before.isUnlikely) leaves = true;
      if (isAnd) [ok, failed] = [way.ok, mergeScopes(failed, way.failed)];
      else [ok, failed] = [mergeScopes(ok, way.ok), way.failed];
    }
    return { ok, failed, programs, ...(leaves ? { leaves } : {}) };
  }

  private pipeline(node: Extract<ScriptNode, { kind: 'pipeline' }>, scope: Scope, setting: Setting): Ending {
    const [only] = node.items;
    if (node.items.length === 1 && only) {
      const { ok, failed, ...rest } = this.run(only, scope, setting);
      return { ok: failed, failed: ok, ...rest };
    }
    let { readsFrom } = setting;
    let isFirst = true;
    const programs: StaticProgram[] = [];
    for (const item of node.items) {
      const way = this.run(item, copyScope(scope), isFirst ? setting : { ...setting, readsFrom, input: undefined });
      isFirst = false;
      programs.push(...way.programs);
      readsFrom = way.programs.length > 0 ? way.programs : readsFrom;
    }
    return { ok: scope, failed: scope, programs };
  }

  private whileLoop(node: Extract<ScriptNode, { kind: 'while' }>, scope: Scope, setting: Setting): Ending {
    forgetAssigned([node.test, node.body], scope);
    const test = this.run(node.test, scope, setting);
    const way = this.sometimes(node.body, test.ok ?? scope, setting);
    return joined([way, { ok: test.failed, programs: [] }], test, scope);
  }

  /** Over known words the body is gone through once for each. */
  private forLoop(node: Extract<ScriptNode, { kind: 'for' }>, scope: Scope, setting: Setting): Ending {
    const { name, body, words } = node;
    const { expansion, programs } = this.expansion(scope, setting);
    const given = words ? words.flatMap((word) => expandWord(word, expansion)) : scope.positional;
    const chosen: StaticField = { text: `$${name}`, pattern: '*', isOpen: true, why: 'variable' };
    const values: StaticField[] = node.isChosen || !given ? [chosen] : given;
    const isCut = values.length > mostRounds;
    const rounds = isCut ? values.slice(0, mostRounds) : values;
    const last = values[mostRounds];
    if (isCut && last) rounds.push({ text: `$${name}`, pattern: '*', isOpen: true, why: 'many' });
    const stops = mayStop(body);
    const isMany = rounds.some(({ isOpen, pattern }) => isOpen || pattern !== undefined);
    if (isMany) forgetAssigned([body], scope);
    let at = scope;
    let stopped: Scope | undefined;
    for (const value of rounds) {
      at.variables.set(name, [value.pattern === undefined || value.isOpen ? value : { ...value, isEach: true }]);
      at = this.round(body, at, stops || value.isOpen, setting, programs);
      if (stops) stopped = mergeScopes(stopped, copyScope(at));
      if (this.programs.length >= mostPrograms) break;
    }
    return { ok: mergeScopes(stopped, at), programs };
  }

  /** Round for round, as long as it is known whether there is another one. */
  private countLoop(node: Extract<ScriptNode, { kind: 'count' }>, scope: Scope, setting: Setting): Ending {
    const { first, test, next, body } = node;
    const programs: StaticProgram[] = [];
    const stops = mayStop(body);
    let at = scope;
    let stopped: Scope | undefined;
    const value = (one: typeof test) => one && arithmeticValue(one, variablesOf({ scope: at, place: this.place }));
    value(first);
    for (let round = 0; ; round++) {
      const goesOn = test ? value(test) : 1n;
      if (goesOn === 0n) return { ok: mergeScopes(stopped, at), programs };
      const isUnknown = goesOn === undefined || round === mostRounds || this.programs.length >= mostPrograms;
      if (isUnknown) forgetAssigned([node], at);
      const after = this.round(body, at, isUnknown || stops, setting, programs);
      if (isUnknown) return { ok: mergeScopes(mergeScopes(stopped, at), after), programs };
      at = after;
      if (stops) stopped = mergeScopes(stopped, copyScope(at));
      value(next);
    }
  }

  /** One round of a loop: what it leaves behind. Its programs are added to `programs`. */
  private round(body: ScriptNode, at: Scope, isUncertain: boolean, setting: Setting, programs: StaticProgram[]): Scope {
    const way = this.run(body, { ...copyScope(at), isUncertain: at.isUncertain || isUncertain }, setting);
    programs.push(...way.programs);
    return { ...(mergeScopes(way.ok, way.failed) ?? at), isUncertain: at.isUncertain };
  }

  /** It succeeds where its value is not 0. */
  private arithmetic(expression: ArithmeticExpression | undefined, scope: Scope): Omit<Ending, 'programs'> {
    const value = expression && arithmeticValue(expression, variablesOf({ scope, place: this.place }));
    if (value === undefined) return { ok: scope, failed: scope };
    return value === 0n ? { failed: scope } : { ok: scope };
  }

  private expansion(scope: Scope, setting: Setting): { expansion: Expansion; programs: StaticProgram[] } {
    const programs: StaticProgram[] = [];
    const substitute = (body: ScriptNode) => {
      const way = this.run(body, copyScope(scope), { ...setting, readsFrom: [] });
      programs.push(...way.programs);
      return way.programs;
    };
    return { expansion: { scope, place: this.place, substitute }, programs };
  }

  private command(command: ScriptCommand, scope: Scope, setting: Setting): Ending {
    const { expansion, programs: substituted } = this.expansion(scope, setting);
    const fields = withPlaces(
      command.words.flatMap((word) => expandWord(word, expansion)),
      setting.inside,
    );
    const env = assign(command, fields, expansion);
    const redirects = command.redirects.flatMap(({ operator, target, descriptor }) =>
      target && operator !== '<<<' ? [readRedirect(operator, expandWord(target, expansion), descriptor)] : [],
    );
    const program: StaticProgram = {
      argv: fields.map(({ text }) => text),
      fields,
      cwd: scope.cwd,
      redirects,
      readsFrom: setting.readsFrom,
      substituted,
      env,
      command,
    };
    if (setting.inside) program.inside = setting.inside;
    if (scope.isLost) program.isLost = true;
    if (scope.isUncertain) program.isUncertain = true;
    const input = readInput(program, expansion, setting);
    if (input.text !== undefined) program.inputText = input.text;
    if (input.file !== undefined) program.inputFile = input.file;
    const isNothing = fields.length + redirects.length + substituted.length + Object.keys(env).length === 0;
    if (isNothing) return { ok: scope, programs: [] };
    const programs = [...substituted, ...this.addProgram(program, scope, setting)];
    return { programs, ...this.builtin(program, scope, setting, programs) };
  }

  /** What words of the shell itself do to it; of a program only that it may fail. */
  private builtin(
    { fields }: StaticProgram,
    scope: Scope,
    setting: Setting,
    programs: StaticProgram[],
  ): Omit<Ending, 'programs'> {
    const words = /^(builtin|command)$/.test(fields[0]?.text ?? '') ? fields.slice(1) : fields;
    const name = words[0]?.text ?? '';
    const body = fields === words ? scope.functions.get(name) : undefined;
    if (body) return this.call(name, body, words.slice(1), scope, setting, programs);
    switch (name) {
      case 'cd':
      case 'pushd':
      case 'popd': {
        const failed = { ...copyScope(scope), isUnlikely: true };
        if (name === 'cd') changeFolder(words, scope, this.place);
        else changeStack(words, scope, this.place);
        return { ok: scope, failed };
      }
      case 'exit':
        return { leaves: true };
      case 'return':
        setting.left.push(scope);
        return { leaves: true };
      case 'exec':
        return words.length > 1 ? { leaves: true } : { ok: scope };
      case 'true':
      case ':':
        return { ok: scope };
      case 'false':
        return { failed: scope };
      case 'set':
        changeOptions(words, scope);
        return { ok: scope, failed: scope };
      case 'shopt':
        changePatterns(words, scope);
        return { ok: scope, failed: scope };
      case 'unset':
        // Only with -f what has the name of a variable too.
        for (const { text } of words.slice(1))
          if (words[1]?.text === '-f' || !scope.variables.has(text)) scope.functions.delete(text);
        return { ok: scope, failed: scope };
      case 'shift':
        if (words.length === 1 && scope.positional) scope.positional = scope.positional.slice(1);
        else delete scope.positional;
        return { ok: scope, failed: scope };
      default:
        return { ok: scope, failed: scope };
    }
  }

  private call(
    name: string,
    body: ScriptNode,
    args: StaticField[],
    scope: Scope,
    setting: Setting,
    programs: StaticProgram[],
  ): Omit<Ending, 'programs'> {
    if (setting.calls.includes(name)) return { ok: scope, failed: scope };
    const outer = scope.positional;
    const { locals, isInFunction = false } = scope;
    const variables = new Map(scope.variables);
    Object.assign(scope, { positional: args, locals: new Set<string>(), isInFunction: true });
    const left: Scope[] = [];
    const way = this.run(body, scope, { ...setting, calls: [...setting.calls, name], left });
    programs.push(...way.programs);
    const ends = [way.ok, way.failed, ...left].filter((one) => one !== undefined);
    for (const one of ends) {
      if (outer) one.positional = outer;
      else delete one.positional;
      one.isUncertain = scope.isUncertain;
    }
    for (const one of new Set([...ends, scope])) {
      for (const local of one.locals) {
        const value = variables.get(local);
        if (value) one.variables.set(local, value);
        else one.variables.delete(local);
      }
      Object.assign(one, { locals: new Set(locals), isInFunction });
    }
    const ok = [way.ok, ...left].reduce<Scope | undefined>((before, one) => mergeScopes(before, one), undefined);
    const isLeft = way.leaves && left.length === 0;
    return { ok, failed: mergeScopes(way.failed, left[0]), ...(isLeft ? { leaves: true } : {}) };
  }

  private addProgram(program: StaticProgram, scope: Scope, setting: Setting): StaticProgram[] {
    const files = this.knowledge.inputFilesOf(program.argv);
    if (files.length > 0) giveNamedInput(files, program, this.place);
    this.programs.push(program);
    const added = [program];
    if (this.depth >= deepest || this.programs.length >= mostPrograms) return added;
    this.depth++;
    for (const one of this.knowledge.startedBy(program.argv)) {
      const started = inherited(one, program);
      if (started.argv) added.push(...this.addProgram(innerProgram(program, started), scope, setting));
      else added.push(...this.startedScript(program, started, scope, setting));
    }
    for (const one of this.knowledge.scriptsOf(program)) {
      added.push(...this.startedScript(program, inherited(one, program), scope, setting));
    }
    if (program.argv[0] === 'eval') {
      const script = program.argv.slice(1).join(' ');
      const inside = inherited({ by: 'eval', env: {}, options: [] }, program);
      added.push(...this.runText(script, scope, { ...setting, inside }).programs);
    }
    this.depth--;
    return added;
  }

  /** Another shell: it knows what is exported, and where it is. */
  private startedScript(program: StaticProgram, started: Started, scope: Scope, setting: Setting): StaticProgram[] {
    const child = copyScope(scope);
    if (started.shell !== undefined) setBraces(child, started.shell);
    const isOwn = started.shell !== undefined || started.elsewhere !== undefined || started.asUser !== undefined;
    if (isOwn) {
      child.functions = new Map();
      for (const name of child.variables.keys())
        if (!child.exported.has(name) && this.place.env[name] === undefined) child.variables.delete(name);
    }
    for (const [name, value] of Object.entries({ ...program.env, ...started.env })) {
      child.variables.set(name, [
        /[$`]/.test(value) ? { ...inDoubt(knownField(value)), why: 'variable' } : knownField(value),
      ]);
    }
    // The starter itself may have been started elsewhere: `env -C d sh -c …`.
    child.cwd = program.cwd;
    if (program.isLost) child.isLost = true;
    move(child, started);
    if (started.isLater) child.isUncertain = true;
    const args = started.positional?.map((at) => program.fields[at] ?? knownField(''));
    if (started.moreArguments === 'read' && program.inputText === undefined) delete child.positional;
    else if (started.shell !== undefined) child.positional = args?.slice(1) ?? [];
    else delete child.positional;
    const { shellScript = '' } = started;
    const text =
      program.inputText !== undefined && started.by === program.argv[0]
        ? withRead(started, program, [shellScript]).join(' ')
        : shellScript;
    const input = { text: program.inputText, file: program.inputFile };
    return this.runText(text, child, { ...setting, readsFrom: program.readsFrom, input, inside: started }).programs;
  }
}
