/** Work on long lists gives way to everybody else in the process after so many items: some milliseconds. */
const itemsInOneGo = 2048;

/** The same where each item is a folder that is asked for something. */
export const foldersInOneGo = 64;

/** Call it with the number of the item; now and then it lets pending work of the process go first. */
export function breathe(index: number, inOneGo = itemsInOneGo): Promise<void> | undefined {
  if (index % inOneGo !== inOneGo - 1) return undefined;
  return new Promise((done) => setImmediate(done));
}
