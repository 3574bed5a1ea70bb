/** Language id of prompt files, as package.json names it. */
export const promptLanguage = 'foretell-prompt';
