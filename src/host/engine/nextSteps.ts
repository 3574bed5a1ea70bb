import type { EngineStatus } from '../../core/worlds/confined/engine.ts';
import type { Errand } from '../../protocol/panelProtocol.ts';

/** What of a window decides how to go on where nothing can be rehearsed. */
export interface StandsIn {
  platform: NodeJS.Platform;
  /** A language model is connected, so commands can be imagined. */
  hasModel: boolean;
}

/** How to go on where nothing can be rehearsed: what helps most comes first. */
export function nextStepsOf(because: EngineStatus['because'], { platform, hasModel }: StandsIn): Errand[] {
  const imagining: Errand = hasModel ? 'imagine' : 'connectModel';
  switch (because) {
    case 'otherSystem':
      return platform === 'win32' ? ['reopenInWsl', imagining] : [imagining, 'takeTour'];
    default:
      return ['showStatus', imagining];
  }
}
