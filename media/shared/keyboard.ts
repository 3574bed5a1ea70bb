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

/** What had the keyboard went with what was drawn anew: the first of these that is there gets it. */
export function keepKeyboard(ids: readonly string[]): void {
  if (document.hasFocus()) takeKeyboard(ids);
}

/**
 * Commands and keys of VS Code give the keyboard to a page as a whole, where keys would do nothing: the first of these that
 * is there gets it. A pointer shows where it wants to be. Returns what is to be called when they may have been drawn.
 */
export function followKeyboard(ids: readonly string[]): () => void {
  let isPressed = false;
  let isWanted = true;
  // VS Code gives it to a page that it still hides, in which nothing can take it.
  const take = (framesLeft: number) => {
    if (!isWanted || !document.hasFocus()) return;
    takeKeyboard(ids);
    if (hasKeyboard()) isWanted = false;
    else if (framesLeft > 0) requestAnimationFrame(() => take(framesLeft - 1));
  };
  const press = (isDown: boolean) => {
    isPressed = isDown;
    isWanted &&= !isDown;
  };
  window.addEventListener('pointerdown', () => press(true), { capture: true });
  window.addEventListener('pointerup', () => press(false), { capture: true });
  window.addEventListener('blur', () => press(false));
  window.addEventListener('focus', () => {
    isWanted = !isPressed;
    take(120);
  });
  take(120);
  return () => take(0);
}
