import type { ForetellRequest } from '../../core/foretell.ts';
import type { AttemptWay } from '../../core/trajectory/attempts/attemptsOf.ts';
import type { TrajectoryStep } from '../../core/trajectory/step/step.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import { type Domain, domains } from '../../core/worlds/language/prompt/turns/turn.ts';
import type { DocumentReading } from './documentReading.ts';
import type { LabCore } from './labCore.ts';
import { type StepWay, templateMark } from './stepWay.ts';

/** A step as it is asked, and what is kept of how it was asked. */
export interface AskedStep {
  step: TrajectoryStep;
  request: Omit<ForetellRequest, 'signal'>;
  way: AttemptWay;
}

/** Its domain; of one that is none the prediction says so. */
export function domainOf(step: TrajectoryStep): Domain {
  return domains.find((one) => one === step.domain) ?? 'terminal';
}

/** Lays out the prompt of a step. Rejects when the scanner for secrets cannot be loaded. Undefined: there is no such step. */
export async function askStep(
  { core, reading, language }: { core: LabCore; reading: DocumentReading; language: LanguageRequest },
  id: string,
  given: StepWay,
  samples: number,
): Promise<AskedStep | undefined> {
  const place = reading.place(id);
  const step = reading.step(id);
  if (!place || !step) return undefined;
  const path = core.pathTo(place).flatMap((one) => {
    const each = reading.step(one.step.id);
    return each ? [{ step: each, observationIsOld: one.observationIsOld }] : [];
  });
  const messages = core.promptThatCame(step, { get: reading.step });
  const isOwn = given.conditions !== undefined;
  const own = {
    presets: core.conditionPresets.filter((one) => given.conditions?.includes(one.id)),
    freeText: given.conditionText ?? '',
  };
  // A prompt that came with the step is sent as it came, unless somebody asks for something else.
  const conditions = isOwn ? given.conditions : messages ? [] : language.conditions;
  const conditionText = isOwn ? given.conditionText : messages ? '' : language.conditionText;
  const turn = await core.stepPrompt({
    path,
    messages,
    restsOnEdited: isEditedSince(place),
    template: given.template?.text,
    conditions: isOwn ? own : undefined,
    fictionalWorld: step.fictionalWorld,
  });
  const template = await templateOf(core, language, step, given, 'messages' in turn || turn.template !== undefined);
  return {
    step,
    request: {
      action: {
        kind: 'turn',
        domain: step.domain,
        turn: core.turnActionOf(step.action, step.domain),
        ...('cwd' in step.action && step.action.cwd !== undefined ? { cwd: step.action.cwd } : {}),
      },
      language: {
        ...language,
        ...(given.provider ? { provider: given.provider } : {}),
        conditions: conditions ?? [],
        conditionText: conditionText ?? '',
        samples,
        mostQuestions: Math.max(samples, language.mostQuestions ?? 40),
        turn,
      },
    },
    way: {
      at: new Date().toISOString(),
      ...(template ? { template } : {}),
      ...(conditions && conditions.length > 0 ? { perturbations: [...conditions] } : {}),
      ...(conditionText ? { perturbationText: conditionText } : {}),
      ...(step.fictionalWorld === undefined ? {} : { fictionalWorld: step.fictionalWorld }),
      ...(language.parameters ? { parameters: { ...language.parameters } } : {}),
    },
  };
}

/** Its action, or something before it, is another than it came with. */
function isEditedSince(place: NonNullable<ReturnType<DocumentReading['place']>>): boolean {
  for (let at: typeof place | undefined = place; at; at = at.parent) {
    if (at.step.editedAction !== undefined) return true;
    if (at !== place && at.step.editedObservation !== undefined) return true;
  }
  return false;
}

async function templateOf(
  core: LabCore,
  language: LanguageRequest,
  step: TrajectoryStep,
  given: StepWay,
  isForeign: boolean,
): Promise<AttemptWay['template'] | undefined> {
  if (given.template) return templateMark(given.template.name, given.template.text);
  if (isForeign) return undefined;
  if (language.style === 'quickstart') return templateMark('quickstart', 'quickstart');
  const loaded = await core.loadTemplate(domainOf(step), 'system', language.templateFolders);
  return loaded.ok ? templateMark(core.templateFile(domainOf(step), 'system'), loaded.text) : undefined;
}
