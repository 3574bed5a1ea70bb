/** The second script of the panel: what the first look at a prediction does not need. Loaded behind it. */
import * as z from 'zod/mini';

export { bannersView } from './around/bannersView.ts';
export { imagineButtons, imagineView } from './around/imagineView.ts';
export { pastButton, pastView, recallKey } from './around/pastView.ts';
export { refusalView } from './around/refusalView.ts';
export { sessionView } from './around/sessionView.ts';
export { failedView, welcomeView } from './around/welcomeView.ts';
export { copyView } from './copyMenu.ts';
export { consequencesView } from './edit/consequencesView.ts';
export { editButtons, editView } from './edit/editView.ts';
export { findKey, findView } from './find/findView.ts';
export { askView } from './run/askView.ts';
export { assumptionsSection } from './run/assumptionsView.ts';
export { effectsSection } from './run/effectsView.ts';
export { afterRealButtons, furtherButtons, lastButton } from './run/furtherButtons.ts';
export { netOf } from './run/netOf.ts';
export { notesSection } from './run/notesView.ts';
export { observedOutput, observedSection } from './run/observedView.ts';
export { programShower, programsSection } from './run/programsView.ts';
export { realHeadline } from './run/realHeadline.ts';
export { rehearseButton, rehearseView } from './run/rehearseView.ts';
export { saferSection } from './run/saferView.ts';
export { soFarSection } from './run/soFarView.ts';
export { unknownText } from './run/unknownText.ts';

// The content security policy forbids `eval`, which zod would try; this script has a zod of its own.
z.config({ jitless: true });
