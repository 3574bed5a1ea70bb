/** What keeps a reason from being one plain sentence; empty when it is one. */
export function complaintsAboutSentence(reason: string | undefined): string[] {
  if (!reason) return ['there is no reason'];
  const complaints: string[] = [];
  if (/[\n\r\u0000-\u001f]/.test(reason)) complaints.push('it has more than one line');
  if (reason.length > 400) complaints.push(`it has ${reason.length} characters`);
  if (/\bat .*:\d+:\d+|Error:|undefined|\[object|NaN/.test(reason)) complaints.push('it is written for programmers');
  if (!/[.!?]$/.test(reason)) complaints.push('it does not end like a sentence');
  return complaints.length === 0 ? [] : [`“${reason.slice(0, 300)}”: ${complaints.join(', ')}`];
}
