/** Name of a program without its directory and, for programs of Windows, without `.exe`. */
export function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1) || word;
  return name.replace(/\.(exe|cmd|bat)$/i, '');
}
