/** A runtime, the file of the workspace whose code must not run, and how code that something prints could get into it. */
interface Runtime {
  file: string;
  code: string;
  /** `$SOURCE` is a command that prints the code. */
  ways: readonly string[];
}

/** Commands that print a file of the workspace, or what stands in another one in another form. */
const sources = (file: string): string[] => [
  `cat ${file}`,
  `head -c 9999 ${file}`,
  `sed -n p ${file}`,
  `awk 1 ${file}`,
  `base64 -d ${file}.b64`,
  `gunzip -c ${file}.gz`,
  `tar xOf all.tar ${file}`,
  `git show HEAD:${file}`,
  `printf '%s\\n' "$(<${file})"`,
  `bash -c 'cat "$1"' x ${file}`,
  `find . -name ${file} -exec cat {} +`,
  `cp ${file} copy && cat copy`,
];

const runtimes: readonly Runtime[] = [
  {
    file: 'own.py',
    code: "open('left', 'w').write('x')\nprint('HI' + 'T')\n",
    ways: [
      '$SOURCE | python3',
      '$SOURCE | python3 - a b',
      '$SOURCE | tee copy | python3 -u -',
      'python3 -c "$($SOURCE)"',
      'python3 -I -c "$($SOURCE)"',
      'python3 <<< "$($SOURCE)"',
      'python3 <<E\n$($SOURCE)\nE',
      'C=$($SOURCE); python3 -c "$C"',
      'C=$($SOURCE) python3 -c \'import os; exec(os.environ["C"])\'',
      'python3 -c \'import sys; exec(sys.argv[1])\' "$($SOURCE)"',
      "$SOURCE | python3 -c 'import sys; exec(sys.stdin.read())'",
      "$SOURCE | python3 -c 'import code, sys; code.InteractiveInterpreter().runcode(sys.stdin.read())'",
      'python3 -c \'import subprocess; exec(subprocess.getoutput("$SOURCE"))\'',
      'python3 -c \'import subprocess, sys; subprocess.run(["python3", "-c", sys.argv[1]])\' "$($SOURCE)"',
      '$SOURCE | xargs -0 python3 -c',
      '$SOURCE | while IFS= read -r line; do python3 -c "$line"; done',
      'echo "$($SOURCE)" | env python3 -',
      'eval "python3 -c \'$($SOURCE | tr \\\' \\")\'"',
    ],
  },
  {
    file: 'own.txt',
    code: "require('fs').writeFileSync('left', 'x'); console.log('HI' + 'T')\n",
    ways: [
      '$SOURCE | node',
      '$SOURCE | node - a',
      'node -e "$($SOURCE)"',
      'node -p "$($SOURCE)"',
      'node <<< "$($SOURCE)"',
      "C=$($SOURCE) node -e 'eval(process.env.C)'",
      'node -e \'new Function("require", process.argv[1])(require)\' "$($SOURCE)"',
      '$SOURCE | node -e \'require("vm").runInThisContext(require("fs").readFileSync(0, "utf8"))\'',
      '$SOURCE | xargs -0 node -e',
    ],
  },
  {
    file: 'own.pl.txt',
    code: "open my $f, '>', 'left'; print 'HI', 'T'\n",
    ways: [
      'perl -e "$($SOURCE)"',
      'perl -we "$($SOURCE)"',
      "C=$($SOURCE) perl -e 'eval $ENV{C}'",
      'perl -e \'eval shift\' "$($SOURCE)"',
      '$SOURCE | perl -ne eval',
      "$SOURCE | perl -pe 's/(.*)/$1/ee'",
      '$SOURCE | perl -0777 -ne \'eval "$_"\'',
      '$SOURCE | xargs -0 perl -e',
    ],
  },
];

/** Files of the workspace whose code must not run. */
export const codeFiles: Readonly<Record<string, string>> = Object.fromEntries(
  runtimes.map(({ file, code }) => [file, code]),
);

/** Commands by which code of a file gets into a runtime that is known by the form of its words. */
export const codeFromFiles: readonly string[] = runtimes.flatMap(({ file, ways }) =>
  ways.flatMap((way) => sources(file).map((source) => way.replaceAll('$SOURCE', () => source))),
);
