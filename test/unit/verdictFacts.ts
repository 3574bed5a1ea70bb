import type { FoundLoss } from '../../src/core/facts/loss.ts';
import type { ProgramFact } from '../../src/core/facts/programFact.ts';
import type { Facts } from '../../src/core/verdict/facts.ts';
import { judge, worstLevel } from '../../src/core/verdict/verdict.ts';
import type { FileChange } from '../../src/core/view/fileChange.ts';
import { judgedInWords } from './judgedInWords.ts';

/** Facts of a command, as its verdict is made of, and what is said of them. */

export const folder = '/home/me/project';

export function facts(script: string, rest: Partial<Facts> = {}): Facts {
  return {
    action: { kind: 'command', script, shell: 'bash', cwd: folder },
    workspaceFolders: [folder],
    home: '/home/me',
    userId: 1000,
    env: { PATH: '/usr/bin:/bin', HOME: '/home/me' },
    programs: [],
    files: [],
    effects: [],
    loss: [],
    errors: '',
    exitCode: 0,
    ...rest,
  };
}

export function file(path: string, change: FileChange['change'], rest: Partial<FileChange> = {}): FileChange {
  const absolute = path.startsWith('/') ? path : `${folder}/${path}`;
  return { path: absolute, change, type: 'file', mode: '0644', sizeBytes: 100, volatile: false, ...rest };
}

export function loss(path: string, rest: Partial<FoundLoss>): FoundLoss {
  const absolute = path.startsWith('/') ? path : `${folder}/${path}`;
  const recovery = rest.recovery ?? { kind: 'none' };
  return {
    path: absolute,
    class: 'untracked',
    because: { kind: 'untracked' },
    going: 'deleted',
    sizeBytes: 100,
    ...rest,
    recovery,
  };
}

export const ran = (command: string, rest: Partial<ProgramFact> = {}): ProgramFact => ({
  argv: command.split(' '),
  cwd: folder,
  basis: 'rehearsed',
  exitCode: 0,
  ...rest,
});

export const levelOf = (given: Facts) => worstLevel(judge(given));
export const reasonsOf = (given: Facts) => judgedInWords(given).map((risk) => risk.reason);
