import { isNewError } from '../../consequences/isNewError.ts';
import { onlyLooks, wasAsked } from '../../facts/onlyLooks.ts';
import { holdsSomething, isLostForGood, isWayBack } from '../../facts/recovery.ts';
import { headlineOf } from '../../verdict/headlineOf.ts';
import { countOf, formatBytes } from '../../view/quantity.ts';
import { notKnownClause, ruleText } from '../../words/assumptionText.ts';
import { unknownOutputText } from '../../words/boundText.ts';
import { gitFactTextThere } from '../../words/gitFactText.ts';
import { headlineWord } from '../../words/headlineText.ts';
import { lossSizeText } from '../../words/lossText.ts';
import { programText } from '../../words/programText.ts';
import { lostTitle, wayBack } from '../../words/recoveryText.ts';
import { callText, knownExit, shownPrograms } from '../../words/shownPrograms.ts';
import { wayToKnowText } from '../../words/wayToKnowText.ts';
import { decodedBytes, isReadable } from '../decodedBytes.ts';
import type { Prediction } from '../prediction.ts';
import { type FileLineOptions, fileLines } from './fileLines.ts';
import { futureLines } from './futureLines.ts';
import type { Painter } from './painter.ts';
import { printable, shorten } from './printable.ts';

/** Text of a prediction for people, `width` columns wide where lines are ours. */
export function renderPrediction(prediction: Prediction, painter: Painter, options: FileLineOptions): string {
  return `${Object.values(predictionSections(prediction, painter, options))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The same in its sections, in their order: lines, none where there is nothing to say. */
export function predictionSections(prediction: Prediction, painter: Painter, options: FileLineOptions) {
  return {
    verdict: verdictLines(prediction, painter),
    loss: lossLines(prediction, painter, options.cwd),
    assumptions: assumptionLines(prediction, painter),
    questions: questionLines(prediction, painter),
    futures: futureLines(prediction, painter, {
      said: printable,
      name: (path) => printable(shorten(path, options.cwd)),
    }),
    files: fileLines(prediction, painter, options),
    consequences: consequenceLines(prediction, painter, options.cwd),
    output: outputLines(prediction, painter),
    programs: programLines(prediction, painter),
    effects: effectLines(prediction, painter, options.cwd),
    end: endLines(prediction, painter),
  } satisfies Record<string, string[]>;
}

function verdictLines(prediction: Prediction, { bold, level, dim }: Painter): string[] {
  const name = prediction.verdict.level;
  if (!name) return [bold(prediction.endingReason ?? 'No verdict.')];
  const headline = headlineOf(prediction.verdict, prediction.diagnostics);
  const word = level(name, ` ${headlineWord(headline, (prediction.diagnostics ?? []).filter(isNewError).length)} `);
  // The sentence beside the word is the one that the word is about.
  const about = prediction.verdict.reasons.findIndex((reason) => reason.kind === headline);
  const reasons = [...prediction.verdict.reasons];
  const [first, ...others] = about > 0 ? [...reasons.splice(about, 1), ...reasons] : reasons;
  return [
    `${word} ${bold(printable(first?.text ?? ''))}`,
    ...others.map((reason) => `${dim('  also:')} ${printable(reason.text)}`),
  ];
}

function lossLines(prediction: Prediction, painter: Painter, cwd: string): string[] {
  const lost = prediction.loss.filter(isLostForGood);
  const back = prediction.loss.flatMap((loss) => {
    const ofGit = loss.class === 'commits' || loss.class === 'stash';
    return isWayBack(loss.recovery) ? [{ how: wayBack(loss.recovery), name: ofGit ? loss.path : undefined }] : [];
  });
  const lines: string[] = [];
  if (lost.length > 0) {
    lines.push(lost.some(holdsSomething) ? painter.level('danger', lostTitle(lost)) : painter.bold('Empty files'));
    for (const loss of lost) {
      const about = painter.dim(`${lossSizeText(loss)}, ${loss.why}`);
      lines.push(`  ${printable(shorten(loss.path, cwd))}  ${about}`);
    }
  }
  if (back.length > 0) {
    const groups = new Map<string, number>();
    for (const { how, name } of back) if (name === undefined) groups.set(how, (groups.get(how) ?? 0) + 1);
    lines.push(painter.bold('Can be brought back'));
    for (const [how, count] of groups) lines.push(`  ${countOf(count, 'path')}: ${printable(how)}`);
    for (const { how, name } of back) if (name !== undefined) lines.push(`  ${printable(name)}: ${printable(how)}`);
  }
  return lines;
}

function assumptionLines(prediction: Prediction, painter: Painter): string[] {
  if (prediction.assumptions.length === 0) return [];
  const lines = [painter.bold('Not known')];
  for (const { assumed, notKnown = assumed, assumes, unknown, why, ways = [], ...program } of prediction.assumptions) {
    const name = `${painter.basis('assumed')} ${printable(programText(program))}`;
    const clause = assumes === undefined ? notKnown : notKnownClause('it', assumes, unknown);
    lines.push(`  ${name}: ${painter.dim(printable(`${clause} (${why})`))}`);
    const rule = assumes && ruleText(assumes);
    if (rule !== undefined) lines.push(`    ${painter.dim(rule)}`);
    if (ways.length > 0) lines.push(`    ${painter.dim(`to know it: ${ways.map(wayToKnowText).join(', or ')}`)}`);
  }
  if (prediction.assumptions.some(({ assumes = [] }) => assumes.some(({ kind }) => kind === 'exits'))) {
    const doing = prediction.assumptions.length > 1 ? 'they succeed and do' : 'it succeeds and does';
    lines.push(painter.dim(`  What follows is the case that ${doing} nothing else.`));
  }
  for (const { detail, programExit = 1, ...program } of prediction.otherwise) {
    const ended = programExit === 0 ? 'succeeded:' : 'failed:';
    lines.push(`  ${painter.dim('if')} ${printable(programText(program))} ${painter.dim(ended)} ${printable(detail)}`);
  }
  return lines;
}

function questionLines(prediction: Prediction, painter: Painter): string[] {
  if (prediction.questions.length === 0) return [];
  const lines = [painter.bold('Imagined by a language model: one possible outcome')];
  for (const { title, reply } of prediction.questions) {
    const tokens = reply?.usage ? `${reply.usage.promptTokens} + ${reply.usage.completionTokens} tokens, ` : '';
    const seconds = reply ? `${tokens}${(reply.durationMs / 1000).toFixed(1)} s` : '';
    const trouble = reply?.failure?.message ?? (reply?.unknown === undefined ? '' : `it cannot know ${reply.unknown}`);
    lines.push(`  ${painter.basis('imagined')} ${printable(title)} ${painter.dim(printable(trouble || seconds))}`);
  }
  return lines;
}

/** What parsers find, and where else the edited things are named. */
function consequenceLines(prediction: Prediction, painter: Painter, cwd: string): string[] {
  const { diagnostics = [], mentions = [] } = prediction;
  const lines: string[] = [];
  if (diagnostics.length > 0) lines.push(painter.bold('Problems'));
  for (const { path, line, column, message, source, status, severity } of diagnostics) {
    const word = status === 'new' && severity === 'error' ? painter.error(status) : status;
    lines.push(
      `  ${word} ${printable(shorten(path, cwd))}:${line}:${column} ${printable(message)} ${painter.dim(source)}`,
    );
  }
  if (mentions.length > 0) lines.push(painter.bold('Mentioned elsewhere'));
  for (const { name, path, line, text } of mentions)
    lines.push(`  ${printable(name)} ${painter.dim(`${printable(shorten(path, cwd))}:${line}`)} ${printable(text)}`);
  return lines;
}

function contentOf({ text, base64 = '' }: Prediction['output'][number]): string {
  if (text !== undefined) return text;
  const decoded = decodedBytes(base64);
  return isReadable(decoded) ? decoded : `[${formatBytes(Buffer.byteLength(base64, 'base64'))} that are not text]`;
}

function outputLines(prediction: Prediction, painter: Painter): string[] {
  if (prediction.output.length === 0) return [];
  const text = prediction.output
    .map((piece) => {
      if (piece.basis === 'unknown') return painter.dim(`${unknownText(prediction, piece)}\n`);
      const safe = printable(contentOf(piece), true);
      return piece.volatile ? painter.dim(safe) : piece.stream === 'stderr' ? painter.error(safe) : safe;
    })
    .join('');
  const bases = [...new Set(prediction.output.map((piece) => piece.basis))]
    .map((basis) => painter.basis(basis))
    .join(' ');
  const isVolatile = prediction.output.some((piece) => piece.volatile)
    ? painter.dim(' dimmed: volatile, differs from run to run')
    : '';
  return [
    `${painter.bold('Output')} ${bases}${isVolatile}`,
    ...text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}

/** In the place of what nobody can say. */
function unknownText({ programs }: Prediction, { dependsOn = [], limit }: Prediction['output'][number]): string {
  const names = dependsOn.map((argv) => `\`${printable(callText(argv, programs))}\``);
  return unknownOutputText(names, limit);
}

function programLines(prediction: Prediction, painter: Painter): string[] {
  if (prediction.programs.length === 0) return [];
  const depths = new Map<number, number>();
  const most = 200;
  const lines = [painter.bold('Programs')];
  const programs = shownPrograms(prediction.programs);
  const parents = new Set(programs.map(({ parent }) => parent));
  for (const program of programs.slice(0, most)) {
    const depth = program.parent === undefined ? 0 : (depths.get(program.parent) ?? 0) + 1;
    depths.set(program.id, depth);
    const code = knownExit(program, prediction.assumptions.length > 0);
    const exit = code === undefined ? '' : painter.dim(` exit ${code}`);
    const gate =
      program.gatedBecause === undefined
        ? ''
        : painter.dim(
            ` ${gateText(program.gatedBecause, parents.has(program.id), wasAsked(program, prediction.assumptions))}`,
          );
    const consent = program.byConsent ? painter.dim(' run by consent') : '';
    lines.push(
      `  ${'  '.repeat(depth)}${painter.basis(program.basis)} ${printable(programText(program))}${exit}${gate}${consent}`,
    );
  }
  if (programs.length > most) lines.push(painter.dim(`  and ${programs.length - most} more`));
  return lines;
}

/** Of a stopped program only what was started in its place stands below it. */
function gateText(because: string, hasChildren: boolean, isAsked: boolean): string {
  if (isAsked) return 'asked once, only to read';
  return hasChildren ? 'looked through, not run itself' : `stopped: ${because}`;
}

/** What happens to each of several repositories stands together. */
function effectLines(prediction: Prediction, painter: Painter, cwd: string): string[] {
  const repositories = [...new Set(prediction.effects.flatMap(({ git }) => git?.repository ?? []))];
  const isThere = ({ git }: Prediction['effects'][number]) => git?.repository !== undefined;
  const lines = prediction.effects
    .filter((effect) => !isThere(effect))
    .map((effect) => `  ${painter.basis(effect.basis)} ${effect.effect}: ${printable(effect.detail)}`);
  for (const repository of repositories) {
    lines.push(`  git in ${printable(shorten(repository, cwd))}`);
    for (const { basis, git } of prediction.effects)
      if (git?.repository === repository) lines.push(`    ${painter.basis(basis)} ${printable(gitFactTextThere(git))}`);
  }
  const notices = prediction.notices.map((notice) => `  ${printable(notice)}`);
  return lines.length + notices.length > 0 ? [painter.bold('Effects'), ...lines, ...notices] : [];
}

function endLines(prediction: Prediction, painter: Painter): string[] {
  const code = exitText(prediction);
  const exit = code === undefined ? '' : `${code} · `;
  const offline = prediction.noticed?.some(({ kind }) => kind === 'offline') ? ', offline' : '';
  const basis = prediction.exitBasis ? `${painter.namedBasis(prediction.exitBasis)}${offline} · ` : '';
  const took = `${Math.round(prediction.durationMs ?? 0)} ms`;
  const sentence = prediction.endingReason ?? '';
  // A reason of the verdict may have said it already.
  const isSaid = prediction.verdict.reasons.some((one) => one.kind === 'incomplete');
  const reason = sentence !== '' && prediction.verdict.level && !isSaid ? [printable(sentence)] : [];
  return [...reason, painter.dim(`${exit}${basis}${prediction.ending ?? ''} in ${took}; nothing was touched`)];
}

/**
 * The exit code; one that rests on an assumption is unknown, and said for the case that the assumption holds, unless that is only that
 * somebody answers as he did.
 */
function exitText({ exitBasis, exitCode, assumptions }: Prediction): string | undefined {
  if (exitBasis === 'unknown') return 'exit code unknown';
  if (exitCode === undefined) return undefined;
  return exitBasis === 'assumed' && !onlyLooks(assumptions)
    ? `exit code not known, ${exitCode} in that case`
    : `exit code ${exitCode}`;
}
