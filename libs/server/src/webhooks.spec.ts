import { Webhook } from 'standardwebhooks';
import { createRtms, RtmsError, RtmsWebhookError, verifyWebhook } from './index.js';

const secretOf = (bytes: string): string => `whsec_${Buffer.from(bytes).toString('base64')}`;
const secret = secretOf('a secret of 24 bytes and');
const created = { type: 'room.created', createdAt: '2026-01-01T00:00:00.000Z', data: { hostName: 'Zoë' } };
const event = { id: 'evt_1', accountID: 'acct_1', ...created };
const body = JSON.stringify(event);
const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
const signed = ({ at = minutes(0), text = body, by = [secret] } = {}) => ({
  'Webhook-Id': 'evt_1',
  'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
  'Webhook-Signature': by.map(each => new Webhook(each).sign('evt_1', at, text)).join(' '),
});

function errorOf(verify: () => unknown): RtmsError {
  try {
    verify();
  } catch (error) {
    if (error instanceof RtmsError) return error;
  }
  throw new Error('The delivery was accepted.');
}

describe('verifyWebhook', () => {
  it.each([
    ['headers of Node.js', () => signed()],
    ['headers of fetch', () => new Headers(signed())],
    ['a signature of the former secret first', () => signed({ by: [secretOf('former'), secret] })],
    ['a timestamp of four minutes ago', () => signed({ at: minutes(-4) })],
  ])('returns the event of a text or of bytes, with %s', (_, sign) => {
    const headers = sign();
    expect(verifyWebhook(body, headers, secret)).toEqual(event);
    expect(verifyWebhook(Buffer.from(body), headers, secret)).toEqual(event);
    expect(verifyWebhook(new TextEncoder().encode(body), headers, secret)).toEqual(event);
  });

  it('tells the fields of `data` by the type', () => {
    const received = verifyWebhook(body, signed(), secret);
    // It compiles only if the event is a union.
    expect(received.type === 'room.created' && received.data.hostName).toBe('Zoë');
  });

  it.each([
    ['a changed body', body.replace('created', 'ended'), () => signed()],
    ['a signature of another secret', body, () => signed({ by: [secretOf('another')] })],
    ['a signature of another identifier', body, () => ({ ...signed(), 'Webhook-Id': 'evt_2' })],
    ['no headers', body, () => ({})],
    ['a timestamp of six minutes ago', body, () => signed({ at: minutes(-6) })],
    ['a timestamp in six minutes', body, () => signed({ at: minutes(6) })],
  ])('rejects %s', (_, text, sign) => {
    const error = errorOf(() => verifyWebhook(text, sign(), secret));
    expect(error).toBeInstanceOf(RtmsWebhookError);
    expect(error).toMatchObject({ code: 'webhook_rejected', reason: 'invalid_signature', retryable: false });
  });

  it.each(['hello', '', '{}', 'null', '[]'])('rejects the signed body %p, which is no event', text => {
    const error = errorOf(() => verifyWebhook(text, signed({ text }), secret));
    expect(error).toMatchObject({ name: 'RtmsWebhookError', reason: 'invalid_body' });
  });

  it.each(['id', 'type', 'createdAt', 'accountID', 'data'])('rejects a signed body without `%s`', name => {
    for (const value of [undefined, null, 7]) {
      const text = JSON.stringify({ ...event, [name]: value });
      const error = errorOf(() => verifyWebhook(text, signed({ text }), secret));
      expect(error).toMatchObject({
        ...{ reason: 'invalid_body', message: 'The delivery is signed but its body is no event of RTMS.' },
      });
    }
  });

  it('verifies the bytes as they came, and says what is wrong with them', () => {
    const text = `\uFEFF${body}`;
    const error = errorOf(() => verifyWebhook(Buffer.from(text), signed({ text }), secret));
    expect(error).toMatchObject({ message: 'The delivery is signed but its body is no JSON.' });
    const changed = errorOf(() => verifyWebhook(`${body} `, signed(), secret));
    expect(changed.message).toMatch(/^The delivery is rejected: .+\.$/);
  });

  it('blames no sender for a mistake of the receiver, and shows no secret', () => {
    for (const wrong of ['', 'whsec_', 'whsec_not base64']) {
      const error = errorOf(() => verifyWebhook(body, signed(), wrong));
      expect([error.name, error.code]).toEqual(['RtmsError', 'invalid_option']);
      expect(error.message).not.toContain('not base64');
    }
    const error = errorOf(() => verifyWebhook(event as never, signed(), secret));
    expect([error.name, error.code]).toEqual(['RtmsError', 'invalid_option']);
    expect(error.message).toContain('express.raw()');
  });

  it('is `webhooks.verify` of the SDK too', () => {
    const rtms = createRtms({ url: 'https://rtms.test', key: 'acme:k3y' });
    expect(rtms.webhooks.verify).toBe(verifyWebhook);
  });
});
