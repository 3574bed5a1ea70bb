import type { Failure } from '../facts/failure.ts';
import { formatBytes, inSentence } from '../view/quantity.ts';
import { durationText } from './durationText.ts';
import { opening, type Standing } from './sentence.ts';

/** Why there is no whole prediction, as one sentence, where it can with a next step. */
export function failureText(failure: Failure, standing: Standing = 'alone'): string {
  const it = opening('it', standing);
  switch (failure.kind) {
    case 'timeLimit':
      return `${it} was still running after ${durationText(failure.limitMs)} and was stopped; raise the time limit to see more.`;
    case 'due':
      return `${it} could not be predicted as a whole in the time that there was.`;
    case 'diskLimit':
      if (failure.copied) {
        const { path, sizeBytes } = failure.copied;
        return `${opening('a rehearsal', standing)} copies a file before it is changed, and ${inSentence(path)} (${formatBytes(sizeBytes)}) is more than its disk limit; raise the limit to see more.`;
      }
      return `${it} writes more than the disk limit of a rehearsal; raise the limit to see more.`;
    case 'memoryLimit':
      return `${it} needs more memory than a rehearsal may use; raise the limit to see more.`;
    case 'processLimit':
      return `${it} starts more than ${failure.processes} processes at once and was stopped.`;
    case 'otherSystem':
      return otherSystemText(failure.platform);
    case 'launcherMissing':
      return `${opening('the launcher', standing)} ${failure.path} is missing or not executable; install the extension again, or run npm run build.`;
    case 'notStarted':
      return `${it} could not be started: ${failure.because}.`;
    case 'gateSlipped':
      return `${opening('a program', standing)} changed while it was being started and was killed (${failure.path}).`;
    case 'stopped':
      return `${it} was stopped: ${failure.because || 'no reason given'}.`;
    case 'confinement':
      return failure.because;
    case 'launcherEnded':
      return `${opening('the launcher', standing)} ended before the prediction was complete (${failure.because}); predict again.`;
    case 'internal':
      return `Foretell has a fault: ${failure.error}`;
    case 'told':
      return failure.message;
  }
}

/** What is not possible on this system yet, and where it is. */
function otherSystemText(platform: string): string {
  switch (platform) {
    case 'win32':
      return 'Commands are rehearsed on Linux only. WSL is Linux inside Windows: open the folder there.';
    case 'darwin':
      return 'Commands are rehearsed on Linux only, not on macOS yet; open the folder in a container or over SSH, or let a model imagine them.';
    default:
      return `Commands are rehearsed on Linux only, not on ${platform}; open the folder in a container or over SSH, or let a model imagine them.`;
  }
}
