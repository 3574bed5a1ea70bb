import type { Action, CommandAction } from '../../core/action/action.ts';
import type { Prediction } from '../../core/prediction/prediction.ts';
import type { AskedQuestion } from '../../core/prediction/question.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import { exampleTurns } from '../../core/worlds/language/prompt/turns/exampleTurns.ts';
import type { Turn } from '../../core/worlds/language/prompt/turns/turn.ts';
import { shellAction } from '../../core/worlds/language/prompt/turns/turnTextTools.ts';
import { createPreviewProvider } from '../../core/worlds/language/template/previewProvider.ts';
import type { TemplateFile } from './templateFile.ts';
import type { TemplatesOptions } from './templatesOptions.ts';

/** A prompt that was rendered and not sent. */
export interface RenderedPreview {
  question: AskedQuestion;
  notes: string[];
}

/** What a preview is of, besides the template. */
export interface PreviewOf {
  file: TemplateFile;
  text: string;
  /** The command that was predicted last; absent: none. */
  command: CommandAction | undefined;
  signal: AbortSignal;
}

/**
 * Renders the prompt of a template as a prediction would send it, with the context as it is now. Where the command needs
 * no model, or the domain has no commands, an example takes its place, and a note says so.
 */
export async function renderPreview(
  options: Pick<TemplatesOptions, 'engine' | 'language' | 'editorRequest'>,
  { file: { domain }, text, command, signal }: PreviewOf,
): Promise<RenderedPreview | { problem: string }> {
  const { foldAll } = await import('../../core/foretell.ts');
  const foretell = await options.engine.load();
  const language: LanguageRequest = {
    ...options.language.requestWith(createPreviewProvider()),
    ...{ templates: { [domain]: text }, samples: 1, mostQuestions: 1, countsBlocks: false },
  };
  async function questionOf(action: Action, more: Partial<LanguageRequest>): Promise<Prediction> {
    const request = { ...options.editorRequest(), action, language: { ...language, ...more }, signal };
    const { events, view } = foretell.predict(request);
    try {
      return await foldAll(action, events);
    } finally {
      void view.close();
    }
  }
  const notes: string[] = [];
  const shown = (prediction: Prediction): RenderedPreview | undefined => {
    const [question] = prediction.questions;
    return question && { question, notes };
  };

  const isLive = domain === 'terminal' || domain === 'swe';
  if (isLive && command) {
    const prediction = await questionOf(command, domain === 'terminal' ? { whole: true } : {});
    const preview = shown(prediction);
    if (preview) return preview;
    if (prediction.ending === 'failed') return { problem: prediction.endingReason ?? 'The prompt cannot be rendered.' };
    const failure = prediction.assumptions.find(({ cause }) => cause === 'model-failed');
    if (failure) return { problem: failure.why };
    notes.push(
      'No program of this command needs a model, so it is shown as one call of a shell tool, without context.',
    );
  } else if (isLive) {
    notes.push('No command was predicted in this window yet, so this is an example.');
  } else notes.push(`Prompts of ${domain} are run on trajectories; this turn is an example.`);
  const example = exampleTurns[domain];
  const action: Turn['action'] =
    command && domain === 'swe' ? shellAction(language.dialect ?? 'qwen', command.script, command.cwd) : example.action;
  const { currentState } = example;
  const prediction = await questionOf(
    { kind: 'turn', domain, turn: action },
    {
      turn: {
        turns: [{ action, part: 'action' }],
        ...(currentState === undefined ? {} : { currentState }),
        values: example.values,
      },
    },
  );
  return shown(prediction) ?? { problem: prediction.endingReason ?? 'The prompt cannot be rendered.' };
}
