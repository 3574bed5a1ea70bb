import path from 'node:path';
import { renderShellReply } from '../../src/core/worlds/language/prompt/turns/turnTextShell.ts';
import { renderReadReply } from '../../src/core/worlds/language/prompt/turns/turnTextTools.ts';
import { type Call, callsIn, commandIn, filesIn, messagesIn, tagged } from './promptReading.ts';
import { matches, type Rule, type ScriptCase } from './scriptCases.ts';

/** What the model knows of the workspace besides the prompt. */
export interface KnownWorkspace {
  root: string;
  /** `git status --porcelain --untracked-files=all` before the script. */
  status: readonly string[];
  tracked: ReadonlySet<string>;
}

const ignored = /^(?:.*\/)?(?:node_modules|dist|build)\/|\.log$/;

/**
 * A model that knows the rules of one case and nothing else: it reads every prompt from its beginning, keeps in mind what
 * the programs in it wrote, and answers the last call. It repeats whatever earlier looks have shown, as a good model does.
 */
export function createScriptedModel(one: ScriptCase, workspace: KnownWorkspace): (body: unknown) => string {
  return (body) => tagged(answer(one, workspace, callsIn(messagesIn(body))));
}

function answer(one: ScriptCase, workspace: KnownWorkspace, calls: readonly Call[]): string {
  const last = calls.at(-1);
  if (!last) return 'No call.';
  const seen = new Map(workspace.status.map((line) => [line.slice(3), line.slice(0, 2)]));
  const written = new Map<string, string | null>();
  for (const call of calls.slice(0, -1)) remember(one, workspace, call, seen, written);
  if (last.name === 'read_file') {
    const place = String(last.arguments['absolute_path']);
    const content = written.get(place);
    return typeof content === 'string' ? renderReadReply('qwen', content) : `File not found: ${place}`;
  }
  const files = filesIn(last);
  const { words, cwd = workspace.root, program, behind } = commandIn(last);
  const reply = (stdout: string, stderr = '', exitCode = 0) =>
    renderShellReply('qwen', { command: words, cwd, stdout, stderr, exitCode });
  const look = () => {
    const status = statusText(one, workspace, seen, written);
    return one.namesFolders ? status : status + freshText(workspace, cwd, seen, written);
  };
  if (files) {
    const texts = files.names.map((name) => `${files.marker} ${name}\n${written.get(path.resolve(cwd, name)) ?? ''}`);
    return reply(`${texts.join('')}${files.end}\n`);
  }
  if (program === 'git') return reply(look());
  if (program === 'find') {
    const folder = path.resolve(workspace.root, words.split(' ')[1] ?? '.');
    const files = [...written].filter(([place, content]) => content !== null && place.startsWith(`${folder}/`));
    return reply(files.map(([place]) => `${path.relative(workspace.root, place)}\n`).join(''));
  }
  const rule = ruleOf(one.rules, words);
  if (!rule) return reply('', `no rule for ${words}`, 98);
  if (rule.unknown !== undefined) return `[[unknown: ${rule.unknown}]]`;
  if (!behind) return reply(rule.stdout, rule.stderr, rule.exitCode);
  for (const { path: name, content } of rule.files) written.set(path.resolve(cwd, name), content);
  const stdout = `${rule.stdout}${behind.exit} ${rule.exitCode}\n${look()}${behind.end}\n`;
  return reply(stdout, rule.stderr, rule.exitCode);
}

function ruleOf(rules: readonly Rule[], words: string): Rule | undefined {
  return rules.find((rule) => matches(rule, words));
}

/** Takes in what an earlier call did: what a program wrote, or what a look showed. */
function remember(
  one: ScriptCase,
  workspace: KnownWorkspace,
  call: Call,
  seen: Map<string, string>,
  written: Map<string, string | null>,
): void {
  if (call.name !== 'run_shell_command') return;
  const { words, cwd = workspace.root, program } = commandIn(call);
  if (program === 'git') {
    const output = /Output: ([\s\S]*?)\nError: /.exec(call.reply ?? '')?.[1] ?? '';
    const lines = output.split('\n').filter((line) => /^[ MADRCU?!]{2} \S/.test(line));
    // What is shown is what is there: what was written before and is not shown is gone again.
    seen.clear();
    for (const line of lines) seen.set(line.slice(3), line.slice(0, 2));
    for (const place of written.keys()) {
      const name = path.relative(workspace.root, place);
      if (
        !ignored.test(name) &&
        !seen.has(name) &&
        ![...seen.keys()].some((one) => one.endsWith('/') && name.startsWith(one))
      )
        written.delete(place);
    }
    return;
  }
  for (const { path: name, content } of ruleOf(one.rules, words)?.files ?? []) {
    written.set(path.resolve(cwd, name), content);
  }
}

function statusText(
  one: ScriptCase,
  workspace: KnownWorkspace,
  seen: ReadonlyMap<string, string>,
  written: ReadonlyMap<string, string | null>,
): string {
  const lines = new Map(seen);
  for (const [place, content] of written) {
    const name = path.relative(workspace.root, place);
    const isTracked = workspace.tracked.has(name);
    if (content === null && !isTracked) lines.delete(name);
    else if (content === null) lines.set(name, ' D');
    else if (isTracked) lines.set(name, ' M');
    else if (ignored.test(name) && !one.namesFolders) continue;
    else lines.set(one.namesFolders && name.includes('/') ? `${name.split('/')[0]}/` : name, '??');
  }
  return [...lines].map(([name, letters]) => `${letters} ${name}\n`).join('');
}

/** Files of the last minute, as `find` prints them: what programs wrote, and what the script itself did. */
function freshText(
  workspace: KnownWorkspace,
  cwd: string,
  seen: ReadonlyMap<string, string>,
  written: ReadonlyMap<string, string | null>,
): string {
  const old = new Set(workspace.status.map((line) => line.slice(3)));
  const own = [...seen].filter(([name, letters]) => !old.has(name) && letters !== ' D' && !name.endsWith('/'));
  const fresh = new Set(own.map(([name]) => path.resolve(workspace.root, name)));
  for (const [place, content] of written) {
    if (content === null) fresh.delete(place);
    else fresh.add(place);
  }
  const inside = [...fresh].filter((place) => place.startsWith(`${cwd}/`));
  return inside.map((place) => `./${path.relative(cwd, place)}\n`).join('');
}
