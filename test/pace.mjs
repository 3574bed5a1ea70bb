/**
 * How long a whole run takes is bounded by taking smaller shares where the machine is slow: the rings whose commands are
 * drawn from thousands draw fewer. No test knows of it, and nothing that is run is judged otherwise.
 */

/**
 * Seconds on two usual cores (measured on 2026-11-29) of what runs whole wherever it runs, and before all that is drawn: a ring
 * that drew fewer commands would tell of a faster machine.
 */
export const usualS = { checks: 9, building: 60, unit: 50, engine: 331, panel: 165 };

/** A pace that is kept while rings end: at least 1, 2 where what has ended took twice as long as usual. */
export class Pace {
  #tookS = 0;
  #usualS = 0;

  /** Takes the time of what has ended; what has no usual time (what is drawn) tells nothing. */
  ended(name, tookS) {
    if (!(name in usualS)) return;
    this.#tookS += tookS;
    this.#usualS += usualS[name];
  }

  /** How many times as long as usual things take here; 1 where nothing has ended yet, or where they take less. */
  get times() {
    return this.#usualS === 0 ? 1 : Math.max(1, this.#tookS / this.#usualS);
  }

  /** How many of `usual` drawn commands are run here, at least `least`. */
  fewer(usual, least) {
    return Math.max(Math.min(usual, least), Math.round(usual / this.times));
  }

  /** Of how many commands one is run here, where it is usually one of `usual`, at most `most`. */
  rarer(usual, most) {
    return Math.min(most, Math.round(usual * this.times));
  }
}
