import { html, nothing, type TemplateResult } from 'lit/html.js';
import { wasAsked } from '../../../src/core/facts/onlyLooks.ts';
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

function rootsOf({ remember, state }: Panel): ProgramNode[] {
  const programs = state.prediction?.programs ?? [];
  return remember('programs', [programs, state.sequence, state.run], () => programTree(programs));
}

/** What leads the reader to the program that is called so, where it is listed. */
export function programShower(panel: Panel, label: string): (() => void) | undefined {
  const find = (nodes: readonly ProgramNode[]): ProgramNode[] =>
    nodes.flatMap((node) => (node.label === label ? [node] : find(node.children)));
  const [found] = find(rootsOf(panel));
  return (
    found &&
    (() => {
      panel.dispatch({ type: 'section', name: 'programs', open: true });
      panel.dispatch({ type: 'active', tree: 'programs', key: found.key });
      document.getElementById('programs')?.focus();
      document.querySelector('#programs .active')?.scrollIntoView({ block: 'nearest' });
    })
  );
}

function programsTree(panel: Panel): TemplateResult {
  const programs = panel.state.prediction?.programs ?? [];
  const mixed = !sharedBasis(programs);
  const assumptions = panel.state.prediction?.assumptions ?? [];
  const ending = panel.state.prediction?.ending;
  const isAssumed = assumptions.length > 0;
  return panel.tree<ProgramNode>('programs', 'Programs', rootsOf(panel), {
    content: ({
      program,
      label,
      ...node
    }) => html`<span class="program-state">${icon(wasAsked(program, assumptions) ? 'eye' : programIcon({ program, ...node }, ending))}</span>
      <span class="name code" title=${`${wholeProgramText(program)}\nin ${program.cwd}`}>${label}</span>
      ${detailView(wasAsked(program, assumptions) ? 'asked once, only to read' : programDetail({ program, ...node }, ending))}
      ${mixed ? basisBadge(program.basis) : nothing}
      <span class="size">${exitText(knownExit(program, isAssumed))}</span>`,
    spoken: ({ program }) => (mixed ? '' : program.basis),
    rowClass: (node) =>
      node.program.gatedBecause !== undefined && !wasAsked(node.program, assumptions) && !isLookedThrough(node)
        ? 'program stopped'
        : 'program',
    onOpen: () => {},
  });
}

function detailView(text: string): TemplateResult {
  return html`<span class="detail" title=${text}>${text}</span>`;
}

function exitText(code: number | undefined): string {
  return code === undefined ? '' : `exit ${code}`;
}

type ShownProgram = Pick<ProgramNode, 'program' | 'children'>;

/** Of a stopped program only what was started in its place stands below it. */
function isLookedThrough({ program, children }: ShownProgram): boolean {
  return program.gatedBecause !== undefined && children.length > 0;
}

/** Its end was not reached: the prediction was stopped before. */
function isCutShort({ program }: ShownProgram, ending: Prediction['ending']): boolean {
  return program.exitCode === undefined && (ending === 'cancelled' || ending === 'failed');
}

function programIcon(node: ShownProgram, ending: Prediction['ending']) {
  if (isLookedThrough(node)) return 'eye';
  const { gatedBecause, exitCode, basis } = node.program;
  if (gatedBecause !== undefined || isCutShort(node, ending)) return 'circleSlash';
  if (exitCode === undefined) return ending === undefined ? 'loading' : basis === 'rehearsed' ? 'play' : 'question';
  return exitCode === 0 ? 'check' : 'close';
}

function programDetail(node: ShownProgram, ending: Prediction['ending']): string {
  if (isLookedThrough(node)) return 'looked through, not run itself';
  if (isCutShort(node, ending)) return node.program.basis === 'computed' ? 'not run here' : 'not finished';
  const { gatedBecause, byConsent } = node.program;
  return gatedBecause === undefined ? (byConsent ? 'run by consent' : '') : `stopped: ${gatedBecause}`;
}
