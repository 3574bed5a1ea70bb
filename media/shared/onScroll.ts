/** Paints again after scrolling anywhere in `root`, once a frame. */
export function onScroll(root: HTMLElement, paint: () => void): void {
  let frame = 0;
  root.addEventListener(
    'scroll',
    () => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        paint();
      });
    },
    { capture: true, passive: true },
  );
}
