import type { Call, Options } from './call.ts';

/** A call of git, taken apart. */
export interface GitCall extends Call {
  sub: string;
  options: Options;
  /** Position of `--` among the words behind the subcommand; -1 where there is none. */
  divider: number;
  /** Runs git itself, with everything off that would change something or run a program of the repository. */
  ask(args: readonly string[]): Promise<Buffer | undefined>;
}
