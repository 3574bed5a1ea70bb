import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What one gated program does, in the script of a case: the model says it, and the stand-in really does it. */
export interface Rule {
  /** The program and its arguments, joined by blanks; `*` stands for anything. */
  pattern: string;
  stdout: string;
  stderr: string;
  exitCode: number;
  /** Paths are relative to where the program runs; `null` deletes. */
  files: { path: string; content: string | null }[];
  readsStdin: boolean;
  /** The model says that it cannot know, with this reason; the stand-in does nothing. */
  unknown?: string;
}

/** One script with gated programs. */
export interface ScriptCase {
  /** `<file>: <title>`. */
  name: string;
  script: string;
  rules: Rule[];
  /** How the prediction ends; default `done`. */
  ending: 'done' | 'abstained';
  /** The model's `git status` names new folders only, so that it has to be asked what is in them. */
  namesFolders: boolean;
  /** Parts that no reply can tell, so that they may differ: whether the last line of an output has an end. */
  unsaid: 'nothing' | 'last line break';
}

/**
 * Reads the cases of one file. What a line is, its first character says:
 *
 * - `# title` begins a case; `$ ` and `> ` are the script's first and further lines
 * - `@ program arguments` begins what this program does: `| ` a line of output, `! ` one of stderr, `= 1` the exit code,
 *   `+ path` writes a file with the lines `: ` that follow, `- path` deletes one, `<` reads standard input to its end,
 *   `? reason` the model cannot know it. `|~ ` and `:~ ` have no line break at their end; `|900 text` is printed 900 times.
 * - `% abstained`, `% folders`, `% last line break` say what is special; empty lines and `//` say nothing
 *
 * In outputs and contents, `\xNN`, `\e` and `\t` stand for these characters.
 */
export function parseScriptCases(kind: string, text: string): ScriptCase[] {
  const cases: ScriptCase[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const rest = line.slice(2);
    const one = cases.at(-1);
    const rule = one?.rules.at(-1);
    if (line === '' || line.startsWith('//')) continue;
    if (line.startsWith('# ')) {
      cases.push({
        name: `${kind}: ${rest}`,
        script: '',
        rules: [],
        ending: 'done',
        namesFolders: false,
        unsaid: 'nothing',
      });
    } else if (!one || !readLine(one, rule, line, rest)) throw new Error(`${kind}:${index + 1}: ${line}`);
  }
  return cases;
}

function readLine(one: ScriptCase, rule: Rule | undefined, line: string, rest: string): boolean {
  if (/^[$>]( |$)/.test(line)) {
    one.script += one.script === '' ? rest : `\n${rest}`;
    return true;
  }
  if (line.startsWith('@ ')) {
    one.rules.push({ pattern: rest, stdout: '', stderr: '', exitCode: 0, files: [], readsStdin: false });
    return true;
  }
  if (line.startsWith('% ')) return readSpecial(one, rest);
  return rule !== undefined && readDeed(rule, line, rest);
}

function readSpecial(one: ScriptCase, word: string): boolean {
  if (word === 'abstained') one.ending = 'abstained';
  else if (word === 'folders') one.namesFolders = true;
  else if (word === 'last line break') one.unsaid = 'last line break';
  else return false;
  return true;
}

function readDeed(rule: Rule, line: string, rest: string): boolean {
  const file = rule.files.at(-1);
  const many = /^\|(\d+) (.*)$/.exec(line);
  if (many) rule.stdout += `${unescaped(many[2] ?? '')}\n`.repeat(Number(many[1]));
  else if (line.startsWith('|~')) rule.stdout += unescaped(line.slice(3));
  else if (line.startsWith('|')) rule.stdout += `${unescaped(rest)}\n`;
  else if (line.startsWith('!')) rule.stderr += `${unescaped(rest)}\n`;
  else if (line.startsWith('= ')) rule.exitCode = Number(rest);
  else if (line.startsWith('+ ')) rule.files.push({ path: rest, content: '' });
  else if (line.startsWith('- ')) rule.files.push({ path: rest, content: null });
  else if (line.startsWith(':~') && file) file.content += unescaped(line.slice(3));
  else if (line.startsWith(':') && file) file.content += `${unescaped(rest)}\n`;
  else if (line === '<') rule.readsStdin = true;
  else if (line.startsWith('? ')) rule.unknown = rest;
  else return false;
  return true;
}

function unescaped(text: string): string {
  return text.replace(/\\(x[0-9a-f]{2}|[et\\])/g, (_, name: string) => {
    if (name === 'e') return '\u001b';
    if (name === 't') return '\t';
    return name === '\\' ? '\\' : String.fromCharCode(Number.parseInt(name.slice(1), 16));
  });
}

/** Reads every `*.txt` of a folder. */
export function readScriptCases(folder: string): ScriptCase[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => parseScriptCases(basename(name, '.txt'), readFileSync(join(folder, name), 'utf8')));
}

/** Whether a rule speaks of a program, by its words joined by blanks. */
export function matches(rule: Rule, words: string): boolean {
  const pattern = rule.pattern
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*');
  return new RegExp(`^${pattern}$`).test(words);
}
