import type { StepAttempt, TrajectoryStep } from '../../core/trajectory/step/step.ts';
import type { StepDetail } from '../../protocol/labProtocol.ts';
import type { LabCore } from './labCore.ts';

/** What the editor shows of a step. `line`: of the file, from 0. */
export function stepDetail(core: LabCore, step: TrajectoryStep, line: number): StepDetail {
  const { observation, prediction, reply, scores, parameters, state, note } = step;
  const attempts = core.allAttempts(step);
  const sides = core.comparisonOf(step, step);
  const factual = attempts.map((attempt) => core.scoreAttempt(step, attempt));
  const [score] = factual;
  const cwd = core.commandOfStep(step)?.cwd ?? ('cwd' in step.action ? step.action.cwd : undefined);
  return {
    id: step.id,
    line: line + 1,
    trajectory: step.trajectory,
    domain: step.domain,
    action: core.actionText(step.action),
    ...(cwd === undefined ? {} : { cwd }),
    ...(state === undefined ? {} : { state }),
    ...(note === undefined ? {} : { note }),
    uncertain: step.uncertain ?? [],
    ...(step.agent ? { agent: agentOf(step.agent) } : {}),
    ...(observation
      ? {
          observation: {
            text: observation.text,
            basis: observation.basis,
            facts: sides?.truth ?? observation.facts ?? core.factsOfText(step, observation.text, observation.basis),
            ...(observation.source === undefined ? {} : { source: observation.source }),
          },
        }
      : {}),
    ...(prediction
      ? {
          prediction: {
            text: core.answerText(prediction),
            ending: prediction.ending,
            engine: prediction.engine,
            facts: sides?.predicted ?? prediction,
            ...(prediction.reason === undefined ? {} : { reason: prediction.reason }),
          },
        }
      : {}),
    ...(score ? { score } : {}),
    ...(scores?.judge ? { judge: { model: scores.judge.model, dimensions: scores.judge.dimensions } } : {}),
    ...(step.world && step.world.contradictions.length > 0 ? { contradictions: step.world.contradictions } : {}),
    way: wayOf(core, step, score?.score),
    ...(parameters ? { parameters } : {}),
    ...(reply ? { reply } : {}),
    messages: (step.messages?.length ?? 0) + (step.begins?.count ?? 0),
    answers: core.answerGroups(attempts).map((group) => {
      const first = factual[group.attempts[0] ?? 0]?.score;
      return { ...group, ...(first === undefined ? {} : { factual: first }) };
    }),
    attempts: attempts.map((attempt, index) => wayOf(core, attempt, factual[index]?.score)),
  };
}

/** What the agent thought: said apart, or in the words of its message before the call. */
function agentOf({
  thought,
  model,
  messages = [],
}: NonNullable<TrajectoryStep['agent']>): NonNullable<StepDetail['agent']> {
  const said = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' && content.trim() !== '' ? [content] : [],
  );
  const thoughts = [thought, ...said].filter((text) => text !== undefined && text.trim() !== '').join('\n\n');
  return { ...(thoughts === '' ? {} : { thought: thoughts }), ...(model === undefined ? {} : { model }) };
}

function titleOf(core: LabCore, condition: string): string {
  return core.conditionPresets.find(({ id }) => id === condition)?.title ?? condition;
}

function wayOf(core: LabCore, attempt: StepAttempt, factual: number | undefined): StepDetail['way'] {
  const { at, model, template, perturbations: ids = [], perturbationText, fictionalWorld, reply } = attempt;
  const titles = ids.map((id) => titleOf(core, id));
  const named = model ?? reply?.model;
  return {
    ...(at === undefined ? {} : { at }),
    ...(named ? { model: named } : {}),
    ...(template ? { template: template.name } : {}),
    conditions: [
      ...titles,
      ...[perturbationText, fictionalWorld].filter((text) => text !== undefined && text !== ''),
    ].map(String),
    ...(reply?.compliance
      ? { compliance: reply.compliance.map(({ condition, how }) => ({ title: titleOf(core, condition), how })) }
      : {}),
    ...(reply ? { durationMs: reply.durationMs } : {}),
    ...(factual === undefined ? {} : { factual }),
  };
}
