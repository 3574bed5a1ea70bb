import { appendFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { panelText } from './window.ts';

/**
 * A runner of our own, because node:test reports when its process ends, and an extension host does not end by itself;
 * one test at a time, because they share one window.
 */
interface Test {
  name: string;
  run: () => Promise<void>;
  timeLimitMs: number;
}

const tests: Test[] = [];

/** Registers a test. They run in the order in which they are written. The limit is only for what never ends. */
export function test(name: string, run: () => Promise<void>, timeLimitMs = 300_000): void {
  tests.push({ name, run, timeLimitMs });
}

/** Prints a line in the terminal in which the tests were started. */
export function say(line: string): void {
  const log = process.env['VSCODE_HOST_LOG'];
  if (log) appendFileSync(log, `${line}\n`);
  else console.log(line);
}

/** Called by VS Code. */
export async function run(): Promise<void> {
  const only = process.env['FORETELL_ONLY'];
  const names = process.env['FORETELL_TESTS'];
  const listed = names === undefined ? undefined : new Set(JSON.parse(names) as string[]);
  const chosen = tests.filter(({ name }) => (!only || name.includes(only)) && (!listed || listed.has(name)));
  const counted = { passed: 0, unsteady: [] as string[], failures: [] as { name: string; text: string }[] };
  for (const one of chosen) {
    // A machine that runs tests is noisy: what fails is tried once more, and only what fails twice has failed.
    const atFirst = await attempt(one, false);
    const text = atFirst && (await attempt(one, true));
    if (text) {
      counted.failures.push({ name: one.name, text });
      continue;
    }
    if (atFirst) counted.unsteady.push(atFirst);
    counted.passed += 1;
  }
  const result = process.env['FORETELL_RESULT'];
  if (result) writeFileSync(result, JSON.stringify(counted));
  if (counted.failures.length > 0) throw new Error(`${counted.failures.length} tests failed`);
}

/** Runs a test and says how it went; returns its name and error where it failed. */
async function attempt(one: Test, again: boolean): Promise<string | undefined> {
  const startedAt = performance.now();
  const took = () => `(${((performance.now() - startedAt) / 1000).toFixed(1)} s${again ? ', the second time' : ''})`;
  try {
    await withLimit(one);
    say(`✔ ${one.name} ${took()}`);
    return undefined;
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const failure = `${one.name} ${took()}\n  ${text.split('\n').slice(0, 12).join('\n  ')}`;
    say(`✖ ${failure}`);
    const shown = await panelText().catch(() => undefined);
    // What it left open would decide the shell of the tests behind it.
    for (const terminal of vscode.window.terminals) terminal.dispose();
    if (shown) say(`  The panel shows:\n    ${shown.split('\n').slice(0, 40).join('\n    ')}`);
    return failure;
  }
}

async function withLimit({ run: body, timeLimitMs }: Test): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${timeLimitMs / 1000} s`)), timeLimitMs);
  });
  try {
    await Promise.race([body(), late]);
  } finally {
    clearTimeout(timer);
  }
}
