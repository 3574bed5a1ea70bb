import type { Condition } from '../conditions/condition.ts';
import { conditionPresets } from '../conditions/conditionPresets.ts';

/** What is different from the real world, in the words of the model's prompt. */
export interface Conditions {
  presets?: readonly Condition[];
  /** Free text of the user: one more condition. */
  freeText?: string;
  /** A made-up world: who and what is there, and what its rules are. */
  fictionalWorld?: string;
}

/**
 * Sections that say what is different from the real world; empty where nothing is. The earlier observations are real and
 * were mostly made without it, so the text says that they are no argument against it.
 */
export function renderConditions({ presets = [], freeText = '', fictionalWorld = '' }: Conditions): string {
  const texts = [...presets.map((one) => one.text), freeText].map((text) => text.trim()).filter((text) => text !== '');
  const sections: string[] = [];
  if (fictionalWorld.trim() !== '') {
    sections.push(
      `# The world of this simulation\n\nThe environment is a fictional one. Where it differs from the real world, this description holds:\n\n${fictionalWorld.trim()}`,
    );
  }
  if (texts.length > 0) {
    sections.push(
      `# Conditions of this simulation\n\nWhen the action is carried out that is to be predicted, the following holds in the environment, also where earlier observations were made without it. Apply it wherever the action meets it, with the messages and exit codes that the real programs give in this case, and do not mention it otherwise. ${texts.join(' ')}`,
    );
  }
  return sections.join('\n\n');
}

/** The conditions that a request asks for; ids that there are not are left out. */
export function conditionsOf(request: {
  conditions?: readonly string[];
  conditionText?: string;
}): Required<Pick<Conditions, 'presets' | 'freeText'>> {
  return {
    presets: conditionPresets.filter(({ id }) => request.conditions?.includes(id)),
    freeText: request.conditionText ?? '',
  };
}
