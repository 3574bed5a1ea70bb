/** What the view of agents' calls needs of the core, loaded when the view is first seen. */
export async function loadAgentsCore() {
  const [reader, follow, calls, details, text, steps, forget, settings, folder, file] = await Promise.all([
    import('../../core/hooks/calls/readCalls.ts'),
    import('../../core/hooks/calls/followCalls.ts'),
    import('../../core/hooks/calls/agentCall.ts'),
    import('../../core/hooks/calls/callDetails.ts'),
    import('../../core/hooks/calls/callText.ts'),
    import('../../core/hooks/calls/callSteps.ts'),
    import('../../core/hooks/calls/forgetCalls.ts'),
    import('../../core/hooks/settings/agentSettings.ts'),
    import('../../core/hooks/hookFolder.ts'),
    import('../../core/trajectory/file/trajectoryFile.ts'),
  ]);
  return { ...reader, ...follow, ...calls, ...details, ...text, ...steps, ...forget, ...settings, ...folder, ...file };
}

/** See `loadAgentsCore`. */
export type AgentsCore = Awaited<ReturnType<typeof loadAgentsCore>>;
