import { stripVTControlCharacters } from 'node:util';
import type { TerminalCommand } from '../../core/worlds/language/imagine/languageRequest.ts';

const mostCommands = 10;
/** What is kept of an output, in UTF-16 units: its beginning and its end. */
const keptStart = 2_400;
const keptEnd = 1_600;
/** Control sequences are taken out afterwards, so more than is kept has to be held. */
const heldStart = 16_000;
const heldEnd = 16_000;

/** A command that is being recorded. */
export interface Recorded {
  output(piece: string): void;
  /** `cwd`: where it was started, absolute. */
  end(command: string, cwd: string, exitCode: number | undefined): void;
}

/** The last commands with their output, oldest first; one that has not ended is not among them. */
export interface CommandRing {
  begin(): Recorded;
  read(): TerminalCommand[];
}

export function createCommandRing(): CommandRing {
  let commands: TerminalCommand[] = [];
  return {
    begin() {
      let start = '';
      let end = '';
      let left = 0;
      return {
        output(piece) {
          const room = heldStart - start.length;
          start += piece.slice(0, Math.max(room, 0));
          const rest = room > 0 ? piece.slice(room) : piece;
          end += rest;
          if (end.length > 2 * heldEnd) {
            left += end.length - heldEnd;
            end = end.slice(-heldEnd);
          }
        },
        end(command, cwd, exitCode) {
          if (isFullScreen(start)) return;
          const output = left === 0 ? shortened(readable(start + end)) : joined(readable(start), readable(end), left);
          const ended = { command: command.trim(), cwd, output, ...(exitCode === undefined ? {} : { exitCode }) };
          commands = [...commands, ended].slice(-mostCommands);
        },
      };
    },
    read: () => commands,
  };
}

/** A leading blank is how shells are told to remember nothing; we obey it too. */
export function isTold(command: string, ownFolder: string): boolean {
  return command.trim() !== '' && !/^\s/.test(command) && !command.includes(ownFolder);
}

/** Text as a person would have read it: no colours, and of a line that was written over only what remained. */
function readable(raw: string): string {
  return stripVTControlCharacters(raw)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\r').findLast((part) => part !== '') ?? '')
    .join('\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}

function shortened(text: string): string {
  if (text.length <= keptStart + keptEnd) return text;
  return joined(text, text, text.length - keptStart - keptEnd);
}

function joined(start: string, end: string, left: number): string {
  return `${start.slice(0, keptStart)}\n[… ${left} characters left out …]\n${end.slice(-keptEnd)}`;
}

/** An editor or a pager: what it painted says nothing. */
function isFullScreen(raw: string): boolean {
  return raw.includes('\u001b[?1049h') || raw.includes('\u001b[?47h');
}
