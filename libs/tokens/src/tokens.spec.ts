import { jwksKey, keyBucket, type MediaToken, type RecordingToken, type TokenPurpose } from '@rtms/contracts';
import { MemoryBus, type KeyValueEntry } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import {
  makeHlsClaims,
  makeIngestClaims,
  makePlaybackClaims,
  makeTokenPair,
  ManualClock,
  EventLog,
} from '@rtms/testing';
import { generateSigningKey, publishKeys, TokenSigner, TokenVerifier, watchKeys } from './index.js';

const recordingClaims: RecordingToken = {
  ...{ purpose: 'recording', resourceID: 'rec_1', meetingID: 'room_1', expiresAt: 9_999_999_999 },
  ...{ nodeID: 'transcoder-1', checksumSha256: 'ab'.repeat(32) },
};

describe('a token', () => {
  // The claims expire after five minutes, and this test may begin long after the file was loaded.
  it.each<[TokenPurpose, () => MediaToken]>([
    ['ingest', () => makeIngestClaims()],
    ['ingest', () => makeIngestClaims({ hasBFrames: true })],
    ['playback', () => makePlaybackClaims()],
    ['recording', () => recordingClaims],
    ['recording', () => ({ ...recordingClaims, part: 'hls' })],
  ])('for %s returns its claims', async (purpose, makeClaims) => {
    const { signer, verifier } = await makeTokenPair();
    const claims = makeClaims();
    expect(await verifier.verify(await signer.sign(claims), purpose)).toEqual(claims);
  });

  it('for hls carries the signed path', async () => {
    const { signer, verifier } = await makeTokenPair();
    const claims = await makeHlsClaims(signer);
    expect(await verifier.verify(await signer.sign(claims), 'hls')).toEqual(claims);
  });

  it('for hls carries no path of another broadcast', async () => {
    const { signer, verifier } = await makeTokenPair();
    const { path } = await makeHlsClaims(signer, { resourceID: 'bcast_2' });
    const token = await signer.sign(await makeHlsClaims(signer, { path }));
    await expect(verifier.verify(token, 'hls')).rejects.toMatchObject({ reason: 'invalid_credentials' });
  });

  it('for an unknown part of a recording is refused', async () => {
    const { signer, verifier } = await makeTokenPair();
    const token = await signer.sign({ ...recordingClaims, part: 'sound' as 'hls' });
    await expect(verifier.verify(token, 'recording')).rejects.toMatchObject({ reason: 'invalid_credentials' });
  });

  it('is refused for another purpose', async () => {
    const { signer, verifier } = await makeTokenPair();
    const token = await signer.sign(makeIngestClaims());
    await expect(verifier.verify(token, 'playback')).rejects.toMatchObject({ reason: 'invalid_credentials' });
  });

  it('is refused from its expiry on, but still ends what it began', async () => {
    const clock = new ManualClock();
    const { signer, verifier } = await makeTokenPair(clock);
    const claims = makeIngestClaims({ expiresAt: clock.now() / 1000 + 300 });
    const token = await signer.sign(claims);
    await clock.advance(299_999);
    expect(await verifier.verify(token, 'ingest')).toEqual(claims);
    await clock.advance(1);
    await expect(verifier.verify(token, 'ingest')).rejects.toMatchObject({ reason: 'token_expired' });
    expect(await verifier.verifyIgnoringExpiry(token, 'ingest')).toEqual(claims);
  });

  it('contains the time of issue', async () => {
    const clock = new ManualClock();
    const { signer } = await makeTokenPair(clock);
    const [, payload = ''] = (await signer.sign(makeIngestClaims())).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ iat: clock.now() / 1000 });
  });

  it.each(['', 'x', 'a.b.c', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'])('%p is not a token', async text => {
    const { verifier } = await makeTokenPair();
    await expect(verifier.verify(text, 'ingest')).rejects.toMatchObject({ reason: 'invalid_credentials' });
    await expect(verifier.verifyIgnoringExpiry(text, 'ingest')).rejects.toMatchObject({
      reason: 'invalid_credentials',
    });
  });

  it('of a key that was not published is refused', async () => {
    const { verifier } = await makeTokenPair();
    const stranger = new TokenSigner(await generateSigningKey(), systemClock);
    const token = await stranger.sign(makeIngestClaims());
    await expect(verifier.verify(token, 'ingest')).rejects.toMatchObject({ reason: 'invalid_credentials' });
  });

  it('that is changed anywhere is refused', async () => {
    const { signer, verifier } = await makeTokenPair();
    const [header, , signature] = (await signer.sign(makeIngestClaims())).split('.');
    const payload = Buffer.from(JSON.stringify({ ...makeIngestClaims(), sub: 'ext_2', exp: 9_999_999_999 }));
    const forged = [header, payload.toString('base64url'), signature].join('.');
    await expect(verifier.verify(forged, 'ingest')).rejects.toMatchObject({ reason: 'invalid_credentials' });
  });

  it('cannot be checked while no key is known', async () => {
    const { signer } = await makeTokenPair();
    const token = await signer.sign(makeIngestClaims());
    await expect(new TokenVerifier(systemClock).verify(token, 'ingest')).rejects.toMatchObject({
      reason: 'dependency_unavailable',
    });
  });
});

describe('published keys', () => {
  /** Watches the bucket of the keys. A verifier that watched earlier has already received each entry. */
  async function witness(bus: MemoryBus): Promise<EventLog<KeyValueEntry<unknown>>> {
    const entries = new EventLog<KeyValueEntry<unknown>>();
    await (await bus.keyValue<unknown>(keyBucket)).watch(entries.add);
    return entries;
  }

  it('reach a verifier, now and after they are rotated', async () => {
    const bus = new MemoryBus();
    const [first, second] = await Promise.all([generateSigningKey(), generateSigningKey()]);
    const verifier = new TokenVerifier(systemClock);
    await publishKeys(bus, [first.publicJwk]);
    const watch = await watchKeys(bus, verifier);
    const published = await witness(bus);
    await published.atLeast(1);
    const token = await new TokenSigner(first, systemClock).sign(makeIngestClaims());
    expect(await verifier.verify(token, 'ingest')).toMatchObject({ purpose: 'ingest' });
    await publishKeys(bus, [second.publicJwk]);
    await published.atLeast(2);
    await expect(verifier.verify(token, 'ingest')).rejects.toMatchObject({ reason: 'invalid_credentials' });
    await watch.close();
  });

  it('are kept if the bucket gets an invalid value', async () => {
    const bus = new MemoryBus();
    const key = await generateSigningKey();
    const verifier = new TokenVerifier(systemClock);
    await publishKeys(bus, [key.publicJwk]);
    const watch = await watchKeys(bus, verifier);
    const published = await witness(bus);
    const store = await bus.keyValue<unknown>(keyBucket);
    for (const junk of [{ stream: 'RTMS_FACTS', seq: 1 }, null, 'text', { keys: 7 }]) await store.put(jwksKey, junk);
    await published.atLeast(5);
    const token = await new TokenSigner(key, systemClock).sign(makeIngestClaims());
    expect(await verifier.verify(token, 'ingest')).toMatchObject({ purpose: 'ingest' });
    await watch.close();
  });

  it('never contain a private key', async () => {
    const { publicJwk } = await generateSigningKey();
    expect(publicJwk).not.toHaveProperty('d');
  });
});
