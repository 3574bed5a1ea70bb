/** Settings that make git run a program, or talk to another place: what a hostile script would change. Keys in lower case. */
const runsPrograms = new RegExp(
  `^(${[
    'core\\.(hookspath|sshcommand|fsmonitor|pager|editor|gitproxy|askpass|worktree|attributesfile|alternaterefscommand)',
    'credential\\..*helper|credential\\.helper',
    'filter\\..+\\.(clean|smudge|process)',
    'diff\\.external|diff\\..+\\.(command|textconv)|difftool\\..+\\.(cmd|path)|interactive\\.difffilter',
    'merge\\..+\\.driver|mergetool\\..+\\.(cmd|path)|guitool\\..+\\.cmd',
    'gpg\\..*program|gpg\\.program|gpg\\.ssh\\.defaultkeycommand',
    'sequence\\.editor|web\\.browser|instaweb\\.(browser|httpd)|browser\\..+\\.(cmd|path)|man\\..+\\.(cmd|path)',
    'include\\.path|includeif\\..+\\.path|init\\.templatedir|safe\\.directory',
    'remote\\..+\\.(uploadpack|receivepack|vcs|proxy)|url\\..*\\.(pushinsteadof|insteadof)',
    'protocol\\..*allow|submodule\\..+\\.update|http\\..*(proxy|sslverify|sslcainfo|sslcert|sslkey)',
    'uploadpack\\.packobjectshook|trailer\\..+\\.(cmd|command)|tar\\..+\\.command|hook\\..+\\.command',
    'sendemail\\.(.+\\.)?(smtpserver|sendmailcmd|tocmd|cccmd|headercmd)|lfs\\.customtransfer\\..+\\.path|lfs\\.(.+\\.)?url',
  ].join('|')})$`,
  's',
);
// Here a boolean only switches what is set elsewhere on or off.
const booleanToo = /^(pager\..+|core\.fsmonitor)$/s;
const booleans = /^(true|false|yes|no|on|off|0|1|)$/i;
// Addresses that name a program: `ext::sh -c …`, and any other helper `git-remote-NAME`.
const remoteHelper = /^[a-z][a-z0-9+.-]*::/i;

/** One difference between two versions of a git settings file. */
export interface SettingChange {
  /** Section and name in lower case, subsection as written: `remote.origin.url`. */
  key: string;
  before?: string;
  after?: string;
  /** Git would run a program because of it, or contact another place. */
  sensitive: boolean;
}

/**
 * The differences between two versions of a git settings file, in the order of their names; `undefined` where the later
 * one is not a settings file to git (then every git command in the repository fails).
 */
export function settingChanges(before: string, after: string): SettingChange[] | undefined {
  const [old, now] = [settingsIn(before) ?? new Map<string, string[]>(), settingsIn(after)];
  if (now === undefined) return undefined;
  const changes: SettingChange[] = [];
  for (const key of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    const [was, is] = [old.get(key)?.join(', '), now.get(key)?.join(', ')];
    if (was === is) continue;
    const sensitive = (now.get(key) ?? []).some((value) => settingRuns(key, value));
    changes.push({
      key,
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { after: is }),
      sensitive,
    });
  }
  return changes;
}

/** Git runs a program, or contacts another place, because of a setting. `writtenKey`: in any case, `alias.x`. */
export function settingRuns(writtenKey: string, value: string): boolean {
  const key = writtenKey.toLowerCase();
  // `-c core.pager=…` before the command of an alias does what the setting would do.
  if (key.startsWith('alias.')) return /^\s*[!-]/.test(value);
  if (booleanToo.test(key) && booleans.test(value)) return false;
  if (key.startsWith('pager.')) return true;
  if (/^(remote|submodule)\..+\.(push)?url$/s.test(key)) return remoteHelper.test(value) || value.startsWith('-');
  return runsPrograms.test(key);
}

const header = /^\s*\[\s*([-.A-Za-z0-9]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*/;
const setting = /^\s*([A-Za-z][-A-Za-z0-9]*)\s*(?:=\s*(.*))?$/;

/**
 * Values by key, read as git-config(1) says; `undefined` where git would call it a bad configuration file. A setting
 * without a value is `true`.
 */
function settingsIn(text: string): Map<string, string[]> | undefined {
  const found = new Map<string, string[]>();
  let section: string | undefined;
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    let rest = lines[at] ?? '';
    for (let head = header.exec(rest); head; head = header.exec(rest)) {
      const name = (head[1] ?? '').toLowerCase();
      section = head[2] === undefined ? name : `${name}.${head[2].replace(/\\(.)/g, '$1')}`;
      rest = rest.slice(head[0].length);
    }
    if (/^\s*([#;]|$)/.test(rest)) continue;
    const parts = setting.exec(rest);
    if (!parts || section === undefined) return undefined;
    let written = parts[2];
    // A backslash at the end of a line goes on with the next one; before another backslash it is one.
    while (written !== undefined && /(^|[^\\])(\\\\)*\\$/.test(written) && at + 1 < lines.length) {
      written = `${written.slice(0, -1)}${lines[++at] ?? ''}`;
    }
    const value = written === undefined ? 'true' : plainValue(written);
    if (value === undefined) return undefined;
    const key = `${section}.${(parts[1] ?? '').toLowerCase()}`;
    const list = found.get(key) ?? [];
    list.push(value);
    found.set(key, list);
  }
  return found;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' };

function plainValue(written: string): string | undefined {
  let value = '';
  let quoted = false;
  for (let i = 0; i < written.length; i++) {
    const c = written.charAt(i);
    if (c === '"') quoted = !quoted;
    else if (c === '\\') {
      const escaped = escapes[written.charAt(++i)];
      if (escaped === undefined) return undefined;
      value += escaped;
    } else if (!quoted && (c === '#' || c === ';')) break;
    else value += c;
  }
  return quoted ? undefined : value.trim();
}

/** An address without a password or token in it. */
export function withoutCredentials(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
