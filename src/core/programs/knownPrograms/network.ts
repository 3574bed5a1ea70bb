import type { ProgramEntry, ProgramRule } from './entry.ts';

const fetchedOver =
  '^(/(etc|usr|bin|sbin|lib|boot|root)/|/dev/(?!(null|stdout|stderr|zero|full|tty)$|fd/)|~/\\.|\\$HOME/\\.|/home/[^/]+/\\.)';

/** The same rule for several options that mean the same. */
function each(options: string, value: string, rule: (pattern: string) => ProgramRule): ProgramRule[] {
  return options.split(' ').map((option) => rule(`${option}=${value}`));
}

/** Programs that talk to other machines. */
export const networkPrograms: readonly ProgramEntry[] = [
  {
    names: 'curl',
    effect: 'network',
    care: 'c',
    says: 'fetches {rest}',
    valued:
      '-X --request -d --data --data-raw --data-binary --data-urlencode --json -H --header -o --output -u --user -T --upload-file -F --form -A --user-agent -e --referer -b --cookie -c --cookie-jar -x --proxy --connect-timeout -m --max-time --retry -w --write-out -K --config --cacert --cert --key -E --resolve --url -D --dump-header -r --range -C --continue-at --output-dir --form-string --limit-rate --unix-socket --interface --max-redirs --netrc-file',
    helps: true,
    rules: [
      ...each('-X --request', '^(DELETE|PURGE)$', (p) => ['d', p, 'deletes at a server: {rest}']),
      ['d', '-K|--config', 'does what a file of options says'],
      ['d', '-T|--upload-file', 'sends a file: {rest}'],
      ...each('-d --data --data-binary --data-urlencode --data-raw --json', '@|\\$\\(|`', (p) => [
        'd',
        p,
        'sends what it reads from a file: {rest}',
      ]),
      ...each('-F --form', '[@<]', (p) => ['d', p, 'sends a file: {rest}']),
      ...each('-o --output', fetchedOver, (p) => ['d', p, 'writes what it fetches to where the system reads it']),
      ...each('-X --request', '^(POST|PUT|PATCH)$', (p) => ['c', p, 'changes something at a server: {rest}']),
      ['c', '-d|--data|--data-raw|--data-binary|--data-urlencode|--json|-F|--form', 'sends data to a server: {rest}'],
      ...each('-o --output', '^(/dev/null|/dev/stdout|-)$', (p) => ['c', p, 'fetches {rest}']),
      ['c', '-o|--output|-O|--remote-name|-J', 'downloads {rest} to a file'],
    ],
  },
  {
    names: 'wget aria2c axel httrack fetch lwp-request',
    effect: 'network',
    care: 'c',
    says: 'downloads {rest}',
    valued:
      '-O --output-document -P --directory-prefix -o --output-file -U --user-agent --header --post-data --post-file --body-data --body-file --method -T -t -i --input-file --user --password -e --execute --config',
    helps: true,
    rules: [
      ...each('--method', '^(DELETE|PURGE)$', (p) => ['d', p, 'deletes at a server: {rest}']),
      ['d', '--post-file|--body-file', 'sends a file to a server: {rest}'],
      ...each('--post-data', '\\$\\(|`|^-$|@', (p) => ['d', p, 'sends what it reads to a server: {rest}']),
      ['d', '--use-askpass|-e|--execute|--config', 'does what options of a file say'],
      ...each('-O --output-document', fetchedOver, (p) => [
        'd',
        p,
        'writes what it fetches to where the system reads it',
      ]),
    ],
  },
  {
    names: 'http https xh httpie xhs curlie',
    effect: 'network',
    care: 'c',
    says: 'talks to a server: {rest}',
    rules: [
      ['d', 'DELETE|PURGE', 'deletes at a server: {rest}'],
      ['d', '~^\\w+@', 'sends a file'],
    ],
  },
  {
    names: 'ssh mosh autossh sshpass telnet rlogin rsh',
    effect: 'network',
    care: 'c',
    says: 'opens a session on another machine: {rest}',
    valued: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w',
    rules: [
      ['d', '-R|-D|-W|-w', 'opens a tunnel: {rest}'],
      ['d', '-o=(proxycommand|localcommand)', 'runs a program by its options', 'code-execution'],
    ],
  },
  {
    names: 'scp sftp rcp ftp lftp ncftp tftp pscp psftp',
    effect: 'network',
    care: 'c',
    says: 'copies files from or to another machine: {rest}',
    valued: '-P -i -o -F -c -l -S -J -D -X',
    rules: [
      ['d', '%secret|startup', 'copies keys or settings: {rest}'],
      ['d', '-b|-S', 'runs commands from a file'],
      [
        'd',
        '~^[\\w.@-]+:/(etc|usr|bin|sbin|boot|lib|root|var/(?!tmp))(/|$)?',
        'writes to the system of another machine: {rest}',
      ],
    ],
  },
  {
    names:
      'nc ncat netcat socat nc.openbsd nc.traditional cryptcat pwncat chisel ngrok cloudflared localtunnel lt bore frpc',
    effect: 'network',
    care: 'd',
    says: 'opens a raw connection or a tunnel: {rest}',
    rules: [
      ['d', '-e|-c|--exec|--sh-exec|--lua-exec', 'gives a program to whoever connects', 'code-execution'],
      ['c', '-z', 'tries whether a port is open: {rest}'],
      ['s', '--help|-h|--version|-V', 'only prints its help'],
    ],
  },
  {
    names: 'ping ping6 traceroute tracepath mtr dig nslookup host whois drill',
    effect: 'network',
    care: 's',
    says: 'only asks the network',
    rules: [['c', '-f', 'floods the network']],
  },
  {
    names: 'nmap masscan zmap nikto sqlmap hydra ettercap arpspoof responder msfconsole msfvenom gobuster ffuf',
    effect: 'network',
    care: 'd',
    says: 'probes or listens to the network: {rest}',
    rules: [['s', '-h|--help|-V|--version', 'only prints its help']],
  },
  {
    names: 'tshark wireshark dumpcap ngrep termshark tcpdump',
    effect: 'network',
    care: 'd',
    says: 'listens to the network: {rest}',
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
  },
  {
    names: 'john hashcat aircrack-ng cowpatty fcrackzip pdfcrack',
    effect: 'process',
    care: 'c',
    says: 'guesses the passwords of {rest}',
    rules: [['s', '--show|--list|--test|-h|--help|--version|-b|-I', 'only reads']],
  },
  {
    names: 'rclone mc s3cmd s5cmd gsutil azcopy b2 restic borg duplicity kopia',
    effect: 'cloud',
    care: 'c',
    says: 'changes stored files: {rest}',
    valued:
      '--mode --profile --endpoint-url -r --repo --config --include --exclude --filter-from --password-file --tag --host',
    verbs: true,
    helps: true,
    rules: [
      ['s', '--dry-run', 'only shows what it would do'],
      [
        'd',
        '@=^(sync|move|moveto|purge|delete|deletefile|rmdirs?|cleanup|dedupe|mirror|forget|prune|rm|rb|del|key|unlock|recover|break-lock|recreate|compact)$',
        'deletes or overwrites stored files: {rest}',
      ],
      [
        'c',
        '@=^(copy|cp|copyto|put|get|backup|restore|mount|rewrite|setmeta|acl|iam)$',
        'copies or changes stored files: {rest}',
      ],
    ],
  },
  { names: 'mail mailx sendmail mutt swaks msmtp', effect: 'network', care: 'c', says: 'sends mail' },
  {
    names: 'gpg gpg2 gpgconf',
    effect: 'process',
    care: 'c',
    says: 'works with keys',
    rules: [
      ['d', '--delete-keys|--delete-secret-keys|--delete-secret-and-public-key|--delete-key', 'deletes keys'],
      ['d', '--export-secret-keys|--export-secret-subkeys', 'prints secret keys'],
      ['c', '--recv-keys|--send-keys|--keyserver|--refresh-keys', 'talks to a key server', 'network'],
      ['s', '--list-keys|--list-secret-keys|-k|-K|--verify|--version|--fingerprint|--list-packets', 'only reads'],
    ],
  },
  {
    names: 'ssh-add',
    effect: 'process',
    care: 'c',
    says: 'changes which keys are loaded',
    rules: [
      ['d', '-D|-d', 'takes loaded keys away'],
      ['s', '-l|-L', 'only reads'],
    ],
  },
  {
    names: 'ssh-keygen',
    effect: 'files',
    care: 'cv',
    says: 'creates or changes keys',
    rules: [
      ['d', '-R', 'forgets the key of a host'],
      ['c', '-p', 'changes the passphrase of a key'],
      ['s', '-l|-F|-y|-e|-B', 'only reads'],
    ],
  },
  {
    names: 'ssh-copy-id',
    effect: 'permission',
    care: 'd',
    says: 'lets a key log in at another machine: {rest}',
  },
  { names: 'ssh-agent ssh-keyscan', effect: 'network', care: 'c', says: 'works with keys' },
  {
    names: 'openssl libressl',
    effect: 'process',
    care: 'c',
    says: 'works with keys and certificates',
    valued:
      '-in -out -keyout -key -inkey -newkey -subj -days -config -extensions -extfile -CA -CAkey -CAfile -CApath -CAcreateserial -passin -passout -pass -md -inform -outform -keyform -signkey -set_serial -name -curve -url -host -connect -servername -k -K -iv -sigfile -verify -sign -signature -rand -writerand -addext -section -reqexts -certfile -purpose -untrusted',
    oneDash: true,
    rules: [
      ['d', 's_client|s_server|s_time', 'opens a connection', 'network'],
      ['c', 'ocsp|cmp -url|-host|-server|-port', 'talks to a server', 'network'],
      ['c', '-keyout|-out|-writerand', 'writes a key, a certificate or other data'],
      [
        's',
        'x509|dgst|sha256|sha384|sha512|sha1|md5|version|rand|verify|list|ciphers|asn1parse|crl|errstr|prime|speed|help|base64|enc|pkeyutl|info|fipsinstall|nseq|passwd|kdf|mac',
        'only reads or prints',
      ],
      // A new key goes to `privkey.pem` where nothing else is said.
      ['c', 'req -new|-newkey|-x509 !-key', 'writes a key'],
      [
        's',
        'req|rsa|ec|pkey|dsa|dh|dhparam|ecparam|genrsa|genpkey|pkcs12|pkcs7|pkcs8|sess_id|spkac|storeutl',
        'only reads or prints',
      ],
      ['s', '#0', 'only prints its help'],
    ],
  },
];
