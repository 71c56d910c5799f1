import { EventStream, type StreamOptions } from './event-stream.js';
import { methodTable, type Api } from './generated/methods.js';
import { bindMethods, type Answer } from './methods.js';
import { Transport, type RtmsOptions } from './transport.js';
import { verifyWebhook } from './webhooks.js';
import { waitUntilActive, type WaitOptions } from './waiting.js';

type ExternalSession = Answer<'getExternalSession'>['externalSession'];
type Broadcast = Answer<'getBroadcast'>['broadcast'];

/** Functions that several requests make. */
interface Additions {
  externalSessions: {
    /** Waits until the publisher sends all its tracks. Rejects with `RtmsNotActiveError` once the session has ended or failed. */
    waitUntilActive(meetingID: string, sessionID: string, options?: WaitOptions): Promise<ExternalSession>;
  };
  broadcasts: {
    /** Waits until players can load the broadcast. Rejects with `RtmsNotActiveError` once the broadcast has ended or failed. */
    waitUntilActive(meetingID: string, broadcastID: string, options?: WaitOptions): Promise<Broadcast>;
  };
  events: {
    /** The events of the account, from the past into the future. */
    stream(options?: StreamOptions): EventStream;
  };
  webhooks: {
    /** Checks a delivery and returns its event, or throws `RtmsWebhookError`. */
    verify: typeof verifyWebhook;
  };
}

export type Rtms = Api & Additions;

/**
 * The API of a gateway with an account's key. It belongs on a server only.
 *
 *     const rtms = createRtms({ url: 'https://rtms.example.com', key: process.env.RTMS_KEY });
 *     const { room, join } = await rtms.rooms.create({ userName: 'Ada' });
 */
export function createRtms(options: RtmsOptions): Rtms {
  const transport = new Transport(options);
  const { clock } = transport;
  const api = bindMethods(methodTable, transport);
  const { externalSessions, broadcasts } = api as unknown as Api;
  const additions: Additions = {
    externalSessions: {
      waitUntilActive(meetingID, sessionID, wait = {}) {
        const read = (call: WaitOptions) => externalSessions.get(meetingID, sessionID, call);
        return waitUntilActive('external session', async call => (await read(call)).externalSession, clock, wait);
      },
    },
    broadcasts: {
      waitUntilActive(meetingID, broadcastID, wait = {}) {
        const read = (call: WaitOptions) => broadcasts.get(meetingID, broadcastID, call);
        return waitUntilActive('broadcast', async call => (await read(call)).broadcast, clock, wait);
      },
    },
    events: { stream: (from = {}) => new EventStream(transport, from) },
    webhooks: { verify: verifyWebhook },
  };
  const extended = Object.entries(additions).map(([name, functions]: [string, object]) => {
    return [name, { ...api[name], ...functions }] as const;
  });
  return { ...api, ...Object.fromEntries(extended) } as unknown as Rtms;
}
