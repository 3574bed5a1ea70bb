import { type LineProblem, readTrajectory, stepsOf } from './file/trajectoryFile.ts';
import { importAgentWorld } from './formats/agentWorld.ts';
import { importAsciicast } from './formats/asciicast.ts';
import { importClaudeCode } from './formats/claudeCode.ts';
import {
  type Imported,
  type ImportOptions,
  type JsonObject,
  jsonLines,
  objectOf,
  parsedJson,
} from './formats/imported.ts';
import { importOpenAi } from './formats/openAi.ts';
import { importSweAgent } from './formats/sweAgent.ts';
import { importTerminalCommands } from './formats/terminalCommands.ts';
import { type RedactedKind, redactSteps } from './step/redactStep.ts';
import type { TrajectoryStep } from './step/step.ts';

/** Formats that trajectories are read from. `foretell`: our own. */
export const importFormats = [
  'foretell',
  'agentworld',
  'openai',
  'claude-code',
  'swe-agent',
  'asciicast',
  'terminal',
] as const;
/** One of the formats. */
export type ImportFormat = (typeof importFormats)[number];

/** What was imported. */
export interface ImportedTrajectory {
  steps: TrajectoryStep[];
  /** What was skipped, and why, in the order of the lines. */
  problems: LineProblem[];
  format: ImportFormat;
  /** Secrets that were taken out. */
  redacted: RedactedKind[];
}

/** A text that is in none of the formats. `message`: one sentence with a next step. */
export interface ImportFailure {
  failure: { code: 'unknown-format'; message: string };
}

const importers: Record<ImportFormat, (text: string, options: ImportOptions) => Imported> = {
  foretell: importOwn,
  agentworld: importAgentWorld,
  openai: importOpenAi,
  'claude-code': importClaudeCode,
  'swe-agent': importSweAgent,
  asciicast: importAsciicast,
  terminal: importTerminalCommands,
};

/**
 * Reads a text of another format into steps; the format is recognised unless it is given. Secrets are taken out by
 * default, but of a benchmark's rows and of our own files: those are data that a score or a difference is made of.
 * Rejects only where secrets cannot be looked for.
 */
export async function importTrajectory(
  text: string,
  options: { fileName?: string; format?: ImportFormat; redact?: boolean } = {},
): Promise<ImportedTrajectory | ImportFailure> {
  const format = options.format ?? recognise(text);
  if (!format) {
    const message = `This is none of the formats that can be read (${importFormats.join(', ')}); name one, if it is.`;
    return { failure: { code: 'unknown-format', message } };
  }
  const name =
    (options.fileName ?? '').replace(/^.*[\\/]/, '').replace(/(?:\.trajectory)?\.[a-z0-9]+$/i, '') || 'imported';
  const imported = importers[format](text, { name });
  const isData = format === 'agentworld' || format === 'foretell';
  const { steps, redacted } =
    (options.redact ?? !isData) ? await redactSteps(imported.steps) : { steps: imported.steps, redacted: [] };
  return { steps, problems: imported.problems.sort((a, b) => a.line - b.line), format, redacted };
}

function importOwn(text: string): Imported {
  const file = readTrajectory(text);
  const problems = file.lines.flatMap((line, index) =>
    line.kind === 'bad' ? [{ line: index + 1, message: line.problem }] : [],
  );
  return { steps: stepsOf(file), problems };
}

/** Which format a text is in, by its first records; `undefined`: none that is known. */
export function recognise(text: string): ImportFormat | undefined {
  const beginning = text.replace(/^\ufeff/, '');
  let tried = 0;
  let from = 0;
  while (from < beginning.length && tried < 50) {
    const end = beginning.indexOf('\n', from);
    const piece = beginning.slice(from, end < 0 ? undefined : end);
    from = end < 0 ? beginning.length : end + 1;
    const [line] = jsonLines(piece);
    if (!line) continue;
    tried += 1;
    const value = line.ok ? line.value : undefined;
    const record = objectOf(value);
    const format = (record && formatOfRecord(record)) ?? formatOfWhole(value);
    if (format) return format;
  }
  // No line stands for itself: one value over many lines.
  const whole = /^\s*[{[]/.test(beginning) ? parsedJson(beginning) : undefined;
  return whole?.ok ? formatOfWhole(whole.value) : undefined;
}

function formatOfWhole(value: unknown): ImportFormat | undefined {
  if (Array.isArray(value)) {
    const first = objectOf(value[0]);
    if (first && 'task' in first && 'prompt' in first) return 'agentworld';
    return first && ('role' in first || Array.isArray(first['messages'])) ? 'openai' : undefined;
  }
  const log = objectOf(value);
  if (!log) return undefined;
  if (Array.isArray(log['trajectory']) || Array.isArray(log['history'])) return 'swe-agent';
  return Array.isArray(log['messages']) ? 'openai' : formatOfRecord(log);
}

function formatOfRecord(record: JsonObject): ImportFormat | undefined {
  if ('trajectory' in record && 'action' in record && 'version' in record) return 'foretell';
  if ('task' in record && 'prompt' in record && 'response' in record) return 'agentworld';
  if (Array.isArray(record['messages'])) return 'openai';
  if ('version' in record && ('width' in record || 'term' in record)) return 'asciicast';
  if ('sessionId' in record || ('leafUuid' in record && 'summary' in record) || 'parentUuid' in record)
    return 'claude-code';
  return typeof record['command'] === 'string' && 'cwd' in record ? 'terminal' : undefined;
}
