/** @weight 1 for 15 s */
import { readdir } from 'node:fs/promises';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import pg from 'pg';
import { descendants, openSockets } from './harness/processes.js';
import { startStack, type Stack } from './harness/stack.js';

/** More in the nightly run, because rare leaks show only then. */
const sessions = Number(process.env['RTMS_TEST_SESSIONS'] ?? 24);
/** Of the time limit, which is the usual one for a few sessions. */
const secondsPerSession = 10;
const usualSeconds = 300;

describe('after many sessions', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ env: { SEGMENT_SECONDS: '1' } });
  });

  afterAll(async () => {
    await stack?.close();
  });

  /** Every way in which a session may end; now and then the caller's order is wrong. */
  const departures: ((meetingID: string, sessionID: string, encoder: EncoderPublisher) => Promise<unknown>)[] = [
    (_meetingID, _sessionID, encoder) => encoder.leave(),
    async (meetingID, sessionID, encoder) => {
      await stack.api.call('DELETE', `/v1/meetings/${meetingID}/external-sessions/${sessionID}`);
      return encoder.leave();
    },
    async (meetingID, _sessionID, encoder) => {
      await stack.api.call('POST', '/v1/rooms', { action: 'end', meetingID });
      return encoder.vanish();
    },
    async (meetingID, _sessionID, encoder) => {
      await encoder.vanish();
      return stack.api.call('POST', '/v1/rooms', { action: 'end', meetingID });
    },
  ];

  async function comeAndGo(turn: number): Promise<void> {
    const { api } = stack;
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID, ['video']);
    const encoder = await EncoderPublisher.publish({ ...ingest, audio: false });
    if (turn % 5 === 0) {
      await api.sessionBecomes(meetingID, sessionID, 'active');
      await api.openPlayback(meetingID, sessionID, ['video']);
      await api.openBroadcast(meetingID, sessionID);
    }
    await departures[turn % departures.length]?.(meetingID, sessionID, encoder);
    await api.call('POST', '/v1/rooms', { action: 'end', meetingID });
  }

  it(
    'has no process, port, file or live row more than before',
    async () => {
      await comeAndGo(0);
      await settled();
      const before = { sfu: openSockets(stack.sfu.pid), transcoder: openSockets(stack.transcoder.pid) };
      for (let turn = 1; turn <= sessions; turn += 4) {
        await Promise.all([0, 1, 2, 3].map(offset => comeAndGo(turn + offset)));
      }
      await settled();
      const nothingLives = async (): Promise<boolean> => {
        expect(await liveRows()).toEqual([]);
        return true;
      };
      await waitFor(nothingLives, { everyMs: 200, what: 'no row to be live' });
      await waitFor(
        () => openSockets(stack.sfu.pid) <= before.sfu && openSockets(stack.transcoder.pid) <= before.transcoder,
        { everyMs: 200, what: `sockets to go back to ${JSON.stringify(before)}` },
      );
    },
    Math.max(usualSeconds, secondsPerSession * sessions) * 1000,
  );

  /** No encoder runs any more and the media folder is empty. */
  async function settled(): Promise<void> {
    const runsEncoder = () => descendants(stack.transcoder.pid).some(each => each.command.includes('ffmpeg'));
    await waitFor(() => !runsEncoder(), { what: 'every encoder to be gone' });
    await waitFor(async () => !(await hasFiles(stack.mediaDir)), { what: 'an empty media folder' });
  }

  async function liveRows(): Promise<string[]> {
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      const queries = ['rooms', 'external_sessions', 'playbacks', 'broadcasts'].map(
        table => `select '${table}' || ' ' || state as live from ${table} where state not in ('ended', 'failed')`,
      );
      return (await client.query<{ live: string }>(queries.join(' union all '))).rows.map(row => row.live);
    } finally {
      await client.end();
    }
  }
});

async function hasFiles(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.some(entry => entry.isFile());
}
