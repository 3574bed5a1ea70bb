import { drawing as arrowRight } from 'codicon:arrow-right';
import { drawing as beaker } from 'codicon:beaker';
import { drawing as check } from 'codicon:check';
import { drawing as chevronDown } from 'codicon:chevron-down';
import { drawing as chevronRight } from 'codicon:chevron-right';
import { drawing as circleSlash } from 'codicon:circle-slash';
import { drawing as close } from 'codicon:close';
import { drawing as copy } from 'codicon:copy';
import { drawing as stop } from 'codicon:debug-stop';
import { drawing as changes } from 'codicon:diff-multiple';
import { drawing as discard } from 'codicon:discard';
import { drawing as error } from 'codicon:error';
import { drawing as eye } from 'codicon:eye';
import { drawing as info } from 'codicon:info';
import { drawing as loading } from 'codicon:loading';
import { drawing as pass } from 'codicon:pass';
import { drawing as play } from 'codicon:play';
import { drawing as volatileIcon } from 'codicon:pulse';
import { drawing as question } from 'codicon:question';
import { drawing as model } from 'codicon:robot';
import { drawing as numeric } from 'codicon:symbol-numeric';
import { drawing as warning } from 'codicon:warning';
import { html, type TemplateResult } from 'lit/html.js';

const icons = {
  arrowRight,
  beaker,
  changes,
  check,
  chevronDown,
  chevronRight,
  circleSlash,
  close,
  copy,
  discard,
  error,
  eye,
  info,
  loading,
  numeric,
  pass,
  play,
  question,
  model,
  stop,
  volatile: volatileIcon,
  warning,
};

/** The icons that the panels use. */
export type IconName = keyof typeof icons;

/** An icon of VS Code, in the colour of the text around it. It says nothing to a screen reader: a word stands beside it. */
export function icon(name: IconName): TemplateResult {
  return drawn(icons[name]);
}

/** The same for an icon that only one view needs. */
export function drawn([path, rule = 'nonzero']: typeof warning): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 160 160" aria-hidden="true"><path fill-rule=${rule} d=${path}></path></svg>`;
}
