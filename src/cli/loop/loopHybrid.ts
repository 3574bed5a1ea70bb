import type { HybridOptions } from '../../core/loop/hybrid/realSession.ts';
import type { BenchProcess } from '../bench/benchProcess.ts';
import { consentIn } from '../consent.ts';
import type { Flags } from '../helpText.ts';

/** Options of everything whose agents act in a real shell on a copy. */
export const hybridFlags = {
  hybrid: {
    type: 'boolean',
    help: 'the agent acts in a real shell on a copy of the folder: what only reads, edits, git and programs with consent are rehearsed, and only the rest is imagined (with --model-url) or unknown',
  },
  untrusted: { type: 'boolean', help: 'with --hybrid: also programs known by the form of their words need consent' },
} as const satisfies Flags;

/** What may run in the copies: what the user consented to, and with `openGate` everything. Nothing without `--hybrid`. */
export function hybridOptions(
  values: { hybrid?: boolean | undefined; untrusted?: boolean | undefined; 'open-gate'?: boolean | undefined },
  around: Pick<BenchProcess, 'tell'>,
): HybridOptions | undefined {
  if (!values.hybrid) return undefined;
  const from = { env: process.env, tell: around.tell };
  return {
    openGate: values['open-gate'] ?? false,
    trusted: !values.untrusted,
    consentFor: (folder) => consentIn(folder, from).consent,
  };
}
