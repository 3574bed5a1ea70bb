import type { FileChange } from '../../view/fileChange.ts';
import type { View } from '../../view/view.ts';
import { type Destroyed, isGitInternal } from '../destroyed.ts';
import { isBinary, maxTextBytes, onlyAdds } from '../textLines.ts';
import { shortestPart } from './heldElsewhere.ts';

/** More deleted files than these are not compared line by line with what is made. */
const mostDeleted = 16;
const mostMade = 8;

/**
 * Texts that the action makes, in which lines of the few files that it deletes may stand on (`mv a b && sed -i … b`, `grep … a > b;
 * rm a`): those whose sizes are next to theirs.
 */
export async function madeTexts(
  lost: readonly Destroyed[],
  { files, view }: { files: readonly FileChange[]; view: View },
): Promise<Uint8Array[]> {
  const deleted = lost.filter(({ how, type }) => how === 'deleted' && type === 'file');
  if (deleted.length === 0 || deleted.length > mostDeleted) return [];
  const distance = ({ sizeBytes }: FileChange) =>
    Math.min(...deleted.map((item) => Math.abs(item.sizeBytes - sizeBytes)));
  const made = files
    .filter(({ change, type, path }) => change === 'created' && type === 'file' && !isGitInternal(path))
    .filter(({ sizeBytes, volatile }) => !volatile && sizeBytes > 0 && sizeBytes <= maxTextBytes)
    .sort((one, other) => distance(one) - distance(other));
  const texts = await Promise.all(made.slice(0, mostMade).map(({ path }) => view.read(path, 'after', maxTextBytes)));
  return texts.filter((text): text is Uint8Array => text !== undefined && !isBinary(text));
}

/** Whether all of a content stands on in one of these texts. What is very short may stand there by chance. */
export function standsOnIn(content: Uint8Array, texts: readonly Uint8Array[]): boolean {
  return content.length >= shortestPart && texts.some((text) => onlyAdds(content, text));
}
