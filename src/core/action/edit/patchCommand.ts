import { inSentence } from '../../view/quantity.ts';
import type { Action, EditAction, PatchEdit } from '../action.ts';
import { readArguments } from './callArguments.ts';

/** The program and its arguments that apply a patch from standard input. */
export function patchArgv(patch: PatchEdit): string[] {
  const { tool, strip, fuzz, reverse, options = [] } = patch;
  const direction = reverse ? ['-R'] : [];
  if (tool === 'git-apply') return ['git', 'apply', `-p${strip}`, ...direction, ...options];
  return ['patch', `-p${strip}`, ...(fuzz === undefined ? [] : [`-F${fuzz}`]), ...direction, ...options];
}

/** What is done, for titles: the command as it is written, or an edit in a few words. */
export function liveTitle(action: Action): string {
  return action.kind === 'command' ? action.script : action.kind === 'edit' ? editTitle(action) : 'a turn';
}

/** An edit in a few words, for titles and lists: `edit notes.md`, `git apply -p1`, `delete 3 paths`. */
export function editTitle(action: EditAction): string {
  if (action.patch) return patchArgv(action.patch).join(' ');
  const paths = [
    ...(action.operations ?? []).map((one) => ('path' in one ? one.path : one.from)),
    ...action.changes.map((change) => change.path),
    ...(action.calls ?? []).map((call) => readArguments(call).path ?? call.name),
    ...(action.replace ? [`every “${action.replace.search}”`] : []),
  ];
  const [first = 'nothing'] = paths;
  const verb = action.operations?.length === paths.length ? (action.operations[0]?.kind ?? 'edit') : 'edit';
  return paths.length > 1 ? `${verb} ${paths.length} paths` : `${verb} ${inSentence(first, 80)}`;
}
