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

/** What takes content, access or the way back without a word that is known for it. */
const quietlyDangerous = [
  'chmod -R a= src',
  'cp /dev/null notes.txt',
  'dd if=/dev/null of=notes.txt status=none',
  'ln -sf nowhere notes.txt',
  'sort -o notes.txt /dev/null',
  'git update-ref -d refs/heads/topic',
  'git config core.fsmonitor ./x.sh',
  'git checkout -q -f topic',
  'mv kept.txt notes.txt',
  'tee .git/info/attributes',
] as const;

const octal = (script: string) =>
  [...Buffer.from(script)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
const rot13 = (script: string) =>
  script.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97));

/** Further ways, none of which is among the first. */
const furtherWays: Readonly<Record<string, (script: string) => string>> = {
  rot13: (script) => `bash -c "$(tr a-z n-za-m <<< ${quoted(rot13(script))})"`,
  octal: (script) => `eval "$(printf '${octal(script)}')"`,
  plainHex: (script) => `xxd -r -p <<< ${Buffer.from(script).toString('hex')} | sh`,
  arrayOfWords: (script) => `words=(${script}); "\${words[@]}"`,
  nameReference: (script) => `line=${quoted(script)}; declare -n other=line; $other`,
  printedInto: (script) => `printf -v line '%s' ${quoted(script)}; $line`,
  readWords: (script) => `read -ra words <<< ${quoted(script)}; "\${words[@]}"`,
  positional: (script) => `set -- ${script}; "$@"`,
  fieldSeparator: (script) => `IFS=,; line=${quoted(script.replaceAll(' ', ','))}; $line`,
  coprocess: (script) => `coproc { ${script}; }; wait`,
  otherName: (script) => `(exec -a ls ${script})`,
  exportedFunction: (script) => `look() { ${script}; }; export -f look; bash -c look`,
  errorTrap: (script) => `trap ${quoted(script)} ERR; false; true`,
  returnTrap: (script) => `set -T; trap ${quoted(script)} RETURN; look() { :; }; look`,
  signalTrap: (script) => `trap ${quoted(script)} USR1; kill -USR1 $$; true`,
  startFileOfInteractive: (script) => `bash --rcfile <(echo ${quoted(script)}) -ic :`,
  brokenLoop: (script) => `for word in 1; do case $word in 1) until ${script}; do break; done;; esac; done`,
  makeEvaluated: (script) => `make -s --eval=${quoted(`all:;@${script}`)} all`,
  sedFirstLine: (script) => `sed ${quoted(`1e ${script}`)} kept.txt`,
  findInFolder: (script) => `find . -maxdepth 0 -execdir sh -c ${quoted(script)} \\;`,
  rebaseExec: (script) => `git stash -q; git rebase -q -x ${quoted(script)} HEAD~1; git stash pop -q`,
  timeLimited: (script) => `timeout 20 nice -n 1 stdbuf -o0 ${script}`,
};

/** 670 commands, each with the way in which it is hidden. */
export const twins: readonly { way: string; script: string; given: string }[] = [
  ...hidden(ways, dangerous),
  ...hidden(furtherWays, quietlyDangerous),
];

function hidden(by: typeof ways, commands: readonly string[]): { way: string; script: string; given: string }[] {
  return Object.entries(by).flatMap(([way, hide]) => commands.map((given) => ({ way, script: hide(given), given })));
}
