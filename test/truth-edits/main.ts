/**
 * Edits that are predicted and then really made, in throw-away copies, as an ordinary user: patches by `git apply` and
 * `patch`, agents' calls by what their tools are documented to do, contents and file operations by Node.
 * Compared byte for byte: files, modes, links, `.rej` and `.orig`, output, exit status. Predicting must touch nothing.
 *
 * Options: `--match TEXT`, `--share N` (every Nth patch; default all), `--verbose`. Last line `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createForetell, type Foretell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { goneAtExit } from '../temporaryFolder.ts';
import { identities } from '../truth/identity.ts';
import { callCases } from './callCases.ts';
import type { EditCase } from './editCase.ts';
import { fileCases } from './fileCases.ts';
import { messageCases } from './messageCases.ts';
import { patchCases } from './patchCases.ts';
import { environmentOf, fingerprint, runTool, snapshot, writeFiles } from './place.ts';

const { values: flags } = parseArgs({
  options: { match: { type: 'string' }, share: { type: 'string', default: '1' }, verbose: { type: 'boolean' } },
});

process.umask(0o022);
process.exitCode = process.getuid?.() === 0 ? asOrdinaryUser() : await main();

/** Root may write everything, and nothing would be refused. */
function asOrdinaryUser(): number {
  const [identity] = identities('user');
  if (!identity) {
    console.error('This machine has no ordinary account to make edits as.');
    return 2;
  }
  const { uid, gid } = identity;
  const again = spawnSync(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    uid,
    gid,
  });
  return again.status ?? 1;
}

async function main(): Promise<number> {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-edits-')));
  goneAtExit(home);
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  const counts = { passed: 0, failed: 0, unsure: 0 };
  try {
    const all = [...callCases(), ...fileCases(), ...messageCases(), ...patchCases(home, Number(flags.share))];
    const cases = all.filter((one) => !flags.match || one.name.includes(flags.match));
    for (const one of cases) {
      const { problems, isUnsure } = await runCase(one, foretell, home);
      if (isUnsure) counts.unsure += 1;
      counts[problems.length === 0 ? 'passed' : 'failed'] += 1;
      if (problems.length > 0) console.log(`✖ ${one.name}\n  ${problems.join('\n  ').slice(0, 1500)}`);
      else if (flags.verbose) console.log(`✔ ${one.name}${isUnsure ? ' (unsure)' : ''}`);
    }
  } finally {
    await foretell.dispose();
    spawnSync('chmod', ['-R', 'u+w', home]);
    fs.rmSync(home, { recursive: true, force: true });
  }
  console.log(`\n${counts.unsure} of them not certain, and said so`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 ? 0 : 1;
}

async function runCase(
  one: EditCase,
  foretell: Foretell,
  home: string,
): Promise<{ problems: string[]; isUnsure: boolean }> {
  const folder = fs.mkdtempSync(path.join(home, 'case-'));
  try {
    writeFiles(folder, one.files);
    if (one.isRepository) {
      const script =
        'git init -q && git add -A && GIT_AUTHOR_DATE=2024-06-01T12:00:00Z GIT_COMMITTER_DATE=2024-06-01T12:00:00Z git -c user.name=T -c user.email=t@x commit -qm before';
      await runTool(['sh', '-c', script], folder, '', home);
    }
    one.prepare?.(folder);
    const action = one.edit(folder);
    const before = fingerprint(folder);
    const old = snapshot(folder);
    const { events, view } = foretell.predict({
      action,
      env: environmentOf(home),
      hash: true,
      workspaceFolders: [folder],
      signal: new AbortController().signal,
    });
    const prediction = await foldAll(action, events);
    await view.close();
    const problems = before === fingerprint(folder) ? [] : ['Predicting touched the files.'];
    const real = await one.real(folder, home);
    problems.push(...compare(one, prediction, { real, old, now: snapshot(folder), folder }));
    const isUnsure = prediction.ending === 'abstained';
    if (one.isUnsure)
      return { problems: isUnsure ? [] : [`It is not certain, and ended as ${prediction.ending}.`], isUnsure };
    return { problems: isUnsure && one.mayBeUnsure ? [] : problems, isUnsure };
  } finally {
    spawnSync('chmod', ['-R', 'u+w', folder]);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

interface Reality {
  real: { stdout: string; stderr: string; exitCode: number };
  old: Map<string, string>;
  now: Map<string, string>;
  folder: string;
}

function compare(one: EditCase, prediction: Prediction, { real, old, now, folder }: Reality): string[] {
  const problems: string[] = [];
  if (prediction.ending !== 'done' && !(prediction.ending === 'abstained' && one.mayBeUnsure))
    problems.push(`ended as ${prediction.ending}: ${prediction.endingReason}`);
  if (prediction.exitCode !== real.exitCode) problems.push(`exit ${prediction.exitCode}, really ${real.exitCode}`);
  for (const stream of ['stdout', 'stderr'] as const) {
    const pieces = prediction.output.filter((piece) => piece.stream === stream);
    const text = Buffer.concat(
      pieces.map((piece) =>
        piece.text === undefined ? Buffer.from(piece.base64 ?? '', 'base64') : Buffer.from(piece.text),
      ),
    ).toString('latin1');
    if (text !== real[stream])
      problems.push(`${stream} ${JSON.stringify(text)}, really ${JSON.stringify(real[stream])}`);
    if (pieces.some((piece) => piece.volatile)) problems.push(`${stream} is called volatile`);
  }
  const predicted = predictedTree(prediction, old, folder, problems);
  for (const name of new Set([...predicted.keys(), ...now.keys()])) {
    const [said, is] = [predicted.get(name), now.get(name)];
    if (said !== is) problems.push(`${name}: ${said ?? 'nothing'}, really ${is ?? 'nothing'}`);
  }
  const words = [...prediction.notices, ...prediction.verdict.reasons.map((reason) => reason.text)].join('\n');
  if (one.says && !one.says.test(words)) problems.push(`says ${JSON.stringify(words)}`);
  return problems;
}

function predictedTree(
  prediction: Prediction,
  old: Map<string, string>,
  folder: string,
  problems: string[],
): Map<string, string> {
  const tree = new Map(old);
  for (const file of prediction.files) {
    if (!file.path.startsWith(`${folder}/`)) {
      problems.push(`${file.path} is no file of the edit`);
      continue;
    }
    const name = file.path.slice(folder.length + 1);
    if (name === '.git' || name.startsWith('.git/')) continue;
    if (file.volatile) problems.push(`${name} is called volatile`);
    if (file.from !== undefined) tree.delete(file.from.slice(folder.length + 1));
    if (file.change === 'deleted') tree.delete(name);
    else if (file.type === 'symlink') tree.set(name, `symlink ${file.target}`);
    else if (file.type === 'directory') tree.set(name, `directory ${file.mode}`);
    else
      tree.set(
        name,
        `file ${file.mode} ${file.sha256 ?? old.get(file.from?.slice(folder.length + 1) ?? name)?.split(' ')[2]}`,
      );
  }
  return tree;
}
