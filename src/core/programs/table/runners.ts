import type { Program } from '../program.ts';

/** Wrappers that projects and people put before a command, and that do nothing else of which something is known. */
export const runners: readonly Program[] = [
  {
    names: 'bwrap',
    starts: {
      valued:
        '--args --argv0 --chdir --uid --gid --hostname --userns --userns2 --pidns --unsetenv --lock-file --sync-fd --exec-label --file-label --proc --dev --tmpfs --mqueue --dir --seccomp --add-seccomp-fd --block-fd --userns-block-fd --info-fd --json-status-fd --cap-add --cap-drop --perms --size --remount-ro --overlay-src --tmp-overlay --ro-overlay',
      pairs:
        '--setenv --bind --bind-try --dev-bind --dev-bind-try --bind-fd --ro-bind-fd --file --bind-data --ro-bind-data --symlink --chmod',
      // What it may write there is not this.
      nothing: '--ro-bind --ro-bind-try --overlay --help --version',
      folder: '--chdir',
    },
  },
  {
    names: 'proot',
    starts: {
      valued: '-b --bind -m --mount -q --qemu -w --pwd --cwd -v --verbose -k --kernel-release -i --change-id',
      // Another root.
      nothing: '-r --rootfs -R -S -h --help -V --version',
      folder: '-w --pwd --cwd',
    },
  },
  { names: 'torify torsocks prime-run gamemoderun optirun primusrun mangohud dbus-launch rootlesskit', starts: {} },
  {
    names: 'rlwrap',
    starts: {
      valued:
        '-b -C -D -e -f -g -H -l -M -O -P -q -s -S -t -U -w -z --break-chars --command-name --file --history-filename',
      attached: '-a -p -m',
    },
  },
  { names: 'cgexec', starts: { valued: '-g' } },
  { names: 'trickle', starts: { valued: '-d -u -w -t -l -n -p -L' } },
  { names: 'envdir setlock', starts: { operands: 1 } },
  { names: 'timelimit', starts: { valued: '-S -s -T -t' } },
  { names: 'sg', starts: { valued: '-c', operands: 1, mixed: true, script: '-c', joins: 'one' } },
  { names: 'sem', starts: { valued: '-j --jobs --id --st --semaphoretimeout --semaphorename -P', joins: 'one' } },
  { names: 'rr', starts: { subcommands: ['record'], valued: '-c -n -s -v -o --output-trace-dir --env' } },
  { names: 'bear', starts: { valued: '-o --output --config', nothing: '-h --help' } },
  {
    names: 'scan-build',
    starts: { oneDash: true, valued: '-o --use-analyzer --use-cc --use-c++ -enable-checker -disable-checker' },
  },
  { names: 'heaptrack', starts: { valued: '-o --output', nothing: '-p --pid -a --analyze -i --interpret' } },
  {
    names: 'mpirun mpiexec orterun',
    starts: {
      oneDash: true,
      valued:
        '-n -np --np -c -N -npernode -H -host --host -hostfile --hostfile -machinefile -x -wdir --wdir -output-filename --map-by --bind-to --rank-by',
      pairs: '-mca --mca',
      folder: '-wdir --wdir',
    },
  },
  { names: 'wait-for-it wait-for-it.sh wait-for wait-for.sh wait4ports chruby-exec', starts: { behind: '--' } },
  {
    names: 'dockerize',
    starts: {
      oneDash: true,
      valued:
        '-wait -timeout -template -stdout -stderr -wait-retry-interval -wait-http-header -delims -env -env-section',
    },
  },
  {
    names: 'reflex',
    starts: {
      valued:
        '-r --regex -R --inverse-regex -g --glob -G --inverse-glob -c --config -d --decoration -t --shutdown-timeout',
    },
  },
  { names: 'foreman', starts: { subcommands: ['run'], valued: '-e --env -f --procfile -d --root' } },
  { names: 'devbox', starts: { subcommands: ['run'], valued: '-e --env -c --config --env-file --environment' } },
  { names: 'devenv', starts: { subcommands: ['shell'] } },
  { names: 'flox', starts: { subcommands: ['activate'], behind: '--' } },
  { names: 'reattach-to-user-namespace', starts: {} },
];
