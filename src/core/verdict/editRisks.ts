import type { EditedFile } from '../consequences/editedFiles.ts';
import { isNewError } from '../consequences/isNewError.ts';
import type { Facts, Risk } from './facts.ts';
import { count } from './fileRisks.ts';

const shown = 20;

/** Risks of an edit that a command has not: generated files, lock files by hand, secrets added, an edit that fails. */
export function editRisks(facts: Facts): Risk[] {
  if (facts.action.kind !== 'edit') return [];
  const edited = facts.edited ?? [];
  const risks: Risk[] = [];
  const add = (level: Risk['level'], which: (file: EditedFile) => boolean, says: (files: string) => string) => {
    const paths = edited.filter(which).map((file) => file.path);
    if (paths.length > 0)
      risks.push({ level, reason: says(count(paths.length, 'file')), evidence: paths.slice(0, shown) });
  };
  const failure = failureOf(facts);
  if (failure) risks.push(failure);
  const broken = [...new Set((facts.diagnostics ?? []).filter(isNewError).map(({ path }) => path))];
  if (broken.length > 0) {
    const [first] = (facts.diagnostics ?? []).filter(isNewError);
    const where = first ? `: ${first.message} (line ${first.line})` : '';
    const reason = `Leaves ${count(broken.length, 'file')} with a syntax error${where}.`;
    risks.push({ level: 'caution', kind: 'newErrors', reason, evidence: broken.slice(0, shown) });
  }
  const kinds = [...new Set(edited.flatMap((file) => file.secrets))].join(', ');
  add(
    'danger',
    (file) => file.secrets.length > 0,
    (files) => `Writes what looks like a secret (${kinds}) into ${files}.`,
  );
  add(
    'caution',
    (file) => file.isPipeline,
    (files) => `Changes ${files} that decide what runs on other machines.`,
  );
  add(
    'caution',
    (file) => file.isUnsaved,
    (files) => `Writes ${files} open in an editor with unsaved changes; one of the two would be lost.`,
  );
  add(
    'caution',
    (file) => file.generated !== undefined,
    (files) => `Edits ${files} that are generated; the next build would undo it.`,
  );
  add(
    'caution',
    (file) => file.isLockFile,
    (files) => `Edits ${files} by hand that a package manager keeps.`,
  );
  add(
    'caution',
    (file) => file.isReadOnly,
    (files) => `Writes ${files} marked as read-only.`,
  );
  return risks;
}

/** That the tool does not, or not wholly, do the edit, with the words in which it begins, or ends, to say so. */
function failureOf({ exitCode, action, said, files, errors }: Facts): Risk | undefined {
  // Why the tool of an agent refuses is a fact that the world tells.
  if (exitCode === undefined || exitCode === 0 || action.kind !== 'edit' || action.calls) return undefined;
  const isLine = (line: string) => line.trim() !== '';
  const words = errors.split('\n').find(isLine) ?? (said ?? '').split('\n').findLast(isLine) ?? '';
  const what = action.patch ? 'The patch does not apply' : 'The edit would be refused';
  const part = files.length > 0 && action.patch ? ' as a whole' : '';
  const reason = `${what}${part}: ${words.trim().slice(0, 200)}`;
  return { level: 'caution', kind: 'fails', reason, evidence: [] };
}
