/**
 * Readable text colours. VS Code's terminal changes colours of programs until they reach a contrast of 4.5 with the
 * background (`terminal.integrated.minimumContrastRatio`); so does our output.
 */

/** Red, green, blue: 0–255. */
export type Colour = readonly [number, number, number];

/** `#rgb`, `#rrggbb`, `#rrggbbaa` or `rgb(…)`, as themes write them; transparency is ignored. */
export function parseColour(text: string): Colour | undefined {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text.trim())?.[1];
  if (hex) {
    const wide = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex;
    const number = Number.parseInt(wide.slice(0, 6), 16);
    return [number >> 16, (number >> 8) & 255, number & 255];
  }
  const [red, green, blue] = /^rgba?\(/.test(text.trim()) ? (text.match(/[\d.]+/g) ?? []).map(Number) : [];
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

/** Relative luminance, https://www.w3.org/TR/WCAG21/#dfn-relative-luminance */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, 1–21. */
export function contrast(a: Colour, b: Colour): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** The colour itself, or the nearest mixture with white or black that can be read on `background`. */
export function readable(colour: Colour, background: Colour, least = 4.5): Colour {
  const target = luminance(background) < 0.18 ? 255 : 0;
  let mixed = colour;
  for (let step = 1; step <= 20 && contrast(mixed, background) < least; step++) {
    const [red, green, blue] = colour;
    const mix = (channel: number) => Math.round(channel + ((target - channel) * step) / 20);
    mixed = [mix(red), mix(green), mix(blue)];
  }
  return mixed;
}
