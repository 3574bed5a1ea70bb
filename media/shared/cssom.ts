import { type AttributePart, Directive, directive } from 'lit/directive.js';
import { noChange } from 'lit/html.js';

/** Values by property name as in style sheets: `padding-left`. */
export type Styles = Readonly<Record<string, string>>;

class Cssom extends Directive {
  before: Styles = {};

  override render(_styles: Styles): unknown {
    return noChange;
  }

  override update(part: AttributePart, [styles]: [Styles]): unknown {
    const { style } = part.element as HTMLElement;
    for (const name of Object.keys(this.before)) if (!(name in styles)) style.removeProperty(name);
    for (const [name, value] of Object.entries(styles)) if (value !== this.before[name]) style.setProperty(name, value);
    this.before = styles;
    return noChange;
  }
}

/**
 * Sets properties of an element's style one by one: `style=${cssom({ top: '0' })}`.
 *
 * The security policy allows that. It does not allow style attributes, which lit's own `styleMap` writes at first.
 */
export const cssom = directive(Cssom);
