import fc from 'fast-check';
import { makeTokenPair, ManualClock } from '@rtms/testing';
import { formatSignedPath, generateSigningKey, parseSignedPath, TokenSigner, type TokenVerifier } from './index.js';

const path = { broadcastID: 'bcast_1', window: 1_700_000_000, expiresAt: 1_700_003_600 };

/** A clock within the time of the path. */
const during = (): ManualClock => new ManualClock(1_700_001_000_000);

describe('a signed path', () => {
  it('is the same for every viewer of a broadcast and window', async () => {
    const { signer } = await makeTokenPair();
    expect(await signer.signPath(path)).toEqual(await signer.signPath(path));
  });

  it('is read back from its segments', async () => {
    const { signer } = await makeTokenPair();
    const signed = await signer.signPath(path);
    expect(parseSignedPath('bcast_1', formatSignedPath(signed).split('/'))).toEqual(signed);
  });

  it('is valid until its last millisecond, remembered or not', async () => {
    const clock = during();
    const { signer, verifier } = await makeTokenPair(clock);
    const signed = await signer.signPath(path);
    expect(await verifier.verifyPath(signed)).toBe(true);
    await clock.advance(path.expiresAt * 1000 - 1 - clock.now());
    expect(await verifier.verifyPath(signed)).toBe(true);
    await clock.advance(1);
    expect(await verifier.verifyPath(signed)).toBe(false);
  });

  it('is known after its first check, until it expires', async () => {
    const clock = during();
    const { signer, verifier } = await makeTokenPair(clock);
    const signed = await signer.signPath(path);
    expect(verifier.hasVerified(signed)).toBe(false);
    await verifier.verifyPath(signed);
    expect(verifier.hasVerified(signed)).toBe(true);
    const forged = { ...signed, expiresAt: path.expiresAt + 1 };
    await verifier.verifyPath(forged);
    expect(verifier.hasVerified(forged)).toBe(false);
    await clock.advance(path.expiresAt * 1000 - clock.now());
    expect(verifier.hasVerified(signed)).toBe(false);
  });

  it.each([
    ['another broadcast', { broadcastID: 'bcast_2' }],
    ['another window', { window: path.window + 1 }],
    ['a later end', { expiresAt: path.expiresAt + 1 }],
    ['another key', { kid: 'someone' }],
    ['no signature', { signature: '' }],
  ])('is not valid for %s', async (_case, change) => {
    const { signer, verifier } = await makeTokenPair(during());
    expect(await verifier.verifyPath({ ...(await signer.signPath(path)), ...change })).toBe(false);
  });

  it('has one spelling only', async () => {
    const { signer, verifier } = await makeTokenPair(during());
    const signed = await signer.signPath(path);
    for (const signature of spellingsOf(signed.signature)) {
      expect(await verifier.verifyPath({ ...signed, signature })).toBe(false);
    }
  });

  it('is no longer valid once its key is removed', async () => {
    const key = await generateSigningKey();
    const clock = during();
    const { verifier } = await makeTokenPair(clock);
    verifier.setKeys({ keys: [key.publicJwk] });
    const signed = await new TokenSigner(key, clock).signPath(path);
    expect(await verifier.verifyPath(signed)).toBe(true);
    forgetKeys(verifier);
    expect(verifier.hasVerified(signed)).toBe(false);
    expect(await verifier.verifyPath(signed)).toBe(false);
  });
});

/** The last character of 64 bytes in base64url has two bits that decoders ignore. */
function spellingsOf(signature: string): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signature.at(-1) ?? '');
  return [`${signature.slice(0, -1)}${alphabet[last + 1] ?? 'A'}`, `${signature}==`];
}

function forgetKeys(verifier: TokenVerifier): void {
  verifier.setKeys({ keys: [] });
}

describe('parseSignedPath', () => {
  it.each([
    ['nothing', []],
    ['too few segments', ['1', '2', 'kid']],
    ['a leading zero', ['01', '2', 'kid', 'sig']],
    ['a sign', ['+1', '2', 'kid', 'sig']],
    ['a fraction', ['1.5', '2', 'kid', 'sig']],
    ['foreign characters', ['1', '2', 'k/d', 'sig']],
  ])('refuses %s', (_case, segments) => {
    expect(parseSignedPath('bcast_1', segments)).toBeUndefined();
  });

  it('never throws, and what it reads is written the same way', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 6 }), segments => {
        const parsed = parseSignedPath('bcast_1', segments);
        expect(parsed === undefined || formatSignedPath(parsed) === segments.slice(0, 4).join('/')).toBe(true);
      }),
    );
  });
});
