/** One row below a command that is being typed. */
export interface CommandItem {
  label: string;
  description: string;
  script: string;
  isTyped: boolean;
  alwaysShow: true;
}

/**
 * What stands below a command that is being typed: the command itself, then those of `before` that hold it.
 * The label is an icon alone. VS Code compares labels with what is typed in a way that takes twice as long for every few
 * characters that both have: with the command in its label, a window hangs for minutes over a line of 80 characters.
 */
export function commandItems(value: string, before: readonly string[]): CommandItem[] {
  const typed = value.trim();
  const item = (script: string, isTyped: boolean): CommandItem => ({
    label: isTyped ? '$(telescope)' : '$(history)',
    description: firstLine(script),
    ...{ script, isTyped, alwaysShow: true },
  });
  const found = before.filter((script) => script !== typed && script.includes(typed));
  return [...(typed === '' ? [] : [item(typed, true)]), ...found.map((script) => item(script, false))];
}

function firstLine(script: string): string {
  const [line = '', ...more] = script.split('\n');
  return more.length > 0 ? `${line} …` : line;
}
