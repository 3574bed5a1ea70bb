import path from 'node:path';
import type { Keystrokes } from '../../../action/turnAction.ts';
import type { ReplyFault, Vote } from '../../../facts/replyFault.ts';
import { isListing, isStatus } from '../imagine/imaginedChanges.ts';
import { marksOf, partsBehind } from '../prompt/turns/compound.ts';
import type { Dialect } from '../prompt/turns/turn.ts';
import type { PromptStyle } from '../prompt/turns/turnText.ts';
import { exitCodeQuestion, parseScreen, type ScreenReading } from '../prompt/turns/turnTextScreen.ts';
import { parseShellEnvelope } from '../prompt/turns/turnTextShell.ts';
import { parseReadReply } from '../prompt/turns/turnTextTools.ts';
import { faultOfFormless, faultOfFreeText } from './foreignText.ts';
import { readRun, type SaidRun } from './programReply.ts';
import type { Reading } from './reading.ts';
import { exitCodeOfEnd, readShellReply, type SaidEnd, type SaidOutcome } from './readShellReply.ts';
import type { Grammar } from './replyGrammar.ts';
import { markedFormWords, shellFormWords, shellGrammar } from './shellGrammar.ts';

/** The form in which an answer is asked for. Whatever is not in it is no answer. */
export interface AnswerForm<T> {
  reads(text: string): Reading<T>;
  /** The form shows where an answer ends, so that one can be told from two. */
  isBounded: boolean;
  /** Says the form to a model that has missed it. */
  words: string;
  /** What the prompt says as well, because neither the definition of the tool nor anything that was shown so far has it. */
  told?: string;
  /** What an answer says of how things would go on, in a few words: by this samples are counted. */
  says?(value: T): string;
  /** The same text of two answers after which everything goes on alike. */
  same?(value: T): string;
  /** Where samples agree in no more than this, only this of an answer counts: `of` it, with what they said. */
  coarser?: { says(value: T): string; of(value: T, votes: readonly Vote[]): T };
  /** For servers that can hold a model to it. */
  grammar?: Grammar;
}

/** In which words a question is asked, and so in which form it is to be answered. */
export interface Wording {
  dialect: Dialect;
  style: PromptStyle;
}

/** What a shell tool replies about a program. */
export function shellForm({ dialect, style }: Wording): AnswerForm<SaidOutcome> {
  const isFormless = style === 'quickstart';
  return {
    reads: (text) => readShellReply(dialect, text, { isFormless }),
    isBounded: dialect === 'qwen' && !isFormless,
    words: isFormless ? formlessWords : shellFormWords(dialect),
    says: ({ end }) => endWords(end),
    same: ({ end, stdout }) => JSON.stringify([endWords(end), stdout]),
    ...(isFormless ? {} : { grammar: shellGrammar(dialect) }),
  };
}

const formlessWords = 'Reply with what the terminal prints for the command, and nothing else.';

/**
 * What a shell tool replies about a program and the look behind it. What is read of the look is a listing; where there is none, or
 * only a part of one, the reply is an answer all the same, without it.
 */
export function programForm(wording: Wording, marker: string): AnswerForm<SaidRun> {
  const { dialect, style } = wording;
  const shell = shellForm(wording);
  const marks = marksOf(marker);
  const isFormless = style === 'quickstart';
  return {
    reads(text) {
      const reading = shell.reads(text);
      return reading.ok ? readRun(reading.value, marker, isStatus) : reading;
    },
    isBounded: shell.isBounded,
    words: `${shell.words} ${markedFormWords(marks)}`,
    told: markedFormWords(marks),
    says: ({ end, look }) =>
      look?.ok && look.text.trim() !== '' ? `${endWords(end)}, ${saysOfList(look.text)}` : endWords(end),
    same: ({ end, stdout, look }) => JSON.stringify([endWords(end), stdout, look?.ok ? linesOf(look.text) : '']),
    coarser: { says: ({ end }) => endWords(end), of: withoutLook },
    ...(isFormless ? {} : { grammar: shellGrammar(dialect, marks) }),
  };
}

/** Of several answers that agree how a program ends and not in what it changes, how it ends counts. */
function withoutLook({ look: _, ...said }: SaidRun, votes: readonly Vote[]): SaidRun {
  return {
    ...said,
    look: { ok: false, because: { kind: 'unusable', fault: { kind: 'disagreement', votes: [...votes] } } },
  };
}

/** How a program ends, in a few words: `exits 0`. */
function endWords(end: SaidEnd | undefined): string {
  if (!end) return 'prints something';
  if (end.how === 'waits') return 'does not end';
  return end.how === 'signal' ? `is ended by ${end.signal}` : `exits ${exitCodeOfEnd(end)}`;
}

/** Lines of which each names a file: those of `git status` and `find` in one, or the files of a folder. */
export function listingForm(wording: Wording, kind: 'status' | 'files'): AnswerForm<string> {
  const shell = shellForm(wording);
  return {
    reads(text) {
      // Nothing between the tags is an empty listing: this look prints nothing where nothing has changed.
      if (text.trim() === '') return { ok: true, value: '' };
      const reading = shell.reads(text);
      if (!reading.ok) return reading;
      const { stdout, end } = reading.value;
      const lines = readLines(stdout, kind);
      // A look that fails without a word has seen nothing.
      const hasFailed = end !== undefined && (end.how !== 'exit' || (end.code !== 0 && stdout === ''));
      return lines.ok && hasFailed ? { ok: false, fault: { kind: 'look-failed' } } : lines;
    },
    isBounded: shell.isBounded,
    words: `${shell.words} ${listingWords[kind]}`,
    ...(shell.grammar ? { grammar: shell.grammar } : {}),
    says: saysOfList,
  };
}

const listingWords = {
  status:
    'What this command prints is one line for each file: two letters and a path, as `git status --porcelain` prints it, or a path that begins with `./`, as `find` prints it. Where nothing has changed it prints nothing.',
  files: 'What this command prints is one path for each file, and nothing else.',
} as const;

function readLines(text: string, kind: 'status' | 'files'): Reading<string> {
  const isOne = kind === 'status' ? isStatus : isListing;
  const odd = text.split('\n').find((line) => line.trim() !== '' && !isOne(line));
  if (odd === undefined) return { ok: true, value: text };
  const said = odd.trim();
  return { ok: false, fault: { kind: 'no-listing', said: said.length > 60 ? `${said.slice(0, 59)}…` : said } };
}

function saysOfList(text: string): string {
  const lines = linesOf(text);
  return lines.length === 0 ? 'nothing changes' : lines.join(', ').slice(0, 200);
}

/** Each line once, in an order that does not depend on theirs. */
function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trimEnd()])))].sort();
}

/** What is said of a file. */
export type SaidContent =
  | { kind: 'text'; text: string }
  | { kind: 'binary' }
  /** It could not be read; `said`: the tool's words. */
  | { kind: 'unread'; said: string };

/** The content of a file, as the tool replies that reads it. */
export function contentForm(file: string): AnswerForm<SaidContent> {
  return {
    reads: (text) => readContent(withoutOuterBreaks(text), file),
    isBounded: false,
    words:
      'The reply of this tool is the whole content of the file, from its first character to its last, and nothing else: no comment, no code fence around it, nothing left out.',
  };
}

/**
 * The contents of several files, as one command prints them: of each what can be read, by its name. Whatever is missing or cannot
 * be read is absent, and can be asked for alone.
 */
export function contentsForm(wording: Wording, names: readonly string[], marker: string): AnswerForm<SaidContents> {
  const shell = shellForm(wording);
  const printed = `What is printed here is, for each file, the line \`${marker}\` with its name, and behind it the whole content of that file, from its first character to its last, nothing left out; then the line \`${marksOf(marker).end}\`.`;
  return {
    reads(text) {
      const reading = shell.reads(text);
      if (!reading.ok) return reading;
      const said = new Map<string, SaidContent>();
      let fault: ReplyFault = { kind: 'partial' };
      const { parts } = partsBehind(reading.value.stdout, marker);
      for (const [index, { says, text: content }] of parts.entries()) {
        // Only where another line follows it is known that a content is whole.
        if (!names.includes(says) || index === parts.length - 1) continue;
        // It is not there, so nothing is said of its content.
        if (/^cat: [^\n]*\n?$/.test(content) || reading.value.stderr.includes(`cat: ${says}: `)) continue;
        const one = readContent(content, says, { isWhole: true });
        if (one.ok) said.set(says, one.value);
        else fault = one.fault;
      }
      return said.size === 0 ? { ok: false, fault } : { ok: true, value: said };
    },
    isBounded: shell.isBounded,
    words: `${shell.words} ${printed}`,
    told: printed,
  };
}

/** What is said of files, by the names that they were asked by. */
export type SaidContents = ReadonlyMap<string, SaidContent>;

const proseFiles = /\.(?:mdx?|markdown|rst|adoc|txt|text|log|html?|tex|eml|mbox)$|^[A-Z]+$/;
const markupFiles = /\.(?:xml|html?|svg|xhtml|vue|plist|xsd|xslt?|rss|atom|jsx|tsx)$/i;
const dataFiles = /\.(?:json[5lc]?|ndjson|webmanifest|map|ipynb)$/i;
const sourceFiles =
  /\.(?:[cm]?[jt]sx?|json[5lc]?|py|rb|go|rs|java|kt|cs?|cc|cpp|h|hpp|php|sh|sql|css|scss|ya?ml|toml|ini|html?|xml|svg|lock|map|d\.ts|vue|csv|tsv)$/i;
const elision =
  /^(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*)? ?\[?(?:\.{3}|…) ?\(?(?:the )?(?:rest\b|remaining\b|remainder\b|existing\b|unchanged\b|same as\b|truncated\b|omitted\b|[\d,]+ lines? (?:left out|omitted|truncated)|content (?:truncated|omitted|continues))/i;
/** What stands in prompts in the place of a secret. */
const redactionMark = /\[redacted: [^\]\n]{1,60}\]/;

/** The text repeats a mark that stands for a secret in the prompts. */
export function hasRedaction(text: string): boolean {
  return redactionMark.test(text);
}

/** `isWhole`: it is known where the content ends, so that its last line may lack its end. */
function readContent(
  text: string,
  file: string,
  { isWhole = false }: { isWhole?: boolean } = {},
): Reading<SaidContent> {
  const name = path.basename(file);
  const plain = text.trim();
  const isShort = plain.split('\n').length <= 2;
  if (isShort && /\bbinary file\b/i.test(plain)) return { ok: true, value: { kind: 'binary' } };
  const fault = faultOfFreeText(plain);
  const mayBe =
    (fault?.kind === 'fence' && proseFiles.test(name) && !/^(?:`{3}|~{3})/.test(plain)) ||
    (fault?.kind === 'no-tags' && markupFiles.test(name)) ||
    ((fault?.kind === 'json' || fault?.kind === 'tool-call') && dataFiles.test(name) && /^[[{]/.test(plain));
  if (fault && !mayBe) return { ok: false, fault };
  if (parseShellEnvelope(plain)) return { ok: false, fault: { kind: 'other-fields' } };
  if (hasRedaction(text)) return { ok: false, fault: { kind: 'redacted' } };
  const read = parseReadReply(text);
  if (!read && isShort) return { ok: true, value: { kind: 'unread', said: plain } };
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const content = read?.text ?? whole;
  const exact = isWhole && !text.endsWith('\n') ? content.replace(/\n$/, '') : content;
  const isElided = content.split('\n').some((line) => elision.test(line.trim()));
  if (read?.isCut || isElided) return { ok: false, fault: { kind: 'partial' } };
  if (sourceFiles.test(name) && isSentence(plain)) return { ok: false, fault: { kind: 'prose' } };
  return { ok: true, value: { kind: 'text', text: exact } };
}

/** One paragraph of plain words, as nobody writes it into a source file. */
function isSentence(text: string): boolean {
  if (text.includes('\n\n') || text.length > 600 || /[{}[\]=<>;#$]|^[^\p{L}]/u.test(text)) return false;
  return /[.!?]$/.test(text) ? text.split(/\s+/).length >= 4 : /[。！？]$/.test(text);
}

/** The reply begins below its tag and ends above the other one; what else is at its ends belongs to the file. */
function withoutOuterBreaks(text: string): string {
  return text.replace(/^[ \t]*\r?\n/, '').replace(/\r?\n[ \t]*$/, '');
}

/** What a terminal shows, read apart; `waits`: the command does not end while it is looked at. */
export interface SaidScreen extends ScreenReading {
  waits: boolean;
}

/** What a terminal shows for keystrokes; with `echo $?` among them, also how the command ends. */
export function screenForm(
  keystrokes: readonly Keystrokes[],
  prompt: string,
  { style }: Pick<Wording, 'style'>,
): AnswerForm<SaidScreen> {
  const asksExitCode = keystrokes.some((one) => one.keystrokes.trim() === exitCodeQuestion);
  const isFormless = style === 'quickstart';
  return {
    reads: (text) => readScreen(text.trim(), keystrokes, { prompt, asksExitCode, isFormless }),
    isBounded: false,
    words: `The answer is the text of the terminal and nothing else: the waiting prompt \`${prompt}\` with the echo of what was typed, what is printed, and the new prompt.${
      asksExitCode ? ' What `echo $?` prints is a whole number from 0 to 255.' : ''
    }`,
    ...(asksExitCode ? { says: saysOfScreen } : {}),
  };
}

function saysOfScreen({ exitCode, waits }: SaidScreen): string {
  if (exitCode !== undefined) return `exits ${exitCode}`;
  return waits ? 'does not end' : 'prints something';
}

function readScreen(
  text: string,
  keystrokes: readonly Keystrokes[],
  { prompt, asksExitCode, isFormless }: { prompt: string; asksExitCode: boolean; isFormless: boolean },
): Reading<SaidScreen> {
  const screen = parseScreen(text, keystrokes, { prompt });
  if (!screen.echoed && screen.prompt === undefined) {
    const fault = isFormless ? faultOfFreeText(text) : faultOfFormless(text);
    return fault ? { ok: false, fault } : { ok: true, value: { ...screen, waits: false } };
  }
  if (!asksExitCode) return { ok: true, value: { ...screen, waits: false } };
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const asked = lines.findLastIndex((line) => line.trimEnd().endsWith(exitCodeQuestion));
  const answer = asked < 0 ? undefined : lines[asked + 1]?.trim();
  if (answer !== undefined && !(/^\d{1,3}$/.test(answer) && Number(answer) <= 255)) {
    const said = answer === screen.prompt?.trim() || answer === '' ? '(none)' : answer.slice(0, 40);
    return { ok: false, fault: { kind: 'bad-exit-code', said } };
  }
  return { ok: true, value: { ...screen, waits: screen.prompt === undefined && screen.exitCode === undefined } };
}

/** The same screen, of which the output is a listing or the content of a file. */
function screenOf<T>(form: AnswerForm<SaidScreen>, read: (output: string) => Reading<T>, words = ''): AnswerForm<T> {
  return {
    ...{ isBounded: form.isBounded, words: words === '' ? form.words : `${form.words} ${words}` },
    reads(text) {
      const screen = form.reads(text);
      return screen.ok ? read(screen.value.output) : screen;
    },
  };
}

/** A listing that a terminal shows; nothing between the tags is an empty one. */
export function listingScreen(form: AnswerForm<SaidScreen>, kind: 'status' | 'files'): AnswerForm<string> {
  const screen = screenOf(form, (output) => readLines(withoutTyped(output), kind), listingWords[kind]);
  return {
    ...screen,
    reads: (text) => (text.trim() === '' ? { ok: true, value: '' } : screen.reads(text)),
    says: saysOfList,
  };
}

/** Lines that are typed at a prompt, in other words than they were, and the exit code that such a line asks for, list nothing. */
function withoutTyped(output: string): string {
  const lines = output.split('\n');
  const isTyped = (line: string | undefined) => /^[\w.-]+@[\w.-]+:[^\s$#]*[$#] \S/.test(line ?? '');
  const isAnswer = (index: number) => /^\d+$/.test(lines[index] ?? '') && lines[index - 1]?.endsWith(exitCodeQuestion);
  return lines.filter((line, index) => !isTyped(line) && !isAnswer(index)).join('\n');
}

/** The content of a file that a terminal shows. */
export function contentScreen(form: AnswerForm<SaidScreen>, file: string): AnswerForm<SaidContent> {
  return screenOf(form, (output) => {
    const isMissing = /^cat: [^\n]*: [^\n]+\n?$/.test(output);
    return isMissing ? { ok: true, value: { kind: 'unread', said: output.trim() } } : readContent(output, file);
  });
}

/** The observation of a turn in any domain: of a tool of a shell with its fields, where it has begun with them. */
export function turnForm(isShell: boolean, dialect: Dialect): AnswerForm<string> {
  return {
    reads(text) {
      const fault = faultOfFreeText(text);
      if (fault) return { ok: false, fault };
      const isEnvelope =
        isShell && /^\s*(?:Command|Directory|Output|Stdout):/i.test(text) && /^Exit Code:/im.test(text);
      const isBare = isShell && /^\s*(?:Error:\s*)?Exit[ _-]code\b/i.test(text);
      const shell = isEnvelope || isBare ? readShellReply(dialect, text) : undefined;
      return shell?.ok === false ? shell : { ok: true, value: text };
    },
    isBounded: false,
    words: 'The answer is the observation itself and nothing else: no comment, no heading, no code fence around it.',
  };
}
