import type { RecordedTurn } from '../../../action/action.ts';
import type { TurnAction } from '../../../action/turnAction.ts';
import type { EventOf } from '../../../prediction/event.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { Rehearsal } from '../../../prediction/rehearsal.ts';
import { realView } from '../../../view/realView.ts';
import type { Looker } from '../../../view/view.ts';
import { type Dialect, type Domain, domains } from '../prompt/turns/turn.ts';
import { commandOf } from '../prompt/turns/turnText.ts';
import { parseShellReply } from '../prompt/turns/turnTextShell.ts';
import { turnForm } from '../reply/answerForms.ts';
import { exitCodeOfSignal } from '../reply/readShellReply.ts';
import { createAsker } from './ask.ts';
import { type ImaginationEnding, imagination } from './imagination.ts';
import type { LanguageRequest } from './languageRequest.ts';
import { failureOfUnanswered } from './outcome.ts';

/** What is needed to ask about one turn. */
export interface TurnGrounds {
  language: LanguageRequest | undefined;
  looker: Looker;
  signal: AbortSignal;
}

/**
 * The model predicts one turn of a trajectory from the turns before it (`language.turn`), in any domain. Nothing else is
 * added to the prompt. The observation is told as output; that of a shell tool is taken apart into standard output,
 * standard error and exit code, and stands whole in the reply. Never rejects; failures are events.
 */
export function imagineTurn(grounds: TurnGrounds, action: RecordedTurn): Rehearsal {
  return {
    events: imagination(grounds.signal, (push) => imagine(grounds, action, push)),
    view: realView(),
    inView: grounds.looker,
  };
}

async function imagine(
  { language, signal }: TurnGrounds,
  action: RecordedTurn,
  push: (event: FactEvent) => void,
): Promise<ImaginationEnding> {
  const domain = domains.find((name) => name === action.domain);
  if (!domain) {
    const message = `There is no domain called ${action.domain}; choose from ${domains.join(', ')}.`;
    return { type: 'failed', failure: { kind: 'told', code: 'unknown-domain', message } };
  }
  if (!language) {
    const message = 'No model is configured that could predict a turn; connect one.';
    return { type: 'failed', failure: { kind: 'told', code: 'no-model', message } };
  }
  const { turn } = language;
  if (!turn) {
    const message = 'What came before the turn is missing; give its messages or its turns.';
    return { type: 'failed', failure: { kind: 'told', code: 'no-turns', message } };
  }
  const title = commandOf(action.turn)?.trim() ?? (action.turn.kind === 'tool' ? action.turn.name : 'the turn');
  const asked = await createAsker(language, push).ask({
    ...turn,
    purpose: 'command',
    title,
    domain,
    form: turnForm(domain === 'swe' && commandOf(action.turn) !== undefined, dialectOf(action.turn, language)),
    turns: 'turns' in turn ? turn.turns : [],
    acted: action.turn,
    leftOut: [],
    redacted: [],
    sampled: true,
    signal,
  });
  if (!asked.ok) {
    const { because } = asked;
    if (because.kind === 'unknown')
      return { type: 'abstained', doubt: { kind: 'modelUnknown', of: title, says: because.says } };
    return { type: 'failed', failure: failureOfUnanswered(because) };
  }
  for (const event of factsOfObservation(action, domain, asked.observation, language.dialect ?? 'qwen')) push(event);
  if (asked.incomplete === undefined) return { type: 'done' };
  return { type: 'abstained', doubt: { kind: 'replyNotWhole', of: title, warning: asked.incomplete } };
}

/** Which dialect a recorded tool speaks, its name says. */
function dialectOf(turn: TurnAction, language: Pick<LanguageRequest, 'dialect'>): Dialect {
  const name = turn.kind === 'tool' ? turn.name : '';
  return name === 'Bash' ? 'claude' : name === 'run_shell_command' ? 'qwen' : (language.dialect ?? 'qwen');
}

/**
 * What an observation says, as events: that of a shell tool as standard output, standard error and exit code, any other
 * as standard output.
 */
export function factsOfObservation(
  { turn }: RecordedTurn,
  domain: Domain,
  observation: string,
  dialect: Dialect,
): EventOf<'output' | 'exit'>[] {
  const isShell = domain === 'swe' && turn.kind === 'tool' && commandOf(turn) !== undefined;
  if (!isShell) {
    return observation === '' ? [] : [{ type: 'output', stream: 'stdout', text: observation, basis: 'imagined' }];
  }
  const { stdout, stderr, exitCode, signal } = parseShellReply(dialectOf(turn, { dialect }), observation);
  const events: EventOf<'output' | 'exit'>[] = [];
  if (stdout !== '') events.push({ type: 'output', stream: 'stdout', text: stdout, basis: 'imagined' });
  if (stderr !== '') events.push({ type: 'output', stream: 'stderr', text: stderr, basis: 'imagined' });
  const ended = exitCode ?? (signal === undefined ? undefined : exitCodeOfSignal(signal));
  // A number that no program can end with is no exit code.
  if (ended !== undefined && ended >= 0 && ended <= 255) events.push({ type: 'exit', code: ended, basis: 'imagined' });
  return events;
}
