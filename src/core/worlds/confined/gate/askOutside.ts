import fs from 'node:fs';
import path from 'node:path';
import type { WayToKnow } from '../../../facts/assumption.ts';
import type { LookKind } from '../../../facts/consent.ts';
import type { ProgramOutcome } from '../../../prediction/rehearsal.ts';
import { type OutsideLook, outsideLookOf } from '../../../programs/outsideLook.ts';
import type { Gated, Launcher } from '../wire/launcher.ts';
import { baseName, namedArgv, type RunRecord } from '../wire/runRecord.ts';
import { isSystemProgram } from './inert.ts';

/** What decides whether a stopped program asks somebody outside, as a look. */
export interface AskOutsideOptions {
  /** What the user consented to. */
  looks: readonly LookKind[];
  /** The environment of the command, and the terminal that it prints to. */
  env: Readonly<Record<string, string>>;
  columns: number | undefined;
  /** No earlier command of the session has changed anything. */
  isUntouched(): boolean;
  run(gated: Gated, outside: OutsideLook): Promise<Pick<ProgramOutcome, 'exitCode' | 'stdout' | 'stderr'> | undefined>;
  keepPath(path: string): boolean;
}

/** Answers for stopped programs that only read from outside, by asking once. */
export interface AskOutside {
  /** `undefined`: it is none, nobody consented, or there is no answer that would hold. */
  outcomeOf(launcher: Launcher, gated: Gated, record: RunRecord): Promise<ProgramOutcome | undefined>;
  /** What would make known what such a program says, where nobody has consented to it. */
  wayOf(gated: Gated): WayToKnow | undefined;
}

/** For one prediction: the same question is asked once, in whichever of its runs it comes first. */
export function createAskOutside(options: AskOutsideOptions): AskOutside {
  const answers = new Map<string, Promise<ProgramOutcome | undefined>>();

  function lookOf(gated: Gated): OutsideLook | undefined {
    if (gated.reason !== 'notInert' || !gated.isUnchanged || !isSystemProgram(gated.realPath)) return undefined;
    // What it would send is not looked at.
    if (gated.stdin === 'socket' || gated.stdin === 'other') return undefined;
    const isShown = gated.stdout === 'terminal' || gated.stderr === 'terminal';
    const around = { env: gated.env, own: options.env, columns: isShown ? (options.columns ?? 80) : undefined };
    const outside = outsideLookOf(namedArgv(gated), baseName(gated.realPath), around);
    return outside && !hasSettings(options.env) ? outside : undefined;
  }

  async function ask(gated: Gated, outside: OutsideLook): Promise<ProgramOutcome | undefined> {
    const at = new Date().toISOString();
    const answered = await options.run(gated, outside);
    if (!answered) return undefined;
    return {
      ...answered,
      changes: [],
      basis: 'assumed',
      assumes: [{ kind: 'answersAsThen', to: outside.to, at }],
      because: { kind: 'lookedAt' },
      exitIsAssumed: true,
    };
  }

  return {
    async outcomeOf(launcher, gated, record) {
      const outside = lookOf(gated);
      if (!outside || !options.looks.includes(outside.look)) return undefined;
      if (!options.isUntouched() || !isClean(record) || (await hasChanged(launcher, options))) return undefined;
      const key = JSON.stringify([gated.cwd, gated.realPath, outside]);
      const known = answers.get(key) ?? ask(gated, outside);
      answers.set(key, known);
      return known;
    },
    wayOf(gated) {
      const outside = lookOf(gated);
      if (!outside || options.looks.includes(outside.look)) return undefined;
      return outside.look === 'localhost' ? 'askLocalhost' : 'askGithub';
    },
  };
}

/** Servers answer as of now: what the command has done to them, or to what they read, they do not know. */
function isClean({ assumptions, effects, blind, programs }: RunRecord): boolean {
  const onlyLooks = assumptions.every(({ because }) => because.kind === 'lookedAt');
  const acts = effects.some(({ kind }) => kind === 'listens' || kind === 'signals' || kind === 'connects');
  return onlyLooks && !acts && blind.length === 0 && !programs.some(({ isLetIn, isKnown }) => isLetIn && !isKnown);
}

async function hasChanged(launcher: Launcher, { keepPath }: AskOutsideOptions): Promise<boolean> {
  const { changes, complete } = await launcher.list('none');
  return !complete || changes.some((change) => keepPath(change.path));
}

/** Settings that really would be read, and are left out in the look. */
function hasSettings(env: Readonly<Record<string, string>>): boolean {
  const home = env['HOME'] ?? '';
  const config = env['XDG_CONFIG_HOME'] ?? path.join(home, '.config');
  return [path.join(home, '.curlrc'), path.join(config, 'curlrc'), path.join(home, '.wgetrc')].some((file) =>
    fs.existsSync(file),
  );
}
