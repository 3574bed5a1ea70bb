import type { Doing, Program, Starts } from '../program.ts';
import { outputOption } from './outputOptions.ts';

const changesUser = (name: string) => `${name} may ask for a password and changes the user`;

const only = 'only reads';

const startsEnv: Starts = {
  valued: '-u --unset -C --chdir -S --split-string -a --argv0',
  assignments: true,
  folder: '-C --chdir',
  calledAs: '-a --argv0',
  instead: 'exact',
};

const startsNohup: Starts = { instead: 'nohup sends its output to nohup.out at a terminal' };

const startsTime: Starts = { valued: '-o --output -f --format', instead: 'time prints how long it took' };

const startsTimeout: Starts = {
  valued: '-k --kill-after -s --signal',
  operands: 1,
  instead: 'timeout ends it when it takes too long',
};

const asAnotherUser: Doing = {
  effect: 'privilege',
  care: 'c',
  says: 'works with the rights of another user',
  rules: [['s', '-l|--list|-v|-k|-K|-V|--version|--help #0', only]],
};

const runningOfProject: Doing = { effect: 'code-execution', care: 'c', says: 'runs code of the project' };

const otherRoots: Doing = { effect: 'privilege', care: 'c', says: 'runs in another root or namespace' };

/** Programs that start others. */
export const starters: readonly Program[] = [
  {
    names: 'sudo',
    starts: {
      valued:
        '-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -R --chroot -T --command-timeout -U --other-user -r --role -t --type -a --auth-type -c --login-class',
      nothing: '-l --list -v --validate -K --remove-timestamp -V --version -e --edit --help',
      assignments: true,
      mixed: true,
      user: '-u --user',
      folder: '-D --chdir',
      away: '-i --login',
      instead: changesUser('sudo'),
    },
    does: asAnotherUser,
  },
  {
    names: 'doas',
    starts: { valued: '-u -C -a', nothing: '-C -L', user: '-u', instead: changesUser('doas') },
    does: asAnotherUser,
  },
  {
    names: 'su',
    starts: {
      valued: '-c --command --session-command -s --shell -g --group -G --supp-group -w --whitelist-environment -T',
      script: '-c --command --session-command',
      away: '- -l --login',
      userOperand: true,
      mixed: true,
      instead: changesUser('su'),
    },
    does: asAnotherUser,
  },
  {
    names: 'pkexec',
    starts: { valued: '--user -u', user: '--user -u', away: '!--keep-cwd', instead: changesUser('pkexec') },
    does: asAnotherUser,
  },
  {
    names: 'runuser',
    starts: {
      valued: '-u --user -g --group -G --supp-group -s --shell -c --command --session-command -w -T',
      user: '-u --user',
      script: '-c --command --session-command',
      away: '- -l --login',
      userOperand: true,
      mixed: true,
      instead: changesUser('runuser'),
    },
    does: asAnotherUser,
  },
  { names: 'gosu su-exec setuidgid s6-setuidgid', starts: { operands: 1 }, does: asAnotherUser },
  { names: 'chpst', starts: { valued: '-u -U -b -n -l -L -m -d -o -p -f -c -r -t -e -/' }, does: asAnotherUser },
  { names: 'chroot', starts: { operands: 1, valued: '--userspec --groups', elsewhere: 'root' }, does: otherRoots },
  {
    names: 'unshare',
    starts: {
      valued: '-S -G --setuid --setgid -w --wd --propagation --setgroups --map-user --map-group --map-users',
      nothing: '-R --root',
      folder: '-w --wd',
      instead: 'unshare starts it in namespaces of its own',
    },
    does: otherRoots,
  },
  {
    names: 'nsenter',
    starts: { valued: '-t --target -S -G --setuid --setgid -W --wdns', elsewhere: 'container' },
    does: otherRoots,
  },
  { names: 'capsh', does: otherRoots },
  {
    names: 'setpriv',
    starts: {
      valued:
        '--reuid --regid --ruid --rgid --euid --egid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig --selinux-label --apparmor-profile --landlock-access --landlock-rule',
      nothing: '-d --dump',
      instead: 'setpriv starts it with other rights',
    },
    does: otherRoots,
  },
  {
    names: 'xargs',
    inert: true,
    races: { when: /^(?:-[0-9a-zA-Z]*P|--max-procs=?) ?(?!1(?: |$))\d/ },
    feeds: true,
    starts: {
      valued:
        '-a --arg-file -d --delimiter -E -I -L -n -P -s --max-args --max-procs --max-chars --process-slot-var -J -R',
      attached: '-e -i -l',
      reads: true,
      placeholder: '-I -i --replace -J',
    },
  },
  {
    names: 'parallel',
    inert: true,
    races: { unless: /^(?:-[a-zA-Z]*k|--keep-order|-j ?1|--jobs=1)$/ },
    feeds: true,
    starts: {
      valued:
        '-a --arg-file -j --jobs -P --max-procs -S --sshlogin --colsep -C -d --delimiter -I -L -n --max-args -N -s --timeout --delay --results --joblog --tmpdir --tagstring --wd --workdir --load --memfree --retries --halt --env --basefile',
      reads: true,
      placeholder: '-I',
    },
  },
  { names: 'env', inert: true, needsNoFile: true, planned: 'nothing', printsEnvironment: true, starts: startsEnv },
  { names: 'nice', inert: true, starts: { valued: '-n --adjustment', instead: 'exact' } },
  { names: 'nohup', inert: true, starts: startsNohup },
  { names: 'timeout', inert: true, starts: startsTimeout },
  { names: 'stdbuf', inert: true, starts: { valued: '-i -o -e --input --output --error', instead: 'exact' } },
  { names: 'setsid', inert: true, starts: { instead: 'exact' } },
  { names: 'setarch', inert: true, starts: { operands: 1 } },
  {
    names: 'ionice',
    inert: true,
    starts: {
      valued: '-c --class -n --classdata -p --pid -P --pgid -u --uid',
      nothing: '-p --pid -P --pgid -u --uid',
      instead: 'exact',
    },
  },
  {
    names: 'chrt',
    inert: true,
    starts: { valued: '-T -P -D -p --pid', nothing: '-p --pid -m --max', operands: 1, instead: 'exact' },
  },
  { names: 'taskset', inert: true, starts: { nothing: '-p --pid', operands: 1, instead: 'exact' } },
  {
    names: 'flock',
    inert: true,
    takesAlone: { word: 'first', when: /(?:^| )(?:-[a-zA-Z]*n|--nb|--nonblock)/ },
    starts: {
      valued: '-w --timeout --wait -E --conflict-exit-code -c --command',
      operands: 1,
      script: '-c --command',
      mixed: true,
    },
  },
  {
    names: 'watch',
    inert: true,
    starts: { valued: '-n --interval -q --equexit', joins: 'one', unjoined: '-x --exec' },
  },
  { names: 'run-parts', inert: true },
  { names: 'time', inert: true, writes: { options: outputOption, unless: /^(?:-a|--append)$/ }, starts: startsTime },
  { names: 'gtime', writes: { options: outputOption, unless: /^(?:-a|--append)$/ }, starts: startsTime },
  {
    names: 'strace',
    writes: { options: outputOption },
    starts: {
      valued: '-e -o -p -s -u -E -P -a -b -I -O -S -X -U --trace --output --user --env --attach',
      nothing: '-p --attach',
      instead: 'strace tells what it asks the system',
    },
  },
  {
    names: 'ltrace',
    writes: { options: outputOption },
    starts: {
      valued: '-e -o -p -s -u -a -F -n -l -x',
      nothing: '-p',
      instead: 'ltrace tells which functions of libraries it calls',
    },
  },
  {
    names: 'perf',
    writes: { options: outputOption },
    starts: {
      subcommands: ['stat', 'record', 'trace'],
      valued: '-e -o -F -g -p -r -C -t -I -D -x',
      instead: 'perf measures it',
    },
  },
  { names: 'genv', starts: startsEnv },
  { names: 'eatmydata', starts: startsNohup },
  {
    names: 'numactl',
    starts: { valued: '-i -p -N -C -m -l --interleave --preferred --cpunodebind --physcpubind --membind' },
  },
  { names: 'gtimeout', starts: startsTimeout },
  { names: 'linux32 linux64 i386 x86_64 uname26', starts: {} },
  { names: 'unbuffer', starts: { instead: 'exact' } },
  { names: 'entr', starts: { valued: '-s', script: '-s' } },
  {
    names: 'hyperfine',
    starts: {
      valued:
        '-w --warmup -r --runs -m --min-runs -M --max-runs -p --prepare -c --cleanup -s --setup -C --conclude -S --shell -L --parameter-list -P -D -n --command-name -u --time-unit --export-json --export-markdown --export-csv --style --sort --output --input',
      joins: 'each',
      scriptsBeside: '-p --prepare -c --cleanup -s --setup -C --conclude',
    },
  },
  {
    names: 'gdb',
    starts: {
      oneDash: true,
      valued:
        '-ex -x -p -c -d -s -e --ex --command -eval-command --eval-command -iex --iex -ix --pid --core --directory --cd -cd',
      folder: '-cd --cd',
      commands: {
        options: '-ex --ex -eval-command --eval-command -iex --iex',
        form: /^\s*(?:shell\b|!)\s*(.+)$/s,
      },
    },
  },
  { names: 'valgrind valgrind.bin catchsegv dbus-run-session', starts: {} },
  { names: 'faketime', starts: { operands: 1, valued: '-p --date-prog' } },
  {
    names: 'xvfb-run',
    starts: { valued: '-e -n -s -w -f -p --server-args --server-num --error-file --auth-file --wait' },
  },
  { names: 'fakeroot', starts: { valued: '-l -s -i -b --lib --faked' } },
  { names: 'proxychains proxychains4', starts: { valued: '-f' } },
  { names: 'caffeinate', starts: { valued: '-t -w' } },
  { names: 'builtin noglob nocorrect toybox rtk', starts: {} },
  {
    names: 'watchexec',
    starts: {
      valued:
        '-w --watch -e --exts -f --filter -i --ignore -d --debounce -s --signal -W --watch-non-recursive --workdir',
    },
  },
  { names: 'direnv', starts: { subcommands: ['exec'], operands: 1 } },
  {
    names: 'toolbox distrobox',
    // The home directory is there under its own name.
    starts: { subcommands: ['run', 'enter'], valued: '-c --container -n --name' },
    does: { effect: 'container', care: 'c', says: 'runs programs in containers, or changes these' },
  },
  { names: 'nix-shell', starts: { valued: '-p -A --run --command -I', script: '--run --command', onlyScript: true } },
  { names: 'dotenv', starts: { valued: '-f -e -c -v', also: { run: { subcommands: ['run'] } } } },
  { names: 'cross-env', starts: { assignments: true } },
  { names: 'cross-env-shell', starts: { assignments: true, joins: 'one' } },
  { names: 'env-cmd', starts: { valued: '-f --file -e --environments -r --rc-file' } },
  {
    names: 'dotenvx',
    starts: { subcommands: ['run'], valued: '-f --env-file -e --env -c --config', behindDashes: true },
  },
  { names: 'envchain', starts: { operands: 1 } },
  { names: 'summon', starts: { valued: '-f -p -e -D --yaml --provider --environment' } },
  { names: 'chronic tini dumb-init catatonit systemd-cat firejail', starts: { valued: '-t -p -e' } },
  {
    names: 'systemd-inhibit',
    starts: { valued: '--what --who --why --mode', nothing: '--list' },
  },
  { names: 'dtach abduco', starts: { valued: '-n -A -c -N -e', nothing: '-a -p' } },
  {
    names: 'start-stop-daemon',
    starts: {
      valued:
        '-x --exec -a --startas -p --pidfile -u --user -n --name -c --chuid -g --group -d --chdir -r --chroot -N --nicelevel -k --umask -s --signal -R --retry -O --output -P --procsched -I --iosched',
      nothing: '-K --stop -T --status -H --help -V --version -t --test',
      program: '-x --exec -a --startas',
      folder: '-d --chdir',
      away: '!-d --chdir',
    },
    does: {
      effect: 'process',
      care: 'c',
      says: 'starts or stops a program that runs on',
      rules: [
        ['s', '-T|--status|-t|--test|-H|--help|-V|--version', only],
        ['c', '-K|--stop', 'ends processes', 'signal'],
      ],
    },
  },
  { names: 'daemonize', starts: { valued: '-c -e -o -p -l -u -E' } },
  { names: 'tsp', starts: { valued: '-D -N -L -S -O -W', nothing: '-K -C -l -k -T -r -t -c -i -p -o -s -w -u -U' } },
  {
    names:
      'xterm uxterm urxvt rxvt konsole gnome-terminal xfce4-terminal mate-terminal alacritty kitty foot x-terminal-emulator',
    starts: {
      oneDash: true,
      valued: '-T -title -geometry -fa -fs -fn -bg -fg -name -class --title --working-directory --workdir',
      joins: 'one',
    },
  },
  {
    names: 'concurrently',
    starts: {
      valued:
        '-n --names -c --prefix-colors -p --prefix -l --prefix-length -t --timestamp-format -m --max-processes --restart-tries --restart-after --handle-input --default-input-target -s --success',
      joins: 'each',
      names: /^(?:npm|yarn|pnpm|bun|node|deno):/,
    },
    does: runningOfProject,
  },
  {
    names: 'nodemon',
    starts: {
      valued: '-x --exec -w --watch -e --ext -i --ignore -d --delay --signal',
      script: '-x --exec',
      onlyScript: true,
    },
    does: runningOfProject,
  },
  {
    names: 'chokidar',
    starts: { valued: '-c --command -d -i -t', operands: 1, mixed: true, script: '-c --command', onlyScript: true },
  },
  { names: 'onchange', starts: { behindDashes: true } },
  {
    names: 'wsl',
    starts: {
      valued: '-d --distribution -u --user --cd --shell-type',
      nothing:
        '-l --list --shutdown -t --terminate --unregister --install --update --status --version --export --import --mount --unmount --set-default --set-version',
      joins: 'one',
      folder: '--cd',
    },
    does: {
      effect: 'process',
      care: 'c',
      says: 'runs what it is given, or changes how Linux runs in Windows',
      rules: [
        ['s', '-l|--list|--status|--version|--help #0', only],
        ['d', '--unregister', 'deletes a whole Linux with all files in it'],
        ['d', '--shutdown|-t|--terminate', 'ends all that runs there', 'signal'],
      ],
    },
  },
];
