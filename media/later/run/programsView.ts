import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import { wholeProgramText } from '../../../src/core/words/programText.ts';
import { knownExit, shownPrograms } from '../../../src/core/words/shownPrograms.ts';
import type { Panel } from '../../predict/panel.ts';
import { section } from '../../predict/section.ts';
import { basisBadge, sharedBasis } from '../../shared/basis.ts';
import { counted } from '../../shared/format.ts';
import { icon } from '../../shared/icons.ts';
import { type ProgramNode, programTree } from './programTree.ts';

/** The programs, as one started the other. */
export function programsSection(panel: Panel, { programs }: Prediction): TemplateResult {
  const basis = sharedBasis(programs);
  return section(panel, {
    name: 'programs',
    title: 'Programs',
    beside: html`<span class="count">${counted(shownPrograms(programs).length, 'program')}</span>${basis ? basisBadge(basis) : nothing}`,
    content: () => programsTree(panel),
  });
}

function programsTree(panel: Panel): TemplateResult {
  const programs = panel.state.prediction?.programs ?? [];
  const roots = panel.remember('programs', [programs, panel.state.sequence, panel.state.run], () =>
    programTree(programs),
  );
  const mixed = !sharedBasis(programs);
  const isAssumed = (panel.state.prediction?.assumptions.length ?? 0) > 0;
  return panel.tree<ProgramNode>('programs', 'Programs', roots, {
    content: ({
      program,
      label,
      ...node
    }) => html`<span class="program-state">${icon(programIcon({ program, ...node }))}</span>
      <span class="name code" title=${`${wholeProgramText(program)}\nin ${program.cwd}`}>${label}</span>
      <span class="detail" title=${programDetail({ program, ...node })}>${programDetail({ program, ...node })}</span>
      ${mixed ? basisBadge(program.basis) : nothing}
      <span class="size">${exitText(knownExit(program, isAssumed))}</span>`,
    spoken: ({ program }) => (mixed ? '' : program.basis),
    rowClass: (node) =>
      node.program.gatedBecause === undefined || isLookedThrough(node) ? 'program' : 'program stopped',
    onOpen: () => {},
  });
}

function exitText(code: number | undefined): string {
  return code === undefined ? '' : `exit ${code}`;
}

type ShownProgram = Pick<ProgramNode, 'program' | 'children'>;

/** Of a stopped program only what was started in its place stands below it. */
function isLookedThrough({ program, children }: ShownProgram): boolean {
  return program.gatedBecause !== undefined && children.length > 0;
}

function programIcon(node: ShownProgram) {
  if (isLookedThrough(node)) return 'eye';
  const { gatedBecause, exitCode } = node.program;
  if (gatedBecause !== undefined) return 'circleSlash';
  if (exitCode === undefined) return 'play';
  return exitCode === 0 ? 'check' : 'close';
}

function programDetail(node: ShownProgram): string {
  if (isLookedThrough(node)) return 'looked through, not run itself';
  const { gatedBecause, byConsent } = node.program;
  return gatedBecause === undefined ? (byConsent ? 'run by consent' : '') : `stopped: ${gatedBecause}`;
}
