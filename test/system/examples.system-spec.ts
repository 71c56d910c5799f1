/** @weight 0.7 for 20 s */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EncoderPublisher } from '@rtms/testing';
import { runPages } from '../docs/page-blocks.js';
import type { ApiClient } from './harness/api-client.js';
import { commandsUnder } from './harness/page-commands.js';
import { sharedStack } from './harness/shared-stack.js';

const run = promisify(execFile);

/** The commands of a page, as a reader would copy them. */
function commandsOf(page: string): string {
  const blocks = runPages().get(page) ?? [];
  return blocks.map(({ code, reason }) => (reason === undefined ? code : '')).join('');
}

describe('guides', () => {
  let api: ApiClient;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let functions: string;
  let published: { meetingID: string; sessionID: string };
  const encoders: EncoderPublisher[] = [];
  const tested = new Set<string>();

  beforeAll(async () => {
    const stack = await sharedStack();
    api = stack.api;
    folder = await mkdtemp(join(tmpdir(), 'rtms-guides-'));
    const [apiUserName, apiKey] = api.credential.split(':');
    await writeFile(join(folder, 'ready.json'), JSON.stringify({ gateway: stack.gateway.url, apiUserName, apiKey }));
    const { PATH, HOME } = process.env;
    env = { PATH, HOME, RTMS_HOME: folder, API: stack.gateway.url, KEY: api.credential };
    [functions = ''] = commandsUnder('From publisher to viewer', await readFile('README.md', 'utf8')).split('\nROOM=');
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID);
    encoders.push(await EncoderPublisher.publish(ingest));
    await api.sessionBecomes(meetingID, sessionID, 'active');
    published = { meetingID, sessionID };
  });

  afterAll(async () => {
    for (const encoder of encoders) await encoder.leave();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the commands of a page for the published session to their end. */
  async function runPage(page: string, cwd = folder): Promise<string> {
    tested.add(page);
    const { meetingID: ROOM, sessionID: ID } = published;
    const commands = `${functions}\n${commandsOf(page)}`;
    const { stdout } = await run('bash', ['-euc', commands], { cwd, env: { ...env, ROOM, ID }, timeout: 100_000 });
    return stdout;
  }

  it('print the settings of OBS, and a new token for its return', async () => {
    const [server = '', token = '', state, renewed = ''] = (await runPage('docs/guides/obs.md')).trim().split('\n');
    expect([server, state]).toEqual([expect.stringMatching(/^Server: http.*\/whip\/ext_\w+$/), 'pending']);
    expect(renewed.split('.')).toHaveLength(3);
    expect(token).not.toContain(renewed);
  });

  it('record, download the file and compare its checksum', async () => {
    expect(await runPage('docs/guides/recording.md')).toMatch(/^rec_\w+\.mp4: OK$/m);
  });

  it('have no commands that no test runs', () => {
    const withCommands = [...runPages()].filter(([, blocks]) => blocks.some(({ reason }) => reason === undefined));
    expect(withCommands.map(([page]) => page).filter(page => !tested.has(page))).toEqual([]);
  });
});
