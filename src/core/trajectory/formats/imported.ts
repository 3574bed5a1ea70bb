import type { LineProblem } from '../file/trajectoryFile.ts';
import type { TrajectoryStep } from '../step/step.ts';

/** What was read out of a file of another format. */
export interface Imported {
  steps: TrajectoryStep[];
  /** Lines or parts that were skipped, and why. */
  problems: LineProblem[];
}

/** How a file is imported. */
export interface ImportOptions {
  /** Names of trajectories that the file does not name begin with it. */
  name: string;
}

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** The value as an object, where it is one. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The value as a text, where it is one. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** One line of a file of JSON lines. `line` counts from 1. */
export type JsonLine = { line: number } & ({ ok: true; value: unknown } | { ok: false; message: string });

/** The lines of a file of JSON lines; blank ones are left out. */
export function jsonLines(text: string): JsonLine[] {
  const read: JsonLine[] = [];
  let line = 0;
  for (const piece of text.replace(/^\ufeff/, '').split('\n')) {
    line += 1;
    if (piece.trim() === '') continue;
    const value = parsedJson(piece);
    if (value.ok) read.push({ line, ok: true, value: value.value });
    else read.push({ line, ok: false, message: `This is not JSON (${value.why}).` });
  }
  return read;
}

/** A text as JSON. `why` is the parser's word. */
export function parsedJson(text: string): { ok: true; value: unknown } | { ok: false; why: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}
