/** First words of a command line that may ask for more than a prediction. */
export const wordNames = [
  ...([
    'agent',
    'world',
    'failure',
    'serve',
    'bench',
    'trajectory',
    'hook',
    'hooks',
    'agents',
    'service',
    'enter',
  ] as const),
  ...(['allow', 'memory', 'restore', 'policy', 'consent'] as const),
] as const;

/** Whether it may be a word of ours. */
export function isWordName(first: string | undefined): first is (typeof wordNames)[number] {
  return wordNames.some((name) => name === first);
}
