import { DeadlineError, NoResponderError, RemoteError, type Address, type DoneRequest } from '../index.js';
import { failureOf, greet, unique, type TwoBuses } from '../testing/two-buses.js';

/** Requests and replies on every bus. */
export function describeRequests(buses: TwoBuses): void {
  it('carries a request to the responder and the reply back', async () => {
    const { bus, other } = buses();
    const address = greet();
    await other.respond(address, ({ name }) => Promise.resolve({ text: `hello ${name}` }));
    expect(await bus.request(address, { name: 'Ada' })).toEqual({ text: 'hello Ada' });
  });

  it('passes the request ID and the deadline to the responder', async () => {
    const { bus, other, time } = buses();
    const address = { subject: `spec.${unique('context')}` } as Address<null, { requestID: string; leftMs: number }>;
    await other.respond(address, (_request, { requestID, deadline }) =>
      Promise.resolve({ requestID, leftMs: deadline.getTime() - time.clock.now() }),
    );
    const { requestID, leftMs } = await bus.request(address, null, { requestID: 'req-1', deadlineMs: 60_000 });
    expect(requestID).toBe('req-1');
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(60_000);
  });

  it('throws NoResponderError without waiting for the deadline', async () => {
    // After the deadline, the error would be DeadlineError.
    const asking = buses().bus.request(greet(), { name: 'Ada' }, { deadlineMs: 1_000_000 });
    await expect(asking).rejects.toThrow(NoResponderError);
  });

  it('throws NoResponderError once the responder is closed', async () => {
    const { bus, other } = buses();
    const address = greet();
    const responder = await other.respond(address, () => Promise.resolve({ text: '' }));
    await responder.close();
    await responder.close();
    await expect(bus.request(address, { name: 'Ada' })).rejects.toThrow(NoResponderError);
  });

  it('sends a request to one of two balanced responders', async () => {
    const { bus, other } = buses();
    const address = greet();
    let calls = 0;
    const count = (): Promise<{ text: string }> => Promise.resolve({ text: String(++calls) });
    await Promise.all([other, bus].map(each => each.respond(address, count, { balanced: true })));
    await bus.request(address, { name: 'Ada' });
    expect(calls).toBe(1);
  });

  it('carries the reply of the living responder back while another never replies', async () => {
    const { bus, other } = buses();
    const address = greet();
    await other.respond(address, () => new Promise<never>(() => undefined));
    await bus.respond(address, () => Promise.resolve({ text: 'alive' }));
    for (const name of 'abcdefgh') expect(await bus.request(address, { name })).toEqual({ text: 'alive' });
  });
}

/** Failed requests, as the caller sees them. */
export function describeFailures(buses: TwoBuses): void {
  it('reports the outcome of each request to listeners', async () => {
    const { bus, other, time } = buses();
    const [good, refusing, silent, nobody] = [greet(), greet(), greet(), greet()];
    await other.respond(good, () => Promise.resolve({ text: '' }));
    await other.respond(refusing, () => Promise.reject(new Error('no')));
    await other.respond(silent, () => new Promise<never>(() => undefined));
    const heard: DoneRequest[] = [];
    const listening = bus.onRequestDone(done => heard.push(done));
    for (const address of [good, refusing, silent, nobody]) {
      const deadlineMs = address === silent ? 50 : 60_000;
      const asked = failureOf(bus.request(address, { name: 'Ada' }, { deadlineMs }));
      if (address === silent) await time.pass(50);
      await asked;
    }
    await listening.close();
    await bus.request(good, { name: 'Ada' });
    expect(heard.map(({ subject }) => subject)).toEqual([good, refusing, silent, nobody].map(each => each.subject));
    expect(heard.map(({ outcome }) => outcome)).toEqual(['ok', 'refused', 'timeout', 'no_responder']);
  });

  it('throws DeadlineError at the deadline', async () => {
    const { bus, other, time } = buses();
    const address = greet();
    await other.respond(address, () => new Promise<never>(() => undefined));
    const failure = failureOf(bus.request(address, { name: 'Ada' }, { deadlineMs: 50 }));
    await time.pass(50);
    expect(await failure).toBeInstanceOf(DeadlineError);
  });

  it('passes an error with a reason and its details to the caller', async () => {
    const { bus, other } = buses();
    const address = greet();
    const error = Object.assign(new Error('The room is full.'), { reason: 'room_full', details: { capacity: 2 } });
    await other.respond(address, () => Promise.reject(error));
    const failure = await failureOf(bus.request(address, { name: 'Ada' }));
    expect(failure).toBeInstanceOf(RemoteError);
    expect(failure).toMatchObject({
      failure: { reason: 'room_full', message: 'The room is full.', details: { capacity: 2 } },
    });
  });

  it('converts any other error to internal_error', async () => {
    const { bus, other } = buses();
    const address = greet();
    await other.respond(address, () => Promise.reject(new Error('password is hunter2')));
    const failure = await failureOf(bus.request(address, { name: 'Ada' }));
    expect(failure).toMatchObject({ failure: { reason: 'internal_error' } });
    expect(JSON.stringify(failure)).not.toContain('hunter2');
  });

  it('passes on the failure of another responder unchanged', async () => {
    const { bus, other } = buses();
    const [near, far] = [greet(), greet()];
    await other.respond(far, () => Promise.reject(Object.assign(new Error('No.'), { reason: 'room_ended' })));
    await other.respond(near, request => other.request(far, request));
    expect(await failureOf(bus.request(near, { name: 'Ada' }))).toMatchObject({ failure: { reason: 'room_ended' } });
  });
}
