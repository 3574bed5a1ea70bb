import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import type * as z from 'zod/mini';
import { consentFile } from '../consent/consentStore.ts';
import { homeFolder } from '../context/user.ts';
import type { PolicyOrigin, PolicyProblem } from '../facts/policyFact.ts';
import { writeWhole } from '../view/writeWhole.ts';
import type { Policies, PolicyLayer } from './decide.ts';
import { projectRoot } from './pathPattern.ts';
import { Policy } from './policy.ts';
import { type PresetName, presets } from './presets.ts';

/** Where a team's policy for a whole machine stands; only its administrator can write there. */
const teamFile = '/etc/foretell/policy.json';
/** In a workspace, in the folder of the project or any folder above the call. */
const workspaceName = '.foretell/policy.json';
const mostBytes = 1024 ** 2;

/** Where policies are looked for. */
export interface PolicyPlaces {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** The user trusts the workspace; what stands in another one is not read. */
  trusted: boolean;
  /** Default: `/etc/foretell/policy.json`. */
  team?: string;
}

/** The user's own policy, with their settings and never in a workspace; absolute. */
export function userPolicyFile(env: PolicyPlaces['env']): string {
  return path.join(path.dirname(consentFile(env)), 'policy.json');
}

/** The policy of a workspace; absolute. */
export function workspacePolicyFile(folder: string): string {
  return path.join(folder, workspaceName);
}

/** Where it is kept which workspace policies the user signed. */
function signedFolder(env: PolicyPlaces['env']): string {
  return path.join(path.dirname(consentFile(env)), 'policies');
}

/** Files and folders that decide what is allowed for a call there; no call of an agent may change them. Absolute. */
export function policyFiles({ env, cwd, trusted, team = teamFile }: PolicyPlaces): string[] {
  return [
    userPolicyFile(env),
    signedFolder(env),
    team,
    ...(trusted ? workspaceFiles(cwd).filter((file) => fs.existsSync(file)) : []),
  ];
}

/** All policies that count for a call in a folder. Never throws; what cannot be read is a problem, and then nothing is allowed. */
export function readPolicies(places: PolicyPlaces): Policies {
  const { env, cwd, trusted, team = teamFile } = places;
  const layers: PolicyLayer[] = [];
  const problems: PolicyProblem[] = [];
  const add = (origin: PolicyOrigin, file: string, text: string, more: { mayAllow: boolean; root?: string }) => {
    const read = parsePolicy(file, text);
    if ('kind' in read) problems.push(read);
    else layers.push(...layersOf(read, { origin, file, ...more }));
  };
  for (const [origin, file] of [
    ['user', userPolicyFile(env)],
    ['team', team],
  ] as const) {
    const text = readGuarded(file, origin === 'user' ? 'user' : 'administrator');
    if (typeof text === 'string') add(origin, file, text, { mayAllow: true });
    else if (text) problems.push(text);
  }
  for (const file of trusted ? workspaceFiles(cwd) : []) {
    const text = readGuarded(file, 'workspace');
    const signed = signedText(env, file);
    const root = path.dirname(path.dirname(file));
    if (typeof text === 'string') add('workspace', file, text, { mayAllow: signed === text, root });
    else if (text) problems.push(text);
    // Whoever changes or removes a signed policy does not get rid of what it asks and denies.
    if (signed !== undefined && signed !== text) add('signed', file, signed, { mayAllow: false, root });
  }
  return { layers, problems };
}

/** Where relative patterns begin for a call, and the home folder. */
export function policyRoot({ env, cwd }: Pick<PolicyPlaces, 'env' | 'cwd'>): {
  root: string | undefined;
  home: string;
} {
  const home = homeFolder(env);
  return { root: projectRoot(realOf(cwd), env, realOf(home), fs.existsSync), home };
}

function realOf(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    return folder;
  }
}

function layersOf(policy: Policy, of: Omit<PolicyLayer, 'rules'>): PolicyLayer[] {
  const preset = (name: PresetName): PolicyLayer => ({
    ...of,
    origin: 'preset',
    file: name,
    rules: presets[name].rules,
  });
  return [{ ...of, rules: policy.rules }, ...(policy.extends ?? []).map(preset)];
}

/** The policy that a text is, comments allowed, or why it is none. */
export function parsePolicy(file: string, text: string): Policy | PolicyProblem {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) return { kind: 'notJson', file, line: text.slice(0, error.offset).split('\n').length };
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
  if (typeof version === 'number' && version !== 1) return { kind: 'otherVersion', file, version };
  const read = Policy.safeParse(value);
  if (read.success) return read.data;
  return { kind: 'notPolicy', file, at: deepest(read.error.issues) };
}

/** Where the first problem is; of a union, in the alternative that comes furthest. */
function deepest(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[] = []): string {
  const [issue] = issues;
  if (!issue) return above.join('.');
  const at = [...above, ...issue.path];
  const within = issue.code === 'invalid_union' ? issue.errors.map((one) => deepest(one, at)) : [];
  const keys = issue.code === 'unrecognized_keys' ? [...at, ...issue.keys.slice(0, 1)] : at;
  return within.sort((a, b) => b.length - a.length)[0] ?? keys.join('.');
}

/** Whose a file has to be: the user's alone, the administrator's alone, or of a workspace anybody's who may write there. */
type Owner = 'user' | 'administrator' | 'workspace';

/** The text of a file; `undefined` where there is none. */
function readGuarded(file: string, owner: Owner): string | undefined | PolicyProblem {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
    const status = fs.fstatSync(descriptor);
    const isShared = (status.mode & 0o022) !== 0;
    const mine = owner === 'administrator' ? 0 : process.getuid?.();
    if (!status.isFile() || (owner !== 'workspace' && (status.uid !== mine || isShared)))
      return { kind: 'notOwn', file };
    if (status.size > mostBytes) return { kind: 'tooLarge', file };
    return fs.readFileSync(descriptor, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return code === 'ELOOP' ? { kind: 'notOwn', file } : { kind: 'notRead', file, code };
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** The text of a workspace's policy as the user signed it. */
function signedText(env: PolicyPlaces['env'], file: string): string | undefined {
  const text = readGuarded(signedFile(env, file), 'user');
  return typeof text === 'string' ? text : undefined;
}

function signedFile(env: PolicyPlaces['env'], file: string): string {
  return path.join(signedFolder(env), `${createHash('sha256').update(file).digest('hex').slice(0, 40)}.json`);
}

/**
 * Keeps that the user has read a workspace's policy and wants its `allow` to count as long as it stays as it is. Only ever
 * called for the user's own word. The code of the error where it cannot be kept.
 */
export function signPolicy(env: PolicyPlaces['env'], file: string, text: string): string | undefined {
  return keepFile(signedFile(env, fs.realpathSync(file)), text);
}

/** Writes a file of which only its user reads and writes, all of it or nothing; the code of the error where it cannot. */
export function keepFile(file: string, text: string): string | undefined {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeWhole(file, text);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'EIO';
  }
}

function workspaceFiles(cwd: string): string[] {
  const files: string[] = [];
  for (let at = realOf(path.resolve(cwd)); ; at = path.dirname(at)) {
    files.push(workspacePolicyFile(at));
    if (at === path.dirname(at)) return files;
  }
}
