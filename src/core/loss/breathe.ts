/** Work on long lists gives way to everybody else in the process after so many items: some milliseconds. */
const itemsInOneGo = 2048;

/** Call it with the number of the item; now and then it lets pending work of the process go first. */
export function breathe(index: number): Promise<void> | undefined {
  if (index % itemsInOneGo !== itemsInOneGo - 1) return undefined;
  return new Promise((done) => setImmediate(done));
}
