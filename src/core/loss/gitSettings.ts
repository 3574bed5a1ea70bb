/** Settings that make git run a program, or talk to another place: what a hostile script would change. */
const runsPrograms =
  /^(core\.(hookspath|sshcommand|fsmonitor|pager|editor|gitproxy|askpass|worktree|attributesfile|alternaterefscommand)|credential\..*helper|filter\..+\.(clean|smudge|process)|diff\.external|diff\..+\.(command|textconv)|merge\..+\.driver|mergetool\..+\.cmd|difftool\..+\.cmd|gpg\..*program|sequence\.editor|pager\..+|include\.path|includeif\..+\.path|remote\..+\.(uploadpack|receivepack|vcs|proxy)|url\..+\.(pushinsteadof|insteadof)|protocol\..*allow|submodule\..+\.update|http\..*(proxy|sslverify|sslcainfo)|uploadpack\.packobjectshook|interactive\.difffilter|browser\..+\.cmd|man\..+\.cmd)$/;

/** One difference between two versions of a git settings file. */
export interface SettingChange {
  /** Section and name in lower case, subsection as written: `remote.origin.url`. */
  key: string;
  before?: string;
  after?: string;
  /** Git would run a program because of it, or contact another place. */
  sensitive: boolean;
}

/** The differences between two versions of a git settings file, in the order of their names. */
export function settingChanges(before: string, after: string): SettingChange[] {
  const [old, now] = [settingsIn(before), settingsIn(after)];
  const changes: SettingChange[] = [];
  for (const key of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    const [was, is] = [old.get(key)?.join(', '), now.get(key)?.join(', ')];
    if (was === is) continue;
    const sensitive = isSensitive(key, is);
    changes.push({
      key,
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { after: is }),
      sensitive,
    });
  }
  return changes;
}

function isSensitive(key: string, value: string | undefined): boolean {
  if (value === undefined) return false;
  if (key.startsWith('alias.')) return value.trimStart().startsWith('!');
  return runsPrograms.test(lowerCaseEnds(key));
}

function lowerCaseEnds(key: string): string {
  return key.toLowerCase();
}

const header = /^\s*\[\s*([-.A-Za-z0-9]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*/;
const setting = /^\s*([A-Za-z][-A-Za-z0-9]*)\s*(?:=\s*(.*))?$/;

/** Values by key. Covers what git-config(1) writes itself: quotes, comments and continued lines. */
function settingsIn(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let section = '';
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    let rest = line;
    const head = header.exec(rest);
    if (head) {
      const name = (head[1] ?? '').toLowerCase();
      section = head[2] === undefined ? name : `${name}.${head[2].replace(/\\(.)/g, '$1')}`;
      rest = rest.slice(head[0].length);
    }
    if (/^\s*([#;]|$)/.test(rest)) continue;
    const parts = setting.exec(rest);
    if (!parts) continue;
    const key = `${section}.${(parts[1] ?? '').toLowerCase()}`;
    const list = found.get(key) ?? [];
    list.push(plainValue(parts[2] ?? 'true'));
    found.set(key, list);
  }
  return found;
}

function plainValue(written: string): string {
  let value = '';
  let quoted = false;
  for (let i = 0; i < written.length; i++) {
    const c = written.charAt(i);
    if (c === '"') quoted = !quoted;
    else if (c === '\\') value += written.charAt(++i);
    else if (!quoted && (c === '#' || c === ';')) break;
    else value += c;
  }
  return value.trim();
}

/** An address without a password or token in it. */
export function withoutCredentials(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
