import { countOf } from '../view/quantity.ts';

/** `1,023 bytes`, `1.5 KB`, `12 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, 'byte');
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}
