import { guard } from 'lit/directives/guard.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import {
  createScreen,
  lineRuns,
  type Screen,
  type TextRun,
  takeChangedFrom,
  writeText,
} from '../../src/core/action/terminalScreen.ts';
import type { Basis } from '../../src/core/view/basis.ts';
import { volatileMeaning } from './basis.ts';
import { type Colour, parseColour, readable } from './contrast.ts';
import { cssom } from './cssom.ts';

/** A piece of output, as predictions keep it. */
export interface OutputPiece {
  stream: 'stdout' | 'stderr' | 'terminal';
  text: string;
  basis: Basis;
  volatile: boolean;
}

interface Mark {
  stream: OutputPiece['stream'];
  basis: Basis;
  volatile: boolean;
}

/** Remembers what was already drawn, so that a stream of output costs only its new part. */
export interface OutputMemory {
  screen: Screen;
  marks: Mark[];
  /** Pieces that were written wholly or in part, and how much of the last one. */
  pieces: number;
  lastLength: number;
  /** All pieces are written: nothing of them waits for the next slice. */
  isWhole: boolean;
  /** Grows with each slice that is written. */
  slices: number;
  /** One number for each block of lines; it grows when the block has to be drawn again. */
  versions: number[];
  /** The same for each group of blocks. */
  groupVersions: number[];
}

let background: Colour | undefined;
let ink: Colour | undefined;
let palette: (Colour | undefined)[] = [];

const names = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];

function ansiName(number: number): string {
  return `terminal-ansi${number > 7 ? 'Bright' : ''}${names[number % 8]}`;
}

/**
 * Takes the theme's colours of the terminal, changed so that they can be read. Call it again when the theme changes.
 *
 * What is drawn already follows, but for text on a colour and colours that programs named by number; new output has those
 * right, too.
 */
export function takeTheme(element: HTMLElement): void {
  const theme = getComputedStyle(element);
  const colour = (name: string) => parseColour(theme.getPropertyValue(`--vscode-${name}`));
  background = colour('terminal-background') ?? colour('panel-background') ?? colour('editor-background');
  ink = colour('terminal-foreground') ?? colour('foreground');
  palette = [];
  for (let number = 0; number < 16; number++) {
    const wanted = colour(ansiName(number));
    palette.push(wanted);
    if (!wanted || !background) element.style.removeProperty(`--readable-${number}`);
    else element.style.setProperty(`--readable-${number}`, `rgb(${readable(wanted, background)})`);
  }
}

// Browsers skip blocks out of sight (content-visibility); smaller ones would cost more elements than they save.
const linesInBlock = 100;
// Blocks stand in groups: with 4,200 of them in a row a browser looks at each in every frame, and so does every drawing.
const blocksInGroup = 50;
const blockHeight = 18 * linesInBlock;
/** How much is written before what else is to be done in the page has its turn: about 30 ms of work. */
const mostAtOnce = 400_000;

/** The memory of an output that is not drawn yet. */
export function createOutputMemory(): OutputMemory {
  return {
    ...{ screen: createScreen(), marks: [], pieces: 0, lastLength: 0, isWhole: true, slices: 0 },
    ...{ versions: [], groupVersions: [] },
  };
}

/**
 * Takes in what is new, at most a slice of it and the rest of its last line: `isWhole` tells whether to call it again. Pieces are only ever added, and
 * only the last one grows, until the memory is made anew.
 */
export function takeOutput(memory: OutputMemory, pieces: readonly OutputPiece[], most = mostAtOnce): void {
  let rest = most;
  let index = Math.max(0, memory.pieces - 1);
  for (; index < pieces.length && rest > 0; index++) {
    const piece = pieces[index];
    if (!piece) continue;
    const from = index < memory.pieces ? memory.lastLength : 0;
    // A line is written at once: each part of a very long one would be laid out with all before it.
    const end = piece.text.indexOf('\n', from + rest);
    const text = piece.text.slice(from, end < 0 ? undefined : end + 1);
    if (text !== '') writeText(memory.screen, text, markOf(memory, piece));
    rest -= text.length;
    memory.pieces = index + 1;
    memory.lastLength = from + text.length;
  }
  memory.isWhole = index >= pieces.length && memory.lastLength >= (pieces.at(-1)?.text.length ?? 0);
  if (rest < most) memory.slices += 1;
  noteChanges(memory);
}

function noteChanges({ screen, versions, groupVersions }: OutputMemory): void {
  const changed = Math.floor(takeChangedFrom(screen) / linesInBlock);
  const blocks = Math.ceil(lineCount({ screen }) / linesInBlock);
  const isShorter = blocks < versions.length;
  versions.length = blocks;
  groupVersions.length = Math.ceil(blocks / blocksInGroup);
  const first = Math.min(changed, isShorter ? blocks - 1 : blocks);
  for (let block = Math.max(0, first); block < blocks; block++) {
    versions[block] = (versions[block] ?? 0) + 1;
    const group = Math.floor(block / blocksInGroup);
    if (block === first || block % blocksInGroup === 0) groupVersions[group] = (groupVersions[group] ?? 0) + 1;
  }
}

/** Lines that have something in them: the empty one behind the last line break is none. */
export function lineCount({ screen: { lines } }: Pick<OutputMemory, 'screen'>): number {
  return lines.at(-1)?.text === '' ? lines.length - 1 : lines.length;
}

/** The output as a terminal would show it. Text stays text: nothing in it becomes an element or a link. */
export function outputTemplate(memory: OutputMemory, showBasis: boolean): TemplateResult {
  const groups = memory.groupVersions.map((version, group) =>
    guard([memory, version, showBasis], () => groupTemplate(memory, group, showBasis)),
  );
  return html`<div class="terminal ${memory.versions.length > 2 ? 'long' : ''}">${groups}</div>`;
}

function groupTemplate(memory: OutputMemory, group: number, showBasis: boolean): TemplateResult {
  const first = group * blocksInGroup;
  const blocks = memory.versions
    .slice(first, first + blocksInGroup)
    .map((version, index) =>
      guard([memory, version, showBasis], () => blockTemplate(memory, first + index, showBasis)),
    );
  // As long as nobody has scrolled to it, it is as high as its lines, none of them wrapped.
  const style = { 'contain-intrinsic-block-size': `auto ${blocks.length * blockHeight}px` };
  return html`<div class="blocks" style=${cssom(style)}>${blocks}</div>`;
}

/** The block of a drawn output in which a line stands, and the line's place in it. */
export function blockOfLine(terminal: Element, line: number): { block: Element; line: number } | undefined {
  const number = Math.floor(line / linesInBlock);
  const group = terminal.children[Math.floor(number / blocksInGroup)];
  const block = group?.children[number % blocksInGroup];
  return block && { block, line: line % linesInBlock };
}

function markOf(memory: OutputMemory, piece: OutputPiece): number {
  const { stream, basis, volatile } = piece;
  const known = memory.marks.findIndex(
    (mark) => mark.stream === stream && mark.basis === basis && mark.volatile === volatile,
  );
  return known >= 0 ? known : memory.marks.push({ stream, basis, volatile }) - 1;
}

function blockTemplate(memory: OutputMemory, block: number, showBasis: boolean): TemplateResult {
  const groups: { mark: Mark | undefined; tag: string; runs: TextRun[] }[] = [];
  const end = Math.min(lineCount(memory), (block + 1) * linesInBlock);
  for (let index = block * linesInBlock; index < end; index++) {
    const runs = lineRuns(memory.screen, index);
    const last = groups.at(-1);
    const mark = runs[0] ? memory.marks[runs[0].style.mark] : last?.mark;
    const tag = [mark?.stream === 'stderr' ? 'stderr' : '', showBasis ? (mark?.basis ?? '') : '']
      .filter(Boolean)
      .join(', ');
    if (last && last.tag === tag) {
      append(last.runs, '\n', runs[0]);
      for (const run of runs) append(last.runs, run.text, run);
    } else groups.push({ mark, tag, runs });
  }
  return html`<div class="block">
    ${groups.map(
      ({ mark, tag, runs }) =>
        html`<div class="stream ${mark?.stream ?? ''}">
          ${tag ? html`<span class="tag">${tag}</span>` : nothing}<span class="text"
            >${runs.map((run) => runTemplate(run, memory.marks[run.style.mark]))}</span
          >
        </div>`,
    )}
  </div>`;
}

function append(runs: TextRun[], text: string, like: TextRun | undefined): void {
  const last = runs.at(-1);
  // A line break looks the same in every style: join it to what came before.
  if (last && (text === '\n' || last.style === like?.style))
    runs[runs.length - 1] = { ...last, text: last.text + text };
  else if (like) runs.push({ text, style: like.style });
  else runs.push({ text, style: { mark: 0 } });
}

function runTemplate({ text, style }: TextRun, mark: Mark | undefined): TemplateResult | string {
  const classes: string[] = [];
  const own: Record<string, string> = {};
  if (mark?.volatile) classes.push('volatile');
  if (style.bold) classes.push('bold');
  if (style.dim) classes.push('dim');
  if (style.italic) classes.push('italic');
  if (style.hidden) classes.push('hidden');
  if (style.underline) classes.push(style.strike ? 'underline-strike' : 'underline');
  else if (style.strike) classes.push('strike');
  let { foreground, background: behind } = style;
  // VS Code's terminal draws bold text in the bright half of the palette.
  if (style.bold && typeof foreground === 'number' && foreground < 8) foreground += 8;
  if (style.inverse) {
    [foreground, behind] = [behind, foreground];
    if (foreground === undefined) classes.push('on-inverse');
    if (behind === undefined) classes.push('inverse');
  }
  if (typeof foreground === 'number' && behind === undefined) classes.push(`f${foreground}`);
  else if (foreground !== undefined || behind !== undefined) {
    const colour = colourOf(foreground, style.inverse ? background : ink);
    const on = colourOf(behind, style.inverse ? ink : background);
    if (colour && on) own['color'] = `rgb(${readable(colour, on)})`;
  }
  if (typeof behind === 'number') classes.push(`b${behind}`);
  else if (behind !== undefined) own['background-color'] = behind;
  if (classes.length === 0 && Object.keys(own).length === 0) return text;
  if (mark?.volatile) {
    return html`<span class=${classes.join(' ')} title=${volatileMeaning} style=${cssom(own)}
      >${text}</span
    >`;
  }
  return html`<span class=${classes.join(' ')} style=${cssom(own)}>${text}</span>`;
}

function colourOf(named: number | string | undefined, otherwise: Colour | undefined): Colour | undefined {
  if (named === undefined) return otherwise;
  return typeof named === 'number' ? palette[named] : parseColour(named);
}
