import { posix } from 'node:path';
import { quoteWord } from '../shell/quoteWord.ts';
import { asRecord } from './jsonRecord.ts';
import type { LookedAt, LookThrough, ReadText, StartedStep } from './startedStep.ts';

/** Subcommands of Composer 2 with their aliases: a script of one of these names is skipped with a warning. */
const own =
  /^(about|archive|audit|browse|bump|check-platform-reqs|clear-cache|clearcache|cc|completion|config|create-project|depends|why|diagnose|dump-autoload|dumpautoload|exec|fund|global|help|home|init|install|i|licenses|list|outdated|prohibits|why-not|reinstall|remove|rm|uninstall|repository|repo|require|r|search|self-update|selfupdate|show|info|status|suggests|update|u|upgrade|validate|_complete)$/;

const flags =
  /^(-q|--quiet|-v|-vv|-vvv|--verbose|-n|--no-interaction|--ansi|--no-ansi|--no-plugins|--no-cache|--profile|--dev|--no-dev)$/;

interface ComposerCall {
  /** Words that are no options of Composer. */
  words: string[];
  folder: string | undefined;
  unknown?: string;
  lists?: true;
}

interface Manifest {
  scripts: Record<string, unknown>;
  binDirectory: string;
}

/**
 * What `composer run-script x`, `composer run x` and `composer x` would start. After Composer 2
 * (`EventDispatcher::doDispatch`): one call after the other, each in a shell with the folder of installed tools first in
 * PATH; `@x` is another script, `@php` and `@composer` these programs, `@putenv` a variable for what follows.
 */
export async function lookThroughComposer(program: LookedAt, readText: ReadText): Promise<LookThrough | undefined> {
  const call = readCall(program.argv.slice(1));
  const [command] = call.words;
  if (command === undefined || own.test(command)) return undefined;
  const isRun = command === 'run-script' || command === 'run';
  const [name, ...args] = isRun ? call.words.slice(1) : call.words;
  const cwd = posix.resolve(program.cwd, call.folder ?? '');
  const file = posix.resolve(cwd, program.env['COMPOSER'] || 'composer.json');
  if (name === undefined || call.lists)
    return isRun ? no('Composer would list the scripts of the project.') : undefined;
  const text = await readText(file);
  if (text === undefined) return no(`Composer would find no ${file}.`);
  const manifest = readManifest(text, cwd, program);
  if (!manifest) return no(`${file} is not readable as JSON.`);
  if (manifest.scripts[name] === undefined)
    return isRun ? no(`${file} has no script ${name}; Composer would say so and exit with 1.`) : undefined;
  if (call.unknown) return no(call.unknown);
  const path = [manifest.binDirectory, program.env['PATH'] ?? ''].filter((part) => part !== '').join(':');
  const found = scriptSteps(manifest, { name, args, within: [] }, cwd, { PATH: path });
  if (!Array.isArray(found)) return no(found.reason);
  return {
    ok: true,
    steps: found,
    exact: false,
    inexactBecause: 'Composer prints each command on standard error, and may run plug-ins',
  };
}

function readCall(given: readonly string[]): ComposerCall {
  const call: ComposerCall = { words: [], folder: undefined };
  for (let index = 0; index < given.length; index++) {
    const word = given[index] ?? '';
    if (word === '--') {
      call.words.push(...given.slice(index + 1));
      break;
    }
    const [, value] = /^(?:--working-dir=|-d)(.+)$/.exec(word) ?? [];
    if (value !== undefined) call.folder = value.replace(/^=/, '');
    else if (word === '-d' || word === '--working-dir') call.folder = given[++index];
    else if (word === '-l' || word === '--list') call.lists = true;
    else if (word === '--timeout') index++;
    else if (!/^-./.test(word)) call.words.push(word);
    else if (!flags.test(word) && !word.startsWith('--timeout='))
      call.unknown ??= `Composer takes ${word} for itself; what it does with the script is not known here.`;
  }
  return call;
}

function readManifest(text: string, cwd: string, { env }: LookedAt): Manifest | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const config = asRecord(asRecord(json)['config']);
  const folder = (variable: string, key: string, usual: string) => {
    const set = env[variable] || config[key];
    return typeof set === 'string' && !/[${~]/.test(set) ? set : usual;
  };
  const vendor = folder('COMPOSER_VENDOR_DIR', 'vendor-dir', 'vendor');
  const bin = folder('COMPOSER_BIN_DIR', 'bin-dir', posix.join(vendor, 'bin'));
  return { scripts: asRecord(asRecord(json)['scripts']), binDirectory: posix.resolve(cwd, bin) };
}

interface ScriptCall {
  name: string;
  args: readonly string[];
  /** Scripts that led here, outermost first. */
  within: readonly string[];
}

/** `env` grows by what `@putenv` sets, which holds for everything behind it. */
function scriptSteps(
  manifest: Manifest,
  { name, args, within }: ScriptCall,
  cwd: string,
  env: Record<string, string>,
): StartedStep[] | { reason: string } {
  if (within.includes(name)) return { reason: `The script ${name} calls itself; Composer would stop there.` };
  const listed = manifest.scripts[name];
  if (listed === undefined) return { reason: `The script ${name} is not there, and ${within.at(-1)} refers to it.` };
  const steps: StartedStep[] = [];
  for (const line of Array.isArray(listed) ? (listed as unknown[]) : [listed]) {
    if (typeof line !== 'string') return { reason: `The script ${name} is no text.` };
    const taken = takeArguments(line, args);
    const putenv = /^@putenv (\w+)(?:=(.*))?$/s.exec(line);
    if (putenv?.[1] !== undefined) {
      if (putenv[2] === undefined) return { reason: `The script ${name} would remove a variable.` };
      env[putenv[1]] = putenv[2];
      continue;
    }
    const [, other, rest = ''] = /^@(?!php |composer |putenv )(\S+)(?: (.*))?$/s.exec(line) ?? [];
    if (other !== undefined) {
      const passed = [...rest.split(' ').filter((word) => word !== ''), ...(taken.isPlain ? args : [])];
      const inner = scriptSteps(manifest, { name: other, args: passed, within: [...within, name] }, cwd, env);
      if (!Array.isArray(inner)) return inner;
      steps.push(...inner);
      continue;
    }
    // A method of a class, or a command of Symfony's console, runs in the process of Composer itself.
    if (!/\s/.test(line) && /::|\\/.test(line)) return { reason: `Composer would run ${line} in its own process.` };
    const shellScript = taken.text.replace(/^@(php|composer) /, '$1 ');
    steps.push({ shellScript, cwd, env: { ...env }, label: { kind: 'script', name, words: shellScript } });
  }
  return steps;
}

/** The words behind the script's name stand at its end, or where it says. `isPlain`: it says nothing about them. */
function takeArguments(line: string, args: readonly string[]): { text: string; isPlain: boolean } {
  if (line.includes('@no_additional_args')) return { text: line.replace(/ ?@no_additional_args/g, ''), isPlain: false };
  const words = args.map((word) => quoteWord(word)).join(' ');
  if (line.includes('@additional_args'))
    return { text: line.replaceAll('@additional_args', () => words), isPlain: false };
  return { text: args.length > 0 ? `${line} ${words}` : line, isPlain: true };
}

function no(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
