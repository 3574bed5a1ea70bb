import type { TokenUsage } from '../../../prediction/question.ts';
import { asObject, countAt, listAt, readJson, textAt, valueAt } from './clientJson.ts';
import type { CalledTool } from './provider.ts';

/** A piece of a reply. */
export interface ReplyPiece {
  type: 'reasoning' | 'content';
  text: string;
}

/** What is known of a reply besides its text. */
export interface ReplyEnd {
  finish?: 'stop' | 'length' | 'other';
  model?: string;
  usage?: TokenUsage;
  /** Tools that were called, where they are asked for. */
  calls: CalledTool[];
  /** A tool was called though nobody offered one. */
  isCallUnasked: boolean;
  /** The body of an error that came instead of a piece. */
  error?: string;
  /** The server said that this was all. */
  isDone: boolean;
  /** A piece could not be read, so text may be missing. */
  isGarbled: boolean;
  /** At least one piece of the protocol was understood, even if it held no text. */
  isUnderstood: boolean;
}

/** Reads a reply from its bytes, however they were cut. */
export interface ReplyReader {
  take(bytes: Uint8Array): ReplyPiece[];
  /** Nothing more comes. */
  finish(): ReplyPiece[];
  readonly end: Readonly<ReplyEnd>;
}

/** Longest line that is read, in UTF-16 code units. */
const maxLineLength = 16 * 1024 ** 2;
/** How many lines one piece may be spread over. */
const maxPieceLines = 64;

/**
 * Reads the server-sent events of a streamed completion, or a whole one (`isWhole`) where the server does not stream.
 * Follows the HTML standard for the lines (any line end, comments, several `data` lines); unlike it, reads a piece as soon
 * as its line is complete, because some servers leave out the blank line. `takesCalls`: calls of tools are wanted. Never
 * throws.
 */
export function createReplyReader(isWhole: boolean, takesCalls = false): ReplyReader {
  const decoder = new TextDecoder();
  const end: ReplyEnd = { calls: [], isCallUnasked: false, isDone: false, isGarbled: false, isUnderstood: false };
  let pieces: ReplyPiece[] = [];
  let unread: string[] = [];
  let unreadLength = 0;
  let pending = '';
  let pendingLines = 0;

  const drop = () => {
    if (pending !== '') end.isGarbled = true;
    pending = '';
    pendingLines = 0;
  };

  const takeLine = (line: string) => {
    if (line === '') return drop();
    const colon = line.indexOf(':');
    if (colon <= 0) return;
    const field = line.slice(0, colon);
    const value = line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    // llama.cpp has written errors as a field of their own.
    if (field === 'error') end.error ??= value;
    if (field !== 'data') return;
    if (value.trim() === '[DONE]') {
      drop();
      end.isDone = true;
      return;
    }
    pending = pending === '' ? value : `${pending}\n${value}`;
    pendingLines += 1;
    const chunk = asObject(readJson(pending));
    if (chunk) {
      pending = '';
      pendingLines = 0;
      // What follows an ending or an error belongs to neither.
      if (!end.isDone && end.error === undefined) takeChunk(chunk, end, pieces, takesCalls);
    } else if (pendingLines >= maxPieceLines) drop();
  };

  const takeText = (text: string, isLast: boolean) => {
    unread.push(text);
    unreadLength += text.length;
    if (isWhole || (!isLast && !/[\r\n]/.test(text))) {
      if (unreadLength > maxLineLength) end.isGarbled = true;
      if (end.isGarbled) unread = [];
      return;
    }
    const all = unread.join('');
    // The last carriage return may be half of a line end.
    const lines = all.split(isLast ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/);
    const rest = isLast ? '' : (lines.pop() ?? '');
    for (const line of lines) takeLine(line);
    unread = [rest];
    unreadLength = rest.length;
  };

  const taken = () => {
    const all = pieces;
    pieces = [];
    return all;
  };

  return {
    end,
    take(bytes) {
      takeText(decoder.decode(bytes, { stream: true }), false);
      return taken();
    },
    finish() {
      takeText(decoder.decode(), true);
      if (isWhole) {
        const chunk = asObject(readJson(unread.join('')));
        if (chunk) takeChunk(chunk, end, pieces, takesCalls);
        end.isDone = chunk !== undefined;
      }
      drop();
      return taken();
    },
  };
}

const finishes: Readonly<Record<string, ReplyEnd['finish']>> = { stop: 'stop', eos: 'stop', length: 'length' };

function takeChunk(
  chunk: Readonly<Record<string, unknown>>,
  end: ReplyEnd,
  pieces: ReplyPiece[],
  takesCalls: boolean,
): void {
  const error = chunk['error'];
  if ((error !== undefined && error !== null) || chunk['object'] === 'error') {
    end.error ??= JSON.stringify(chunk);
    return;
  }
  const usage = readUsage(chunk);
  const choices = listAt(chunk, 'choices');
  if (usage || choices.length > 0 || Array.isArray(chunk['choices'])) end.isUnderstood = true;
  if (usage) end.usage = usage;
  const model = textAt(chunk, 'model');
  if (model) end.model = model;
  for (const choice of choices) {
    if ((countAt(choice, 'index') ?? 0) !== 0) continue;
    const delta = valueAt(choice, 'delta') ?? valueAt(choice, 'message');
    const reasoning = textAt(delta, 'reasoning_content') ?? textAt(delta, 'reasoning');
    if (reasoning) pieces.push({ type: 'reasoning', text: reasoning });
    const content = textAt(delta, 'content') ?? textAt(choice, 'text');
    if (content) pieces.push({ type: 'content', text: content });
    // Some gateways send a list of typed parts.
    for (const part of listAt(delta, 'content')) {
      const text = textAt(part, 'text');
      if (text) pieces.push({ type: 'content', text });
      for (const thought of listAt(part, 'thinking')) {
        pieces.push({ type: 'reasoning', text: textAt(thought, 'text') ?? '' });
      }
    }
    if (takesCalls) for (const call of listAt(delta, 'tool_calls')) takeCall(call, end.calls);
    else end.isCallUnasked ||= listAt(delta, 'tool_calls').length > 0 || valueAt(delta, 'function_call') != null;
    const finish = textAt(choice, 'finish_reason');
    if (finish) end.finish = finishes[finish] ?? (takesCalls && finish === 'tool_calls' ? 'stop' : 'other');
  }
}

/** A piece of a call belongs to the call with its `index`; servers that send whole calls may leave the index out. */
function takeCall(piece: unknown, calls: CalledTool[]): void {
  const id = textAt(piece, 'id');
  const name = textAt(piece, 'function', 'name');
  const last = Math.max(0, calls.length - 1);
  const isNew = calls.length === 0 || (name !== undefined && (calls[last]?.name ?? '') !== '');
  // Some number every whole call with 0.
  if (id !== undefined && name !== undefined && calls.length > 0 && calls.every((one) => one.id !== id)) {
    const given = valueAt(piece, 'function', 'arguments');
    calls.push({ id, name, arguments: typeof given === 'string' ? given : given ? JSON.stringify(given) : '' });
    return;
  }
  const index = Math.min(countAt(piece, 'index') ?? (isNew ? calls.length : last), calls.length);
  const call = calls[index] ?? { id: '', name: '', arguments: '' };
  calls[index] = call;
  if (id !== undefined && call.id === '') call.id = id;
  if (name !== undefined && call.name === '') call.name = name;
  const given = valueAt(piece, 'function', 'arguments');
  call.arguments += typeof given === 'string' ? given : given === undefined ? '' : JSON.stringify(given);
}

/** Tokens as the OpenAI API tells them, or as llama.cpp does in its `timings`. */
function readUsage(chunk: Readonly<Record<string, unknown>>): TokenUsage | undefined {
  const cachedHere = countAt(chunk, 'timings', 'cache_n');
  const evaluated = countAt(chunk, 'timings', 'prompt_n');
  const promptTokens =
    countAt(chunk, 'usage', 'prompt_tokens') ?? (evaluated === undefined ? undefined : evaluated + (cachedHere ?? 0));
  const completionTokens = countAt(chunk, 'usage', 'completion_tokens') ?? countAt(chunk, 'timings', 'predicted_n');
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  const cachedTokens = countAt(chunk, 'usage', 'prompt_tokens_details', 'cached_tokens') ?? cachedHere;
  const reasoningTokens =
    countAt(chunk, 'usage', 'completion_tokens_details', 'reasoning_tokens') ??
    countAt(chunk, 'usage', 'reasoning_tokens');
  return {
    promptTokens,
    completionTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    exact: true,
  };
}
