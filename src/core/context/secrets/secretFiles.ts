import { basename } from 'node:path';
import type { FoundSecret } from './findSecrets.ts';

/** How a file that is known to hold secrets is written. */
type SecretForm = 'env' | 'settings' | 'netrc' | 'pgpass' | 'kubeconfig' | 'key';

const forms: readonly (readonly [SecretForm, RegExp])[] = [
  // The examples hold placeholders, and what they say helps.
  ['env', /^(?:\.env(?:\.(?!example$|sample$|template$|dist$)[\w.-]+)?|[\w.-]+\.env|\.envrc|\.flaskenv|\.dev\.vars)$/],
  [
    'settings',
    /^(?:\.npmrc|\.pypirc|\.yarnrc|\.my\.cnf|\.mylogin\.cnf|\.s3cfg|\.boto|\.dockercfg|credentials(?:\.\w+)?|\.git-credentials|\.htpasswd|[\w.-]*\.tfvars)$/,
  ],
  ['netrc', /^(?:[._]netrc|\.authinfo)$/],
  ['pgpass', /^(?:\.pgpass|pgpass\.conf)$/],
  ['kubeconfig', /^(?:kubeconfig|[\w.-]+\.kubeconfig)$/],
  [
    'key',
    /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)?|[\w.-]+\.(?:key|ppk|p8|p12|pfx|jks|keystore|kdbx)|\.vault-token|shadow-?|gshadow-?)$/,
  ],
];

/** Which form of secret file a path has, by its name alone; `undefined` for all others. */
export function secretFormOf(path: string): SecretForm | undefined {
  if (/(?:^|\/)\.kube\/config$/.test(path)) return 'kubeconfig';
  if (/(?:^|\/)\.docker\/config\.json$/.test(path)) return 'settings';
  const name = basename(path);
  return forms.find(([, pattern]) => pattern.test(name))?.[0];
}

/**
 * The values in a file that is known to hold secrets (`.env`, `.npmrc`, `credentials`, `.netrc`, `.pgpass`, kubeconfig,
 * `id_rsa` …), whatever they look like; names and comments stay. In a diff, a `grep` of several files and a Kubernetes
 * `Secret`, the stretches that come from one. Offsets as in `findSecrets`; not sorted.
 */
export function findFileSecrets(text: string, path: string | undefined): FoundSecret[] {
  const found: FoundSecret[] = [];
  const form = path === undefined ? undefined : secretFormOf(path);
  if (form) addForm(found, form, text, 0, text.length, '');
  addDiffs(found, text);
  addPrefixed(found, text);
  addKubernetesSecrets(found, text);
  addKeyTails(found, text);
  return found;
}

const values: Readonly<Record<Exclude<SecretForm, 'key'>, RegExp>> = {
  // A quoted value may go on for several lines.
  env: /^(?<start>PREFIX[ \t]*(?:export[ \t]+|set[ \t]+-x[ \t]+)?[A-Za-z_][\w.-]*[ \t]*[+:?]?=[ \t]*)(?<secret>"(?:[^"\\]|\\[\s\S])*"|'[^']*'|[^\s#][^\n\r]*)/gm,
  settings:
    /^(?<start>PREFIX[ \t]*(?:[^\s=#;:]+[ \t]*=[ \t]*|(?:"[^"\n]+"|[\w./@-]+)[ \t]*:[ \t]+(?!\{|\[)|[\w.-]+:(?=\$|\{)|https?:\/\/[^\s:/]*:))(?<secret>"[^"\n]*"|[^\s][^\n\r]*)/gm,
  netrc: /\b(?<start>(?:login|user|account|password|passwd)\s+)(?<secret>\S+)/g,
  pgpass: /^(?<start>PREFIX[^:\n#]*:[^:\n]*:[^:\n]*:[^:\n]*:)(?<secret>[^\n\r]+)/gm,
  kubeconfig:
    /^(?<start>PREFIX[ \t-]*(?!apiVersion|kind|name|server|cluster|user|namespace|current-context|command|insecure-)[\w-]+:[ \t]+)(?<secret>[^\s{[][^\n\r]*)/gm,
};

function addForm(
  found: FoundSecret[],
  form: SecretForm,
  text: string,
  start: number,
  end: number,
  prefix: '' | '[-+ ]{0,3}',
): void {
  const part = text.slice(start, end);
  if (form === 'key') {
    if (part.trim() !== '') found.push({ name: 'private-key', start, end });
    return;
  }
  const { source, flags } = values[form];
  for (const match of part.matchAll(new RegExp(source.replaceAll('PREFIX', prefix), flags))) {
    const secret = match.groups?.['secret'] ?? '';
    const at = start + match.index + (match.groups?.['start'] ?? '').length;
    if (isPlain(secret)) continue;
    found.push({ name: form === 'env' ? 'env-value' : 'value', start: at, end: at + secret.length });
  }
}

/** Nothing, a variable, or what was taken out already. */
function isPlain(value: string): boolean {
  return /^(?:["']{2})?$|^\$\{?[A-Za-z_]\w*\}?$|^\[redacted: [\w-]+\]$/.test(value.trim());
}

/** `diff --git a/.env b/.env`: the lines below it belong to that file. */
function addDiffs(found: FoundSecret[], text: string): void {
  if (!text.includes('+++ ') && !text.includes('diff --')) return;
  const heads = [
    ...text.matchAll(
      /^[-+ ]?--- (?:"?a\/)?(?<old>[^\t\n"]+)[^\n]*\n[-+ ]?\+\+\+ (?:"?b\/)?(?<new>[^\t\n"]+)|^[-+ ]?diff --git "?a\/(?<git>[^\n]+?)"? "?b\/|^[-+ ]?diff --(?:cc|combined) (?<both>[^\n]+)/gm,
    ),
  ];
  for (const [index, head] of heads.entries()) {
    // A deleted file has /dev/null as its new name; a diff of a diff has a mark before each line.
    const names = Object.values(head.groups ?? {}).filter((name) => name !== undefined);
    const form = names.map((name) => secretFormOf(name)).find((one) => one !== undefined);
    if (!form) continue;
    const end = heads[index + 1]?.index ?? text.length;
    const body = text.slice(head.index, end).search(/\n[-+ ]?@@/);
    if (body >= 0) addForm(found, form, text, head.index + body + 1, end, '[-+ ]{0,3}');
  }
}

/** `.env:3:TOKEN=…`: lines that grep or git printed with the file's name before them. */
function addPrefixed(found: FoundSecret[], text: string): void {
  for (const match of text.matchAll(
    /^(?<file>[^\s:]{1,400}):(?:\d{1,9}:)?(?<line>[A-Za-z_ \t][\w \t.-]{0,200}=[^\n]+)$/gm,
  )) {
    const form = secretFormOf(match.groups?.['file'] ?? '');
    const line = match.groups?.['line'] ?? '';
    const start = match.index + match[0].length - line.length;
    if (form) addForm(found, form, text, start, start + line.length, '');
  }
}

/** Values of `data:` and `stringData:` in a manifest of kind Secret. */
function addKubernetesSecrets(found: FoundSecret[], text: string): void {
  if (!/^[-+ ]?\s*kind:\s*["']?Secret\b/m.test(text)) return;
  for (const block of text.matchAll(
    /^(?<indent>[-+ ]?[ \t]*)(?:data|stringData):[ \t]*\n(?<body>(?:\k<indent>[ \t]+\S[^\n]*\n?)+)/gm,
  )) {
    const body = block.groups?.['body'] ?? '';
    const start = block.index + block[0].length - body.length;
    for (const match of body.matchAll(/^(?<start>[-+ ]?[ \t]*[\w.-]+:[ \t]*)(?<secret>[^\s|>][^\n]*)/gm)) {
      const at = start + match.index + (match.groups?.['start'] ?? '').length;
      found.push({ name: 'value', start: at, end: at + (match.groups?.['secret'] ?? '').length });
    }
  }
}

/** The end of a private key whose beginning was not read. */
function addKeyTails(found: FoundSecret[], text: string): void {
  for (const match of text.matchAll(/-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g)) {
    let start = match.index;
    while (start > 0) {
      const lineStart = text.lastIndexOf('\n', start - 2) + 1;
      if (!/^[-+ ]?[ \t]*[A-Za-z0-9+/=]{1,76}\r?$/.test(text.slice(lineStart, start - 1))) break;
      start = lineStart;
    }
    if (start < match.index) found.push({ name: 'private-key', start, end: match.index + match[0].length });
  }
}
