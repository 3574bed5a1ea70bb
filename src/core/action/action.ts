import * as z from 'zod/mini';
import { TurnAction } from './turnAction.ts';

/** Shells whose language an action can be written in. */
export const ShellName = z.enum(['bash', 'sh', 'zsh', 'fish', 'pwsh', 'cmd']);
export type ShellName = z.infer<typeof ShellName>;

/** A shell command or script that the user is about to run. `cwd` is absolute. */
export const CommandAction = z.object({
  kind: z.literal('command'),
  script: z.string(),
  shell: ShellName,
  cwd: z.string(),
});
export type CommandAction = z.infer<typeof CommandAction>;

/** How the text of a new content becomes bytes; the names are those of VS Code. `base64`: the text is bytes already. */
export const TextEncoding = z.enum(['utf8', 'utf8bom', 'utf16le', 'utf16be', 'iso88591', 'base64']);
export type TextEncoding = z.infer<typeof TextEncoding>;

/** What somebody read in a file: a digest (sha256, lower-case hexadecimal) or the whole text in UTF-8. */
export const ReadContent = z.object({ sha256: z.optional(z.string()), text: z.optional(z.string()) });
export type ReadContent = z.infer<typeof ReadContent>;

/** The new content of one path. `after: null` deletes a file. */
export const ContentChange = z.object({
  /** Absolute. */
  path: z.string(),
  after: z.nullable(z.string()),
  /** Default `utf8`. */
  encoding: z.optional(TextEncoding),
  /** Permission bits, four octal digits; default: those that are there, or the usual ones. */
  mode: z.optional(z.string()),
  /** `after` is the target of a symbolic link, which takes the place of what is there. */
  isSymlink: z.optional(z.boolean()),
  /** What the caller read there before: where the file is another one by now, the prediction says so. */
  expected: z.optional(ReadContent),
});
export type ContentChange = z.infer<typeof ContentChange>;

/** What is done to files as a whole, as in an explorer. Paths are absolute. */
export const FileOperation = z.discriminatedUnion('kind', [
  /** A folder is deleted with everything in it. */
  z.object({ kind: z.literal('delete'), path: z.string() }),
  z.object({ kind: z.literal('rename'), from: z.string(), to: z.string(), overwrite: z.optional(z.boolean()) }),
  z.object({ kind: z.literal('copy'), from: z.string(), to: z.string(), overwrite: z.optional(z.boolean()) }),
  z.object({ kind: z.literal('create'), path: z.string(), isFolder: z.optional(z.boolean()) }),
]);
export type FileOperation = z.infer<typeof FileOperation>;

/** Agents whose editing tools are known. `mcp`: the filesystem server of the Model Context Protocol. */
export const AgentName = z.enum([
  'aider',
  'claude',
  'cline',
  'codex',
  'copilot',
  'cursor',
  'gemini',
  'mcp',
  'opencode',
  'openhands',
  'qwen',
  'roo',
  'swe-agent',
]);
export type AgentName = z.infer<typeof AgentName>;

/** A call of an editing tool, as an agent makes it. */
export const ToolCall = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });
export type ToolCall = z.infer<typeof ToolCall>;

/** Replaces text in many files. `include` and `exclude` are globs relative to `folder`. */
export const SearchReplace = z.object({
  /** Absolute. */
  folder: z.string(),
  search: z.string(),
  replacement: z.string(),
  /** `search` is a JavaScript regular expression, and `$1` in the replacement is a group. */
  isRegex: z.optional(z.boolean()),
  /** Default false. */
  matchCase: z.optional(z.boolean()),
  wholeWord: z.optional(z.boolean()),
  include: z.optional(z.array(z.string())),
  exclude: z.optional(z.array(z.string())),
});
export type SearchReplace = z.infer<typeof SearchReplace>;

/** A patch and the tool that applies it, in the working directory of the edit. */
export const PatchEdit = z.object({
  text: z.string(),
  /** Default `utf8`; `base64` where the patch is not text. */
  encoding: z.optional(TextEncoding),
  tool: z.enum(['git-apply', 'patch']),
  /** Leading parts of file names that are taken away (`-p`). */
  strip: z.number(),
  /** `patch -F`; default: that of the tool. */
  fuzz: z.optional(z.number()),
  reverse: z.optional(z.boolean()),
  /** More options of the tool, such as `--3way` or `--reject`. */
  options: z.optional(z.array(z.string())),
});
export type PatchEdit = z.infer<typeof PatchEdit>;

/**
 * What the user is about to do to files. Done in this order: `operations`, `changes`, `replace`, `calls`; a `patch` stands
 * alone. `cwd` (absolute) is where relative names of calls and of the patch begin.
 */
export const EditAction = z.object({
  kind: z.literal('edit'),
  changes: z.array(ContentChange),
  cwd: z.optional(z.string()),
  operations: z.optional(z.array(FileOperation)),
  replace: z.optional(SearchReplace),
  calls: z.optional(z.array(ToolCall)),
  /**
   * Who makes the calls, where the caller knows: several agents have tools of the same name.
   */
  agent: z.optional(AgentName),
  /** Its version, such as `2.1.330` or `2.1`. What a tool answers is only claimed for versions whose words were checked. */
  agentVersion: z.optional(z.string()),
  patch: z.optional(PatchEdit),
  /** What the caller read before it made the calls or the patch, by absolute path: as `expected`. */
  expected: z.optional(z.record(z.string(), ReadContent)),
});
export type EditAction = z.infer<typeof EditAction>;

/** The action of one turn of a trajectory, predicted from the turns before it. `domain` is one of AgentWorldBench's seven. */
export const RecordedTurn = z.object({
  kind: z.literal('turn'),
  domain: z.string(),
  turn: TurnAction,
  /** Absolute; where known. */
  cwd: z.optional(z.string()),
});
export type RecordedTurn = z.infer<typeof RecordedTurn>;

/** What can be done on this machine, and rehearsed. */
export type LiveAction = CommandAction | EditAction;

/** What is to be predicted. */
export const Action = z.discriminatedUnion('kind', [CommandAction, EditAction, RecordedTurn]);
export type Action = z.infer<typeof Action>;

/** The text of a command and the shell that reads it; an empty text of what is no command. */
export function writtenText(action: Action): { script: string; shell?: ShellName } {
  return action.kind === 'command' ? { script: action.script, shell: action.shell } : { script: '' };
}
