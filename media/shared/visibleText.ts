// C0 and C1 controls but line feed and tab, marks that change the direction of text, and those that have no width. The
// joiner U+200D stays: emoji are made with it.
const invisible =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Text of a model or a server, so that nothing in it hides: control characters and marks that turn the direction of the
 * text around are shown by a picture or their number. Lines may end with CR LF.
 */
export function visibleText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(invisible, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
