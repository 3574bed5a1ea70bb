/**
 * How long a whole run takes is bounded: where the machine is slow, every ring that can be drawn from draws less, so that the
 * rings that are still to come have their part of the time as well. No test knows of it, and nothing that is run is judged
 * otherwise.
 */

/**
 * Seconds on two usual cores, measured in one whole run on 2026-11-30, in the order in which the rings run. `language` and
 * `edits` run at the same time, and that time stands with the first.
 */
export const usualS = {
  checks: 9,
  building: 60,
  unit: 53,
  engine: 420,
  panel: 180,
  truth: 54,
  supervision: 48,
  consented: 190,
  language: 145,
  edits: 0,
  apply: 10,
  hostile: 370,
  faults: 110,
  places: 12,
  package: 14,
  host: 690,
};

/** What runs whole wherever it runs: it takes little, or there is nothing to draw from. */
const alwaysWhole = new Set(['checks', 'building', 'unit', 'apply', 'faults', 'places', 'package']);

/** Seconds within which a whole run is to end where the machine is slow, and after which no window is waited for any more. */
export const limitS = 3_300;
export const hardLimitS = 4_800;

/** The pace of one run; seconds on a clock that starts with it. */
export class Pace {
  #toCome;
  #nowS;
  #tookS = 0;
  #usualS = 0;
  #drawn = new Set();

  /** `rings`: the names of all that is to run. */
  constructor(rings, nowS = () => performance.now() / 1000) {
    this.#toCome = new Set(rings);
    this.#nowS = nowS;
  }

  /** Takes the time of a ring that has ended. Where a part was drawn it tells nothing: a few files may be those that take longest. */
  ended(name, tookS) {
    this.#toCome.delete(name);
    if (this.#drawn.has(name) || !usualS[name]) return;
    this.#tookS += tookS;
    this.#usualS += usualS[name];
  }

  /** How many times as long as usual things take here; 1 where nothing has ended yet, or where they take less. */
  get times() {
    return this.#usualS === 0 ? 1 : Math.max(1, this.#tookS / this.#usualS);
  }

  /**
   * Which share of a ring is run, 1 for all of it: what is left of the time for those that are drawn, by what they would take
   * here if they ran whole.
   */
  share(name) {
    const usualOf = (isWhole) =>
      [...this.#toCome].reduce((sum, one) => sum + (alwaysWhole.has(one) === isWhole ? (usualS[one] ?? 0) : 0), 0);
    const leftS = limitS - this.#nowS() - usualOf(true) * this.times;
    // Never nothing, however late it is.
    const share = Math.min(1, Math.max(0.05, leftS / (usualOf(false) * this.times)));
    if (share < 1) this.#drawn.add(name);
    return share;
  }

  /** How many of `usual` drawn commands are run here, at least `least`. */
  fewer(name, usual, least) {
    return Math.max(Math.min(usual, least), Math.round(usual * this.share(name)));
  }

  /** Of how many commands one is run here, where it is usually one of `usual`, at most `most`. */
  rarer(name, usual, most) {
    return Math.min(most, Math.round(usual / this.share(name)));
  }
}

/** A share of a list, spread over it and in its order, another at each `seed` (a whole number); at least one of what there is. */
export function drawn(list, share, seed) {
  const many = Math.max(1, Math.round(list.length * share));
  return list.filter((_, index) => (index * many + seed) % list.length < many);
}
