/** The second script of the panel: what a language model was asked and said, and comparisons. Loaded when needed. */
import * as z from 'zod/mini';

export { bannersView } from './around/bannersView.ts';
export { refusalView } from './around/refusalView.ts';
export { sessionView } from './around/sessionView.ts';
export { failedView, welcomeView } from './around/welcomeView.ts';
export { copyMenu } from './copyMenu.ts';
export { consequencesView } from './edit/consequencesView.ts';
export { editButtons, editView } from './edit/editView.ts';
export { askView } from './model/askView.ts';
export { besideSection, lastButton } from './model/besideView.ts';
export { imagineButtons, imagineView } from './model/imagineView.ts';
export { modelSection } from './model/modelView.ts';
export { promptView } from './model/promptView.ts';
export { tabsView } from './model/tabsView.ts';
export { assumptionsSection } from './run/assumptionsView.ts';
export { notesSection } from './run/notesView.ts';
export { observedOutput, observedSection } from './run/observedView.ts';
export { rehearseButton, rehearseView } from './run/rehearseView.ts';
export { saferSection } from './run/saferView.ts';
export { soFarSection } from './run/soFarView.ts';

// The content security policy forbids `eval`, which zod would try; this script has a zod of its own.
z.config({ jitless: true });
