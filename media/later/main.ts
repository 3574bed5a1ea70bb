/** The second script of the panel: what a language model was asked and said, and comparisons. Loaded when needed. */
export { besideSection, lastButton } from './besideView.ts';
export { imagineButtons, imagineView } from './imagineView.ts';
export { modelSection } from './modelView.ts';
export { observedSection } from './observedView.ts';
export { promptView } from './promptView.ts';
export { rehearseView } from './rehearseView.ts';
export { tabsView } from './tabsView.ts';
