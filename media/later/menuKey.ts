/** Moves the keyboard in a menu, and closes it. */
export function menuKey(event: KeyboardEvent, close: () => void): void {
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const step = steps[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') close();
  if (event.key !== 'Escape' && step === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (step !== undefined) items.at(step % items.length)?.focus();
}
