import { readFile } from 'node:fs/promises';
import { inProject } from './window.ts';

/** The list that edits of these tests change, as it is before and after their patch. */
export const before = 'one\ntwo\nthree\n';
export const after = 'one\nTWO\nthree\nfour\n';
export const diff = `--- a/edits/list.txt
+++ b/edits/list.txt
@@ -1,3 +1,4 @@
 one
-two
+TWO
 three
+four
`;
export const files = { 'edits/list.txt': before, 'edits/other.txt': 'other two\n' };

/** What the list holds on disk. */
export const list = () => readFile(inProject('edits/list.txt'), 'utf8');
