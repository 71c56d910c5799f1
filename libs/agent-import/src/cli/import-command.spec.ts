import { assistant, agent } from '../testing/definitions.js';
import { importAgent } from '../import-agent.js';
import { importCommand } from './import-command.js';

/** What the command does with a file of these bytes. */
async function run(args: string[], bytes?: Uint8Array) {
  const said = { printed: '', complained: '' };
  const code = await importCommand(args, {
    read: async () => bytes ?? Promise.reject(new Error('ENOENT')),
    print: text => (said.printed += text),
    complain: text => (said.complained += text),
  });
  return { code, ...said };
}

describe('rtms-import-agent', () => {
  const text = JSON.stringify(assistant);

  it.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ])('prints what a file in %s becomes', async (_, bytes) => {
    const { code, printed, complained } = await run(['agent.json'], bytes);
    expect([code, complained]).toEqual([0, '']);
    const { ok: _ok, ...imported } = importAgent(text);
    expect(JSON.parse(printed)).toEqual(imported);
  });

  it.each([
    ['not importable', JSON.stringify(agent), 'This is an agent of platform B without its LLM'],
    ['not JSON', '{', 'The text is not JSON: line 1, column 2'],
    ['empty', '', 'There is nothing to import'],
  ])('says why when a file is %s', async (_, content, reason) => {
    const { code, printed, complained } = await run(['agent.json'], Buffer.from(content));
    expect([code, printed]).toEqual([2, '']);
    expect(complained).toContain(reason);
  });

  it('says that a file can’t be read', async () => {
    expect(await run(['no.json'])).toEqual({ code: 1, printed: '', complained: 'no.json can’t be read.' });
  });

  it.each([[[]], [['a', 'b']], [['--help']]])('says how it is used: %j', async args => {
    expect(await run(args, Buffer.from(text))).toEqual({
      code: 1,
      printed: '',
      complained: 'Usage: rtms-import-agent FILE',
    });
  });
});
