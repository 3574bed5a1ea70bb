import { toJson } from '../prediction/json.ts';
import type { Painter } from '../prediction/text/painter.ts';
import { headlineOf } from '../verdict/headlineOf.ts';
import { countOf, formatBytes, inSentence } from '../view/quantity.ts';
import { agreementText, stateText } from '../words/alternativeText.ts';
import { headlineWord } from '../words/headlineText.ts';
import type { ComparedAlternative, Comparison } from './compareAlternatives.ts';

/** A comparison as JSON, version 1; each alternative with its prediction. */
export function comparisonJson({ alternatives, agreeing, best }: Comparison): Record<string, unknown> {
  return {
    version: 1,
    ...(best === undefined ? {} : { best }),
    agreeing,
    alternatives: alternatives.map(({ action, prediction, because, group, differences, ...rest }) => ({
      script: action.script,
      ...rest,
      sameState: group === undefined ? null : group === 0,
      ...(group === undefined ? {} : { state: group }),
      ...(differences.length > 0 ? { differences } : {}),
      ...(because ? { notComparable: because } : {}),
      prediction: toJson(prediction, String(rest.index)),
    })),
  };
}

/** A comparison for people; `cwd` is where its commands would run. */
export function comparisonText({ alternatives, agreeing, best }: Comparison, painter: Painter, cwd: string): string {
  const total = alternatives.length;
  const known = alternatives.some(({ group }) => group === 0);
  const head = agreementText(known ? agreeing : undefined, total, best !== undefined);
  return `${[painter.bold(head), ...alternatives.map((one) => alternativeText(one, painter, cwd))].join('\n\n')}\n`;
}

function alternativeText(one: ComparedAlternative, painter: Painter, cwd: string): string {
  const { action, prediction, level, losses, cost } = one;
  const nameOf = (file: string) => inSentence(file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file);
  const headline = headlineOf(prediction.verdict, prediction.diagnostics);
  const word = level === undefined ? '' : painter.level(level, ` ${headlineWord(headline, 0)} `);
  const [first] = prediction.verdict.reasons;
  const lost =
    losses.forGood > 0 ? painter.error(`${countOf(losses.forGood, 'thing')} lost for good`) : 'nothing lost for good';
  const back = losses.back > 0 ? `, ${losses.back} can be brought back` : '';
  const price = [
    countOf(cost.programs, 'program'),
    `${formatBytes(cost.writtenBytes)} written`,
    ...(cost.tokens === undefined ? [] : [countOf(cost.tokens, 'token')]),
    `${Math.round(cost.durationMs)} ms to predict`,
  ];
  return [
    `${painter.bold(`${one.index + 1}.`)} ${inSentence(action.script, 400)}`,
    `   ${word} ${inSentence(first?.text ?? prediction.endingReason ?? '', 400)}`,
    `   End state: ${stateText(one, nameOf)}; ${lost}${back}`,
    `   ${painter.dim(price.join(', '))}`,
  ].join('\n');
}
