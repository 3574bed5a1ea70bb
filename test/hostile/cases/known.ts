import type { Attempt } from '../attempt.ts';
import { noSuchAttack, runtimes } from './runtimes.ts';

/** How the same attack is made by a snippet: the whole program is in the words, or comes through a pipe. */
const forms: Readonly<Record<string, Readonly<Record<string, (attack: string) => string>>>> = {
  python: {
    '-c': (attack) => `python3 -c "$(cat "$BIN/attack.py")" ${attack}`,
    isolated: (attack) => `python3 -I -B -c "$(cat "$BIN/attack.py")" ${attack}`,
    'through a pipe': (attack) => `cat "$BIN/attack.py" | python3 - ${attack}`,
    'in a thread': (attack) =>
      `python3 -c 'import os, threading; code = compile(open(os.environ["BIN"] + "/attack.py").read(), "attack", "exec"); t = threading.Thread(target=exec, args=(code, {})); t.start(); t.join()' ${attack}`,
    'in a child': (attack) =>
      `python3 -c 'import os; code = open(os.environ["BIN"] + "/attack.py").read(); os.wait() if os.fork() else exec(code, {})' ${attack}`,
    'by another': (attack) =>
      `python3 -c 'import os, subprocess, sys; subprocess.run(["/usr/bin/python3", "-c", open(os.environ["BIN"] + "/attack.py").read(), sys.argv[1]])' ${attack}`,
  },
  perl: {
    '-e': (attack) => `perl -e "$(cat "$BIN/attack.pl")" ${attack}`,
    'in a child': (attack) =>
      `perl -e 'if (fork) { wait } else { local $/; open my $f, "<", "$ENV{BIN}/attack.pl"; my $code = <$f>; eval $code; die $@ if $@ }' ${attack}`,
  },
  node: { '-e': (attack) => `node -e "$(cat "$BIN/attack.js")" x ${attack}` },
};

/** Code that would run when its file is begun with, checked by those who only check: it must not run. */
const checked: readonly (readonly [check: string, needs: string, text: string])[] = [
  [
    'ruby -c',
    'ruby',
    'BEGIN { File.write(ENV["VICTIM"], "x") }; END { puts "HIT" }; File.write(ENV["VICTIM"], "x"); puts "HIT"',
  ],
  ['php -l', 'php', '<?php file_put_contents(getenv("VICTIM"), "x"); echo "HIT";'],
  ['node --check', 'node', 'require("fs").writeFileSync(process.env.VICTIM, "x"); console.log("HIT")'],
  ['python3 -m py_compile', 'python3', 'import os; open(os.environ["VICTIM"], "w").write("x"); print("HIT")'],
];

const checkedAttempts = checked.map(
  ([check, needs, text]): Attempt => ({
    name: `checked by ${check}`,
    script: `printf '%s\\n' "$CODE" > checked.js; ${check} checked.js`,
    environment: { CODE: text },
    gate: 'known',
    mode: 'copy',
    proof: { none: 'what is only checked does not run, with or without confinement' },
    needs: [needs],
    denied: /^HIT/m,
  }),
);

const snippetAttempts: Attempt[] = Object.entries(forms).flatMap(([runtime, ways]) => {
  const { needs, attacks, proofs = {} } = runtimes[runtime] ?? { needs: runtime, attacks: [] };
  return Object.entries(ways).flatMap(([way, script], index) =>
    attacks.map(
      (attack): Attempt => ({
        name: `${runtime} ${way}: ${attack}`,
        script: script(attack),
        gate: 'known',
        mode: 'copy',
        proof: index === 0 ? (proofs[attack] ?? 'canaries') : { none: 'the same attack in another form' },
        needs: [needs],
        denied: new RegExp(`^HIT|${noSuchAttack.source}`, 'm'),
      }),
    ),
  );
});

/** Hostile snippets that are let in for the form of their words, without consent: only the confinement is against them. */
export const knownAttempts: readonly Attempt[] = [...snippetAttempts, ...checkedAttempts];
