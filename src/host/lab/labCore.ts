/** What the trajectory editor needs of the core, loaded when a trajectory is opened. */
export async function loadLabCore() {
  const [lines, summaries, tree, rows, search, edits, score, groups, action] = await Promise.all([
    import('../../core/trajectory/trajectoryFile.ts'),
    import('../../core/trajectory/summarizeLine.ts'),
    import('../../core/trajectory/stepTree.ts'),
    import('../../core/trajectory/trajectoryRows.ts'),
    import('../../core/trajectory/stepFilter.ts'),
    import('../../core/trajectory/lineEdit.ts'),
    import('../../core/bench/scoreStep.ts'),
    import('../../core/trajectory/answerGroups.ts'),
    import('../../core/trajectory/actionText.ts'),
  ]);
  const [prompt, attempts, kept, rehearsed, turn, events, templates, presets, foretell] = await Promise.all([
    import('../../core/trajectory/stepPrompt.ts'),
    import('../../core/trajectory/attemptsOf.ts'),
    import('../../core/trajectory/keptAttempts.ts'),
    import('../../core/trajectory/rehearsedObservation.ts'),
    import('../../core/trajectory/turnOfStep.ts'),
    import('../../core/prediction/prediction.ts'),
    import('../../core/worlds/language/template/templates.ts'),
    import('../../core/worlds/language/prompt/perturbations.ts'),
    import('../../core/foretell.ts'),
  ]);
  return {
    ...{ ...lines, ...summaries, ...tree, ...rows, ...search, ...edits, ...score, ...groups, ...action },
    ...{ ...prompt, ...attempts, ...kept, ...rehearsed, ...turn, ...events, ...templates, ...presets, ...foretell },
  };
}

/** See `loadLabCore`. */
export type LabCore = Awaited<ReturnType<typeof loadLabCore>>;
