import type { Doing, Program } from '../program.ts';
import { defaultFiles } from './defaultFiles.ts';
import { copying, deleting } from './files.ts';

const only = 'only reads';

const fetchingCode: Doing = {
  effect: 'code-execution',
  care: 'd',
  says: 'runs or fetches code, or changes the system{: rest}',
};

/** PowerShell and Windows. */
export const windows: readonly Program[] = [
  { names: 'del erase rd', does: { ...deleting, slashes: true } },
  { names: 'copy xcopy', does: { ...copying, slashes: true } },
  {
    names: 'robocopy',
    does: {
      ...copying,
      slashes: true,
      rules: [
        ['s', '-l|/l', 'only shows what it would do'],
        ['dv', '-mir|/mir|/purge', 'deletes what the source does not have'],
        ['dv', '-mov|/mov|/move', 'moves {rest}, over what may be there'],
        ...(copying.rules ?? []),
      ],
    },
  },
  {
    names:
      'remove-item ri clear-content clear-item remove-itemproperty clear-recyclebin set-content out-file add-content',
    does: {
      effect: 'other',
      care: 'c',
      says: 'changes files{: rest}',
      oneDash: true,
      rules: [
        ['d', '-Recurse|-Force|-r|-fo', 'deletes or overwrites{: rest}'],
        ['d', '%root|home|system', 'deletes or overwrites{: rest}'],
      ],
    },
  },
  {
    names: 'new-item copy-item move-item rename-item',
    does: {
      effect: 'other',
      care: 'c',
      says: 'makes, copies or moves files{: rest}',
      oneDash: true,
      rules: [['d', '%root|home|system', 'overwrites or moves{: rest}']],
    },
  },
  { names: 'invoke-expression', runsInput: true, does: fetchingCode },
  { names: 'iex', runsInput: true, reads: [defaultFiles.mix], does: fetchingCode },
  { names: 'invoke-command start-process set-executionpolicy new-service set-itemproperty', does: fetchingCode },
  { names: 'invoke-webrequest invoke-restmethod', fetches: true, does: fetchingCode },
  { names: 'iwr irm', fetches: true, sends: true, does: fetchingCode },
  {
    names:
      'get-content get-childitem get-process get-date get-random get-item get-location get-help get-command get-service write-host write-output select-object sort-object measure-object compare-object where-object foreach-object out-string split-path join-path test-path format-table format-list out-null convertto-json convertfrom-json findstr',
    does: { effect: 'none', care: 's', says: only },
  },
];
