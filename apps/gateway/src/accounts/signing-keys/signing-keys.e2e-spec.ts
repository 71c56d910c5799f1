import { jwksKey, keyBucket, type SignedPath } from '@rtms/contracts';
import { TokenVerifier, watchKeys, type PublicKeySet } from '@rtms/tokens';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { DataSource } from 'typeorm';
import { MediaTestBed } from '../../testing/media-test-bed.js';
import { SigningKeysService } from './signing-keys.service.js';

describe('tokens and the keys that sign them', () => {
  let bed: MediaTestBed;
  let verifier: TokenVerifier;
  let watch: { close(): Promise<void> };

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { tokenTtlSeconds: 120 } });
    verifier = new TokenVerifier(bed.clock);
    watch = await watchKeys(bed.gateway.bus, verifier);
  });
  afterAll(async () => {
    await watch?.close();
    await bed?.close();
  });

  const publishedKids = async (): Promise<string[]> => {
    const store = await bed.gateway.bus.keyValue<PublicKeySet>(keyBucket);
    const kids = (await store.get(jwksKey))?.keys.map(key => key.kid ?? '');
    return kids ?? [];
  };

  const renew = async (sessionID: string): Promise<{ token: string; tokenExpiresAt: string }> => {
    const { status, body } = await bed.request('post', bed.path('external-sessions', sessionID), {
      action: 'renewToken',
    });
    expect(status).toBe(200);
    return (body['externalSession'] as { ingest: { token: string; tokenExpiresAt: string } }).ingest;
  };

  it('binds an ingest token to its session and room', async () => {
    const sessionID = await bed.openSession();
    const { token, tokenExpiresAt } = await renew(sessionID);
    const claims = await verifier.verify(token, 'ingest');
    expect(claims).toMatchObject({ purpose: 'ingest', resourceID: sessionID, meetingID: bed.meetingID });
    expect(claims.expiresAt * 1000).toBe(Date.parse(tokenExpiresAt));
    expect(claims.expiresAt).toBe(Math.floor(bed.clock.now() / 1000) + 120);
    await expect(verifier.verify(token, 'playback')).rejects.toMatchObject({ reason: 'invalid_credentials' });
  });

  it('renews an ingest token repeatedly; former tokens stay valid until they expire', async () => {
    const { body } = await bed.post('external-sessions', {
      displayName: 'Camera',
      ingest: { protocol: 'whip', tracks: ['video', 'audio'] },
    });
    const { sessionID, ingest } = body['externalSession'] as { sessionID: string; ingest: { token: string } };
    const pending = await renew(sessionID);
    await bed.sfu.activate(sessionID);
    await bed.expectState('external-sessions', sessionID, 'active');
    for (const { token } of [ingest, pending, await renew(sessionID)])
      await expect(verifier.verify(token, 'ingest')).resolves.toMatchObject({ resourceID: sessionID });
  });

  it('renews the ticket of a publisher on the room socket', async () => {
    const { body } = await bed.post('external-sessions', {
      displayName: 'Camera',
      ingest: { protocol: 'service-webrtc', tracks: ['video', 'audio'] },
    });
    const { sessionID } = body['externalSession'] as { sessionID: string };
    const renewed = (await renew(sessionID)) as unknown as { join: { url: string; token: string; expiresAt: string } };
    expect(renewed).not.toHaveProperty('token');
    expect(renewed.join.url).toMatch(/^wss?:.*\/v1\/socket$/);
    const claims = await verifier.verify(renewed.join.token, 'join');
    expect(claims).toMatchObject({ resourceID: sessionID, meetingID: bed.meetingID });
    expect(claims.expiresAt * 1000).toBe(Date.parse(renewed.join.expiresAt));
  });

  it('binds a playback token to its playback', async () => {
    const sourceSessionID = await bed.openActiveSession();
    const { body } = await bed.post('playbacks', { sourceSessionID, tracks: ['video'] });
    const { playbackID, token } = body['playback'] as { playbackID: string; token: string };
    await expect(verifier.verify(token, 'playback')).resolves.toMatchObject({
      resourceID: playbackID,
      meetingID: bed.meetingID,
    });
  });

  it('gives each reader of a broadcast a fresh entry to the same signed path', async () => {
    const broadcastID = await bed.openBroadcast(await bed.openActiveSession());
    const read = async () => {
      const { playbackUrl } = (await bed.get('broadcasts', broadcastID)) as unknown as { playbackUrl: string };
      const token = new URL(playbackUrl).searchParams.get('token') ?? '';
      await verifier.verify(token, 'hls');
      return decodeJwt<{ path: SignedPath }>(token).path;
    };
    const [first, second] = [await read(), await read()];
    expect(second).toEqual(first);
    expect(first.window % 3600).toBe(0);
    const { body } = await bed.request('get', `/v1/rooms?meetingID=${bed.meetingID}`);
    const { expiresAt } = body['room'] as { expiresAt: string };
    expect(first).toMatchObject({ broadcastID, expiresAt: Math.floor(Date.parse(expiresAt) / 1000) });
    await expect(verifier.verifyPath(first)).resolves.toBe(true);
  });

  it('renews no token of a session that ended', async () => {
    const sessionID = await bed.openSession();
    await bed.remove('external-sessions', sessionID);
    expect(await bed.request('post', bed.path('external-sessions', sessionID), { action: 'renewToken' })).toMatchObject(
      {
        status: 409,
        body: { reason: 'session_ended' },
      },
    );
  });

  it('stores private halves encrypted', async () => {
    const rows = await bed.gateway.app.get(DataSource).query<Record<string, unknown>[]>('SELECT * FROM signing_keys');
    const text = JSON.stringify(rows.map(row => ({ ...row, sealed: String(row['encrypted_private_jwk']) })));
    expect(rows).not.toHaveLength(0);
    expect(text).not.toMatch(/"d":/);
  });

  it('signs with the former key until all media nodes know the new key, and keeps the former key public', async () => {
    const sessionID = await bed.openSession();
    const before = (await renew(sessionID)).token;
    const keys = bed.gateway.app.get(SigningKeysService, { strict: false });
    const { kid, publishedKids: kids } = await keys.rotate();
    const formerKid = decodeProtectedHeader(before).kid;
    expect(kids).toEqual(expect.arrayContaining([kid, formerKid]));
    expect(await publishedKids()).toEqual(expect.arrayContaining([kid, formerKid]));
    const between = (await renew(sessionID)).token;
    expect(decodeProtectedHeader(between).kid).toBe(formerKid);
    await bed.advance(5_000);
    const after = (await renew(sessionID)).token;
    expect(decodeProtectedHeader(after).kid).toBe(kid);
    const replica = await bed.startReplica();
    expect((await replica.app.get(SigningKeysService, { strict: false }).signer()).kid).toBe(kid);
    for (const token of [before, between, after]) await verifier.verify(token, 'ingest');
  });

  it('publishes the keys again when the bus has lost them', async () => {
    const kids = await publishedKids();
    const store = await bed.gateway.bus.keyValue<PublicKeySet>(keyBucket);
    await store.delete(jwksKey);
    await bed.startReplica();
    expect((await publishedKids()).sort()).toEqual(kids.sort());
  });
});
