import { askGit, endOf } from '../../loss/git/gitPlumbing.ts';
import { type GitCommand, gitCommandOf } from '../../programs/gitCommand.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import type { Looker } from '../../view/view.ts';
import { type Candidate, type Gathered, worth } from './candidate.ts';
import type { NamedProgram } from './scriptPrograms.ts';

/** A question to git: what is shown to the model is what is asked, with everything off that could run other programs. */
interface GitQuestion {
  /** Without `git`. */
  words: string;
  volatility: number;
  worth: number;
  part: Candidate['part'];
  why: string;
  /** Asked only where this names an object. */
  needs?: string;
}

/** These compare every file of the working tree, which takes long where there are many. */
const touchesFiles = /^(?:diff(?: --cached)?$|status|ls-files --others)/;
const treeLimitMs = 110;
const mostBytes = 60_000;

function gitCallOf({ words, cwd }: NamedProgram): GitCommand | undefined {
  return gitCommandOf(
    words.map(({ text }) => text),
    cwd,
  );
}

const history = `log --all --date-order -n 40 --date=iso --name-status --format='%H %h%d%n%an <%ae> %ad%n%B'`;

/** What is asked of git in every workspace. */
const always: readonly GitQuestion[] = [
  {
    words: 'log --oneline --decorate -n 12',
    volatility: 2,
    worth: worth.status + 2,
    part: 'volatile',
    why: 'the last commits',
  },
  { words: 'branch -vv', volatility: 2, worth: worth.status + 1, part: 'volatile', why: 'the branches' },
];

function asksFor(call: GitCommand): GitQuestion[] {
  const why = `the action asks git ${call.command}`;
  const base = { volatility: 6, worth: worth.git, part: 'action' as const, why };
  const questions: GitQuestion[] = [];
  const add = (words: string, value = 0, needs?: string) =>
    questions.push({ ...base, words, worth: worth.git + value, ...(needs ? { needs } : {}) });
  const { command } = call;
  const revisions = call.words
    .filter((word) => /^[\w./~^@{}:+-]{1,200}$/.test(word) && !word.startsWith('-'))
    .slice(0, 4);
  if (
    /^(?:log|shortlog|rev-list|show|describe|blame|annotate|reflog|cherry|cherry-pick|rebase|merge|revert|bisect|format-patch|whatchanged|name-rev|merge-base|range-diff|last|lg|rev-parse|tag|branch|count)$/.test(
      command,
    )
  )
    add(history, 2);
  if (/^(?:reflog|reset|rebase|checkout|switch)$/.test(command) || revisions.some((word) => /@\{/.test(word)))
    add('reflog -n 20 --date=iso');
  if (
    /^(?:diff|difftool|stash|add|commit|checkout|restore|reset|apply|am|rm|mv|switch|status|st|clean|diff-index|diff-files)$/.test(
      command,
    )
  ) {
    add('diff --cached');
    add('diff');
    add('status --porcelain=v1 --ignored', 1);
  }
  if (command === 'stash') {
    add("stash list --format='%gd: %gs %H'");
    add('stash show -p --include-untracked', 0, 'refs/stash');
  }
  if (
    /^(?:branch|tag|for-each-ref|show-ref|push|pull|fetch|remote|checkout|switch|merge|rebase|describe|worktree|ls-remote|rev-parse|symbolic-ref|cherry)$/.test(
      command,
    )
  ) {
    add(
      "for-each-ref --format='%(objectname) %(objectname:short) %(refname) %(refname:short) %(objecttype) %(upstream:short) %(upstream:track) %(creatordate:iso) %(subject)'",
      1,
    );
  }
  if (/^(?:remote|push|pull|fetch|clone|ls-remote|config)$/.test(command)) add('remote -v', 1);
  if (/^(?:config|remote|var)$/.test(command)) add('config --list --show-origin');
  if (command === 'worktree') add('worktree list --porcelain');
  if (
    /^(?:ls-files|ls-tree|grep|archive|rm|cat-file|rev-parse|check-ignore|submodule|hash-object|update-index|sparse-checkout)$/.test(
      command,
    )
  ) {
    add('ls-files --stage');
    add('ls-files --others --exclude-standard');
  }
  if (/^(?:grep|blame|annotate)$/.test(command))
    for (const word of revisions)
      if (/\.\w+$/.test(word)) add(`log -n 10 --date=iso --format='%H %h %an %ad %s' -- ${quoteWord(word)}`);
  for (const word of revisions) {
    if (/^(?:ls-files|add|config|clean|apply|am|mv)$/.test(command)) break;
    const range = /^(.+?)\.{2,3}(.+)$/.exec(word);
    if (range) {
      add(`log -p --date=iso --format=fuller ${quoteWord(word)}`, -1, range[1]);
      add(`diff ${quoteWord(word)}`, -2, range[1]);
    } else if (/:/.test(word)) add(`show ${quoteWord(word)}`, 5, word);
    else if (
      /^(?:show|log|diff|cat-file|ls-tree|checkout|cherry-pick|revert|merge|rebase|switch|restore|reset|whatchanged|branch|describe)$/.test(
        command,
      )
    ) {
      add(`show --date=iso --format=fuller --stat -p ${quoteWord(word)}`, 4, word);
      if (command === 'ls-tree') add(`ls-tree -r -l ${quoteWord(word)}`, 0, word);
      if (/^(?:diff|merge|rebase|checkout|switch)$/.test(command)) add(`diff HEAD ${quoteWord(word)}`, -1, word);
      if (/^(?:log|cherry-pick)$/.test(command))
        add(`log -p -n 6 --date=iso --format=fuller ${quoteWord(word)}`, -2, word);
    }
  }
  if (/^(?:show|log|whatchanged|last)$/.test(command)) add('log -p --stat -n 4 --date=iso --format=fuller', -1, 'HEAD');
  return questions;
}

/**
 * What git knows of the workspace, and what the calls of git in the action will look at. Never the call itself: a fixed
 * set of looks by subcommand. Two process starts a folder: what comes from git's objects, and what compares the files,
 * which is left out where it takes longer than 110 ms. A folder outside of any repository gives nothing.
 */
export async function gatherGit(
  programs: readonly NamedProgram[],
  place: { looker: Looker; cwd: string; signal: AbortSignal; limitMs: number },
): Promise<Gathered> {
  const byFolder = new Map<string, GitQuestion[]>([[place.cwd, [...always]]]);
  for (const program of programs) {
    const call = gitCallOf(program);
    if (!call || (byFolder.size >= 4 && !byFolder.has(call.cwd))) continue;
    const questions = byFolder.get(call.cwd) ?? [...always];
    for (const question of asksFor(call)) {
      if (!questions.some((one) => one.words === question.words) && questions.length < 24) questions.push(question);
    }
    byFolder.set(call.cwd, questions);
  }
  const gathered: Gathered = { candidates: [], leftOut: [] };
  await Promise.all(
    [...byFolder].map(async ([cwd, questions]) => {
      const slow = questions.filter(({ words }) => touchesFiles.test(words));
      const [fast, late] = await Promise.all([
        askFolder(
          cwd,
          questions.filter((one) => !slow.includes(one)),
          place,
        ),
        slow.length > 0 ? askFolder(cwd, slow, { ...place, limitMs: treeLimitMs }) : [],
      ]);
      gathered.candidates.push(...(fast ?? []), ...(late ?? []));
      if (late) return;
      const why = `it takes longer than ${treeLimitMs} ms in this repository`;
      gathered.leftOut.push(...slow.map(({ words }) => ({ what: `git ${words}`, why })));
    }),
  );
  return gathered;
}

async function askFolder(
  cwd: string,
  questions: readonly GitQuestion[],
  place: { looker: Looker; signal: AbortSignal; limitMs: number },
): Promise<Candidate[] | undefined> {
  const script = questions
    .map(({ words, needs }, index) => {
      const run = `g ${words} 2>/dev/null | head -c ${mostBytes}; ${endOf(`q${index}`)}`;
      return needs
        ? `if g rev-parse -q --verify --end-of-options ${quoteWord(needs)} >/dev/null 2>&1; then ${run}; fi`
        : run;
    })
    .join('\n');
  const answer = await askGit(place, cwd, `g rev-parse --git-dir >/dev/null 2>&1 || exit 0\n${script}`, {
    limitMs: place.limitMs,
    settings: [['core.quotePath', 'false']],
  }).catch(() => undefined);
  // What was not done in time has no section at all, a folder without a repository an empty answer.
  if (!answer || answer.isCut) return undefined;
  return questions.flatMap((question, index) => {
    const section = answer.sections.get(`q${index}`);
    if (!section || section.text === '') return [];
    const { volatility, worth: value, part, why } = question;
    const text = Buffer.from(section.text, 'latin1').toString('utf8');
    const whole = section.text.length < mostBytes ? text : text.slice(0, text.lastIndexOf('\n') + 1);
    const look = { kind: 'run' as const, command: `git ${question.words}`, cwd, exitCode: 0 };
    return [{ look, text: whole, why, volatility, worth: value, part }];
  });
}

/** `git status` as one look, with a limit of time; `undefined` when it was not done by then. `paths`: only these. */
export async function gitStatus(
  place: { looker: Looker; cwd: string; signal: AbortSignal; limitMs: number },
  paths: readonly string[] = [],
): Promise<{ command: string; text: string } | undefined> {
  const words = `status --porcelain=v1 -b${paths.length > 0 ? ` -- ${paths.map((word) => quoteWord(word)).join(' ')}` : ''}`;
  const answer = await askGit(place, place.cwd, `g ${words} 2>/dev/null; ${endOf('status')}`, {
    limitMs: place.limitMs,
    settings: [['core.quotePath', 'false']],
  }).catch(() => undefined);
  const section = answer?.sections.get('status');
  if (section?.exitCode !== 0) return undefined;
  return { command: `git ${words}`, text: Buffer.from(section.text, 'latin1').toString('utf8') };
}
