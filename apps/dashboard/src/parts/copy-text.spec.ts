/** @jest-environment jsdom */
import { copyText } from './copy-text.js';

describe('copying a text', () => {
  let button: HTMLButtonElement;
  let copied: string | undefined;

  beforeEach(() => {
    button = document.body.appendChild(document.createElement('button'));
    copied = undefined;
  });

  afterEach(() => {
    button.remove();
    for (const [target, name] of [
      [window, 'isSecureContext'],
      [navigator, 'clipboard'],
      [document, 'execCommand'],
    ] as const) {
      Reflect.deleteProperty(target, name);
    }
  });

  function give(target: object, name: string, value: unknown): void {
    Object.defineProperty(target, name, { value, configurable: true });
  }

  /** Copies the selected text of the focused field, as browsers do. */
  function giveExecCommand(works: boolean): void {
    give(document, 'execCommand', () => {
      const field = document.activeElement as HTMLTextAreaElement;
      if (works) copied = field.value.slice(field.selectionStart, field.selectionEnd);
      return works;
    });
  }

  it('uses the clipboard of a secure page', async () => {
    give(window, 'isSecureContext', true);
    give(navigator, 'clipboard', {
      writeText: (text: string) => {
        copied = text;
        return Promise.resolve();
      },
    });
    expect([await copyText('key', button), copied]).toEqual([true, 'key']);
  });

  it('selects a field on a page without HTTPS, and removes it', async () => {
    giveExecCommand(true);
    expect([await copyText('key', button), copied]).toEqual([true, 'key']);
    expect(document.querySelector('textarea')).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  it('selects a field when the clipboard refuses', async () => {
    give(window, 'isSecureContext', true);
    give(navigator, 'clipboard', { writeText: () => Promise.reject(new Error('not allowed')) });
    giveExecCommand(true);
    expect([await copyText('key', button), copied]).toEqual([true, 'key']);
  });

  it('tells when the browser copies nothing', async () => {
    giveExecCommand(false);
    expect(await copyText('key', button)).toBe(false);
  });
});
