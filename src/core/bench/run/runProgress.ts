/** How far a run is. */
export interface RunProgress {
  stage: 'infer' | 'judge';
  /** The model and template, or the judge. */
  variant: string;
  /** Rows that have a result, also from before. */
  done: number;
  total: number;
  /** Of those done in this run. */
  failed: number;
  truncated: number;
  cached: number;
  ratePerSecond: number;
  /** Absent until a rate is known. */
  remainingMs?: number;
  promptTokens: number;
  completionTokens: number;
}

/** How many of the last rows the rate is taken from. */
const rateWindow = 100;
/** How often progress is told, in milliseconds. */
const tellPauseMs = 100;

/** Counts a run. `now` in milliseconds. */
export function createRunCounter(of: Pick<RunProgress, 'stage' | 'variant' | 'total'>, now: () => number) {
  const times = [now()];
  const counts = { done: 0, failed: 0, truncated: 0, cached: 0, promptTokens: 0, completionTokens: 0 };
  let toldAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** Whether it is time to tell; the last row always is. */
    isDue() {
      if (counts.done < of.total && now() - toldAtMs < tellPauseMs) return false;
      toldAtMs = now();
      return true;
    },
    /** A row that had its result before. */
    skip() {
      counts.done += 1;
    },
    add(row: {
      failed: boolean;
      truncated: boolean;
      cached: boolean;
      usage?: { promptTokens: number; completionTokens: number } | undefined;
    }) {
      counts.done += 1;
      counts.failed += Number(row.failed);
      counts.truncated += Number(row.truncated);
      counts.cached += Number(row.cached);
      counts.promptTokens += row.usage?.promptTokens ?? 0;
      counts.completionTokens += row.usage?.completionTokens ?? 0;
      times.push(now());
      if (times.length > rateWindow) times.shift();
    },
    progress(): RunProgress {
      const spanMs = now() - (times[0] ?? 0);
      const rows = times.length - 1;
      const ratePerSecond = spanMs > 0 ? (rows * 1000) / spanMs : 0;
      const left = of.total - counts.done;
      return {
        ...of,
        ...counts,
        ratePerSecond,
        ...(ratePerSecond > 0 ? { remainingMs: (left * 1000) / ratePerSecond } : {}),
      };
    },
  };
}

/** One line: `infer my-model 120/200 · 31.4/s · 3 s left · 1 failed`. */
export function progressText(progress: RunProgress): string {
  const { stage, variant, done, total, failed, truncated, cached, ratePerSecond, remainingMs } = progress;
  const parts = [`${stage} ${variant} ${done}/${total}`];
  if (ratePerSecond > 0) parts.push(`${ratePerSecond < 10 ? ratePerSecond.toFixed(2) : ratePerSecond.toFixed(0)}/s`);
  if (remainingMs !== undefined && done < total) parts.push(`${durationText(remainingMs)} left`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (truncated > 0) parts.push(`${truncated} cut`);
  if (cached > 0) parts.push(`${cached} from the cache`);
  return parts.join(' · ');
}

/** A duration as somebody says it: `0.2 s`, `40 s`, `12 min`, `3 h 5 min`. */
export function durationText(durationMs: number): string {
  if (durationMs < 9_950) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
