/** Milliseconds of processor time that this process needed so far: what others do on the machine makes it hardly longer. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
