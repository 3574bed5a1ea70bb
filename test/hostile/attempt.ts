import type { Launched } from './launch.ts';

/** One way to get out of the confinement, or to make the prediction lie about itself. */
export interface Attempt {
  /** Short, unique. */
  name: string;
  /** Run by bash in the workspace of the canaries; every canary is named by an environment variable. */
  script: string;
  /**
   * `closed`: only inert programs may run. `open`: foreign code runs, and has only the confinement against it. `known`: what is
   * known by the form of its words runs, without consent.
   */
  gate: 'closed' | 'open' | 'known';
  /**
   * How it is shown that the attempt would work where nothing stops it, run unconfined against canaries made for that:
   * `canaries`: one of them changes; `foreign`: foreign code runs; `hit`: a system call succeeds that must not.
   * Attempts that could hurt the machine, or need what cannot be had here, say why there is no proof.
   */
  proof: 'canaries' | 'foreign' | 'hit' | { none: string };
  /** Default: everybody. */
  identity?: 'user' | 'root';
  /** Default: both. */
  mode?: 'copy' | 'look';
  /** Programs that must be there. */
  needs?: readonly string[];
  processor?: 'x64';
  /** An attack that hits, unconfined, where the kernel has what this one goes through; where it has not, nothing is proven. */
  through?: string;
  /** What must not be in the output in any mode, for calls whose effect no canary can see. */
  denied?: RegExp;
  /** The gate is not expected to see anything: the attempt never gets as far, or starts nothing foreign. */
  quiet?: boolean;
  /** Further demands; returns complaints. */
  also?: (result: Launched, mode: 'copy' | 'look') => string[];
  /** Default: 512 MB. */
  memoryBytes?: number;
  /** Terminal width; default: pipes. */
  columns?: number;
  /** How often it is made, for what needs luck. */
  repeat?: number;
  environment?: Record<string, string>;
}

/** Printed by every foreign program and library of this suite; not in their files as text. */
export const foreignToken = 'FOREIGN CODE RAN';
