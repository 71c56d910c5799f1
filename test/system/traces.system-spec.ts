import { randomBytes } from 'node:crypto';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import { ApiClient, type ExternalSession } from './harness/api-client.js';
import { logLines, type LogLine } from './harness/log-lines.js';
import { startStack, type Stack } from './harness/stack.js';
import { TraceCollector, type CollectedSpan } from './harness/trace-collector.js';

describe('one request through all services', () => {
  let collector: TraceCollector;
  let stack: Stack;
  let meetingID: string;

  beforeAll(async () => {
    collector = await TraceCollector.start();
    stack = await startStack({ env: collector.env });
    meetingID = await stack.api.createRoom();
  });

  afterAll(async () => {
    await stack?.close();
    await collector?.close();
  });

  /** A caller that has a trace of its own, and an id for its request. */
  function caller(requestID: string) {
    const [traceID, spanID] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const headers = { 'X-Request-Id': requestID, traceparent: `00-${traceID}-${spanID}-01` };
    return { traceID, spanID, api: new ApiClient(stack.gateway.url, stack.api.credential, headers) };
  }

  async function span(traceID: string, service: string, name: string): Promise<CollectedSpan> {
    let found: CollectedSpan | undefined;
    await waitFor(() => (found = collector.find(traceID, `rtms-${service}`, name)) !== undefined, {
      what: `a span “${name}” of the ${service} in the trace`,
    });
    if (!found) throw new Error('unreachable');
    return found;
  }

  async function line(service: string, wanted: (line: LogLine) => boolean, what: string): Promise<void> {
    await waitFor(async () => (await logLines(stack, service)).some(wanted), { what: `the ${service} to log ${what}` });
  }

  async function publish(session: ExternalSession): Promise<EncoderPublisher> {
    const encoder = await EncoderPublisher.publish(session.ingest);
    await stack.api.sessionBecomes(meetingID, session.sessionID, 'active');
    return encoder;
  }

  it('is one trace from the caller’s span to the media node’s, each span below the one that caused it', async () => {
    const { api, traceID, spanID } = caller('one-trace');
    await api.openSession(meetingID);
    const http = await span(traceID, 'gateway', 'POST /v1/meetings/:meetingID/external-sessions');
    const request = await span(traceID, 'gateway', 'request rtms.sfu.*.session.open');
    const respond = await span(traceID, 'sfu', 'respond rtms.sfu.*.session.open');
    expect([http.parentID, request.parentID, respond.parentID]).toEqual([spanID, http.spanID, request.spanID]);
    expect(http.attributes).toMatchObject({
      'http.response.status_code': 201,
      'http.route': '/v1/meetings/:meetingID/external-sessions',
      'rtms.request_id': 'one-trace',
    });
    expect(respond.attributes['rtms.request_id']).toBe('one-trace');
    await line('gateway', ({ requestID, trace_id }) => requestID === 'one-trace' && trace_id === traceID, 'the trace');
    await line('sfu', ({ requestID, trace_id }) => requestID === 'one-trace' && trace_id === traceID, 'the trace');
  });

  it('goes on where the facts that came of it are stored', async () => {
    const { api, traceID } = caller('broadcast-made');
    const session = await stack.api.openSession(meetingID);
    const encoder = await publish(session);
    const { broadcastID } = await api.openBroadcast(meetingID, session.sessionID);
    await stack.api.broadcastBecomes(meetingID, broadcastID, 'active');
    const started = await span(traceID, 'transcoder', 'respond rtms.transcoder.*.broadcast.start');
    const asked = await span(traceID, 'transcoder', 'request rtms.sfu.*.feed.open');
    const fed = await span(traceID, 'sfu', 'respond rtms.sfu.*.feed.open');
    expect([asked.parentID, fed.parentID]).toEqual([started.spanID, asked.spanID]);
    const published = await span(traceID, 'transcoder', 'publish rtms.fact.broadcast.active.*');
    const applied = await span(traceID, 'gateway', 'process rtms.fact.broadcast.active.*');
    expect(applied.parentID).toBe(published.spanID);

    const ofRequest = ({ requestID }: LogLine) => requestID === 'broadcast-made';
    await line('gateway', each => ofRequest(each) && each.msg.startsWith('POST /v1/meetings/'), 'the request');
    await line('transcoder', each => ofRequest(each) && each.command === 'broadcast.start', 'the command');
    await line('sfu', each => ofRequest(each) && each.command === 'feed.open', 'the command that followed');
    await line('transcoder', each => ofRequest(each) && each.fact === 'broadcast.active', 'the fact');
    await line('gateway', each => ofRequest(each) && each.type === 'broadcast.active', 'the fact');
    await encoder.leave();
  });

  it('has no secret in any span', async () => {
    const session = await stack.api.openSession(meetingID);
    const encoder = await publish(session);
    await encoder.leave();
    await stack.api.sessionBecomes(meetingID, session.sessionID, 'ended');
    await waitFor(() => collector.spans.some(({ name }) => name.startsWith('DELETE /whip')), {
      what: 'a span of the encoder’s leaving',
    });
    const sent = collector.bodies.join('\n');
    const key = stack.api.credential.split(':')[1] ?? '';
    const secrets = [session.ingest.token, key, stack.adminToken];
    for (const secret of secrets) expect(secret.length).toBeGreaterThan(16);
    expect(secrets.filter(secret => sent.includes(secret))).toEqual([]);
    expect(sent).not.toMatch(/eyJ[\w-]{8,}\./);
  });
});

describe('a collector that does not answer', () => {
  it('harms nothing, neither at work nor when a service stops', async () => {
    const collector = await TraceCollector.start();
    const { env } = collector;
    await collector.close();
    const stack = await startStack({ env });
    try {
      const meetingID = await stack.api.createRoom();
      expect((await stack.api.openSession(meetingID)).state).toBe('pending');
      await waitFor(
        async () => (await logLines(stack, 'gateway')).some(({ msg }) => msg === 'traces could not be sent'),
        { timeoutMs: 60_000, what: 'the gateway to say that traces could not be sent' },
      );
      const begun = Date.now();
      await Promise.all([stack.gateway, stack.sfu, stack.transcoder].map(service => service.stop()));
      expect(Date.now() - begun).toBeLessThan(9_000);
    } finally {
      await stack.close();
    }
  });
});
