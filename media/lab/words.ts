import { drawing as hollow } from 'codicon:circle-large';
import { drawing as differs } from 'codicon:diff-modified';
import { drawing as unseen } from 'codicon:eye-closed';
import { drawing as cut } from 'codicon:screen-cut';
import type { TemplateResult } from 'lit/html.js';
import type { StepStatus } from '../../src/core/trajectory/step/stepSummary.ts';
import { complianceText } from '../../src/core/words/complianceText.ts';
import type { StepDetail } from '../../src/protocol/labProtocol.ts';
import { drawn, icon } from '../shared/icons.ts';

/** What a status says, in two or three words. */
export const statusWords: Readonly<Record<StepStatus, string>> = {
  agrees: 'as observed',
  differs: 'differs',
  failed: 'failed',
  cut: 'cut off',
  unknown: 'cannot know',
  cancelled: 'cancelled',
  unpredicted: 'not predicted',
  unobserved: 'no observation',
};

/** The same as a sentence. */
export const statusMeaning: Readonly<Record<StepStatus, string>> = {
  agrees: 'What was predicted is what was observed.',
  differs: 'Something else was observed than what was predicted.',
  failed: 'The prediction failed.',
  cut: 'The reply was cut at the limit of its tokens.',
  unknown: 'The model says that it cannot know.',
  cancelled: 'The prediction was cancelled.',
  unpredicted: 'Nobody has predicted this turn yet.',
  unobserved: 'It is predicted, and nobody knows what really happens.',
};

/** The picture of a status. */
export function statusIcon(status: StepStatus): TemplateResult {
  switch (status) {
    case 'agrees':
      return icon('pass');
    case 'differs':
      return drawn(differs);
    case 'failed':
      return icon('error');
    case 'cut':
      return drawn(cut);
    case 'unknown':
      return icon('question');
    case 'cancelled':
      return icon('circleSlash');
    case 'unpredicted':
      return drawn(hollow);
    case 'unobserved':
      return drawn(unseen);
  }
}

/** `1.2k` for tokens in a narrow place. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 99_950 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`;
}

/** Under what something was asked, and whether the reply complies. */
export function underWords({ conditions, compliance = [] }: StepDetail['way']): string {
  const words = conditions.map((title) => {
    const found = compliance.find((one) => one.title === title);
    return found ? `${title} (${complianceText(found.how)})` : title;
  });
  return words.join(', ');
}
