import type { ChangedInput, NoticeFact } from '../facts/notice.ts';
import { showCall } from '../shell/quoteWord.ts';
import { countOf, inSentence } from '../view/quantity.ts';
import { clockText } from './clockText.ts';

/** Something the reader should know, in one or two sentences. */
export function noticeText(fact: NoticeFact): string {
  switch (fact.kind) {
    case 'indexRefresh':
      return 'git would also refresh its index, which changes nothing but its speed; that is left out here.';
    case 'outputCut':
      return 'The output was longer than the limit and is cut here.';
    case 'withheld': {
      const [first, ...more] = fact.names;
      const others = more.length > 0 ? ` and ${countOf(more.length, 'other secret', 'other secrets')}` : '';
      return `The value of ${first}${others} is kept back, because the command does not name it; what stands here is made up.`;
    }
    case 'promptUnseen':
      return `What ${fact.shell} of this terminal exports by now (a virtual environment, PATH) cannot be told here; this is predicted in the environment of a new terminal.`;
    case 'offline': {
      const others =
        fact.to.length > 1 ? ` and ${countOf(fact.to.length - 1, 'other address', 'other addresses')}` : '';
      return `Rehearsed offline: it tried to reach ${fact.to[0] ?? 'the network'}${others}, and went on without an answer. With a network it may print and do something else.`;
    }
    case 'remembered': {
      const really =
        fact.reallyAt === undefined ? '' : ` It was really run at ${clockText(fact.reallyAt)}, and came out so.`;
      if (fact.argv !== undefined)
        return `${showCall(fact.argv)} is remembered: the same ${countOf(fact.of, 'input')} as at ${clockText(fact.at)}, when it was rehearsed. It was not run; the rest of the line was, on what it printed and changed then.`;
      return `Remembered: the same ${countOf(fact.of, 'input')} as at ${clockText(fact.at)}, when it was rehearsed.${really} Nothing was run.`;
    }
    case 'contradicted':
      return `Not remembered: a real run at ${clockText(fact.at)} came out otherwise than its rehearsal, so that something decides it which nobody compares. Until tomorrow it is rehearsed each time.`;
    case 'inputsChanged': {
      const names = fact.changed.map(changedText).join(', ');
      const more = fact.count > fact.changed.length ? ' …' : '';
      return `Not remembered: ${fact.count.toLocaleString('en-US')} of ${countOf(fact.of, 'input')} changed since ${clockText(fact.at)}: ${names}${more}.`;
    }
    case 'computedRest': {
      const text = 'What was not run is computed from the words of the command and the files that are here.';
      return fact.isCut ? `${text} There is more of it than is listed.` : text;
    }
    case 'samplesDisagree': {
      const all = fact.votes.map((vote) => `${vote.count} × ${vote.says}`).join(', ');
      return `The samples of “${fact.title}” disagree: ${all}. What most of them say counts.`;
    }
    case 'conditionMissing':
      return `The reply does not comply with the condition “${fact.title}”: the action meets it, and nothing of it is shown.`;
    case 'endUnsaid':
      return 'The model does not say how the command ends.';
    case 'outsideWorkspace':
      return `The model says that ${fact.path} changes too, which is outside the workspace.`;
    case 'binaryFile':
      return `${fact.file} is a binary file; what stands in it is not predicted.`;
    case 'countedFolder': {
      const many = fact.files === 0 ? 'Files' : countOf(fact.files, 'file');
      return `${many} in ${fact.folder} ${fact.files === 1 ? 'is' : 'are'} said to be new or changed; what a tool keeps there is counted, and not listed.`;
    }
    case 'toolWordless':
      return 'What the tool answers is not predicted; its words depend on the agent and its version.';
    case 'packagesUnknown':
      return fact.because === 'noLists'
        ? 'No lists of packages are here, so what would be installed is not known; `sudo apt-get update` fetches them.'
        : `With the lists of packages that are here, apt would fail: ${fact.says ?? 'it gives no reason'}`;
    case 'patchAsks':
      return 'At a terminal, patch would ask here; without one it takes the answer that it shows in brackets.';
    case 'replaces':
      return `${countOf(fact.matches, 'match', 'matches')} in ${countOf(fact.files, 'file')} would be replaced.`;
    case 'searchCut':
      return `Only the first ${fact.files.toLocaleString('en-US')} files were searched; name some with a glob.`;
    case 'tool':
      return fact.sentence;
  }
}

/** What of the machine can have changed. */
const machineWords: Readonly<Record<string, string>> = {
  version: 'the version of Foretell',
  kernel: 'the kernel',
  host: 'the machine',
  user: 'the user',
  umask: 'the umask',
  limits: 'the limits of processes',
  month: 'the month',
  hour: 'the hour',
  shell: 'what the interactive shell begins with',
};

function changedText({ kind, name }: ChangedInput): string {
  if (kind === 'variable') return `the variable ${name}`;
  return kind === 'machine' ? (machineWords[name] ?? name) : inSentence(name);
}
