import type { StepContext } from './stepContext.ts';
import type { Watch } from './watch.ts';
import type { RunRecord } from './wire/runRecord.ts';

/** What a command asks while it runs, and what the user types. */
export class Questions {
  private readonly channel: StepContext['channel'];
  private readonly answers: AsyncIterator<string> | undefined;
  private readonly watch: Watch;
  /** What the user typed, in order, for every run of the same command. */
  private readonly typed: string[] = [];

  constructor({ channel, request }: StepContext, watch: Watch) {
    this.channel = channel;
    this.answers = request.answers?.[Symbol.asyncIterator]();
    this.watch = watch;
  }

  /** For a run of which the user is asked what was not typed yet. */
  asking(): (record: RunRecord) => Promise<string | undefined> {
    let at = 0;
    return async (record) => {
      at += 1;
      return this.typed[at - 1] ?? this.ask(record);
    };
  }

  /** For a run that nobody watches. */
  repeating(): () => Promise<string | undefined> {
    let at = 0;
    return async () => {
      at += 1;
      return this.typed[at - 1];
    };
  }

  /** Shows what was printed so far, which another run may print otherwise, and the question; waits for what the user types. */
  private async ask(record: RunRecord): Promise<string | undefined> {
    if (!this.answers) return undefined;
    this.watch.stopsAt(record);
    const printed = Buffer.concat(record.output.slice(-64).map(({ bytes }) => bytes)).toString('utf8');
    this.channel.push({ type: 'asks', prompt: printed.slice(printed.lastIndexOf('\n') + 1) });
    const answer = await this.answers.next();
    this.watch.goesOn();
    if (answer.done) return undefined;
    this.typed.push(answer.value);
    return answer.value;
  }
}
