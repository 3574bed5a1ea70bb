import type { EditedFile } from '../consequences/editedFiles.ts';
import { isNewError } from '../consequences/isNewError.ts';
import type { EditMark, Risk } from '../facts/risk.ts';
import { pathsAsEvidence } from './evidence.ts';
import type { Facts } from './facts.ts';
import { longestQuoted } from './failureRisks.ts';

/** Risks of an edit that a command has not: generated files, lock files by hand, secrets added, an edit that fails. */
export function editRisks(facts: Facts): Risk[] {
  if (facts.action.kind !== 'edit') return [];
  return [...failureOf(facts), ...newErrorRisks(facts), ...secretsWritten(facts), ...marked(facts)];
}

function newErrorRisks(facts: Facts): Risk[] {
  const errors = (facts.diagnostics ?? []).filter(isNewError);
  const [first] = errors;
  if (first === undefined) return [];
  const broken = [...new Set(errors.map(({ path }) => path))];
  const { message, line } = first;
  const fact = { kind: 'newErrors', files: broken.length, first: { message, line } } as const;
  return [{ level: 'caution', fact, ...pathsAsEvidence(broken) }];
}

function secretsWritten({ edited = [] }: Facts): Risk[] {
  const files = edited.filter((file) => file.secrets.length > 0);
  if (files.length === 0) return [];
  const secrets = [...new Set(files.flatMap((file) => file.secrets))];
  const fact = { kind: 'secretWritten' as const, secrets, files: files.length };
  return [{ level: 'danger', fact, ...pathsAsEvidence(files.map((file) => file.path)) }];
}

const marks: readonly (readonly [EditMark, (file: EditedFile) => boolean])[] = [
  ['pipeline', (file) => file.isPipeline],
  ['unsaved', (file) => file.isUnsaved],
  ['generated', (file) => file.generated !== undefined],
  ['lockFile', (file) => file.isLockFile],
  ['readOnly', (file) => file.isReadOnly],
];

function marked({ edited = [] }: Facts): Risk[] {
  return marks.flatMap(([mark, has]): Risk[] => {
    const paths = edited.filter(has).map((file) => file.path);
    if (paths.length === 0) return [];
    const fact = { kind: 'editMarked', mark, files: paths.length } as const;
    return [{ level: 'caution', fact, ...pathsAsEvidence(paths) }];
  });
}

/** That the tool does not, or not wholly, do the edit, with the words in which it begins, or ends, to say so. */
function failureOf({ exitCode, action, said = '', files, errors }: Facts): Risk[] {
  // Why the tool of an agent refuses is a fact that the world tells.
  if (exitCode === undefined || exitCode === 0 || action.kind !== 'edit' || action.calls) return [];
  const isLine = (line: string) => line.trim() !== '';
  const words = errors.split('\n').find(isLine) ?? said.split('\n').findLast(isLine) ?? '';
  const quoted = words.trim().slice(0, longestQuoted);
  const failure = action.patch
    ? ({ of: 'patch', isPartly: files.length > 0, said: quoted } as const)
    : ({ of: 'edit', said: quoted } as const);
  return [{ level: 'caution', fact: { kind: 'fails', failure }, evidence: [] }];
}
