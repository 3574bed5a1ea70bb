const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A path as git quotes it in C style (core.quotePath): `"a/\303\244.txt"`; one without a quote at its start is as it is. */
export function unquotePath(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  const inner = Buffer.from(name.slice(1, name.endsWith('"') ? -1 : undefined), 'utf8');
  for (let at = 0; at < inner.length; at += 1) {
    const byte = inner[at] ?? 0;
    if (byte !== 92) {
      bytes.push(byte);
      continue;
    }
    const octal = /^[0-7]{3}/.exec(inner.toString('latin1', at + 1, at + 4))?.[0];
    bytes.push(octal ? Number.parseInt(octal, 8) : (escapes[String.fromCharCode(inner[at + 1] ?? 0)] ?? 0));
    at += octal ? 3 : 1;
  }
  return Buffer.from(bytes).toString('utf8');
}
