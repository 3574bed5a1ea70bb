/** A program that starts another one: how its command line is read, and what is different for what it starts. */
export interface Starter {
  /** Its names, with a blank between. */
  names: string;
  /** What stands before its own words: `exec`, `container run`. One of these, or it starts nothing. */
  subcommands?: readonly string[];
  /** Options whose value is the rest of the word or the next word. */
  valued?: string;
  /** Short options whose value may only stand in the same word: `-i{}` of xargs. */
  attached?: string;
  /** Long options have one dash: `-Command`. */
  oneDash?: true;
  /** With one of these it starts nothing. */
  nothing?: string;
  /** So many operands stand before the command: the duration of timeout, the host of ssh. */
  operands?: number;
  /** Options may also stand behind those operands. */
  mixed?: true;
  /** Behind options, `NAME=value` sets a variable for what it starts. */
  assignments?: true;
  /** Options whose value is a script for a shell. */
  script?: string;
  /** Without such an option it starts no command: its words are files. */
  onlyScript?: true;
  /** The command stands behind `--`, with other words before. */
  behindDashes?: true;
  /** Its words are joined to one script (`ssh`, `watch`), or each is one (`hyperfine`). */
  joins?: 'one' | 'each';
  /** Options that turn joining off: `-x` of watch. */
  unjoined?: string;
  /** Options whose value is the folder in which it starts it. */
  folder?: string;
  /** It starts it in another folder, which is not known: with one of these options, or (`!`) without them. */
  away?: string;
  /** It starts it as another user: root, or whom this option names. */
  user?: string;
  /** The user is an operand: `su bob -c x`. */
  userOperand?: true;
  /** It starts it where the files of this machine are not: on another machine, in a container, under another root. */
  elsewhere?: 'machine' | 'container' | 'root';
  /** Further arguments come from its input (`xargs`). */
  reads?: true;
  /** Options that name the placeholder of what is read: `-I` of xargs. */
  placeholder?: string;
  /** It can be replaced by what it starts: nothing else is printed and done, or all but this clause. */
  instead?: 'exact' | string;
}

const changesUser = (name: string) => `${name} may ask for a password and changes the user`;
const dockerValued =
  '-e --env -u --user -w --workdir -v --volume -p --publish --name --network --net --entrypoint -H --host --context -c --env-file --mount -l --label --label-file -m --memory --cpus --cpuset-cpus --platform --add-host -h --hostname --pull --gpus --ulimit --cap-add --cap-drop --security-opt --device --restart --tmpfs --shm-size --dns --expose --volumes-from --log-driver --log-opt --detach-keys --cidfile --ipc --pid --userns --ip --group-add --annotation --runtime --stop-signal --stop-timeout --sysctl -a --attach --index -f --file --project-directory --profile --config --log-level';

/** Every program that is known to start others, a row each. Shells are in core/shell/shells.ts. */
export const starters: readonly Starter[] = [
  {
    names: 'sudo',
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
  { names: 'doas', valued: '-u -C -a', nothing: '-C -L', user: '-u', instead: changesUser('doas') },
  { names: 'pkexec', valued: '--user -u', user: '--user -u', away: '!--keep-cwd', instead: changesUser('pkexec') },
  {
    names: 'su',
    valued: '-c --command --session-command -s --shell -g --group -G --supp-group -w --whitelist-environment -T',
    script: '-c --command --session-command',
    away: '- -l --login',
    userOperand: true,
    mixed: true,
    instead: changesUser('su'),
  },
  {
    names: 'runuser',
    valued: '-u --user -g --group -G --supp-group -s --shell -c --command --session-command -w -T',
    user: '-u --user',
    script: '-c --command --session-command',
    away: '- -l --login',
    userOperand: true,
    mixed: true,
    instead: changesUser('runuser'),
  },
  { names: 'setpriv', valued: '--reuid --regid --groups --securebits --pdeathsig --selinux-label --apparmor-profile' },
  {
    names: 'env genv',
    valued: '-u --unset -C --chdir -S --split-string -a --argv0',
    assignments: true,
    folder: '-C --chdir',
    instead: 'exact',
  },
  { names: 'nohup eatmydata', instead: 'nohup sends its output to nohup.out at a terminal' },
  { names: 'setsid', instead: 'exact' },
  { names: 'time gtime', valued: '-o --output -f --format', instead: 'time prints how long it took' },
  { names: 'nice', valued: '-n --adjustment', instead: 'exact' },
  {
    names: 'ionice',
    valued: '-c --class -n --classdata -p --pid -P --pgid -u --uid',
    nothing: '-p --pid -P --pgid -u --uid',
    instead: 'exact',
  },
  { names: 'chrt', valued: '-T -P -D -p --pid', nothing: '-p --pid -m --max', operands: 1, instead: 'exact' },
  { names: 'taskset', nothing: '-p --pid', operands: 1, instead: 'exact' },
  { names: 'numactl', valued: '-i -p -N -C -m -l --interleave --preferred --cpunodebind --physcpubind --membind' },
  { names: 'stdbuf', valued: '-i -o -e --input --output --error', instead: 'exact' },
  {
    names: 'timeout gtimeout',
    valued: '-k --kill-after -s --signal',
    operands: 1,
    instead: 'timeout ends it when it takes too long',
  },
  { names: 'setarch', operands: 1 },
  { names: 'linux32 linux64 i386 x86_64 uname26' },
  { names: 'unbuffer', instead: 'exact' },
  {
    names: 'flock',
    valued: '-w --timeout --wait -E --conflict-exit-code -c --command',
    operands: 1,
    script: '-c --command',
    mixed: true,
  },
  {
    names: 'script',
    valued: '-c --command -I -O -B -T -m -E -o --log-in --log-out',
    script: '-c --command',
    onlyScript: true,
  },
  { names: 'watch', valued: '-n --interval -q --equexit', joins: 'one', unjoined: '-x --exec' },
  { names: 'entr' },
  {
    names: 'hyperfine',
    valued:
      '-w --warmup -r --runs -m --min-runs -M --max-runs -p --prepare -c --cleanup -s --setup -C --conclude -S --shell -L --parameter-list -P -D -n --command-name -u --time-unit --export-json --export-markdown --export-csv --style --sort --output --input',
    joins: 'each',
  },
  {
    names: 'strace',
    valued: '-e -o -p -s -u -E -P -a -b -I -O -S -X -U --trace --output --user --env --attach',
    nothing: '-p --attach',
  },
  { names: 'ltrace', valued: '-e -o -p -s -u -a -F -n -l -x', nothing: '-p' },
  { names: 'perf', subcommands: ['stat', 'record', 'trace'], valued: '-e -o -F -g -p -r -C -t -I -D -x' },
  { names: 'gdb', oneDash: true, valued: '-ex -x -p -c -d -s -e --ex --command' },
  { names: 'valgrind catchsegv dbus-run-session torsocks' },
  { names: 'faketime', operands: 1, valued: '-p -f --date-prog' },
  {
    names: 'systemd-run',
    valued:
      '-p --property -u --unit --uid --gid -E --setenv --on-calendar --on-active --on-boot --slice --working-directory --description --nice -M --machine -H --host --service-type --timer-property',
    folder: '--working-directory',
    away: '!-d --same-dir --scope -S --shell',
  },
  { names: 'xvfb-run', valued: '-e -n -s -w -f -p --server-args --server-num --error-file --auth-file --wait' },
  {
    names: 'chroot',
    operands: 1,
    valued: '--userspec --groups',
    elsewhere: 'root',
  },
  {
    names: 'unshare',
    valued: '-S -G --setuid --setgid -R --root -w --wd --propagation --setgroups --map-user --map-group --map-users',
    folder: '-w --wd',
  },
  { names: 'nsenter', valued: '-t --target -S -G --setuid --setgid -W --wdns', elsewhere: 'container' },
  { names: 'fakeroot', valued: '-l -s -i -b --lib --faked' },
  { names: 'proxychains proxychains4', valued: '-f' },
  { names: 'caffeinate', valued: '-t -w' },
  { names: 'command', nothing: '-v -V' },
  { names: 'builtin noglob nocorrect busybox toybox rtk' },
  { names: 'exec', valued: '-a' },
  {
    names: 'xargs',
    valued:
      '-a --arg-file -d --delimiter -E -I -L -n -P -s --max-args --max-procs --max-chars --process-slot-var -J -R',
    attached: '-e -i -l',
    reads: true,
    placeholder: '-I -i --replace -J',
  },
  {
    names: 'parallel',
    valued:
      '-a --arg-file -j --jobs -P --max-procs -S --sshlogin --colsep -C -d --delimiter -I -L -n --max-args -N -s --timeout --delay --results --joblog --tmpdir --tagstring --wd --workdir --load --memfree --retries --halt --env --basefile',
    reads: true,
    placeholder: '-I',
  },
  {
    names: 'watchexec',
    valued: '-w --watch -e --exts -f --filter -i --ignore -d --debounce -s --signal -W --watch-non-recursive --workdir',
  },
  { names: 'npx', valued: '-p --package -w --workspace -c --call', script: '-c --call' },
  { names: 'bunx pnpx', valued: '-p --package --package' },
  { names: 'uvx', valued: '--from --with -p --python --index-url' },
  {
    names: 'npm',
    subcommands: ['exec', 'x'],
    valued: '-p --package -w --workspace -c --call --prefix -C',
    script: '-c --call',
  },
  { names: 'yarn', subcommands: ['exec', 'dlx'], valued: '-p --package --cwd' },
  { names: 'pnpm', subcommands: ['exec', 'dlx'], valued: '--package -C --dir --filter -F', folder: '-C --dir' },
  { names: 'direnv', subcommands: ['exec'], operands: 1 },
  {
    names: 'ssh autossh',
    valued: '-b -B -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w',
    nothing: '-Q -O',
    operands: 1,
    mixed: true,
    joins: 'one',
    elsewhere: 'machine',
  },
  { names: 'mosh', valued: '-p --ssh --server --client', operands: 1, mixed: true, elsewhere: 'machine' },
  {
    names: 'docker podman nerdctl',
    subcommands: ['exec', 'run', 'container exec', 'container run', 'compose exec', 'compose run'],
    valued: dockerValued,
    operands: 1,
    elsewhere: 'container',
  },
  {
    names: 'docker-compose podman-compose',
    subcommands: ['exec', 'run'],
    valued: dockerValued,
    operands: 1,
    elsewhere: 'container',
  },
  {
    names: 'toolbox distrobox',
    subcommands: ['run', 'enter'],
    valued: '-c --container -n --name',
    elsewhere: 'container',
  },
  { names: 'lxc incus', subcommands: ['exec'], operands: 1, mixed: true, elsewhere: 'container' },
  { names: 'machinectl', subcommands: ['shell'], operands: 1, elsewhere: 'container' },
  {
    names: 'kubectl oc',
    subcommands: ['exec'],
    valued:
      '-n --namespace -c --container --context --kubeconfig -f --filename --cluster --user --as -s --server --token',
    operands: 1,
    mixed: true,
    elsewhere: 'container',
  },
  { names: 'poetry', subcommands: ['run'], valued: '-C --directory -P --project', folder: '-C --directory' },
  { names: 'pipenv hatch pdm rye', subcommands: ['run'] },
  {
    names: 'uv',
    subcommands: ['run'],
    valued: '--with --with-requirements --python -p --project --directory --package --extra --group --env-file',
    folder: '--directory',
  },
  { names: 'bundle rbenv pyenv nodenv', subcommands: ['exec'] },
  { names: 'nix-shell', valued: '-p -A --run --command -I', script: '--run --command', onlyScript: true },
  { names: 'conda mamba micromamba', subcommands: ['run'], valued: '-n -p --name --prefix --cwd', folder: '--cwd' },
  { names: 'mise', subcommands: ['exec', 'x'], valued: '-C --cd', folder: '-C --cd', behindDashes: true },
  { names: 'asdf', subcommands: ['exec'] },
  { names: 'aws-vault chamber', subcommands: ['exec'], operands: 1, mixed: true },
  { names: 'doppler', subcommands: ['run'], valued: '-p -c --project --config --command', script: '--command' },
  { names: 'op', subcommands: ['run'], valued: '--env-file --account' },
  { names: 'dotenv', valued: '-f -e -c -v' },
];
