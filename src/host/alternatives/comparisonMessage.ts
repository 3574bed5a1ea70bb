import type { ComparedAlternative, Comparison } from '../../core/alternatives/compareAlternatives.ts';
import { headlineOf } from '../../core/verdict/headlineOf.ts';
import { countOf, formatBytes } from '../../core/view/quantity.ts';
import { agreementText, stateText } from '../../core/words/alternativeText.ts';
import { headlineWord } from '../../core/words/headlineText.ts';
import type { CompareMessage, ShownAlternative } from '../../protocol/compareProtocol.ts';

/** Files and characters of output that a column has room for; the panel shows all. */
const [mostFiles, mostOutput] = [12, 2000];

/** A comparison as the page shows it. */
export function comparisonMessage({ alternatives, agreeing, best }: Comparison, cwd: string): CompareMessage {
  const known = alternatives.some(({ group }) => group === 0);
  return {
    type: 'compared',
    running: false,
    headline: agreementText(known ? agreeing : undefined, alternatives.length, best !== undefined),
    ...(best === undefined ? {} : { best }),
    alternatives: alternatives.map((one) => shownAlternative(one, cwd)),
  };
}

function shownAlternative(one: ComparedAlternative, cwd: string): ShownAlternative {
  const { index, action, prediction, level, group, losses, cost } = one;
  const nameOf = (path: string) => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);
  const files = prediction.files.filter(({ path }) => !path.includes('/.git/'));
  const [reason] = prediction.verdict.reasons;
  const price = [
    countOf(cost.programs, 'program'),
    `${formatBytes(cost.writtenBytes)} written`,
    ...(cost.tokens === undefined ? [] : [countOf(cost.tokens, 'token')]),
  ];
  return {
    index,
    script: action.script,
    ...(level === undefined ? {} : { level }),
    word: level === undefined ? '' : headlineWord(headlineOf(prediction.verdict, prediction.diagnostics)),
    sentence: reason?.text ?? prediction.endingReason ?? '',
    state: group === undefined ? 'unknown' : group === 0 ? 'same' : 'other',
    stateText: stateText(one, nameOf),
    losses,
    ...(prediction.exitCode === undefined ? {} : { exitCode: prediction.exitCode }),
    files: files.slice(0, mostFiles).map(({ change, path, from }) => ({
      change,
      path: from === undefined ? nameOf(path) : `${nameOf(from)} → ${nameOf(path)}`,
    })),
    more: Math.max(0, files.length - mostFiles),
    output: prediction.output
      .map(({ text = '' }) => text)
      .join('')
      .slice(0, mostOutput),
    cost: price.join(' · '),
  };
}
