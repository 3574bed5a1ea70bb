import * as z from 'zod/mini';
import { AgentName, ShellName, ToolCall } from '../../action/action.ts';
import { HeadlineKind } from '../../facts/headline.ts';
import { Level } from '../../facts/level.ts';
import { Recovery } from '../../facts/recovery.ts';
import { Ending } from '../../prediction/parts.ts';
import { Hit } from '../../trajectory/calibration.ts';
import { FileChange } from '../../view/fileChange.ts';

/** What an agent asked for, without secrets. */
const KeptDeed = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('command'), script: z.string(), shell: ShellName }),
  z.object({ kind: z.literal('edit'), call: ToolCall, agent: AgentName }),
]);
export type KeptDeed = z.infer<typeof KeptDeed>;

/** Agents by their names, as they stand behind `foretell hook`. */
const SpeakerName = z.enum(['claude', 'codex', 'gemini', 'vscode', 'copilot', 'cursor', 'opencode']);

/** An agent asks about a call. `key`: of the call in this log; `call`: a digest of the agent's own name for it. */
const AskedLine = z.object({
  version: z.literal(1),
  is: z.literal('asked'),
  key: z.string().check(z.regex(/^[0-9a-f]{20}$/)),
  call: z.optional(z.string()),
  /** ISO 8601. */
  at: z.string(),
  agent: SpeakerName,
  session: z.optional(z.string()),
  /** Absolute. */
  cwd: z.string(),
  kind: z.enum(['command', 'edit']),
  /** One line. */
  title: z.string(),
  /** Absent: too long to be kept. */
  deed: z.optional(KeptDeed),
  /** So many secrets were taken out. */
  secrets: z.number(),
});
export type AskedLine = z.infer<typeof AskedLine>;

/** What was predicted of it, and what the agent was answered. Lists are cut; counts are of all. */
const PredictedLine = z.object({
  version: z.literal(1),
  is: z.literal('predicted'),
  key: z.string(),
  at: z.string(),
  /** `late`: the answer was given without the prediction. */
  answer: z.enum(['nothing', 'allow', 'note', 'deny', 'late']),
  /** What the user was told of the answer. */
  told: z.optional(z.string()),
  /** With which the user lets it through once. */
  code: z.optional(z.string()),
  /** Absent: nothing was predicted. */
  prediction: z.optional(
    z.object({
      ending: Ending,
      headline: HeadlineKind,
      level: z.optional(Level),
      /** The verdict in one line. */
      verdict: z.string(),
      reasons: z.array(z.object({ level: Level, text: z.string(), evidence: z.array(z.string()) })),
      exitCode: z.optional(z.number()),
      files: z.array(
        z.extend(z.pick(FileChange, { path: true, change: true, from: true, type: true }), {
          /** Both texts of it are kept. */
          hasTexts: z.optional(z.literal(true)),
        }),
      ),
      fileCount: z.number(),
      loss: z.array(z.object({ path: z.string(), why: z.string(), recoverable: z.string(), recovery: Recovery })),
      lossCount: z.number(),
      /** How many of them are lost for good. */
      lostCount: z.number(),
      durationMs: z.number(),
    }),
  ),
  /** The entry of the safety net that has what it would lose. */
  net: z.optional(z.string()),
});
export type PredictedLine = z.infer<typeof PredictedLine>;

/** It was made, as the agent says; hits are beside the prediction. */
const MadeLine = z.object({
  version: z.literal(1),
  is: z.literal('made'),
  call: z.string(),
  at: z.string(),
  exitCode: z.optional(z.number()),
  /** Without secrets; absent: not told, or too long. */
  output: z.optional(z.array(z.object({ stream: z.enum(['stdout', 'stderr', 'terminal']), text: z.string() }))),
  hits: z.object({ output: Hit, exitCode: Hit, files: Hit }),
});
export type MadeLine = z.infer<typeof MadeLine>;

/** One line of the log of a session. */
export const CallLine = z.discriminatedUnion('is', [AskedLine, PredictedLine, MadeLine]);
export type CallLine = z.infer<typeof CallLine>;

/** Where calls are kept; `folder`: see `hookFolder`. Logs are `NAME.jsonl`, an older part `NAME.old.jsonl`. */
export function callLogFolder(folder: string): string {
  return `${folder}/seen`;
}

/** Where the details of calls are kept, a file each by the key. */
export function callDetailsFolder(folder: string): string {
  return `${folder}/seen/details`;
}
