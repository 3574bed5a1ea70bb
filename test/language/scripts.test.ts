import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { toJson } from '../../src/core/prediction/json.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { compare, type RealRun } from '../truth/compare.ts';
import type { Identity } from '../truth/fixture.ts';
import { PredictionJson } from '../truth/prediction.ts';
import { makePipes, readChanges, runShell, statesOf } from '../truth/realRun.ts';
import { pathText, readPristine, readTree, touchedPaths } from '../truth/tree.ts';
import { createPlace, type Place } from './languageFixture.ts';
import { becomeOrdinary } from './ordinaryUser.ts';
import { type Model, predictScript, startModel } from './predictScript.ts';
import { readScriptCases, type ScriptCase } from './scriptCases.ts';
import { createScriptedModel, type KnownWorkspace } from './scriptedModel.ts';

/**
 * Scripts with programs that may not run. A scripted model answers for them; what the rest of the script then does is
 * compared with a real run in which stand-ins print, write and return the same.
 */

const identity: Identity = becomeOrdinary();
const cases = readScriptCases('test/language/cases');
let place: Place;
let model: Model;
let workspace: KnownWorkspace;
let answer: (body: unknown) => string = () => '';

before(async () => {
  place = createPlace(identity);
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: place.cwd, env: place.env }).toString().split('\n').slice(0, -1);
  workspace = {
    root: place.cwd,
    status: git('status', '--porcelain', '--untracked-files=all'),
    tracked: new Set(git('ls-files')),
  };
  model = await startModel((body) => ({ content: answer(body), pieceLength: 4096 }));
});

after(async () => {
  await model?.close();
  place?.remove();
});

test('there are at least 100 scripts, and each has a name of its own', () => {
  assert.ok(cases.length >= 100, `${cases.length}`);
  assert.equal(new Set(cases.map((one) => one.name)).size, cases.length);
});

test('no script leaves anything in a folder that others share', () => {
  const shared = /(?:^|[\s"'=>:(])\/(?:tmp|var\/tmp|dev\/shm)(?![\w-])/m;
  assert.deepEqual(
    cases.filter((one) => shared.test(one.script)).map((one) => one.name),
    [],
  );
});

// FORETELL_CASES=TEXT takes only the cases with this in their name, FORETELL_SCRIPTS_SHARE=N one of N, each minute others.
const wanted = process.env['FORETELL_CASES'] ?? '';
const share = Number(process.env['FORETELL_SCRIPTS_SHARE'] ?? 1);
const first = Math.floor(Date.now() / 60_000) % share;
for (const [index, one] of cases.entries())
  if (one.name.includes(wanted) && (wanted !== '' || index % share === first)) test(one.name, () => check(one));

async function check(one: ScriptCase): Promise<void> {
  place.renew();
  place.standIns.useGated();
  answer = createScriptedModel(one, workspace);
  const pristine = readPristine(place.root);
  const { prediction } = await predictScript(model, place, one.script, { hash: true });
  assert.deepEqual(
    touchedPaths(pristine.tree, readTree(place.root)).map(pathText),
    [],
    'predicting touched the project',
  );
  const real = await runForReal(one);
  const changes = readChanges(pristine).changes;
  const run: RealRun = { ...real, changes };
  const truth = { root: place.root, before: statesOf(pristine), runs: [run, run] as const, once: true };
  // What the bases are is checked apart: here everything is compared as if it were claimed.
  const json = PredictionJson.parse(toJson(prediction, one.name));
  const { outcome, differences, volatileParts } = compare(asClaimed(json), truth);
  const important = differences.filter(
    (difference) => !isUnsaid(one, difference.text, json, run) && !isNotAsked(prediction, difference.text),
  );
  assert.deepEqual(
    important.map((difference) => `${difference.part}: ${difference.text}`),
    [],
    `${one.script}\n${prediction.questions.map((question) => question.title).join('\n')}`,
  );
  assert.deepEqual(volatileParts, [], outcome);
  assert.equal(prediction.ending, one.ending, prediction.endingReason);
  checkBases(one, prediction);
}

async function runForReal(one: ScriptCase) {
  place.standIns.useRules(one.rules);
  const pipes = makePipes(place.base, identity);
  try {
    const real = await runShell(one.script, { cwd: place.cwd, env: place.env, identity, pipes });
    assert.equal(real.late, false, 'it took too long for real');
    assert.ok(!real.stderr.includes('no stand-in for'), real.stderr.toString());
    return real;
  } finally {
    execFileSync('rm', ['-f', ...pipes]);
    place.standIns.useGated();
  }
}

function asClaimed(json: PredictionJson): PredictionJson {
  const basis = 'rehearsed';
  return {
    ...json,
    ending: 'done',
    exitBasis: basis,
    output: json.output.map((piece) => ({ ...piece, basis })),
    files: json.files.map((file) => ({ ...file, basis })),
  };
}

/** A reply cannot tell whether the last line of an output has an end. */
function isUnsaid(one: ScriptCase, difference: string, json: PredictionJson, real: RealRun): boolean {
  if (one.unsaid !== 'last line break') return false;
  if (/^line \d+: predicted/.test(difference)) {
    return (['stdout', 'stderr'] as const).every((stream) => {
      const mine = json.output.filter((piece) => piece.stream === stream).map((piece) => piece.text ?? '');
      return mine.join('').trimEnd() === real[stream].toString().trimEnd();
    });
  }
  const sizes = /predicted (\d+) bytes, really (\d+)$/.exec(difference);
  return sizes !== null && Number(sizes[1]) === Number(sizes[2]) + 1;
}

/** What nobody was asked, and is not claimed: contents of files that nothing reads, and files in folders that are counted. */
function isNotAsked(prediction: Prediction, difference: string): boolean {
  const name = (file: string) => path.relative(place.root, file);
  const counted = (prediction.noticed ?? []).flatMap((fact) =>
    fact.kind === 'countedFolder' ? [`project/${fact.folder}/`] : [],
  );
  const unasked = prediction.files
    .filter(({ content }) => content === 'notAsked')
    .map((file) => `${name(file.path)}: `);
  return [...counted, ...unasked].some((one) => difference.startsWith(one));
}

/**
 * Before the first gated program everything is rehearsed; from it on nothing is. What runs at the same time may go either
 * way, but for what stands behind the gated program in a pipe.
 */
function checkBases(one: ScriptCase, prediction: Prediction): void {
  const { programs } = prediction;
  const first = programs.findIndex((program) => program.gatedBecause !== undefined && program.basis !== 'computed');
  const gated = programs[first];
  if (!gated) return;
  const earlier = programs.slice(0, first).filter(({ id }) => !isAncestor(prediction, id, first));
  const later = programs.slice(first);
  const placeOf = (argv: readonly string[]) => one.script.indexOf(argv[0] ?? '');
  const isConcurrent = /[|<>(&]/.test(one.script.replace(/\|\||&&|[0-9]?>&[0-9]|&>/g, ''));
  if (!isConcurrent)
    assert.deepEqual(namesOf(earlier.filter(({ basis }) => basis !== 'rehearsed' && basis !== 'computed')), []);
  const claims = later.filter(({ basis }) => basis === 'rehearsed');
  const wrong = isConcurrent ? claims.filter(({ argv }) => placeOf(argv) > placeOf(gated.argv)) : claims;
  assert.deepEqual(namesOf(wrong), [], 'rehearsed after a program that was not');
  assert.notEqual(prediction.exitBasis, 'rehearsed');
  const allowed = one.ending === 'done' ? ['imagined', 'computed'] : ['imagined', 'assumed'];
  for (const { argv, basis, gatedBecause } of later) {
    if (gatedBecause !== undefined) assert.ok(allowed.includes(basis), `${argv.join(' ')}: ${basis}`);
  }
  let doubted = false;
  for (const piece of prediction.output) {
    if (piece.basis !== 'rehearsed') doubted = true;
    else assert.ok(!doubted || isConcurrent, `rehearsed after what was not: ${piece.text}`);
  }
}

function namesOf(programs: Prediction['programs']): string[] {
  return programs.map(({ argv, basis }) => `${argv.join(' ')}: ${basis}`);
}

function isAncestor(prediction: Prediction, id: number, of: number): boolean {
  for (let at = prediction.programs[of]; at; at = prediction.programs.find((one) => one.id === at?.parent)) {
    if (at.id === id) return true;
  }
  return false;
}
