/** What the trajectory editor needs of the core, loaded when a trajectory is opened. */
export async function loadLabCore() {
  const [lines, summaries, tree, rows, search, edits, score, groups, action] = await Promise.all([
    import('../../core/trajectory/file/trajectoryFile.ts'),
    import('../../core/trajectory/step/summarizeLine.ts'),
    import('../../core/trajectory/step/stepTree.ts'),
    import('../../core/trajectory/file/trajectoryRows.ts'),
    import('../../core/trajectory/step/stepFilter.ts'),
    import('../../core/trajectory/file/lineEdit.ts'),
    import('../../core/bench/score/scoreStep.ts'),
    import('../../core/trajectory/attempts/answerGroups.ts'),
    import('../../core/trajectory/step/actionText.ts'),
  ]);
  const [prompt, attempts, kept, rehearsed, turn, events, templates, presets, draws, foretell] = await Promise.all([
    import('../../core/trajectory/step/stepPrompt.ts'),
    import('../../core/trajectory/attempts/attemptsOf.ts'),
    import('../../core/trajectory/attempts/keptAttempts.ts'),
    import('../../core/trajectory/step/rehearsedObservation.ts'),
    import('../../core/trajectory/step/turnOfStep.ts'),
    import('../../core/prediction/fold.ts'),
    import('../../core/worlds/language/template/templates.ts'),
    import('../../core/worlds/language/conditions/conditionPresets.ts'),
    import('../../core/worlds/language/conditions/drawConditions.ts'),
    import('../../core/foretell.ts'),
  ]);
  return {
    ...{ ...lines, ...summaries, ...tree, ...rows, ...search, ...edits, ...score, ...groups, ...action },
    ...{
      ...prompt,
      ...attempts,
      ...kept,
      ...rehearsed,
      ...turn,
      ...events,
      ...templates,
      ...presets,
      ...draws,
      ...foretell,
    },
  };
}

/** See `loadLabCore`. */
export type LabCore = Awaited<ReturnType<typeof loadLabCore>>;
