import fs from 'node:fs';
import path from 'node:path';

const fixtures = path.join(path.resolve(process.env['FORETELL_PROJECT'] ?? process.cwd()), 'test/fixtures');

/** Every command of `votes/commands.jsonl` and `effects/effects.jsonl`, each text once. Text only: predict, never run. */
export function readCommands(): string[] {
  const files = ['votes/commands.jsonl', 'effects/effects.jsonl'].map((name) => path.join(fixtures, name));
  const scripts = files.flatMap((file) =>
    fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { command: string }).command),
  );
  return [...new Set(scripts)];
}

// Even confined and as a user without rights nothing is tried with the gate open that speaks to other machines, or that
// would be a danger if the confinement failed.
const neverOpen =
  /\b(curl|wget|ssh|scp|sftp|rsync|nc|ncat|socat|telnet|ftp|ping|dig|nslookup|host|docker|podman|kubectl|helm|aws|gcloud|az|gh|glab|terraform|pulumi|ansible|mail|sendmail|reboot|shutdown|poweroff|halt|init|mkfs\S*|fdisk|parted|insmod|modprobe|systemctl|service|iptables|nft|passwd|useradd|userdel|crontab|at)\b|https?:|:\/\/|\/dev\/(sd|nvme|vd|tcp|udp)|:\(\)/;
const foreign =
  /\b(python3?|perl|node|ruby|php|lua|npm|npx|yarn|pnpm|pip|cargo|go|gcc|cc|vim|gdb|env|sudo|su|doas|make|find|xargs|git|tar|awk|sed|sh|bash|time|nice|timeout)\b/;

/** The commands that may be tried with the gate open. */
export function readOpenGateCommands(): string[] {
  return readCommands().filter((script) => foreign.test(script) && !neverOpen.test(script));
}
