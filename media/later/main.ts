/** The second script of the panel: what a language model was asked and said, and comparisons. Loaded when needed. */
import * as z from 'zod/mini';

export { askView } from './askView.ts';
export { assumptionsSection } from './assumptionsView.ts';
export { bannersView } from './bannersView.ts';
export { besideSection, lastButton } from './besideView.ts';
export { consequencesView } from './consequencesView.ts';
export { copyMenu } from './copyMenu.ts';
export { editButtons, editView } from './editView.ts';
export { imagineButtons, imagineView } from './imagineView.ts';
export { modelSection } from './modelView.ts';
export { observedSection } from './observedView.ts';
export { promptView } from './promptView.ts';
export { refusalView } from './refusalView.ts';
export { rehearseView } from './rehearseView.ts';
export { sessionView } from './sessionView.ts';
export { tabsView } from './tabsView.ts';
export { failedView, welcomeView } from './welcomeView.ts';

// The content security policy forbids `eval`, which zod would try; this script has a zod of its own.
z.config({ jitless: true });
