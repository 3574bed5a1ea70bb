/** Gives the keyboard, where nothing has it, to the first of these that is there. */
function takeKeyboard(ids: readonly string[]): void {
  if (hasKeyboard()) return;
  for (const id of ids) {
    document.getElementById(id)?.focus();
    if (hasKeyboard()) return;
  }
}

/** Something in the panel has the keyboard, and not only the page as a whole. */
export function hasKeyboard(): boolean {
  const { activeElement, body } = document;
  return activeElement !== null && activeElement !== body && activeElement !== document.documentElement;
}

/** What had the keyboard went with what was drawn anew: the verdict gets it, from where Tab leads on. */
export function keepKeyboard(): void {
  if (document.hasFocus()) takeKeyboard(['answer', 'verdict', 'command']);
}

/** Commands and keys of VS Code give the keyboard to the panel as a whole, where keys would do nothing. A pointer shows where it wants to be. */
export function followKeyboard(): void {
  let isPressed = false;
  window.addEventListener('pointerdown', () => (isPressed = true), { capture: true });
  window.addEventListener('pointerup', () => (isPressed = false), { capture: true });
  window.addEventListener('blur', () => (isPressed = false));
  // VS Code gives it to a page that it still hides, in which nothing can take it.
  const take = (framesLeft = 120) => {
    if (isPressed || !document.hasFocus()) return;
    takeKeyboard(['answer', 'command', 'verdict']);
    if (!hasKeyboard() && framesLeft > 0) requestAnimationFrame(() => take(framesLeft - 1));
  };
  window.addEventListener('focus', () => take());
  take();
}
