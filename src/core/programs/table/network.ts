import type { Doing, Program, ProgramRule, Starts, Writes } from '../program.ts';
import { outputOption } from './outputOptions.ts';

const fetchedOver =
  '^(/(etc|usr|bin|sbin|lib|boot|root)/|/dev/(?!(null|stdout|stderr|zero|full|tty)$|fd/)|~/\\.|\\$HOME/\\.|/home/[^/]+/\\.)';

/** The same rule for several options that mean the same. */
function each(options: string, value: string, rule: (pattern: string) => ProgramRule): ProgramRule[] {
  return options.split(' ').map((option) => rule(`${option}=${value}`));
}

const downloading: Doing = {
  effect: 'network',
  care: 'c',
  says: 'downloads {rest}',
  valued:
    '-O --output-document -P --directory-prefix -o --output-file -U --user-agent --header --post-data --post-file --body-data --body-file --method -T -t -i --input-file --user --password -e --execute --config',
  helps: true,
  rules: [
    ...each('--method', '^(DELETE|PURGE)$', (p) => ['d', p, 'deletes at a server{: rest}']),
    ['d', '--post-file|--body-file', 'sends a file to a server{: rest}'],
    ...each('--post-data', '\\$\\(|`|^-$|@', (p) => ['d', p, 'sends what it reads to a server{: rest}']),
    ['d', '--use-askpass|-e|--execute|--config', 'does what options of a file say'],
    ...each('-O --output-document', fetchedOver, (p) => [
      'd',
      p,
      'writes what it fetches to where the system reads it',
    ]),
  ],
};

const talkingToServers: Doing = {
  effect: 'network',
  care: 'c',
  says: 'talks to a server{: rest}',
  rules: [
    ['d', 'DELETE|PURGE', 'deletes at a server{: rest}'],
    ['d', '~^\\w+@', 'sends a file'],
  ],
};

const openingSessions: Doing = {
  effect: 'network',
  care: 'c',
  says: 'opens a session on another machine{: rest}',
  valued: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w',
  rules: [
    ['d', '-R|-D|-W|-w', 'opens a tunnel{: rest}'],
    ['d', '-o=(proxycommand|localcommand)', 'runs a program by its options', 'code-execution'],
  ],
};

const copyingFarther: Doing = {
  effect: 'network',
  care: 'c',
  says: 'copies files from or to another machine{: rest}',
  valued: '-P -i -o -F -c -l -S -J -D -X',
  rules: [
    ['d', '%secret|startup', 'copies keys or settings{: rest}'],
    ['d', '-b|-S', 'runs commands from a file'],
    [
      'd',
      '%>remote ~^[\\w.@-]+:/(etc|usr|bin|sbin|boot|lib|root|var/(?!tmp))(/|$)?',
      'writes to the system of another machine{: rest}',
    ],
  ],
};

/** Where a command of sftp begins: at the start of a line, behind what says to go on or to be quiet. */
const sftpCommand = '(^|\\n)\\s*[-@]*';

const connecting: Doing = {
  effect: 'network',
  care: 'd',
  says: 'opens a raw connection or a tunnel{: rest}',
  rules: [
    ['d', '-e|-c|--exec|--sh-exec|--lua-exec', 'gives a program to whoever connects', 'code-execution'],
    ['c', '-z', 'tries whether a port is open{: rest}'],
    ['sh', '--help|-h|--version|-V', 'only prints its help'],
  ],
};

const askingTheNetwork: Doing = {
  effect: 'network',
  care: 's',
  says: 'only asks the network',
  rules: [['c', '-f', 'floods the network']],
};

const listening: Doing = {
  effect: 'network',
  care: 'd',
  says: 'listens to the network{: rest}',
  valued:
    '-r --read-file -w -i --interface -c -f -F -s -y -Y -T -e -E -n -o -d -R -B -b -a -G -C -W -z -X -I --enable-protocol --fields -I -O -V -Z',
  rules: [
    ['s', '-h|--help|--version|-v -D|--list-interfaces', 'only prints'],
    // With `-G` or `-C` a recording of tcpdump goes to a program when it is full.
    ['c', '-z -G|-C', 'may run another program', 'code-execution'],
    ['c', '-r|--read-file|-I -w', 'writes a recording', 'other'],
    ['s', '-r|--read-file|-I', 'only reads a recording', 'other'],
    ['s', '-h|--help|--version|-D|--list-interfaces', 'only prints', 'other'],
  ],
};

const storing: Doing = {
  effect: 'cloud',
  care: 'c',
  says: 'changes stored files{: rest}',
  valued:
    '--mode --profile --endpoint-url -r --repo --config --include --exclude --filter-from --password-file --tag --host',
  verbs: true,
  helps: true,
  rules: [
    ['s', '--dry-run', 'only shows what it would do'],
    [
      's',
      'ls|lsl|lsd|lsf|lsjson|size|tree|about|check|cryptcheck|hashsum|md5sum|sha1sum|listremotes|cat|version|la|du|info|snapshots|diff|stats|find',
      'only reads stored files',
      'network',
    ],
    ['d', 'rsync -d', 'deletes at the target what the source does not have'],
    [
      'd',
      '@=^(sync|move|moveto|purge|delete|deletefile|rmdirs?|cleanup|dedupe|mirror|forget|prune|rm|rb|del|key|unlock|recover|break-lock|recreate|compact)$',
      'deletes or overwrites stored files{: rest}',
    ],
    [
      'c',
      '@=^(copy|cp|copyto|put|get|backup|restore|mount|rewrite|setmeta|acl|iam)$',
      'copies or changes stored files{: rest}',
    ],
  ],
};

const mailing: Doing = { effect: 'network', care: 'c', says: 'sends mail' };

const startsSsh: Starts = {
  valued: '-b -B -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w',
  nothing: '-Q -O',
  operands: 1,
  mixed: true,
  joins: 'one',
  elsewhere: 'machine',
};

/** What is there already is gone on with by `--continue`. */
const fetchedFile: Writes = { options: outputOption, unless: /^(?:-c|--continue)$/ };

/** Programs that talk to other machines. */
export const network: readonly Program[] = [
  {
    names: 'curl',
    writes: {
      options:
        /^(?:-o|--output|-D|--dump-header|-c|--cookie-jar|--trace|--trace-ascii|--stderr|--etag-save|--libcurl)$/,
      bundles: true,
      by: 'address',
      folder: { named: '--output-dir', of: /^(?:-o|--output|-O)$/ },
      // It goes on with a part that is there, or takes another name.
      overwrites: { unless: /^(?:-C|--continue-at|--no-clobber|--skip-existing|-J|--remote-header-name)/ },
      makes: /^(?:-o|--output|-O)$/,
    },
    makes: /(?:^| )(?:-[a-zA-Z]*[oO]|--output|--remote-name)\b/,
    savesAs: /^(?:--remote-name(?:-all)?|-[a-zA-Z]*[OJ][a-zA-Z]*)$/,
    fetches: true,
    sends: true,
    usesKeys: true,
    does: {
      effect: 'network',
      care: 'c',
      says: 'fetches {rest}',
      valued:
        '-X --request -d --data --data-raw --data-binary --data-urlencode --json -H --header -o --output -u --user -T --upload-file -F --form -A --user-agent -e --referer -b --cookie -c --cookie-jar -x --proxy --connect-timeout -m --max-time --retry -w --write-out -K --config --cacert --cert --key -E --resolve --url -D --dump-header -r --range -C --continue-at --output-dir --form-string --limit-rate --unix-socket --interface --max-redirs --netrc-file',
      helps: true,
      rules: [
        ...each('-X --request', '^(DELETE|PURGE)$', (p) => ['d', p, 'deletes at a server{: rest}']),
        ['d', '-K|--config', 'does what a file of options says'],
        ['d', '-T|--upload-file', 'sends a file{: rest}'],
        ...each('-d --data --data-binary --data-urlencode --data-raw --json', '@|\\$\\(|`', (p) => [
          'd',
          p,
          'sends what it reads from a file{: rest}',
        ]),
        ...each('-F --form', '[@<]', (p) => ['d', p, 'sends a file{: rest}']),
        ...each('-o --output', fetchedOver, (p) => ['d', p, 'writes what it fetches to where the system reads it']),
        ...each('-X --request', '^(POST|PUT|PATCH)$', (p) => ['c', p, 'changes something at a server{: rest}']),
        ['c', '-d|--data|--data-raw|--data-binary|--data-urlencode|--json|-F|--form', 'sends data to a server{: rest}'],
        ...each('-o --output', '^(/dev/null|/dev/stdout|-)$', (p) => ['c', p, 'fetches {rest}']),
        ['c', '-o|--output|-O|--remote-name|-J', 'downloads {rest} to a file'],
      ],
    },
  },
  {
    names: 'wget',
    writes: {
      options: /^(?:-O|--output-document|-o|--output-file)$/,
      bundles: true,
      by: 'newer',
      overwrites: { unless: /^(?:-c|--continue|-nc|--no-clobber)$/ },
      makes: /^(?:-O|--output-document)$/,
    },
    makes: /^(?!.*(?:-O ?-|-qO-|--spider|--output-document=-))./,
    savesAs: 'address',
    savesIn: /^(?:-P|--directory-prefix)$/,
    fetches: true,
    sends: true,
    usesKeys: true,
    does: downloading,
  },
  {
    names: 'aria2c',
    writes: { options: outputOption, overwrites: { when: /^--allow-overwrite(?:=true)?$/ }, makes: outputOption },
    savesAs: 'address',
    fetches: true,
    does: downloading,
  },
  { names: 'axel', savesAs: 'address', does: downloading },
  { names: 'httrack', does: downloading },
  { names: 'fetch lwp-request', fetches: true, does: downloading },
  {
    names: 'http https',
    // apt starts its own programs of these names to hear what they can, also where it only plans; without a word of it they ask nobody.
    known: [{ rest: 'nothing', code: ['.so', '.py', '.pyc', '.pth'] }],
    writes: fetchedFile,
    fetches: true,
    sends: true,
    does: { ...talkingToServers, rules: [['s', '#0', 'says what it can', 'none'], ...(talkingToServers.rules ?? [])] },
  },
  { names: 'xh httpie', writes: fetchedFile, fetches: true, sends: true, does: talkingToServers },
  { names: 'xhs', writes: fetchedFile, does: talkingToServers },
  { names: 'curlie', does: talkingToServers },
  {
    names: 'ssh',
    ...{ fetches: true, sends: true, usesKeys: true },
    known: [{ by: /^-V$/, rest: 'nothing', code: [] }],
    starts: startsSsh,
    does: openingSessions,
  },
  {
    names: 'mosh',
    usesKeys: true,
    starts: { valued: '-p --ssh --server --client', operands: 1, mixed: true, elsewhere: 'machine' },
    does: openingSessions,
  },
  { names: 'autossh', starts: startsSsh, does: openingSessions },
  { names: 'sshpass rlogin rsh', does: openingSessions },
  { names: 'telnet', fetches: true, sends: true, does: openingSessions },
  {
    names: 'rsync',
    inert: true,
    showsStatus: true,
    countsLinks: true,
    planned: 'rsync',
    harms: true,
    savesAs: 'words',
    fetches: true,
    sends: true,
    usesKeys: true,
    walks: true,
    writes: {
      by: 'copy',
      onlyFar: true,
      unless:
        /^(?:-[a-zA-Z]*[nubR][a-zA-Z]*|--dry-run|--list-only|--update|--ignore-existing|--backup|--backup-dir.*|--append.*|--relative|--files-from.*)$/,
    },
    // How often what is sent is put in a frame of its own, 4 bytes each.
    pacedLines: /^sent [\d.,]+[KMGTP]? bytes |\bspeedup is |^Total bytes (?:sent|received): /,
    does: {
      effect: 'files',
      care: 'cv',
      says: 'copies {rest}, over what may be there',
      valued:
        '-e --rsh --exclude --include --files-from --rsync-path --exclude-from --include-from --log-file --port --bwlimit -f --filter -T --temp-dir --backup-dir --suffix --max-size --min-size --chmod --chown --timeout --contimeout -B --block-size --compare-dest --copy-dest --link-dest --partial-dir --password-file --max-delete --out-format --info --debug --iconv -M --remote-option',
      paths: true,
      rules: [
        ['s', '--server --sender', 'reads what is copied from there'],
        ['s', '-n|--dry-run !%remote', 'only shows what it would copy'],
        ['d', '%secret', 'copies keys or settings{: rest}'],
        [
          'd',
          '--delete|--delete-after|--delete-before|--delete-during|--delete-excluded|--del %remote|root|home|system',
          'deletes what the source does not have{: rest}',
        ],
        [
          'dv',
          '--delete|--delete-after|--delete-before|--delete-during|--delete-excluded|--del',
          'deletes at the target what the source does not have',
        ],
        ['dv', '--remove-source-files', 'deletes what it copied'],
        ['c', '%remote', 'sends or fetches files{: rest}', 'network'],
        ['c', '--rsh|-e|--rsync-path', 'runs another program for its work', 'code-execution'],
      ],
    },
  },
  {
    names: 'scp',
    writes: { by: 'copy' },
    savesAs: 'words',
    fetches: true,
    sends: true,
    usesKeys: true,
    walks: /^-[A-Za-z]*[rRa]|^--recursive$/,
    does: copyingFarther,
  },
  {
    names: 'sftp',
    ...{ savesAs: 'words', fetches: true, sends: true, usesKeys: true },
    writes: { by: 'copy' },
    inputOption: /^-b$/,
    does: {
      ...copyingFarther,
      rules: [
        ['d', `@statement=${sftpCommand}!`, 'runs a program here, by the commands that it reads', 'code-execution'],
        ['d', `@statement=${sftpCommand}(rm|rmdir)\\b`, 'deletes files on another machine{: rest}'],
        ['c', '-b @statement=\\S', copyingFarther.says],
        ...(copyingFarther.rules ?? []),
      ],
    },
  },
  { names: 'pscp', writes: { by: 'copy' }, does: copyingFarther },
  { names: 'rcp ncftp psftp', does: copyingFarther },
  { names: 'ftp tftp', fetches: true, sends: true, does: copyingFarther },
  { names: 'lftp', sends: true, does: copyingFarther },
  { names: 'nc ncat netcat socat', fetches: true, sends: true, does: connecting },
  {
    names: 'nc.openbsd nc.traditional cryptcat pwncat chisel ngrok cloudflared localtunnel lt bore frpc',
    does: connecting,
  },
  { names: 'ping', sends: true, does: askingTheNetwork },
  { names: 'ping6 traceroute tracepath mtr host whois drill', does: askingTheNetwork },
  { names: 'dig nslookup', fetches: true, sends: true, does: askingTheNetwork },
  {
    names: 'nmap masscan zmap nikto sqlmap hydra ettercap arpspoof responder msfconsole msfvenom gobuster ffuf',
    does: {
      effect: 'network',
      care: 'd',
      says: 'probes or listens to the network{: rest}',
      rules: [['sh', '-h|--help|-V|--version', 'only prints its help']],
    },
  },
  { names: 'tshark dumpcap', writes: { options: /^(?:-w)$/ }, does: listening },
  { names: 'wireshark ngrep termshark', does: listening },
  { names: 'tcpdump', writes: { options: /^(?:-w)$/, bundles: true }, does: listening },
  {
    names: 'john hashcat aircrack-ng cowpatty fcrackzip pdfcrack',
    does: {
      effect: 'process',
      care: 'c',
      says: 'guesses the passwords of {rest}',
      rules: [['s', '--show|--list|--test|-h|--help|--version|-b|-I', 'only reads']],
    },
  },
  {
    names: 'rclone',
    writes: {
      by: 'copy',
      behind: /^(?:copy|move)(?:to)?$/,
      intoFolder: /^(?:copy|move)$/,
      unless: /^(?:-[nui]|--dry-run|--update|--interactive|--ignore-existing|--immutable)$/,
    },
    sends: true,
    does: storing,
  },
  {
    names: 's3cmd',
    writes: { by: 'copy', behind: /^get$/, when: /^(?:-f|--force)$/, unless: /^(?:-n|--dry-run)$/ },
    sends: true,
    does: storing,
  },
  { names: 'azcopy', writes: { by: 'copy', behind: /^(?:copy|cp)$/ }, does: storing },
  { names: 's5cmd', writes: { by: 'copy', behind: /^(?:cp|mv)$/, unless: /^(?:-n|--no-clobber)$/ }, does: storing },
  { names: 'mc b2 restic borg duplicity kopia', does: storing },
  {
    names: 'gsutil',
    writes: { by: 'copy', behind: /^(?:cp|mv)$/, unless: /^-n$/ },
    fetches: true,
    sends: true,
    does: storing,
  },
  { names: 'mail mailx sendmail mutt', sends: true, does: mailing },
  { names: 'swaks msmtp', does: mailing },
  { names: 'lynx w3m links', fetches: true },
  {
    names: 'yt-dlp youtube-dl',
    writes: { options: outputOption, overwrites: { when: /^--(?:force|yes)-overwrites$/ } },
  },
];
