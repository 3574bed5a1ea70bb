import type { DoorCall, Doubt } from '../facts/doubt.ts';
import { formatBytes, inSentence } from '../view/quantity.ts';
import { assumptionReasonText, notKnownClause, withRule } from './assumptionText.ts';
import { durationText } from './durationText.ts';
import { programText } from './programText.ts';
import { opening, type Standing, withStop } from './sentence.ts';

/** Why something could not be claimed, as one sentence, and the program or place where. */
export function doubtText(doubt: Doubt, standing: Standing = 'alone'): { reason: string; at: string } {
  const it = opening('it', standing);
  switch (doubt.kind) {
    case 'connects':
      return {
        reason: `${it} would connect to ${doubt.to}; a prediction makes no connection, so the answer is unknown.`,
        at: doubt.to,
      };
    case 'portTaken':
      return {
        reason: `${it} would listen on ${doubt.on}, where another program listens now; end that one, or predict again when it has ended.`,
        at: doubt.on,
      };
    case 'looksBehindSignal': {
      const reason = `${it} looks for processes after it would have signalled some; which there are by then is unsure.`;
      return { reason, at: doubt.command };
    }
    case 'asksSystem':
      return { reason: `${it} asks the system for ${doubt.what}, which a rehearsal refuses.`, at: doubt.what };
    case 'changesSystem': {
      const reason = `${it} changes the system (${doubt.what}), which a rehearsal does not do; what comes after is unsure.`;
      return { reason, at: doubt.what };
    }
    case 'needsMachine':
      return { reason: `${it} needs ${doubt.what}, which a rehearsal does not touch.`, at: doubt.what };
    case 'notAllListed':
      return {
        reason: `${opening('not all changes', standing)} could be listed: ${doubt.because}.`,
        at: doubt.because,
      };
    case 'outputCut':
      return { reason: `${opening('the output', standing)} is longer than the limit and was cut.`, at: 'output' };
    case 'goesOn': {
      const reason = `${it} was still running after ${durationText(doubt.afterMs)}, and waited; what it would do later is not known.`;
      return { reason, at: 'a program that goes on running' };
    }
    case 'runsOn': {
      const what = programText(doubt);
      return {
        reason: `${opening('what it leaves running', standing)} goes on with \`${what}\`, after the command has ended.`,
        at: what,
      };
    }
    case 'exitCodeVaries':
      return { reason: `${opening('the exit code', standing)} differed between two runs in a row.`, at: 'exit code' };
    case 'outputVaries':
    case 'outputLeft':
      return { reason: byChanceText(doubt, standing), at: 'output' };
    case 'foreignOwners': {
      const reason = `${it} touches files of owners that a copy cannot have; whether it could change them is unsure.`;
      return { reason, at: 'files of other owners' };
    }
    case 'copiesIntoItself': {
      const reason = 'cp copies a folder into itself; how much of it depends on the order on the real disk.';
      return { reason, at: 'cp' };
    }
    case 'movesAcross': {
      const reason = `${opening('moving', standing)} between file systems failed; on the real ones it may work, or fail in other words.`;
      return { reason, at: 'mv' };
    }
    case 'assumption': {
      const { argv, label, script = '', assumes, unknown } = doubt;
      const name = argv === undefined ? 'it' : `\`${programText({ argv, label })}\``;
      return {
        reason: withStop(opening(withRule(notKnownClause(name, assumes, unknown), assumes), standing)),
        at: argv === undefined ? script : argv.join(' '),
      };
    }
    case 'earlierAssumption': {
      const reason = `${it} rests on an assumption that an earlier command of this session needed.`;
      return { reason, at: 'an earlier command' };
    }
    case 'promptDefinition':
    case 'promptName':
      return { reason: promptText(doubt), at: doubt.name };
    case 'startUnread':
      return { reason: startUnreadText(doubt.shell), at: doubt.shell };
    case 'noCopy': {
      const reason = `${it} would change something (${inSentence(doubt.what)}), and this system does not let a copy be made. ${doubt.because}`;
      return { reason, at: doubt.what };
    }
    case 'tool':
      return { reason: doubt.clause, at: doubt.tool };
    case 'modelUnknown':
      return {
        reason: withStop(opening(assumptionReasonText({ kind: 'unknown', says: doubt.says }), standing)),
        at: doubt.of,
      };
    case 'replyNotWhole':
      return { reason: doubt.warning, at: doubt.of };
    case 'modelNeverEnds':
      return { reason: `${opening('the model', standing)} says that it does not end by itself.`, at: doubt.script };
    case 'modelEndUnsaid':
      return { reason: `${opening('the model', standing)} does not say how the command ends.`, at: doubt.script };
    default:
      return { reason: pathReason(doubt, standing), at: doubt.path };
  }
}

function byChanceText(doubt: Extract<Doubt, { kind: 'outputVaries' | 'outputLeft' }>, standing: Standing): string {
  if (doubt.kind === 'outputVaries')
    return `${opening('what it prints', standing)} depends on which of its programs begins first, and that is chance.`;
  const who = doubt.argv ? `\`${programText({ argv: doubt.argv })}\`` : opening('a program', standing);
  return `${who} ended before a pipe had taken all that it wrote; how much of that arrives is chance.`;
}

type PathDoubt = Extract<Doubt, { path: string }>;

function pathReason(doubt: PathDoubt, standing: Standing): string {
  const it = opening('it', standing);
  const { path } = doubt;
  switch (doubt.kind) {
    case 'moveTooLarge':
      return `${opening('the folder', standing)} ${path} is too large to be moved in a rehearsal, holds files of others, or somebody is in it; what comes after is unsure.`;
    case 'hardLinks':
      return `${path} has ${doubt.names} names (hard links); writing it would change them all.`;
    case 'otherOwner':
      return `${path} belongs to somebody else; whether it could be changed is unsure.`;
    case 'waitsUnserved':
      return `${it} waits for ${path}, and nobody serves it in a rehearsal.`;
    case 'readsMachine':
      return `${it} reads ${path}, which in a rehearsal is not what it really is.`;
    case 'showsCopyStatus':
      return `${it} shows sizes, owners or link counts of ${path}, which differ in a copy.`;
    case 'door':
      return doorReason(doubt.call, path, standing);
    case 'changedMeanwhile': {
      const { others } = doubt;
      const more = others === 0 ? '' : ` and ${others === 1 ? 'another path' : `${others} more paths`}`;
      return `${opening('somebody else', standing)} changed ${path}${more} while this was predicted; predict again.`;
    }
    case 'madeByChance':
      return `${path} was made in one of several runs in a row, and not in the one that is shown.`;
    case 'contended':
      return `Two of its jobs beside each other want ${path}, which one of them can have at a time; whether they meet is chance.`;
    case 'race':
      return `${opening('which of its programs begins first', standing)} is chance; it decides whether ${path} loses its content.`;
    case 'mountBusy':
      return `${path} cannot be removed or replaced in a rehearsal; it really might be.`;
    case 'linksCounted':
      return `${path} has more than one name (hard links), and something counts them.`;
    case 'noRoom':
      return `${path} has room for ${formatBytes(doubt.freeBytes)}, and it needs ${formatBytes(doubt.neededBytes)}; what it does on a full disk is unsure.`;
    case 'gitLinks':
      return 'git links the objects of a repository on this machine; in a copy it makes copies with other permissions.';
  }
}

function doorReason(call: DoorCall, path: string, standing: Standing): string {
  const it = opening('it', standing);
  const another = opening('another program', standing);
  switch (call) {
    case 'writesDevice':
      return `${it} writes to the device ${path}; in a rehearsal nothing of it arrives there.`;
    case 'changesNode':
      return `${it} changes ${path}, the node of a device; a rehearsal leaves it as it is.`;
    case 'writesKernel':
      return `${it} writes to ${path}, which belongs to the kernel; in a rehearsal nothing of it arrives there.`;
    case 'writesProcess':
      return `${it} writes to ${path}; in a rehearsal nothing of it arrives there.`;
    case 'readsUnknown':
      return `${it} reads ${path}, which a rehearsal does not touch; what it would read is unknown.`;
    case 'opensPipe':
      return `${it} opens ${path}, whose other end is a real program; a rehearsal does not disturb that.`;
    case 'breaksLease':
      return `${another} holds a lease on ${path} and would be asked to give it up.`;
    case 'locks':
      return `${it} locks ${path}; a rehearsal does not take the lock, so whether it is free is unknown.`;
    case 'waitsForLock':
      return `${another} holds a lock on ${path}; whether it would have to wait is unknown.`;
  }
}

function promptText(doubt: Extract<Doubt, { kind: 'promptDefinition' | 'promptName' }>): string {
  const name = `\`${doubt.name}\``;
  if (doubt.kind === 'promptName')
    return `${name} may be an alias or a function in this terminal, which cannot be asked; a new shell knows nothing of that name.`;
  const what = doubt.is === 'alias' ? 'an alias' : 'a function';
  return `${name} is, or was, ${what} in this terminal, and a new shell has it otherwise; what it means there was not rehearsed.`;
}

function startUnreadText(shell: string): string {
  return `The start files of ${shell} were not read to their end (they take too long, or start something else), so an alias or a function of them may make something else of this; the setting \`foretell.interactiveShell\` leaves them out.`;
}
