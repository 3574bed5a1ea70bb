/** When something was, `at` in ISO 8601: the time of day where it is of today; else the day too. */
export function clockText(at: string): string {
  const time = new Date(at);
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  if (time.toDateString() === new Date().toDateString()) return clock;
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
