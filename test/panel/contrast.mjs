// Shared by the tests that look at colours.
/** Contrast of two colours, each its red, green and blue from 0 to 255: https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio */
export function contrast(one, other) {
  const [low, high] = [one, other]
    .map((colour) => {
      const [red, green, blue] = colour.map((channel) => {
        const part = channel / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
