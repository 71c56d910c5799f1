import { Webhook as Verifier } from 'standardwebhooks';
import { signedHeaders } from './webhook-sender.service.js';

describe('the headers of a delivery', () => {
  it('have the signature of the example in the Standard Webhooks specification', () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: '{"test": 2432232314}',
      at: new Date(1_614_265_330_000),
    };
    expect(signedHeaders(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
      'Webhook-Id': message.id,
      'Webhook-Timestamp': '1614265330',
      'Webhook-Signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('are valid for each of the secrets', () => {
    const secrets = [1, 2].map(byte => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
    const body = JSON.stringify({ text: 'Grüße 👋' });
    const headers = signedHeaders({ id: 'evt_1', body, at: new Date() }, secrets);
    for (const secret of secrets) expect(new Verifier(secret).verify(body, headers)).toEqual(JSON.parse(body));
    const other = new Verifier(`whsec_${Buffer.alloc(32, 3).toString('base64')}`);
    expect(() => other.verify(body, headers)).toThrow('No matching signature');
    expect(() => new Verifier(secrets[0]!).verify(`${body} `, headers)).toThrow('No matching signature');
  });
});
