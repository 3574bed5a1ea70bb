import type { KnownForm } from './program.ts';
import { programOf } from './programOf.ts';

/** A stopped program, as far as it decides whether what it does is known. */
export interface KnownCall {
  /** By its own name, also where it is a script that an interpreter runs. */
  argv: readonly string[];
  /** `NAME=value` each. */
  env: readonly string[];
  /** Its standard input is a pipe, or nothing can be read from it. */
  isFed: boolean;
  /** It has the rights of root. */
  isRoot: boolean;
}

/** Endings of files that runtimes run, of whoever wrote the program. */
const anyCode = ['.pyc', '.pth', '.pm', '.pl', '.rb', '.js', '.cjs', '.mjs', '.node', '.php', '.jar', '.class'];

/** What every program is asked that stands in the system's folders. */
const question: KnownForm = {
  by: /^(?:--version|--help)$/,
  rest: 'nothing',
  code: anyCode,
  unless:
    /^(?:PYTHON(?!UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8)|PERL|RUBY|NODE_OPTIONS|NODE_PATH|PHP|JAVA|_JAVA|JDK_JAVA|LUA|GUILE|R_)\w*$/,
};

/** The form by which a call may run without consent; `undefined`: none. Which file it is, and whose, the caller asks. */
export function knownForm(call: KnownCall): KnownForm | undefined {
  const [name = '', ...words] = call.argv;
  const forms = [...(programOf(name)?.known ?? []), question];
  return forms.find(
    (form) =>
      isOfForm(form, words) &&
      !hasVariable(form, call.env) &&
      (!form.fed || call.isFed) &&
      !(form.refusedUser && call.isRoot),
  );
}

/** Whether a call might be known by its form: not all of its words are known before it runs. An inert program needs no form. */
export function mayBeKnown(argv: readonly string[]): boolean {
  const [name = '', ...words] = argv;
  const program = programOf(name);
  return !program?.inert && (program?.known !== undefined || isOfForm(question, words));
}

function isOfForm(form: KnownForm, words: readonly string[]): boolean {
  const { by, given, rest } = form;
  let at = optionsOf(form, words);
  if (by) {
    if (!by.test(words[at] ?? '')) return false;
    at += 1;
  }
  if (given) {
    const word = words[at];
    if (word === undefined || !given.test(word)) return false;
    at += 1;
  }
  const others = words.slice(at);
  if (rest === 'nothing') return others.length === 0;
  return rest === undefined || others.every((word) => rest.test(word));
}

/** How many words are options, before the one that makes it this form. */
function optionsOf({ options, valued, by }: KnownForm, words: readonly string[]): number {
  let at = 0;
  for (let word = words[at]; word !== undefined; word = words[at]) {
    if (by?.test(word)) break;
    if (valued?.test(word)) at += 2;
    else if (options?.test(word)) at += 1;
    else break;
  }
  return at;
}

/**
 * The code among the words of a call that is of a form: what follows `-c` or `-e`, each `-e` of Perl; `options`: the words before it.
 */
export function codeWords(form: KnownForm, argv: readonly string[]): { codes: string[]; options: string[] } {
  const [name = '', ...words] = argv;
  const at = optionsOf(form, words);
  const others = programOf(name)?.language === 'perl' ? words.slice(at + 1) : [];
  const more = others.flatMap((word, index) => (/^-[eE]$/.test(word) ? [others[index + 1] ?? ''] : []));
  return { codes: [words[at + 1] ?? '', ...more], options: words.slice(0, at) };
}

function hasVariable({ unless }: KnownForm, env: readonly string[]): boolean {
  return unless !== undefined && env.some((one) => unless.test(one.slice(0, one.indexOf('='))));
}
