import type { ChatMessage, LanguageProvider, SamplingParameters } from '../client/provider.ts';
import type { Dialect, Domain, Turn } from '../prompt/turns/turn.ts';
import type { Placeholder, TemplateFolder } from '../template/templates.ts';
import type { ChangedMessage } from './changedPrompt.ts';

/** One command that really ran in a terminal of the user, with what it printed. */
export interface TerminalCommand {
  command: string;
  cwd: string;
  output: string;
  exitCode?: number;
}

/**
 * What a model is shown of a turn of a trajectory. `messages`: the prompt verbatim, as a row of a benchmark has it.
 * `turns`: the turns, of which the last is asked, to be laid out with the domain's template or with `template`.
 */
export type TurnPrompt =
  | { messages: readonly ChatMessage[] }
  | {
      turns: readonly Turn[];
      /** What the screen shows before the first turn. */
      currentState?: string;
      /** A system prompt in the place of the domain's, verbatim but for placeholders. */
      template?: string;
      values?: Readonly<Partial<Record<Placeholder, string>>>;
      /** A world that there is not, in words: what is said of it counts more than what is usual. */
      fictionalWorld?: string;
    };

/** How a language model takes part in a prediction. */
export interface LanguageRequest {
  provider: LanguageProvider;
  /** Folders with `<domain>/system_prompt.txt`; the first that has a template wins. */
  templateFolders: readonly TemplateFolder[];
  /** System prompts that go before those of the folders, verbatim but for placeholders: what stands unsaved in an editor. */
  templates?: Readonly<Partial<Record<Domain, string>>>;
  /** What the last turn asks for, verbatim, in the place of our own words: those of a benchmark. */
  suffixes?: Readonly<Partial<Record<Domain, string>>>;
  /** `benchmark`: the turns that the model was trained on; `quickstart`: those of its README. Default `benchmark`. */
  style?: 'benchmark' | 'quickstart';
  /** Names of the tools in SWE turns. Default `qwen`. */
  dialect?: Dialect;
  /** Most tokens of workspace context in a prompt. Default 16,000. */
  budgetTokens?: number;
  /** Ids of conditions that it imagines under. */
  conditions?: readonly string[];
  /** The same in the user's own words. */
  conditionText?: string;
  /** How often the same is asked; what more than half of the answers agree on counts. Default 1. */
  samples?: number;
  /** A reply that is no answer is asked for once more, with what was wrong. Default true; where prompts are compared, false. */
  repairs?: boolean;
  parameters?: SamplingParameters;
  /** The last commands of the user's terminals, oldest first. */
  terminalHistory?: readonly TerminalCommand[];
  /** Globs of files that are never shown to the model. */
  excludes?: readonly string[];
  /** Most questions of one prediction; what comes after is assumed. Default 40. */
  mostQuestions?: number;
  /** The model alone predicts the whole command. Default false: it answers for programs that may not run. */
  whole?: boolean;
  /** For an action of kind `turn`: what came before it. */
  turn?: TurnPrompt;
  /**
   * The blocks of each prompt are counted by the model's own tokenizer while the answer is awaited (`counted` events), where
   * the server can. For a reader; default false.
   */
  countsBlocks?: boolean;
  /** Messages of a question that take the place of those that would be sent. */
  changedMessages?: readonly ChangedMessage[];
}
