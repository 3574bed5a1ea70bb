import { readFileSync } from 'node:fs';

/** Milliseconds of processor time that this process needed so far: what others do on the machine makes it hardly longer. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The same of any process, and of its children that ended, with theirs (proc_pid_stat(5)); in steps of 10. */
export function cpuMsOf(process: number | 'self'): { own: number; children: number } {
  const text = readFileSync(`/proc/${process}/stat`, 'utf8');
  // Behind the name, and the state first: utime, stime, cutime and cstime, in hundredths of a second.
  const times = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = times;
  return { own: (user + system) * 10, children: (childrenUser + childrenSystem) * 10 };
}
