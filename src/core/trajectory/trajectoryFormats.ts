import { readTrajectory, stepsOf, trajectoryText } from './file/trajectoryFile.ts';
import { importAgentWorld, type RowOptions, rowsOfSteps } from './formats/agentWorld.ts';
import { importAsciicast } from './formats/asciicast.ts';
import { castOfSteps } from './formats/asciicastExport.ts';
import { importClaudeCode } from './formats/claudeCode.ts';
import { sessionOfSteps } from './formats/claudeCodeExport.ts';
import type { ExportedTrajectory } from './formats/exported.ts';
import { type Imported, type ImportOptions, type JsonObject, objectOf } from './formats/imported.ts';
import { chatsOfSteps, importOpenAi } from './formats/openAi.ts';
import { importSweAgent } from './formats/sweAgent.ts';
import { logOfSteps } from './formats/sweAgentExport.ts';
import { commandsOfSteps, importTerminalCommands } from './formats/terminalCommands.ts';
import type { TrajectoryStep } from './step/step.ts';

/** A format that trajectories are read from and written in. */
interface Format {
  /** What a file of it is, for people. */
  title: string;
  /** How the names of its files end; what begins with `_` follows the name without a dot. */
  ending: string;
  /** Secrets are left in unless it is asked otherwise: the files are data that a score or a difference is made of. */
  isData?: true;
  /** A record (a line of JSON lines, or the only value) that is of this format. */
  isRecord?(record: JsonObject): boolean;
  /** A value over the whole file that is of this format. */
  isWhole?(value: unknown): boolean;
  read(text: string, options: ImportOptions): Imported;
  /** Never fails: what cannot be written is a problem. */
  write(steps: readonly TrajectoryStep[], options: RowOptions): ExportedTrajectory;
}

/** All formats; the first that recognises a text has it. `foretell`: our own. */
export const trajectoryFormats = {
  foretell: {
    title: 'Foretell trajectory',
    ending: 'trajectory.jsonl',
    isData: true,
    isRecord: (record) => 'trajectory' in record && 'action' in record && 'version' in record,
    read: importOwn,
    write: (steps) => ({ text: trajectoryText(steps), count: steps.length, problems: [] }),
  },
  agentworld: {
    title: 'AgentWorldBench rows',
    ending: '_test.jsonl',
    isData: true,
    isRecord: (record) => 'task' in record && 'prompt' in record && 'response' in record,
    isWhole(value) {
      const first = firstOf(value);
      return first !== undefined && 'task' in first && 'prompt' in first;
    },
    read: importAgentWorld,
    write(steps, options) {
      const { rows, problems } = rowsOfSteps(steps, options);
      return jsonLinesOf(rows, problems);
    },
  },
  'swe-agent': {
    title: 'SWE-agent log',
    ending: 'traj',
    isWhole(value) {
      const log = objectOf(value);
      return Array.isArray(log?.['trajectory']) || Array.isArray(log?.['history']);
    },
    read: importSweAgent,
    write: logOfSteps,
  },
  openai: {
    title: 'OpenAI chats with tool calls',
    ending: 'chat.jsonl',
    isRecord: (record) => Array.isArray(record['messages']),
    isWhole(value) {
      const first = firstOf(value);
      return first !== undefined && ('role' in first || Array.isArray(first['messages']));
    },
    read: importOpenAi,
    write(steps) {
      const { chats, problems } = chatsOfSteps(steps);
      return jsonLinesOf(chats, problems);
    },
  },
  asciicast: {
    title: 'asciinema recording',
    ending: 'cast',
    isRecord: (record) => 'version' in record && ('width' in record || 'term' in record),
    read: importAsciicast,
    write: castOfSteps,
  },
  'claude-code': {
    title: 'Claude Code session',
    ending: 'session.jsonl',
    isRecord: (record) =>
      'sessionId' in record || ('leafUuid' in record && 'summary' in record) || 'parentUuid' in record,
    read: importClaudeCode,
    write: (steps) => jsonLinesOf(...sessionOfSteps(steps)),
  },
  terminal: {
    title: 'Recorded terminal commands',
    ending: 'commands.jsonl',
    isRecord: (record) => typeof record['command'] === 'string' && 'cwd' in record,
    read: importTerminalCommands,
    write(steps) {
      const { commands, problems } = commandsOfSteps(steps);
      return jsonLinesOf(commands, problems);
    },
  },
} as const satisfies Record<string, Format>;

/** One of the formats. */
export type TrajectoryFormat = keyof typeof trajectoryFormats;

/** Their names. */
export const formatNames = Object.keys(trajectoryFormats) as TrajectoryFormat[];

/** What is known of one of them. */
export function formatOf(name: TrajectoryFormat): Format {
  return trajectoryFormats[name];
}

function importOwn(text: string): Imported {
  const file = readTrajectory(text);
  const problems = file.lines.flatMap((line, index) =>
    line.kind === 'bad' ? [{ line: index + 1, message: line.problem }] : [],
  );
  return { steps: stepsOf(file), problems };
}

function firstOf(value: unknown): JsonObject | undefined {
  return Array.isArray(value) ? objectOf(value[0]) : undefined;
}

function jsonLinesOf(values: readonly unknown[], problems: string[]): ExportedTrajectory {
  return { text: values.map((value) => `${JSON.stringify(value)}\n`).join(''), count: values.length, problems };
}
