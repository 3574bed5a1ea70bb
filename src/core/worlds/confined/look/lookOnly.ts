import { writtenText } from '../../../action/action.ts';
import type { Doubt } from '../../../facts/doubt.ts';
import { tellUnfinished } from '../planned/tellPlan.ts';
import { openView, type ViewSettings } from '../run.ts';
import type { StepContext } from '../stepContext.ts';
import { type HeldView, nothingHeld } from '../views.ts';
import { Launcher, type Refused } from '../wire/launcher.ts';
import type { RunRecord } from '../wire/runRecord.ts';

/** What look mode alone needs of the step that it answers. */
export interface LookOnlyOptions {
  context: StepContext;
  /** Why no copy can be made; one sentence. */
  why: string;
  births: ViewSettings['births'];
  leavesEarly: ViewSettings['leavesEarly'];
  command: { env: readonly string[]; cwd: string };
  /** `isShown`: the user is asked; later runs get the same answers. */
  run(launcher: Launcher, isShown: boolean): Promise<RunRecord>;
  conclude(record: RunRecord, other: RunRecord): Promise<HeldView>;
  fail(message: string): Promise<HeldView>;
  took(): number;
}

/** Where nothing can be confined, look mode answers what only reads; the rest is computed from the real disk. */
export async function lookOnly(options: LookOnlyOptions): Promise<HeldView> {
  const { context, why } = options;
  const record = await lookOnce(options, false);
  if (record instanceof Error) return options.fail(`${why} ${record.message}`);
  const { channel, parts, request } = context;
  if (record.finished?.how === 'stopped') {
    const { view } = await tellUnfinished({
      record,
      changed: [],
      isUntouched: true,
      ...nothingHeld(parts.looker),
      looker: parts.looker,
      ...writtenText(request.action),
      ...options.command,
      signal: request.signal,
      push: (event) => channel.push(event),
    });
    const { detail } = record.finished;
    const doubt: Doubt = { kind: 'noCopy', what: detail, because: why };
    const held = { view, inView: parts.looker };
    context.hold(held);
    channel.push({ type: 'abstained', doubt, durationMs: options.took() });
    return held;
  }
  const shifted = await lookOnce(options, true);
  return options.conclude(record, shifted instanceof Error || shifted.finished?.how === 'stopped' ? record : shifted);
}

/** One run on the real disk. An error: the launcher refused, with its sentence. */
async function lookOnce(
  { context, births, leavesEarly, run }: LookOnlyOptions,
  shifted: boolean,
): Promise<RunRecord | Error> {
  const { parts, request } = context;
  const settings = { shifted, births, leavesEarly, openGate: false, inert: parts.inert(), limits: request.limits };
  const launcher: Launcher | Refused = await openView(parts.launch, { mode: 'look', ...settings });
  if (!(launcher instanceof Launcher)) return new Error(launcher.sentence);
  const stop = () => void launcher.close();
  request.signal.addEventListener('abort', stop, { once: true });
  try {
    return await run(launcher, !shifted);
  } finally {
    request.signal.removeEventListener('abort', stop);
    void launcher.close();
  }
}
