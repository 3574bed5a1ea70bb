import { observationMarker } from '../prompt/turns/turnText.ts';
import { lastTagged, strip, withoutThinking } from './officialText.ts';

/**
 * What a reply of a language world model says: the observation without thinking, tags and marker. The rules are those of
 * the parser that the AgentWorld benchmark is scored with, so that our numbers can be compared with published ones. They
 * lose leading blank lines and cut observations that contain such tags themselves, so whoever shows a reply keeps its raw
 * text beside this.
 */
export interface ParsedReply {
  observation: string;
  /**
   * The rule that gave the observation: `tagged` (between the last opening tag and the first closing tag after it),
   * `unclosed` (from the last opening tag to the end), `untagged` (the whole text without thinking), `empty` (there was
   * no text) or `nothing` (nothing but thinking). The last two give `No output`.
   */
  rule: 'tagged' | 'unclosed' | 'untagged' | 'empty' | 'nothing';
  /** Which marker of an observation was dropped. */
  marker: 'none' | 'leading' | 'everywhere';
  /** Length of the thinking that was removed, in UTF-16 code units, tags included. */
  thinkingLength: number;
}

/** The tag that a predicted observation stands in. */
const observationTag = 'predicted_observation';
const noOutput = 'No output';

/**
 * Reads a whole reply: the text of its `content`, as it came. Reasoning that the server sent apart is no part of it. Takes
 * time linear in the length. Tags are found whatever the case of their letters. Never throws.
 */
export function parseReply(text: string): ParsedReply {
  const { marked, rule, thinkingLength } = parseMarked(text);
  return { ...withoutMarker(marked), rule, thinkingLength };
}

/** The observation of a reply with its marker, as the evaluation script keeps it (`extracted_output`). */
export function parseMarked(text: string): { marked: string } & Pick<ParsedReply, 'rule' | 'thinkingLength'> {
  if (text === '') return { marked: noOutput, rule: 'empty', thinkingLength: 0 };
  const { text: left, removedLength: thinkingLength } = withoutThinking(text, observationTag);
  const tagged = lastTagged(left, observationTag);
  if (tagged) return { marked: tagged.text, rule: tagged.isClosed ? 'tagged' : 'unclosed', thinkingLength };
  const cleaned = strip(left);
  if (cleaned === '') return { marked: noOutput, rule: 'nothing', thinkingLength };
  return { marked: cleaned, rule: 'untagged', thinkingLength };
}

/** An observation without its marker: the leading one, or wherever it stands. */
export function withoutMarker(text: string): Pick<ParsedReply, 'observation' | 'marker'> {
  if (text.startsWith(observationMarker)) {
    return { observation: strip(text.slice(observationMarker.length)), marker: 'leading' };
  }
  if (!text.includes(observationMarker)) return { observation: strip(text), marker: 'none' };
  return { observation: strip(text.replaceAll(observationMarker, '')), marker: 'everywhere' };
}
