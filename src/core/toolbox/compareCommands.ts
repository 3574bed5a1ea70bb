import * as z from 'zod/mini';
import type { CommandAction } from '../action/action.ts';
import { compareAlternatives, mostAlternatives } from '../alternatives/compareAlternatives.ts';
import { comparisonJson, comparisonText } from '../alternatives/comparisonText.ts';
import { fitText } from './fitText.ts';
import { placeOf } from './predictIn.ts';
import { isFailed, wordPainter } from './predictionReply.ts';
import { cwdArgument, rehearseArgument } from './predictTools.ts';
import { toolOf } from './readInput.ts';
import { shortJson } from './shortJson.ts';

/** Says which of several commands leave the same state, and at what price. */
export const compareCommands = toolOf(
  {
    name: 'compare_commands',
    title: 'Compare commands',
    description:
      'Shows two to five commands side by side, each predicted from the same state: which of them leave the same files, git state and exit code, what each would lose, and what it costs; the one that reaches the state of the first and loses nothing comes first. Nothing is touched. Put what the user means to reach first, and safer ways behind it.',
  },
  z.strictObject({
    commands: z
      .array(z.string().check(z.minLength(1)))
      .check(
        z.minLength(2),
        z.maxLength(mostAlternatives),
        z.describe('The commands; the first says what is to be reached.'),
      ),
    cwd: cwdArgument,
    rehearse: rehearseArgument,
  }),
  async ({ commands, cwd, rehearse = true }, around) => {
    const place = placeOf(cwd === undefined ? {} : { cwd }, around);
    if ('problem' in place) return place;
    const { shell, foretell, signal, requestIn, mostCharacters } = around;
    const actions = commands.map((script): CommandAction => ({ kind: 'command', script, shell, cwd: place.cwd }));
    // What is remembered is of single commands; each alternative is rehearsed and then asked what it left.
    const { memory: _, answers: _typed, ...request } = requestIn(place.cwd, rehearse);
    const comparison = await compareAlternatives(foretell, actions, { ...request, signal });
    const lines = comparisonText(comparison, wordPainter, place.cwd).trimEnd().split('\n');
    const limits = { mostItems: 50, mostEvidence: 5, mostCharacters: 4_000 };
    const { value, omitted } = await shortJson(comparisonJson(comparison), limits);
    return {
      text: await fitText([{ lines, mostCharacters }], mostCharacters),
      structured: { ...value, ...(Object.keys(omitted).length > 0 ? { omitted } : {}) },
      ...(comparison.alternatives.every(({ prediction }) => isFailed(prediction)) ? { isError: true } : {}),
    };
  },
);
