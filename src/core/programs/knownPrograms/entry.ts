import type { EffectKind } from '../../facts/effect.ts';

/**
 * How much care a call needs: `s` safe, `c` caution, `d` danger.
 * `cv`, `dv`, `ck`, `df`: what it does is visible in the files of a rehearsal, so that these judge in its place. Where they show
 * no harm, `cv` and `df` say nothing more; `dv` and `ck` stay a caution, because another time there may be something to
 * lose.
 */
export type Care = 's' | 'c' | 'd' | 'cv' | 'dv' | 'ck' | 'df';

/**
 * One rule: care, pattern, what it says, and the effect where it is not that of the program.
 *
 * A pattern is words that all have to match, in any order:
 * - `prune`, `prune|rm`: the next word of the subcommand path; `*`: any word there
 * - `-f|--force`: one of these options is given (also in a bundle, `-rf`); `-X=re`: with a value that matches
 * - `!-n|--dry-run`: none of these is given
 * - `~re`: some word (no option) matches, ignoring case; for words whose form alone tells what they are (`of=…`, `777`)
 * - `%home|root`: some word is of one of these classes of targets; `!%glob`: none is; `%>home`: the last word is
 * - `@=re`: a word matches before which stands no other verb; `@1=re`: the first word matches
 * - `@script=re`: the script of sed or awk matches; `@statement=re`: a statement for a database does
 * - `@data=destroys|changes|reads`: what the statements for a database ask for
 * - `@setting=runs`: `git config` sets what makes git run programs; `@setting=given`: `-c` does for this call
 * - `#0`: no words at all; `#2`: at least two words
 *
 * What it says continues the sentence that begins with the command. `{rest}` stands for the words that remain.
 */
export type ProgramRule = readonly [care: Care, pattern: string, says: string, effect?: EffectKind];

/** What is known about a program. The first rule that matches decides; none: `care` and `says` of the entry. */
export interface ProgramEntry {
  names: string;
  effect: EffectKind | 'files' | 'none';
  care: Care;
  says: string;
  /** Options that take the next word as their value. */
  valued?: string;
  /** The first word is options without their dash: `tar xzf a.tgz`. */
  oldOptions?: true;
  /** Options are long with one dash (`find -name`, `terraform -auto-approve`): never bundles of letters. */
  oneDash?: true;
  /** Subcommands are verbs: what no rule knows is judged by the verb (`delete-bucket`, `sites:list`). */
  verbs?: true;
  /** `--help` and `--version` only print. */
  helps?: true;
  /** `--dry-run` (or `--check`) changes nothing. */
  rehearses?: true;
  /** Words after the subcommand are paths: they are what it touches. */
  paths?: true;
  rules?: readonly ProgramRule[];
}
