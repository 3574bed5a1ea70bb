import { knownForm } from '../../../programs/known.ts';
import type { KnownForm } from '../../../programs/program.ts';
import type { Gated, Launcher } from '../wire/launcher.ts';
import { addGated, namedArgv, type RunRecord } from '../wire/runRecord.ts';
import { isSystemProgram } from './inert.ts';
import { runsOwnCode } from './ownSnippet.ts';

/** So many programs may turn out to run code of others; then none is let in any more. */
const mostDenied = 3;

/** Under which conditions programs are let in for the form of their words. */
export interface KnownGateOptions {
  /** The command, in whose words the code of such a program has to stand. */
  script: string;
  /** In a workspace that is not trusted none is. */
  isTrusted: boolean;
  /** Views are made for it from the beginning; else anew when such a program is met. */
  isExpected(): boolean;
  /** What was run can be dropped and run again: no earlier command of a session stands in the view. */
  canGoAgain(): boolean;
}

/**
 * Lets programs in, without consent, of which it is known by the form of their words that they run no code but the command's own
 * words and the system's. Where one then opens code of others, or starts a program that may not run, the run ends and counts for nothing:
 * it is made again, with that program stopped.
 */
export class KnownGate {
  private readonly options: KnownGateOptions;
  private readonly denied = new Set<string>();
  private isMet = false;
  /** What was run counts for nothing, and everything has to be made again. */
  isVoid = false;

  constructor(options: KnownGateOptions) {
    this.options = options;
  }

  /** Views are to be made so that such programs can be let in. */
  get isOn(): boolean {
    return this.options.isTrusted && (this.isMet || this.options.isExpected());
  }

  /** Decides about one stopped program; false: somebody else has to. */
  letIn(launcher: Launcher, gated: Gated, record: RunRecord): boolean | Promise<boolean> {
    const form = launcher.letsIn ? this.formOf(gated) : undefined;
    const isOwn = form !== undefined && runsOwnCode(form, gated, launcher, this.options.script);
    if (typeof isOwn === 'boolean') return this.decide(isOwn ? form : undefined, launcher, gated, record);
    return isOwn.then((known) => this.decide(known ? form : undefined, launcher, gated, record));
  }

  private decide(form: KnownForm | undefined, launcher: Launcher, gated: Gated, record: RunRecord): boolean {
    if (form && launcher.letsKnownIn) {
      launcher.answer(gated.token, { kind: 'known', code: form.code });
      const program = addGated(record, gated);
      delete program.gate;
      program.isLetIn = true;
      program.isKnown = true;
      program.awaitsExec = true;
      return true;
    }
    if (!this.options.canGoAgain()) return false;
    if (form && launcher.letsIn && !this.isOn) {
      this.isMet = true;
      return this.drop(launcher);
    }
    // What reads tables of the machine is inert, and look mode answers for it.
    if (gated.knownPid === 0 || gated.reason === 'readsTables') return false;
    this.deny(gated.knownPid, record);
    return this.drop(launcher);
  }

  private formOf(gated: Gated): KnownForm | undefined {
    if (!this.options.isTrusted || gated.reason !== 'notInert' || !gated.isUnchanged) return undefined;
    const argv = namedArgv(gated);
    if (this.denied.size >= mostDenied || this.denied.has(keyOf(argv, gated.cwd))) return undefined;
    const isFed = gated.stdin === 'pipe' || gated.stdin === 'null';
    const form = knownForm({ argv, env: gated.env, isFed, isRoot: process.getuid?.() === 0 });
    if (!form || !isSystemProgram(gated.realPath)) return undefined;
    // Of a script that an interpreter was started for, its own file counts too.
    const script = argv.length < gated.argv.length ? gated.argv[1] : undefined;
    return script === undefined || isSystemProgram(script) ? form : undefined;
  }

  private deny(pid: number, { programs }: RunRecord): void {
    const program = programs.findLast((one) => one.pid === pid && one.isLetIn === true);
    this.denied.add(program ? keyOf(program.argv, program.cwd) : `${pid} ${this.denied.size}`);
  }

  private drop(launcher: Launcher): true {
    this.isVoid = true;
    launcher.cancel();
    return true;
  }
}

function keyOf(argv: readonly string[], cwd: string): string {
  return [cwd, ...argv].join('\0');
}
