/**
 * Copies text for a click on `button`. Browsers give the Clipboard API to secure pages alone. Other pages copy a selected
 * field, which stands beside the button, because a dialog keeps the focus inside. Resolves with whether it worked.
 */
export async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  if (window.isSecureContext) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => copySelected(text, button),
    );
  }
  return copySelected(text, button);
}

function copySelected(text: string, button: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  Object.assign(field.style, { position: 'fixed', opacity: '0' });
  button.after(field);
  field.focus({ preventScroll: true });
  field.select();
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- the only way on a page without HTTPS
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    button.focus();
  }
}
