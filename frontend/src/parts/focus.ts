/** Takes the focus when it appears, so that whoever uses the keyboard or a screen reader goes along. */
export function takesFocus(node: HTMLElement): void {
  node.tabIndex = -1;
  node.style.outline = "none";
  node.focus({ preventScroll: true });
}
