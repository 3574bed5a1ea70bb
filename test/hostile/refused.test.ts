import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { placeWords } from '../places/places.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { type Batch, type BatchAnswer, startBatch } from './batch.ts';
import { availableIdentities, type Identity, spawnAs } from './identity.ts';
import { type RefusedCase, refusedCases } from './refused/cases.ts';
import { contents, makeProject, type Project } from './refused/fixture.ts';

/**
 * Where namespaces are refused nothing can be run on a copy. What is said then is compared with what the same command
 * really does in a throw-away copy: nothing that it destroys is missing, nothing is called absent that is there.
 */

const wanted = process.env['FORETELL_REFUSED']?.split(',');
const identities = availableIdentities().filter((one) => (process.env['FORETELL_IDENTITY'] ?? one.name) === one.name);
const rank: Readonly<Record<string, number>> = { safe: 0, caution: 1, danger: 2 };

for (const identity of identities) {
  for (const [place, share] of [
    ['docker', 1],
    ['no-user-namespaces', 6],
    ['no-mounts', 6],
    ['no-landlock', 6],
    ['last-namespace', 6],
  ] as const) {
    // Root has in a namespace of its own all that it takes to make a copy.
    if (place === 'last-namespace' && identity.name === 'root') continue;
    if (wanted && !wanted.includes(place)) continue;
    describe(`no false word as ${identity.name} in ${place}`, () => {
      let base: string;
      let project: Project;
      let batch: Batch;
      before(() => {
        base = temporaryFolder('refused');
        project = makeProject(path.join(base, 'predicted'), identity);
        const wrapper = placeWords(place);
        const { workspace, environment } = project;
        batch = startBatch({ base, workspace, environment, identity }, 2, {
          wrapper,
          environment: { FORETELL_ENGINE: 'overlays' },
        });
      });
      after(async () => {
        await batch.close();
        fs.rmSync(base, { recursive: true, force: true });
        fs.rmSync(`${base}.cache`, { recursive: true, force: true });
      });

      for (const [index, one] of refusedCases.entries()) {
        if (index % share !== 0) continue;
        test(one.script, async () => {
          const before = contents(project.base);
          const more = one.really ? { timeLimitMs: 1_000 } : {};
          const [answer] = await batch.ask([{ script: one.script, ...more }], 60_000);
          assert.ok(answer);
          assert.deepEqual(contents(project.base), before, 'predicting changed something');
          const really = reallyDone(one, identity, base);
          const complaints = judge(one, answer, really, project, place === 'no-landlock');
          assert.deepEqual(complaints, [], `${complaints.join('; ')}\n${JSON.stringify(answer.verdict)}`);
        });
      }
    });
  }
}

/** Runs the command in a project of its own; what it destroyed, below its base. */
function reallyDone(one: RefusedCase, identity: Identity, base: string): Set<string> {
  const project = makeProject(fs.mkdtempSync(path.join(base, 'real-')), identity);
  const before = contents(project.base);
  spawnSync('bash', ['-c', one.really ?? one.script], {
    cwd: project.workspace,
    env: project.environment,
    timeout: 10_000,
    stdio: 'ignore',
    ...spawnAs(identity),
  });
  const now = contents(project.base);
  fs.rmSync(project.base, { recursive: true, force: true });
  return new Set([...before].filter(([name, digest]) => now.get(name) !== digest).map(([name]) => name));
}

function judge(
  one: RefusedCase,
  answer: BatchAnswer,
  really: ReadonlySet<string>,
  project: Project,
  canCopy: boolean,
): string[] {
  const complaints: string[] = [];
  const level = answer.verdict?.level ?? 'safe';
  const relative = (file: string) => path.relative(project.base, file);
  const destroys = (answer.files ?? []).filter(({ change }) => change === 'deleted' || change === 'modified');
  const told = new Set([
    ...destroys.map((file) => relative(file.path)),
    ...(answer.files ?? []).flatMap(({ from }) => (from === undefined ? [] : [relative(from)])),
    ...(answer.files ?? []).filter((file) => file.change === 'renamed').map((file) => relative(file.path)),
  ]);
  if (!one.isUnknown) {
    for (const name of really) if (!told.has(name)) complaints.push(`does not say that ${name} is destroyed`);
  }
  // Folders are in no comparison of contents.
  const files = destroys.filter((file) => file.type !== 'directory' && !relative(file.path).includes('.git/'));
  for (const { path: file } of files) {
    if (!really.has(relative(file))) complaints.push(`says that ${relative(file)} is destroyed, which is not so`);
  }
  const texts = (answer.verdict?.reasons ?? []).map(({ text }) => text).join('\n');
  if (/nothing (of it is here|would be lost)/.test(texts) && (really.size > 0 || (one.isUnknown && !canCopy)))
    complaints.push('calls absent what is there');
  if (!canCopy && !one.isUnknown && level !== one.level) complaints.push(`level ${level}, not ${one.level}`);
  if (one.isUnknown && (rank[level] ?? 0) < (rank[one.level] ?? 0)) complaints.push(`level ${level}`);
  if (one.level === 'safe' && answer.ending !== 'done') complaints.push(`ends as ${answer.ending}: ${answer.reason}`);
  return complaints;
}
