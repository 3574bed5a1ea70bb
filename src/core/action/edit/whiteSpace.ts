// What `trim` takes away differs: JavaScript's also takes U+FEFF and not U+0085, Rust's (White_Space) the other way round, and
// Python's also the separators U+001C to U+001F.

const unicodeSpace = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const rustEnd = new RegExp(`[${unicodeSpace}]+$`);
const rustStart = new RegExp(`^[${unicodeSpace}]+`);
const pythonEnd = new RegExp(`[${unicodeSpace}\\x1c-\\x1f]+$`);
const pythonStart = new RegExp(`^[${unicodeSpace}\\x1c-\\x1f]+`);

/** Rust's `str::trim_end`. */
export function rustTrimEnd(text: string): string {
  return text.replace(rustEnd, '');
}

/** Rust's `str::trim`. */
export function rustTrim(text: string): string {
  return rustTrimEnd(text).replace(rustStart, '');
}

/** Python's `str.strip()`. */
export function pythonStrip(text: string): string {
  return text.replace(pythonEnd, '').replace(pythonStart, '');
}
