import type { Domain } from '../prompt/turns/turn.ts';

/** Something that is wrong with the simulated world. */
export interface Condition {
  /** Stable; kept in settings and trajectories. */
  id: string;
  /** Where it can hold. */
  domains: readonly Domain[];
  /** What of the world it concerns. Draws take one of each kind before they take a second one. */
  stratum: Stratum;
  /** A few words for a list. */
  title: string;
  /** Whole sentences for the model: what is so, how programs notice, what still works. Whether a reply complies has to be seen in it. */
  text: string;
}

/** Of shells: the disk, the network, the project, the machine. Of tools and pages: what an answer holds, its form, who gives it, what is in its way. */
export type Stratum = 'storage' | 'network' | 'project' | 'machine' | 'answer' | 'form' | 'service' | 'interruption';
