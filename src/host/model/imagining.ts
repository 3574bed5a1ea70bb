import type * as vscode from 'vscode';
import { conditionsFor } from '../../core/worlds/language/conditions/conditionPresets.ts';
import type { PanelSettings } from '../../protocol/panelProtocol.ts';

/** Under what the model imagines, and how often, as chosen in the panel; kept for this workspace. */
export interface Imagining {
  read(): Chosen;
  choose(chosen: Chosen): Promise<void>;
  /** For the panel, with what there is to choose from. */
  settings(): NonNullable<PanelSettings['imagining']>;
}

export interface Chosen {
  /** Ids of presets. */
  conditions: string[];
  /** The user's own words. */
  text: string;
  samples: number;
}

/** As it was kept: under another name once. */
type Kept = Chosen & { perturbations: string[] };

const stateKey = 'foretell.imagining';
/** More would only cost. */
const mostSamples = 8;
const longestText = 4_000;
/** Commands are imagined as terminals and shell tools show them. */
const presets = conditionsFor(['terminal', 'swe']);

/** `usualSamples`: how often is asked where nothing was chosen in the panel. */
export function createImagining(state: Pick<vscode.Memento, 'get' | 'update'>, usualSamples: () => number): Imagining {
  const known = new Set<string>(presets.map(({ id }) => id));
  const read = () => {
    const kept = state.get<Partial<Kept>>(stateKey, {});
    return {
      conditions: (kept.conditions ?? kept.perturbations ?? []).filter((id) => known.has(id)),
      text: kept.text ?? '',
      samples: kept.samples ?? usualSamples(),
    };
  };
  return {
    read,
    async choose({ conditions, text, samples }) {
      const count = Math.min(Math.max(Math.round(samples) || 1, 1), mostSamples);
      await state.update(stateKey, {
        conditions: [...new Set(conditions)].filter((id) => known.has(id)),
        text: text.slice(0, longestText),
        // What is as in the settings follows them.
        ...(count === usualSamples() ? {} : { samples: count }),
      });
    },
    settings: () => ({ presets: presets.map(({ id, title }) => ({ id, title })), ...read() }),
  };
}
