import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A text to look lines up in: whole lines, and everything in one. White space is collapsed. */
export interface World {
  lines: ReadonlySet<string>;
  text: string;
}

/** Texts as a world. */
export function shownIn(texts: readonly string[]): World {
  const lines = texts.flatMap((text) => text.split('\n').map(collapsed)).filter((line) => line !== '');
  return { lines: new Set(lines), text: lines.join('\n') };
}

const escapes = /\u001b\[[0-9;]*[A-Za-z]/g;

function collapsed(line: string): string {
  return line.replace(escapes, '').replace(/\s+/g, ' ').trim();
}

const mostLines = 60;

/** The lines of an output, blank ones left out; of a long one 60 from everywhere. */
export function outputLines(output: string): string[] {
  const lines = output
    .split('\n')
    .map(collapsed)
    .filter((line) => line !== '');
  if (lines.length <= mostLines) return lines;
  return Array.from({ length: mostLines }, (_, index) => lines[Math.floor((index * lines.length) / mostLines)] ?? '');
}

/**
 * What of a line existed before: the line itself, or what is left without what tools put before content (`path:12:`,
 * numbers of lines, counts, modes and owners of `ls -l`). Empty: it was computed by the command. What is shorter than six
 * characters must have been a line or a name of its own, or it is a coincidence.
 */
export function existedBefore(line: string, world: World): string[] {
  return formsOf(line).filter(
    (form) =>
      /\p{L}{2}/u.test(form) && form.length >= 3 && (form.length >= 6 ? isShown(form, world) : world.lines.has(form)),
  );
}

function formsOf(line: string): string[] {
  const forms = [line];
  const prefixes = [
    /^[^\s:]{1,200}[:-]\d+[:-]\s*/,
    /^[^\s:]{1,200}:\s*/,
    /^\d+[:\t -]\s*/,
    /^[-dlbcps][-rwxsStT]{9}[.+@]? +\d+ \S+ \S+ +\d+ \w{3} +\d+ +[\d:]+ /,
    /^(?:modified|new file|deleted|renamed|both modified|typechange): /,
    /^[ MADRCU?!]{1,2} /,
    /^[-+<>|] ?/,
    /^[0-9a-f]{7,64} [ *]?/,
  ];
  for (const prefix of prefixes) {
    const rest = line.replace(prefix, '');
    if (rest !== line && rest !== '') forms.push(rest);
  }
  return forms;
}

/** Whether a text has the line: as a line of its own, or anywhere when it is long enough to mean something. */
export function isShown(line: string, world: World): boolean {
  if (world.lines.has(line)) return true;
  if (!/\p{L}/u.test(line) || line.length < 2) return false;
  if (line.length >= 4) return world.text.includes(line);
  // A short name counts between blanks, slashes and ends of lines.
  for (let at = world.text.indexOf(line); at >= 0; at = world.text.indexOf(line, at + 1)) {
    const around = `${world.text[at - 1] ?? '\n'}${world.text[at + line.length] ?? '\n'}`;
    if (/^[\s/][\s/]$/.test(around)) return true;
  }
  return false;
}

/** The rule of MKRWW's own grader: capitals do not matter, and a line may stand anywhere. */
export function isShownLoosely(line: string, world: World): boolean {
  return world.text.toLowerCase().includes(line.toLowerCase());
}

/** Everything that exists below a folder: texts of files, names, and what git keeps. */
export function readWorld(
  root: string,
  project: string,
  repositories: readonly string[],
  env: Record<string, string>,
): World {
  const texts: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      texts.push(entry.name, `./${relative(project, path)}`, relative(project, path));
      if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'remote.git') visit(path);
      const bytes = entry.isFile() ? tryRead(path) : undefined;
      if (bytes && !bytes.subarray(0, 8_000).includes(0)) texts.push(bytes.toString('utf8'));
    }
  };
  visit(root);
  const questions = [
    ['log', '--all', '-p', '--stat', '--format=fuller', '--date=iso'],
    ['log', '--all', '--format=%H %h %T %P %s%n%D'],
    ['stash', 'list'],
    ['branch', '-a'],
    ['diff', 'HEAD'],
    ['diff', '--cached'],
    ['config', '--list'],
  ];
  for (const cwd of repositories) {
    for (const words of questions)
      texts.push(
        execFileSync('git', ['-c', 'safe.directory=*', ...words], { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 }),
      );
  }
  return shownIn(texts);
}

function tryRead(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
