/** The third script of the panel: what a language model was asked and said, and comparisons with it. Loaded when needed. */
export { besideDoubt, besideSection } from './besideView.ts';
export { modelSection } from './modelView.ts';
export { promptView } from './promptView.ts';
export { tabsView } from './tabsView.ts';
