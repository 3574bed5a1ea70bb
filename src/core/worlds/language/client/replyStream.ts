import { observationMarker } from '../prompt/turns/turnText.ts';
import { type ParsedReply, parseReply } from '../reply/parseReply.ts';

/** A reply as far as it has come. */
export interface ReplyProgress {
  /**
   * The observation as far as it is certain: without a last white space, tag or marker that may still be cut away. It
   * only grows, unless the reply begins a second observation or thinks after all; then it starts again from nothing.
   */
  observation: string;
  /**
   * Everything that is not the observation: reasoning that the server sent apart, inline thinking, and text before the
   * observation. Where the server has no parser for thinking, this is where thinking without an opening tag is.
   */
  thought: string;
  /** Which of the two is being written; `done` after the closing tag. */
  phase: 'thought' | 'observation' | 'done';
}

/** A reply that is being received. */
export interface ReplyStream {
  /** Takes the next piece of what the server calls content. Time linear in the piece. */
  content(piece: string): ReplyProgress;
  /** Takes the next piece of what the server calls reasoning. */
  reasoning(piece: string): ReplyProgress;
  /** The end: the whole content, read by `parseReply()`, whatever was shown before. */
  finish(): ParsedReply & { content: string; reasoning: string };
}

const tokens = ['<think>', '</think>', '<predicted_observation>', '</predicted_observation>', observationMarker];
const longest = Math.max(...tokens.map((token) => token.length));
const anyToken = /<\/?think>|<\/?predicted_observation>|\*\*Environment Observation:\*\*/gi;
/** Length of the end of a text that may be the beginning of a tag or marker. */
function unfinishedLength(text: string): number {
  for (let length = Math.min(longest - 1, text.length); length > 0; length -= 1) {
    const end = text.slice(text.length - length).toLowerCase();
    if ((end[0] === '<' || end[0] === '*') && tokens.some((token) => token.toLowerCase().startsWith(end)))
      return length;
  }
  return 0;
}

/** A text as tags, markers and what stands between them; the rest may be the beginning of another one. */
function splitTokens(text: string): { parts: { text: string; isToken: boolean }[]; rest: string } {
  const parts: { text: string; isToken: boolean }[] = [];
  let at = 0;
  for (const match of text.matchAll(anyToken)) {
    parts.push({ text: text.slice(at, match.index), isToken: false });
    // The marker is found only as it is written; tags in any case.
    parts.push({ text: match[0].startsWith('<') ? match[0].toLowerCase() : match[0], isToken: true });
    at = match.index + match[0].length;
  }
  const last = text.slice(at);
  const held = unfinishedLength(last);
  parts.push({ text: last.slice(0, last.length - held), isToken: false });
  return { parts, rest: last.slice(last.length - held) };
}

/**
 * Follows a reply while it comes, to show it. Content without any tag counts as the observation only where it is known
 * what the thinking was (the server sent it apart, or it was closed), or after the marker of an observation.
 */
export function createReplyStream(): ReplyStream {
  let content = '';
  let reasoning = '';
  let unread = '';
  let openThoughts = 0;
  let thinkingIsKnown = false;
  let isPreamble = false;
  let thought = '';
  let observation = '';
  let space = '';
  let phase: ReplyProgress['phase'] = 'thought';

  const begin = () => {
    phase = 'observation';
    observation = '';
    space = '';
  };

  const addText = (text: string) => {
    if (text === '' || phase === 'done') return;
    const isBlank = text.trim() === '';
    if (phase === 'thought' && openThoughts === 0 && !isBlank) {
      if (thinkingIsKnown && !isPreamble) begin();
      else isPreamble = true;
    }
    if (phase === 'thought' || openThoughts > 0) {
      thought += text;
      return;
    }
    const shown = observation === '' ? text.trimStart() : text;
    const solid = shown.trimEnd();
    if (solid !== '') {
      observation += space + solid;
      space = '';
    }
    if (observation !== '') space += shown.slice(solid.length);
  };

  const closeThought = () => {
    thinkingIsKnown = true;
    if (openThoughts > 0) {
      openThoughts -= 1;
      return;
    }
    // Nobody opened it, so everything before was thinking.
    thought += observation;
    observation = '';
    space = '';
    phase = 'thought';
    isPreamble = false;
  };

  const addToken = (token: string) => {
    if (token === '<think>') openThoughts += 1;
    else if (token === '</think>') closeThought();
    else if (openThoughts > 0) thought += token;
    else if (token === '<predicted_observation>') begin();
    else if (token === '</predicted_observation>') phase = phase === 'observation' ? 'done' : phase;
    else if (token === observationMarker && phase === 'thought' && !isPreamble) begin();
    else if (token !== observationMarker) addText(token);
  };

  const progress = (): ReplyProgress => ({ observation, thought, phase });
  return {
    content(piece) {
      content += piece;
      const { parts, rest } = splitTokens(unread + piece);
      for (const part of parts) {
        if (part.isToken) addToken(part.text);
        else addText(part.text);
      }
      unread = rest;
      return progress();
    },
    reasoning(piece) {
      reasoning += piece;
      thought += piece;
      thinkingIsKnown = true;
      return progress();
    },
    finish: () => ({ ...parseReply(content), content, reasoning }),
  };
}
