import type { Program } from '../program.ts';

/** What programs do for a project, by their words. */
type Work = Pick<Program, 'tests' | 'builds' | 'runsProgram' | 'serves' | 'inPackages'>;

const testTarget = /^(?:run )?(?:t|test)(?::\S*)?(?: |$)/;
const install = /^(?:install|ci|add|sync|i|run build\S*|build)(?: |$)/;

/** Compilers and bundlers: whatever they are asked but what they are. */
export const compiling: Work = { builds: /^(?!.*(?:--version|--help)).*\S/ };
/** They run tests, whatever they are asked. */
export const testing: Work = { tests: true };
/** They have a target, task or script for tests. */
export const testingTarget: Work = { tests: testTarget };
/** They install what a project needs. */
export const installing: Work = { builds: install };
/** Build tools of languages that have one for everything. */
export const buildingAll: Work = { tests: testTarget, builds: /^(?:build|install|package)(?: |$)/ };
/** Package managers that run scripts of the project. */
export const scripting: Work = {
  inPackages: 'asked',
  tests: testTarget,
  builds: install,
  runsProgram: /^(?:start|run (?:start|dev|build|serve))(?::\S*)?(?: |$)/,
  serves: /^(?:start|run (?:start|dev|serve))(?: |$)/,
};
/** Interpreters. */
export const runningFile: Work = { runsProgram: /^(?:-m [a-z]|[^-]\S*\.(?:[cm]?js|tsx?|py|rb)(?: |$))/ };
/** They are servers. */
export const servingAlways: Work = { serves: true };
/** Frameworks with a server of their own. */
export const servingByWord: Work = { serves: /^(?:run|server|s|start|dev|-S)(?: |$)/ };
