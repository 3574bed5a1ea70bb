/** A rule with a name of its own, as it is written: nothing in `lines` is expanded. */
export interface MakeRule {
  /** What has to be made before, in order. */
  needs: string[];
  /** Lines of the recipe without their tab, with `@`, `-` and `+`. */
  lines: string[];
}

/** A plain makefile: rules and variables, and nothing that has to be worked out. */
export interface Makefile {
  rules: Map<string, MakeRule>;
  /** Targets that are no files. */
  phony: ReadonlySet<string>;
  /** What is made where nothing is asked for. */
  first: string | undefined;
  variables: MakeVariables;
  /** The first thing in it that is not plain, and is left out here; absent: this is all of it. */
  unread?: string;
}

/** Where values come from, strongest first: the command line, the makefile, the environment, make itself. */
export interface MakeVariables {
  given: ReadonlyMap<string, string>;
  /** As they are written: they are expanded where they are used. */
  written: Map<string, string>;
  env: Readonly<Record<string, string | undefined>>;
  own: Readonly<Record<string, string>>;
}

/** Variables that make sets and of which nothing is known here (GNU make manual, 10.3 and 6.14). */
const unknownVariable =
  /^(A[RS]|CPP|FC|M2C|PC|GET|LEX|YACC|LINT|MAKEINFO|TEX|TEXI2DVI|C?WEAVE|C?TANGLE|ARFLAGS|MAKE(FLAGS|FILES|LEVEL|_.*|FILE_LIST|CMDGOALS|OVERRIDES)|MFLAGS|SUFFIXES|SHELL|(COMPILE|LINK|PREPROCESS|OUTPUT|LEX|YACC)[._].*|\..*)$/;

/** What no plain makefile has: other files, conditions, several lines as one value, exports, settings of how make works. */
const notPlain =
  /^(-?include|sinclude|ifn?eq|ifn?def|else|endif|define|endef|export|unexport|override|private|undefine|vpath|-?load)\b|^(VPATH|SHELL|MAKEFLAGS|\.\w+)\s*[:+?!]*=/;

/** Reads what is plain of a makefile. After the GNU make manual. */
export function readMakefile(text: string, around: Omit<MakeVariables, 'written'>): Makefile {
  const variables: MakeVariables = { ...around, written: new Map() };
  const rules = new Map<string, MakeRule>();
  const phony = new Set<string>();
  let first: string | undefined;
  let unread: string | undefined;
  let current: MakeRule[] = [];
  const leaveOut = (reason: string) => {
    unread ??= reason;
    current = [];
  };
  for (const line of logicalLines(text)) {
    if (line.startsWith('\t') && current.length > 0) {
      for (const rule of current) rule.lines.push(line.slice(1));
      continue;
    }
    // Blanks at the end of a value belong to it (the manual, 6.6), also those before a comment.
    const uncommented = line.replace(/(?<!\\)#.*$/s, '').replaceAll('\\#', '#');
    const plain = uncommented.trim();
    if (plain === '') continue;
    if (line.startsWith('\t') || notPlain.test(plain)) {
      leaveOut(`The makefile has more than plain rules: ${plain}`);
      continue;
    }
    const assignment = /^([\w.-]+)\s*(=|:=|::=|\?=|\+=)\s*(.*)$/s.exec(uncommented.trimStart());
    if (assignment) {
      current = [];
      if (!assign(variables, assignment)) leaveOut(`The value of ${assignment[1]} has to be worked out by make.`);
      continue;
    }
    const [head = '', recipe] = splitRecipe(plain);
    const expanded = expandMake(head, variables);
    const [, names, needs] = /^([^:=]+):(?!:)([^:=]*)$/.exec(expanded ?? '') ?? [];
    if (names === undefined || needs === undefined || /[%*?[]/.test(`${names}${needs}`)) {
      leaveOut(`The makefile has more than plain rules: ${plain}`);
      continue;
    }
    const needed = needs.split(/[\s|]+/).filter((word) => word !== '');
    current = [];
    for (const name of names.trim().split(/\s+/)) {
      if (name === '.PHONY') for (const word of needed) phony.add(word);
      else if (name.startsWith('.') && !name.includes('/') && name !== '.SUFFIXES')
        leaveOut(`The makefile has more than plain rules: ${plain}`);
      if (name.startsWith('.') && !name.includes('/')) continue;
      first ??= name;
      const rule = rules.get(name) ?? { needs: [], lines: [] };
      rules.set(name, rule);
      rule.needs.push(...needed);
      if (recipe !== undefined) rule.lines.push(recipe);
      current.push(rule);
    }
  }
  return { rules, phony, first, variables, ...(unread === undefined ? {} : { unread }) };
}

/** Lines that end in a backslash go on: in a recipe the shell puts them together, elsewhere make does. */
function logicalLines(text: string): string[] {
  const found: string[] = [];
  let open: string | undefined;
  for (const line of text.replace(/\r\n/g, '\n').split('\n')) {
    const isRecipe = (open ?? line).startsWith('\t');
    const whole: string =
      open === undefined ? line : isRecipe ? `${open}\n${line.replace(/^\t/, '')}` : `${open} ${line.trim()}`;
    if (/(?<!\\)(?:\\\\)*\\$/.test(line)) open = isRecipe ? whole : whole.replace(/\s*\\$/, '');
    else {
      found.push(whole);
      open = undefined;
    }
  }
  return open === undefined ? found : [...found, open];
}

function splitRecipe(rule: string): [head: string, recipe?: string] {
  const at = rule.indexOf(';');
  return at < 0 ? [rule] : [rule.slice(0, at), rule.slice(at + 1).trim()];
}

function assign(variables: MakeVariables, [, name = '', operator, value = '']: RegExpExecArray): boolean {
  const { written, env } = variables;
  if (operator === '?=' && (written.has(name) || env[name] !== undefined)) return true;
  const before = operator === '+=' ? (written.get(name) ?? env[name]) : undefined;
  // `:=` is expanded now; a value that is added later to it would be too, and one that is not known stays so.
  const now = operator === ':=' || operator === '::=' ? expandMake(value, variables) : value;
  if (now === undefined) return false;
  const kept = operator === ':=' || operator === '::=' ? now.replaceAll('$', '$$$$') : now;
  written.set(name, before === undefined || before === '' ? kept : `${before} ${kept}`);
  return true;
}

/**
 * Expands the variables of a text; `undefined` where a function, a variable of make's own or one that needs itself stands in it.
 * `automatic`: the values of `@`, `<` and `^`.
 */
export function expandMake(
  text: string,
  variables: MakeVariables,
  automatic: Readonly<Record<string, string>> = {},
  depth = 0,
): string | undefined {
  if (depth > 20) return undefined;
  let isKnown = true;
  const expanded = text.replace(/\$(?:\$|\(([^()]*)\)|\{([^{}]*)\}|(.)|$)/gs, (whole, round, curly, single) => {
    if (whole === '$$') return '$';
    const value = variableValue(round ?? curly ?? single ?? '', variables, automatic, depth);
    isKnown &&= value !== undefined;
    return value ?? '';
  });
  return isKnown ? expanded : undefined;
}

function variableValue(
  name: string,
  variables: MakeVariables,
  automatic: Readonly<Record<string, string>>,
  depth: number,
): string | undefined {
  if (automatic[name] !== undefined) return automatic[name];
  // Functions have blanks, substitutions a colon; what else is no name is a variable of the rule: `@D`, `?`, `*`.
  if (!/^[\w.-]+$/.test(name)) return undefined;
  const { given, written, env, own } = variables;
  const value = given.get(name) ?? written.get(name);
  if (value !== undefined) return expandMake(value, variables, automatic, depth + 1);
  return env[name] ?? own[name] ?? (unknownVariable.test(name) ? undefined : '');
}
