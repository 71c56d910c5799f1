/** @jest-environment jsdom */
import type { IngestProtocolStates } from '@rtms/contracts';
import { fireEvent } from '@testing-library/react';
import { refusal, renderDashboard, screen, waitFor, within } from '../../testing/render-dashboard.js';

const room = {
  ...{ meetingID: 'm1', roomName: 'Concert', state: 'active', eventType: 'conference', keyType: 'production' },
  ...{ participantCount: 0, externalSessionCount: 0, capacity: 20, createdAt: '2026-01-01T10:00:00.000Z' },
  ...{ expiresAt: '2030-01-01T00:00:00.000Z', endedAt: null, endReason: null },
};
const list = '/v1/meetings/m1/external-sessions';
const session = {
  ...{ sessionID: 'ext_1', meetingID: 'm1', displayName: 'Stage', state: 'pending', tracks: [], health: [] },
  ...{ createdAt: '2026-01-01T10:00:00.000Z', activatedAt: null, endedAt: null, endReason: null, reason: null },
};
const allowed: IngestProtocolStates = { whip: null, srt: null, rtmp: null, rtmps: null };
const tokenExpiresAt = '2030-01-01T00:00:00.000Z';

/** At once, because typing each letter takes long. */
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

async function openForm(ingestProtocols: IngestProtocolStates, issued: object = {}) {
  const dashboard = renderDashboard('/rooms/m1', service => {
    service.on('GET /v1/rooms', { room });
    service.on('GET /dashboard/api/rooms/m1/live', { live: { members: [], viewers: [] } });
    for (const many of ['playbacks', 'broadcasts', 'restreams']) service.onList(`/v1/meetings/m1/${many}`, many, []);
    service.onList(list, 'externalSessions', []);
    service.onList('/v1/recordings', 'recordings', []);
    service.on('GET /dashboard/api/ingest-protocols', { ingestProtocols });
    service.on(`POST ${list}`, { externalSession: { ...session, ingest: issued } });
  });
  const { service, user } = dashboard;
  await user.click(await screen.findByRole('button', { name: 'Create session for an encoder' }));
  const form = within(await screen.findByRole('dialog', { name: 'Create session for an encoder' }));
  await waitFor(() => expect(service.to('GET /dashboard/api/ingest-protocols')).toHaveLength(1));
  type(form.getByLabelText('Name'), 'Stage');
  const choose = (label: string) => user.click(form.getByRole('radio', { name: label }));
  const submit = () => user.click(form.getByRole('button', { name: 'Save' }));
  const handOver = async () => within(await screen.findByRole('dialog', { name: 'Give this to your encoder' }));
  /** Fields and answers of actions that the page still has, and the inputs on it. */
  const kept = () => {
    const actions = dashboard.client.getMutationCache().getAll();
    const inputs = [...document.querySelectorAll('input')];
    return JSON.stringify([actions.map(({ state }) => state), inputs.map(({ value }) => value)]);
  };
  return { ...dashboard, form, choose, submit, handOver, kept, sent: () => service.bodiesTo(`POST ${list}`) };
}

describe('the form of an external session', () => {
  it('says why the account may not use a protocol', async () => {
    const { form, submit, sent } = await openForm({
      ...{ whip: 'not_entitled', srt: null, rtmp: 'disabled_for_account', rtmps: 'disabled_on_platform' },
    });
    expect(await form.findByText(/^Switched off on this platform/)).toBeTruthy();
    expect(form.getByText(/^Switched off for this account/)).toBeTruthy();
    expect(form.getByText(/no entitlement to WHIP/)).toBeTruthy();
    const usable = form.getAllByRole<HTMLInputElement>('radio').filter(({ disabled }) => !disabled);
    expect(usable.map(({ value }) => value)).toEqual(['srt', 'srt-caller']);
    await submit();
    expect(await form.findByText('Choose a protocol that the account may use.')).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  it('creates an SRT session with smaller pictures, and shows its address and passphrase once', async () => {
    const url = 'srt://ingest.example.com:9000?streamid=ext_1';
    const issued = { protocol: 'srt', mode: 'listener', tracks: ['video', 'audio'], url, latencyMs: 120 };
    const { user, form, choose, submit, handOver, kept, sent } = await openForm(allowed, {
      ...{ ...issued, passphrase: 'pass-1', tokenExpiresAt },
    });
    expect(form.queryByRole('switch')).toBeNull();
    await choose('SRT');
    await user.click(form.getByRole('switch'));
    await submit();
    const access = await handOver();
    expect(sent()).toEqual([
      { displayName: 'Stage', ingest: { protocol: 'srt', tracks: ['video', 'audio'], webrtcRenditions: true } },
    ]);
    expect(access.getByText(/shown once/)).toBeTruthy();
    expect(access.getByText(/latency of SRT is 120 ms/)).toBeTruthy();
    const shown = ['SRT address, with the stream ID', 'Passphrase', 'Server for OBS, with the passphrase'];
    expect(shown.map(label => access.getByLabelText<HTMLInputElement>(label).value)).toEqual([
      ...[url, 'pass-1', `${url}&passphrase=pass-1`],
    ]);
    expect(access.getByRole('region', { name: 'FFmpeg command' }).textContent).toContain(
      `-f mpegts '${url}&passphrase=pass-1'`,
    );
    await user.click(access.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(document.body.textContent).not.toContain('pass-1'));
    await waitFor(() => expect(kept()).not.toContain('pass-1'));
  });

  it('shows the server and the stream key of an RTMPS session, and a new key on request', async () => {
    const ingest = { protocol: 'rtmps', tracks: ['video', 'audio'], url: 'rtmps://ingest.example.com:443/live' };
    const { service, user, choose, submit, handOver, sent } = await openForm(allowed, {
      ...{ ...ingest, streamKey: 'key-1', tokenExpiresAt },
    });
    service.on(`POST ${list}/ext_1`, {
      externalSession: { ...session, ingest: { ...ingest, streamKey: 'key-2', tokenExpiresAt } },
    });
    await choose('RTMPS');
    await submit();
    const access = await handOver();
    expect(sent()).toEqual([{ displayName: 'Stage', ingest: { protocol: 'rtmps', tracks: ['video', 'audio'] } }]);
    expect(access.getByLabelText<HTMLInputElement>('Server').value).toBe(ingest.url);
    const key = access.getByLabelText<HTMLInputElement>('Stream key');
    expect(key.value).toBe('key-1');
    await user.click(access.getByRole('button', { name: 'New stream key' }));
    await waitFor(() => expect(key.value).toBe('key-2'));
    expect(access.getByRole('region', { name: 'FFmpeg command' }).textContent).toContain(`'${ingest.url}/key-2'`);
  });

  it('asks for the address of an encoder that listens, and forgets its secrets', async () => {
    const url = 'srt://encoder.example.com:9000';
    const { service, form, choose, submit, handOver, kept, sent } = await openForm(allowed, {
      ...{ protocol: 'srt', mode: 'caller', tracks: ['video', 'audio'], url, problem: null },
    });
    await choose('SRT to an encoder that listens');
    const fields = [
      'Address of the encoder',
      'Passphrase, if the encoder needs one',
      'Stream ID, if the encoder needs one',
    ];
    const [address, passphrase, streamID] = fields.map(label => form.getByLabelText<HTMLInputElement>(label));
    type(address!, 'encoder.example.com');
    type(passphrase!, 'short');
    await submit();
    expect(await form.findByText(/^Enter srt:\/\/, the host and the port/)).toBeTruthy();
    expect(form.getByText('Enter 10 to 79 characters, or nothing.')).toBeTruthy();
    type(address!, url);
    type(passphrase!, 'short-correct-horse');
    type(streamID!, 'read:stage');
    const answer = { externalSession: { ...session, ingest: { protocol: 'srt', mode: 'caller', url, tracks: [] } } };
    service.on(`POST ${list}`, () => refusal(400, 'invalid_request', 'url must be a public address.'));
    await submit();
    await waitFor(() => expect(address!.getAttribute('aria-invalid')).toBe('true'));
    expect(kept()).toMatch(/short-correct-horse.*read:stage/);
    service.on(`POST ${list}`, answer);
    await submit();
    const access = await handOver();
    expect(access.getByLabelText<HTMLInputElement>('Address that the service calls').value).toBe(url);
    expect(sent().at(-1)).toEqual({
      displayName: 'Stage',
      ingest: {
        ...{ protocol: 'srt', tracks: ['video', 'audio'], mode: 'caller', url },
        ...{ passphrase: 'short-correct-horse', streamID: 'read:stage' },
      },
    });
    await waitFor(() => expect(kept()).not.toMatch(/horse|read:stage/));
  });

  it('forgets the secrets of an encoder when it is closed after a refusal', async () => {
    const { service, user, form, choose, submit, kept } = await openForm(allowed);
    service.on(`POST ${list}`, () => refusal(400, 'invalid_request', 'url must be a public address.'));
    await choose('SRT to an encoder that listens');
    const address = form.getByLabelText('Address of the encoder');
    type(address, 'srt://encoder.example.com:9000');
    type(form.getByLabelText('Passphrase, if the encoder needs one'), 'short-correct-horse');
    await submit();
    await waitFor(() => expect(address.getAttribute('aria-invalid')).toBe('true'));
    await user.click(form.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(kept()).not.toContain('horse'));
  });
});
