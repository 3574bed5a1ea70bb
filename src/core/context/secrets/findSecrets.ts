/** One kind of secret that can be recognised in text. */
interface SecretRule {
  /** What takes its place: `[redacted: <name>]`. */
  name: string;
  /** Cheap test: text without any of these (in lower case) has no such secret. Absent: always searched. */
  hints?: readonly string[];
  /** The group named `secret` is taken out; without one, the whole match. */
  pattern: RegExp;
}

/** A secret found in a text, by offsets in UTF-16 code units. */
export interface FoundSecret {
  name: string;
  start: number;
  end: number;
}

// Formats as their issuers document them: a fixed prefix, an alphabet and a length, so that ordinary text does not match.
// Private keys first: what is inside them must not be cut by another rule. No pattern may start inside a run that it also
// scans, or hostile text makes it take quadratic time.
const rules: readonly SecretRule[] = [
  {
    name: 'private-key',
    hints: ['private key'],
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { name: 'age-key', hints: ['age-secret-key-1'], pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/g },
  {
    name: 'github-token',
    hints: ['gh', 'github_pat_'],
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b/g,
  },
  { name: 'gitlab-token', hints: ['gl'], pattern: /\bgl(?:pat|ptt|dt|rt|cbt|ft|imt|soat|oas)-[\w-]{20,}/g },
  {
    name: 'aws-access-key',
    hints: ['akia', 'asia', 'abia', 'acca'],
    pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g,
  },
  {
    name: 'aws-secret-key',
    hints: ['aws'],
    pattern: /aws.{0,24}?(?:secret|session).{0,24}?[=:]\s*["']?(?<secret>[A-Za-z0-9/+]{40,}={0,2})/gi,
  },
  {
    name: 'slack-token',
    hints: ['xox', 'xapp-'],
    pattern: /\b(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{20,})/g,
  },
  {
    name: 'slack-webhook',
    hints: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9+/_-]{20,})/g,
  },
  {
    name: 'google-key',
    hints: ['aiza', 'gocspx-', 'ya29.'],
    pattern: /\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,})/g,
  },
  { name: 'anthropic-key', hints: ['sk-ant-'], pattern: /\bsk-ant-[\w-]{20,}/g },
  { name: 'openai-key', hints: ['sk-'], pattern: /\bsk-(?:(?:proj|svcacct|admin|or-v1)-[\w-]{20,}|[A-Za-z0-9]{32,})/g },
  {
    name: 'stripe-key',
    hints: ['_live_', '_test_', 'whsec_'],
    pattern: /\b(?:[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})/g,
  },
  {
    name: 'npm-token',
    hints: ['npm_', '_auth'],
    pattern: /\bnpm_[A-Za-z0-9]{36}\b|_(?:authToken|auth|password)\s*=\s*(?<secret>[^\s"'$]{8,})/g,
  },
  { name: 'pypi-token', hints: ['pypi-'], pattern: /\bpypi-[A-Za-z0-9_-]{50,}/g },
  { name: 'rubygems-key', hints: ['rubygems_'], pattern: /\brubygems_[0-9a-f]{48}\b/g },
  { name: 'cargo-token', hints: ['cio'], pattern: /\bcio[A-Za-z0-9]{32}\b/g },
  { name: 'hugging-face-token', hints: ['hf_'], pattern: /\bhf_[A-Za-z0-9]{34,}\b/g },
  { name: 'docker-token', hints: ['dckr_'], pattern: /\bdckr_(?:pat|oat)_[\w-]{20,}/g },
  { name: 'sendgrid-key', hints: ['sg.'], pattern: /\bSG\.[\w-]{20,24}\.[\w-]{39,50}/g },
  { name: 'twilio-key', hints: ['sk'], pattern: /\bSK[0-9a-f]{32}\b/g },
  { name: 'mailgun-key', hints: ['key-'], pattern: /\bkey-[0-9a-f]{32}\b/g },
  { name: 'digitalocean-token', hints: ['_v1_'], pattern: /\bdo[por]_v1_[0-9a-f]{64}\b/g },
  { name: 'shopify-token', hints: ['shp'], pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g },
  { name: 'telegram-token', hints: [':aa'], pattern: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { name: 'vault-token', hints: ['hvs.', 'hvb.'], pattern: /\bhv[sb]\.[\w-]{24,}/g },
  { name: 'terraform-token', hints: ['.atlasv1.'], pattern: /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/g },
  { name: 'databricks-token', hints: ['dapi'], pattern: /\bdapi[0-9a-f]{32}(?:-\d)?\b/g },
  {
    name: 'grafana-token',
    hints: ['glsa_', 'glc_'],
    pattern: /\b(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/]{32,}={0,2})/g,
  },
  { name: 'atlassian-token', hints: ['atatt3'], pattern: /\bATATT3[\w=-]{50,}/g },
  { name: 'postman-key', hints: ['pmak-'], pattern: /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b/g },
  { name: 'linear-key', hints: ['lin_'], pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{32,}\b/g },
  { name: 'new-relic-key', hints: ['nrak-'], pattern: /\bNRAK-[A-Z0-9]{27}\b/g },
  {
    name: 'doppler-token',
    hints: ['dp.'],
    pattern: /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,}/g,
  },
  { name: 'supabase-key', hints: ['sbp_', 'sb_secret_'], pattern: /\b(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})\b/g },
  {
    name: 'azure-key',
    hints: ['accountkey=', 'sharedaccesskey='],
    pattern: /(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{40,}={0,2})/gi,
  },
  {
    name: 'docker-auth',
    hints: ['auth'],
    pattern: /"(?:auth|identitytoken|registrytoken)"\s*:\s*"(?<secret>[A-Za-z0-9+/._-]{8,}={0,2})"/g,
  },
  { name: 'groq-key', hints: ['gsk_'], pattern: /\bgsk_[A-Za-z0-9]{40,}\b/g },
  { name: 'xai-key', hints: ['xai-', 'pplx-'], pattern: /\b(?:xai|pplx)-[A-Za-z0-9]{40,}\b/g },
  { name: 'replicate-token', hints: ['r8_'], pattern: /\br8_[A-Za-z0-9]{37,}\b/g },
  { name: 'notion-token', hints: ['ntn_', 'secret_'], pattern: /\b(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})\b/g },
  { name: 'figma-token', hints: ['figd_'], pattern: /\bfigd_[\w-]{36,}/g },
  { name: 'planetscale-token', hints: ['pscale_'], pattern: /\bpscale_(?:tkn|oauth|pw)_[\w.-]{32,}/g },
  { name: 'netlify-token', hints: ['nfp_', 'nfc_', 'nfo_'], pattern: /\bnf[pco]_[A-Za-z0-9]{36,}\b/g },
  { name: 'pulumi-token', hints: ['pul-'], pattern: /\bpul-[0-9a-f]{40}\b/g },
  { name: 'square-token', hints: ['sq0', 'eaaa'], pattern: /\b(?:sq0[a-z]{3}-[\w-]{22,}|EAAA[\w-]{60})/g },
  { name: 'sonar-token', hints: ['sqp_', 'squ_', 'sqa_'], pattern: /\bsq[pua]_[0-9a-f]{40}\b/g },
  { name: 'mailchimp-key', hints: ['-us'], pattern: /\b[0-9a-f]{32}-us\d{1,2}\b/g },
  {
    name: 'discord-webhook',
    hints: ['/api/webhooks/'],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d+\/(?<secret>[\w-]{40,})/g,
  },
  {
    name: 'token-in-url',
    hints: ['://'],
    pattern: /(?<![a-z0-9+.-])(?:https?|git|ssh):\/\/(?<secret>[A-Za-z0-9_-]{20,})@[^\s/"']/gi,
  },
  {
    name: 'cookie',
    hints: ['cookie:'],
    pattern: /\b(?:set-)?cookie:\s*(?<secret>[\w.-]+=[^\s"']{12,}(?:;\s*[\w.-]+=[^\s"';]+)*)/gi,
  },
  // Values on command lines: of `curl -u`, `mysql -p` and `sshpass -p`, and what netrc(5) says.
  {
    name: 'password-argument',
    hints: ['-u', '--user'],
    pattern: /(?<=\s)(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"'=/$]{1,64}:(?<secret>[^\s"'$]{3,})/g,
  },
  {
    name: 'password-argument',
    hints: ['mysql', 'mariadb', 'sshpass'],
    pattern:
      /\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass)\b[^\n|;&]{0,200}?\s-p\s?["']?(?<secret>[^\s"'$-][^\s"']{3,})/g,
  },
  {
    name: 'password-argument',
    hints: ['docker login', 'podman login', 'helm registry', 'az login'],
    pattern: /\blogin\b[^\n|;&]{0,200}?\s-p[ =]["']?(?<secret>[^\s"'$-][^\s"']{3,})/g,
  },
  {
    name: 'netrc-password',
    hints: ['machine'],
    pattern: /\bmachine\s+\S{1,256}\s+(?:login\s+\S{1,256}\s+)?password\s+(?<secret>\S{3,})/gi,
  },
  {
    name: 'terraform-default',
    hints: ['variable'],
    pattern:
      /\bvariable\s+"[^"\n]{0,64}(?:password|passwd|secret|token|_key)[^"\n]{0,64}"\s*\{[^{}]{0,400}?\bdefault\s*=\s*"(?<secret>[^"\n]{4,})"/gi,
  },
  {
    name: 'signature',
    hints: ['sig=', 'signature='],
    pattern: /[?&](?:sig|X-Amz-Signature|X-Goog-Signature)=(?<secret>[A-Za-z0-9%+/=_-]{32,})/gi,
  },
  { name: 'json-web-token', hints: ['eyj'], pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g },
  {
    name: 'authorization',
    hints: ['authorization', 'bearer', 'x-api-key'],
    pattern:
      /\b(?:authorization\s*[:=]\s*["']?(?:bearer|basic|token|digest|apikey)\s+|bearer\s+|x-api-key\s*:\s*)(?<secret>[A-Za-z0-9._~+/=-]{12,})/gi,
  },
  {
    name: 'password-in-url',
    hints: ['://'],
    pattern: /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/[^\s/:@"'<>]*:(?<secret>[^\s/@"'<>$]{3,})@[^\s/"']/gi,
  },
];

// `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`: the name says that the value is a secret, the value that it is no reference.
const assignment =
  /(?:password|passwd|passphrase|pgpassword|mysql_pwd|rediscli_auth|secret|client_?secret|token|api_?key|access_?key|secret_?key|private_?key|private_?key_?id|auth_?key|account_?key|encryption_?key|signing_?key|credentials?)(?:_?(?:value|base|base64|dev|prod|staging|test|\d{1,3}))?\\?["']?\]?(?:\s{0,40}(?:=|:|=>)\s{0,40}|\s{1,40}(?=["'A-Za-z0-9]))(?<secret>\\?"[^"\n]{6,}"|'[^'\n]{6,}'|[^\s"'`,;&|<>(){}[\]$]{8,})/gi;
const flag = /^-{1,2}$/;
const reference =
  /^["']?(?:\$|%|<|\{|\*+["']?$|x{4,}|\.{3}|process\.|os\.|env[.[(:]|System\.|import\.|config[.[]|secrets?[.[]|vault:|ref:|arn:aws:|null|none|true|false|undefined|your[-_ ]|my[-_ ]?(?:password|token|secret)|change[-_]?me|example|placeholder|redacted|\[redacted)/i;

/** Every secret in a text, in order, without overlaps. High precision: what is found is a secret, or is called one. */
export function findSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  const lower = text.toLowerCase();
  for (const rule of rules) {
    if (rule.hints && !rule.hints.some((hint) => lower.includes(hint))) continue;
    for (const match of text.matchAll(rule.pattern)) addMatch(found, rule.name, match);
  }
  for (const match of text.matchAll(assignment)) {
    if (isSecretValue(text, match)) addMatch(found, 'secret', match);
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: FoundSecret[] = [];
  for (const one of found) if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  return kept;
}

function addMatch(found: FoundSecret[], name: string, match: RegExpMatchArray): void {
  const secret = match.groups?.['secret'] ?? match[0];
  const start = (match.index ?? 0) + match[0].lastIndexOf(secret);
  found.push({ name, start, end: start + secret.length });
}

/** A name begins here, or a hump of one: `token`, `API_TOKEN`, `apiToken`, but not `nontoken`. */
function isNameStart(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const isLower = before >= 97 && before <= 122;
  const isUpper = before >= 65 && before <= 90;
  const isDigit = before >= 48 && before <= 57;
  const first = text.charCodeAt(at);
  return !(isLower || isUpper || isDigit) || ((isLower || isDigit) && first >= 65 && first <= 90);
}

/** `token abc` is prose unless it follows a dash (`--token abc`); `password: string` is a type, not a password. */
function isSecretValue(text: string, match: RegExpMatchArray): boolean {
  const value = match.groups?.['secret'] ?? '';
  if (reference.test(value)) return false;
  const start = match.index ?? 0;
  if (!isNameStart(text, start)) return false;
  const before = text.slice(Math.max(0, start - 2), start);
  const separated = /[=:]/.test(match[0].slice(0, match[0].lastIndexOf(value)));
  if (!separated && !flag.test(before.trimStart())) return false;
  const quoted = value.startsWith('"') || value.startsWith("'");
  const direct = /=["']?$/.test(match[0].slice(0, match[0].lastIndexOf(value)));
  // Bare words after a colon or spaced sign are mostly code and prose; a secret there has a digit in it.
  return quoted || direct || flag.test(before.trimStart()) || (/\d/.test(value) && !/^[\w.]+\($/.test(value));
}
