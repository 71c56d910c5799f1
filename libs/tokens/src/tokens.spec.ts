import { jwksKey, keyBucket, type MediaToken, type TokenPurpose } from '@rtms/contracts';
import { MemoryBus } from '@rtms/bus';
import { makeHlsClaims, makeIngestClaims, makePlaybackClaims, makeTokenPair, waitFor } from '@rtms/testing';
import { generateSigningKey, publishKeys, TokenSigner, TokenVerifier, watchKeys } from './index.js';

const hourAgo = (): number => Math.floor(Date.now() / 1000) - 3600;

describe('a token', () => {
  it.each<[TokenPurpose, MediaToken]>([
    ['ingest', makeIngestClaims()],
    ['playback', makePlaybackClaims()],
  ])('for %s gives its claims back', async (purpose, claims) => {
    const { signer, verifier } = await makeTokenPair();
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

  it('opens nothing of another purpose', async () => {
    const { signer, verifier } = await makeTokenPair();
    const token = await signer.sign(makeIngestClaims());
    await expect(verifier.verify(token, 'playback')).rejects.toMatchObject({ reason: 'invalid_credentials' });
  });

  it('is refused once it has expired, but still ends what it began', async () => {
    const { signer, verifier } = await makeTokenPair();
    const claims = makeIngestClaims({ expiresAt: hourAgo() });
    const token = await signer.sign(claims);
    await expect(verifier.verify(token, 'ingest')).rejects.toMatchObject({ reason: 'token_expired' });
    expect(await verifier.verifyIgnoringExpiry(token, 'ingest')).toEqual(claims);
  });

  it.each(['', 'x', 'a.b.c', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'])('%p is not one', async text => {
    const { verifier } = await makeTokenPair();
    await expect(verifier.verify(text, 'ingest')).rejects.toMatchObject({ reason: 'invalid_credentials' });
    await expect(verifier.verifyIgnoringExpiry(text, 'ingest')).rejects.toMatchObject({
      reason: 'invalid_credentials',
    });
  });

  it('of a key that was not published is refused', async () => {
    const { verifier } = await makeTokenPair();
    const stranger = new TokenSigner(await generateSigningKey());
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
    await expect(new TokenVerifier().verify(token, 'ingest')).rejects.toMatchObject({
      reason: 'dependency_unavailable',
    });
  });
});

describe('published keys', () => {
  it('reach a verifier, now and after they are rotated', async () => {
    const bus = new MemoryBus();
    const [first, second] = await Promise.all([generateSigningKey(), generateSigningKey()]);
    const verifier = new TokenVerifier();
    await publishKeys(bus, [first.publicJwk]);
    const watch = await watchKeys(bus, verifier);
    const token = await new TokenSigner(first).sign(makeIngestClaims());
    await waitFor(() => verifier.verify(token, 'ingest'));
    await publishKeys(bus, [second.publicJwk]);
    await expect(verifier.verify(token, 'ingest')).rejects.toMatchObject({ reason: 'invalid_credentials' });
    await watch.close();
  });

  it('stay as they are when something else is put in their place', async () => {
    const bus = new MemoryBus();
    const key = await generateSigningKey();
    const verifier = new TokenVerifier();
    await publishKeys(bus, [key.publicJwk]);
    const watch = await watchKeys(bus, verifier);
    await waitFor(() => verifier.isReady);
    const [store, told] = [await bus.keyValue<unknown>(keyBucket), [] as unknown[]];
    const witness = await store.watch(({ value }) => told.push(value));
    for (const junk of [{ stream: 'RTMS_FACTS', seq: 1 }, null, 'text', { keys: 7 }]) await store.put(jwksKey, junk);
    await waitFor(() => told.length === 5);
    const token = await new TokenSigner(key).sign(makeIngestClaims());
    expect(await verifier.verify(token, 'ingest')).toMatchObject({ purpose: 'ingest' });
    await Promise.all([watch.close(), witness.close()]);
  });

  it('never hold a private half', async () => {
    const { publicJwk } = await generateSigningKey();
    expect(publicJwk).not.toHaveProperty('d');
  });
});
