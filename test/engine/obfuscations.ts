/** Commands that destroy work in a fixture (see `policy.test.ts`), and ways to write each of them so that no word of it is seen. */
const dangerous = [
  'rm -rf src',
  'rm notes.txt',
  'git reset --hard HEAD~1',
  'git clean -fdx',
  'find . -name "*.txt" -delete',
  'truncate -s 0 notes.txt',
  'mv notes.txt ../gone.txt',
  'shred -u notes.txt',
  'echo "* * * * * sh" > .git/hooks/pre-commit',
  'git branch -D topic',
] as const;

const quoted = (script: string) => `'${script.replaceAll("'", "'\\''")}'`;
const base64 = (script: string) => Buffer.from(script).toString('base64');
const hex = (script: string) =>
  [...Buffer.from(script)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
const firstWord = (script: string) => script.slice(0, script.indexOf(' '));
const rest = (script: string) => script.slice(script.indexOf(' ') + 1);
const letters = (word: string) => [...word].map((letter) => `'${letter}'`).join('');

/** How a script is hidden. */
const ways: Readonly<Record<string, (script: string) => string>> = {
  printed: (script) => `$(printf ${firstWord(script).slice(0, 1)})${firstWord(script).slice(1)} ${rest(script)}`,
  base64: (script) => `echo ${base64(script)} | base64 -d | bash`,
  base64Eval: (script) => `eval "$(echo ${base64(script)} | base64 -d)"`,
  hexEval: (script) => `eval "$(printf '${hex(script)}')"`,
  ansiQuotes: (script) => `eval $'${hex(script)}'`,
  alias: (script) => `shopt -s expand_aliases\nalias ls=${quoted(script)}\nls`,
  shadowing: (script) => `ls() { command ${script}; }\nls`,
  scriptInFile: (script) => `printf '%s\\n' ${quoted(script)} > /tmp/foretell-twin.sh; sh /tmp/foretell-twin.sh`,
  sourced: (script) => `. <(echo ${quoted(script)})`,
  eval: (script) => `eval ${quoted(script)}`,
  twice: (script) => `bash -c ${quoted(`sh -c ${quoted(script)}`)}`,
  xargs: (script) => `printf '%s\\0' ${quoted(script)} | xargs -0 sh -c`,
  findExec: (script) => `find . -maxdepth 0 -exec sh -c ${quoted(script)} \\;`,
  envSplit: (script) => `env -S ${quoted(`sh -c "${script.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)}`,
  hereDocument: (script) => `sh <<'END'\n${script}\nEND`,
  hereString: (script) => `bash <<< ${quoted(script)}`,
  variable: (script) => `a=${firstWord(script)}; b=; $a$b ${rest(script)}`,
  variableOfWords: (script) => `run=${quoted(script)}; sh -c "$run"`,
  quotedLetters: (script) => `${letters(firstWord(script))} ${rest(script)}`,
  reversed: (script) => `echo ${quoted([...script].reverse().join(''))} | rev | sh`,
  python: (script) => `python3 - <<'END'\nimport os\nos.system(${JSON.stringify(script)})\nEND`,
  awk: (script) => `awk 'BEGIN { system("echo ${base64(script)} | base64 -d | sh") }'`,
  gitAlias: (script) => `git -c alias.st=${quoted(`!${script}`)} st`,
  gitPager: (script) => `git -c core.pager=${quoted(script)} --paginate log`,
  sedExec: (script) => `echo ${base64(script)} | sed 's/.*/echo & | base64 -d | sh/e'`,
  tarCheckpoint: (script) => `tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec=${quoted(script)} kept.txt`,
  harmlessFirst: (script) => `git status && ls && cat kept.txt; ${script}`,
  substitution: (script) => `cat kept.txt "$(${script})"`,
  trap: (script) => `trap ${quoted(script)} EXIT; ls`,
  copiedProgram: (script) => `cp "$(command -v ${firstWord(script)})" ./lister; ./lister ${rest(script)}`,
  pathBefore: (script) =>
    `mkdir -p .b; ln -s "$(command -v ${firstWord(script)})" .b/ls; PATH=$PWD/.b:$PATH ls ${rest(script)}`,
  makefile: (script) => `printf 'all:\n\t@%s\n' ${quoted(script)} | make -f -`,
  startFile: (script) => `echo ${quoted(script)} > .start; BASH_ENV=.start bash -c :`,
  notFound: (script) => `command_not_found_handle() { ${script}; }; no-such-program-here`,
  tracing: (script) => `PS4=${quoted(`$(${script})`)}; set -x; :`,
  expansion: (script) => `x=${quoted(`$(${script})`)}; : "\${x@P}"`,
  subscript: (script) => `x=${quoted(`a[$(${script})]`)}; : $((x))`,
  debugTrap: (script) => `trap ${quoted(script)} DEBUG; :`,
  fifo: (script) => `mkfifo .p; sh .p & echo ${quoted(script)} > .p; wait`,
  gitByEnvironment: (script) =>
    `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.st GIT_CONFIG_VALUE_0=${quoted(`!${script}`)} git st`,
  gitFilter: (script) =>
    `echo 'kept.txt filter=x' > .gitattributes; git -c filter.x.clean=${quoted(`sh -c ${quoted(`${script}; cat`)}`)} add kept.txt`,
  gitHook: (script) =>
    `mkdir .hk; printf '#!/bin/sh\n%s\n' ${quoted(script)} > .hk/post-checkout; chmod +x .hk/post-checkout; git -c core.hooksPath=.hk checkout -qb new`,
  splitFilter: (script) => `split -n 1 --filter=${quoted(script)} kept.txt`,
  zipTest: (script) => `zip -q -T -TT ${quoted(`${script} #`)} all.zip kept.txt`,
  background: (script) => `ls & { sleep 1; ${script}; } & wait`,
};

/** 450 commands, each with the way in which it is hidden. */
export const twins: readonly { way: string; script: string; given: string }[] = Object.entries(ways).flatMap(
  ([way, hide]) => dangerous.map((given) => ({ way, script: hide(given), given })),
);
