import { declaringBuiltins, readScript, staticText } from './script.ts';
import type { ScriptReading } from './scriptReading.ts';

/** A variable that is read although nothing gives it a value. */
export interface UnsetVariable {
  name: string;
  pos: number;
  end: number;
  /** The word it stands in, as written, for example `"$BUILD_DIR/"*`. */
  word: string;
  commandId: number;
  /** False when a sourced file or an `eval` could have set it. */
  certain: boolean;
}

const readers = new Set(['read', 'mapfile', 'readarray', 'getopts', 'unset', ...declaringBuiltins]);

// bash(1), "Shell Variables": set by the shell itself.
const setByShell =
  /^(BASH.*|COMP_.*|DIRSTACK|EPOCH.*|EUID|FUNCNAME|GROUPS|HISTCMD|HOSTNAME|HOSTTYPE|IFS|LINENO|MACHTYPE|MAPFILE|OLDPWD|OPTARG|OPTIND|OSTYPE|PATH|PIPESTATUS|PPID|PS[1-4]|PWD|RANDOM|READLINE_.*|REPLY|SECONDS|SHELLOPTS|SHLVL|SRANDOM|UID|COPROC|[-@*#?$!_0])$/;
const hasDefault = new Set(['-', ':-', '=', ':=', '+', ':+', '?', ':?', '!']);

/**
 * Variables that the script reads although neither it nor `env` gives them a value, in the order of the script.
 * Expansions with a default (`${X:-y}`) or a check (`${X:?}`) do not count; and behind `set -u` the shell ends where it reads one.
 * In fish `set` gives a variable its value.
 */
export function findUnsetVariables(
  script: string | ScriptReading,
  env: Readonly<Record<string, string | undefined>>,
  isFish = false,
): UnsetVariable[] {
  const reading = typeof script === 'string' ? readScript(script) : script;
  if (reading.commands.length === 0 || endsOnUnset(reading)) return [];
  const assigned = isFish ? assignedInFish(reading.source) : assignedVariables(reading);
  const certain = !reading.commands.some((command) =>
    /^(\.|source|eval|setopt|emulate)$/.test(command.words[0]?.text ?? ''),
  );
  const found: UnsetVariable[] = [];
  for (const command of reading.commands) {
    const words = [
      ...command.words,
      ...command.assignments.flatMap((assignment) => assignment.value ?? assignment.elements ?? []),
      ...command.redirects.flatMap((redirect) => (redirect.target && !redirect.outer ? redirect.target : [])),
    ];
    for (const word of new Set(words)) {
      for (const piece of word.pieces) {
        if (piece.kind !== 'variable') continue;
        const { name } = piece;
        if (piece.operator !== undefined && hasDefault.has(piece.operator)) continue;
        if (setByShell.test(name) || env[name] !== undefined || assigned.has(name) || command.loops.has(name)) continue;
        // A function has its own arguments; who calls it with which is not for a reader to say.
        if (/^\d+$/.test(name) && command.inFunction !== undefined) continue;
        found.push({ name, pos: word.pos, end: word.end, word: word.text, commandId: command.id, certain });
      }
    }
  }
  return found;
}

/** It says `set -u` first, for all of it. */
function endsOnUnset({ commands }: ScriptReading): boolean {
  const [first, ...others] = commands;
  const wordsOf = (command: (typeof commands)[number]) => command.words.map((word) => staticText(word) ?? '');
  const [name, ...words] = first ? wordsOf(first) : [];
  const isSet = name === 'set' && words.some((word, at) => /^-[a-zA-Z]*u/.test(word) || (word === 'nounset' && at > 0));
  const isTakenBack = others.some(
    (command) => wordsOf(command)[0] === 'set' && wordsOf(command).some((word) => /^\+/.test(word)),
  );
  return isSet && !isTakenBack;
}

/** `set -l name …`, `read name`, `for name in …`, `function f -a name …`, and what fish sets itself. */
function assignedInFish(source: string): Set<string> {
  const assigned = new Set(['argv', 'status', 'pipestatus', 'history', 'version', 'fish_pid', 'last_pid', 'hostname']);
  for (const [, ...groups] of source.matchAll(
    /\b(?:(?:set|read)((?:[ \t]+[^\s;|&]+)+)|for[ \t]+(\w+)[ \t]+in\b|function\b[^\n;]*?(?:-a|--argument-names)((?:[ \t]+\w+)+))/g,
  ))
    for (const name of groups.join(' ').split(/\s+/)) if (/^[A-Za-z_]\w*$/.test(name)) assigned.add(name);
  return assigned;
}

function assignedVariables(reading: ScriptReading): Set<string> {
  const assigned = new Set<string>();
  for (const command of reading.commands) {
    for (const assignment of command.assignments) assigned.add(assignment.name);
    const program = command.words[0]?.text ?? '';
    const args = command.words.slice(1).map((word) => staticText(word) ?? '');
    if (readers.has(program)) for (const argument of args) assigned.add(argument.replace(/[=[+].*$/s, ''));
    if (program === 'printf' && args[0] === '-v' && args[1]) assigned.add(args[1]);
    if (program === 'set') args.forEach((_, index) => void assigned.add(String(index)));
    for (const word of command.words) {
      for (const piece of word.pieces) {
        if (piece.kind === 'variable' && (piece.operator === '=' || piece.operator === ':=')) assigned.add(piece.name);
      }
    }
  }
  // `((x = 1))`, `let x=1` and `for ((i = 0; …))` assign inside arithmetic.
  for (const match of reading.source.matchAll(
    /(?:\(\(|\blet\s|;)[^)]{0,200}?\b([A-Za-z_]\w*)\s*(?:[-+*/%]?=(?!=)|\+\+|--)/g,
  )) {
    if (match[1]) assigned.add(match[1]);
  }
  return assigned;
}
