import type { Predictions } from '../predict/predictions.ts';
import type { StatusBar } from '../statusBar.ts';
import type { Panel } from './panel.ts';

/**
 * Says in the panel why a question has no answer. An earlier prediction must not look like one: it is set aside, with
 * everything that could be done with it. `asked`: what was typed in the panel, which stays there.
 */
export type Refuse = (sentence: string, asked?: string) => Promise<undefined>;

export function createRefuse(predictions: Predictions, panel: Panel, statusBar: StatusBar): Refuse {
  return async (sentence, asked) => {
    predictions.setAside();
    statusBar.refused(sentence);
    const hasEarlier = predictions.latest() !== undefined;
    await panel.refuse({ sentence, hasEarlier, ...(asked === undefined ? {} : { asked }) });
    return undefined;
  };
}
