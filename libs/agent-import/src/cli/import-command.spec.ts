import { assistant, agent } from '../testing/definitions.js';
import { describeFinding } from '../findings/finding-texts.js';
import { importAgent } from '../import-agent.js';
import { importCommand } from './import-command.js';

/** Runs the command with a file of these bytes. */
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
  ])('prints the agent of a file in %s', async (_, bytes) => {
    const { code, printed, complained } = await run(['agent.json'], bytes);
    expect([code, complained]).toEqual([0, '']);
    const result = importAgent(text);
    if (!result.ok) throw new Error(result.code);
    const { ok: _ok, ...imported } = result;
    expect(JSON.parse(printed)).toEqual({
      ...imported,
      toFinish: imported.toFinish.map(item => ({ ...item, text: describeFinding(item) })),
      notes: imported.notes.map(note => ({ ...note, text: describeFinding(note) })),
    });
  });

  it('prints each note with its code, path, values and sentence', async () => {
    const { printed } = await run(['-'], Buffer.from(JSON.stringify({ ...assistant, backgroundSound: 'office' })));
    expect(JSON.parse(printed)).toMatchObject({
      notes: [
        {
          severity: 'warning',
          code: 'not_taken_over',
          path: '',
          values: { fields: ['backgroundSound'], more: 0 },
          text: 'Not taken over: backgroundSound.',
        },
      ],
    });
  });

  it.each([
    ['not importable', JSON.stringify(agent), 'This is an agent of platform B without its LLM'],
    ['not JSON', '{', 'The text is not JSON: line 1, column 2'],
    ['empty', '', 'There is nothing to import'],
  ])('prints the reason when a file is %s', async (_, content, reason) => {
    const { code, printed, complained } = await run(['agent.json'], Buffer.from(content));
    expect(code).toBe(2);
    expect(complained).toContain(reason);
    expect(JSON.parse(printed)).toEqual({
      error: expect.objectContaining({ code: expect.any(String), values: expect.any(Object), text: complained }),
    });
  });

  it('prints the place of the first JSON error', async () => {
    const { printed } = await run(['agent.json'], Buffer.from('{"a" 1}'));
    expect(JSON.parse(printed)).toMatchObject({
      error: { code: 'not_json', line: 1, column: 6, values: { reason: 'ColonExpected' } },
    });
  });

  it('reads a file only up to the importer’s limit', async () => {
    const asked: unknown[] = [];
    const read = async (...given: unknown[]) => {
      asked.push(given);
      return Buffer.from(text);
    };
    await importCommand(['agent.json'], { read, print: () => undefined, complain: () => undefined });
    expect(asked).toEqual([['agent.json', 2_000_000]]);
  });

  it('reports a file that cannot be read', async () => {
    expect(await run(['no.json'])).toEqual({ code: 1, printed: '', complained: 'no.json can’t be read.' });
  });

  it.each([[[]], [['a', 'b']], [['--help']]])('prints its usage for the arguments %j', async args => {
    expect(await run(args, Buffer.from(text))).toEqual({
      code: 1,
      printed: '',
      complained: 'Usage: rtms-import-agent FILE (or - for the standard input)',
    });
  });
});
