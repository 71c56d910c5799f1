import type { DashboardPage } from '../system/harness/dashboard-page.js';
import { shareLink } from '../system/harness/share-link.js';

const definition = {
  name: 'Ferry Line',
  firstMessage: 'Ahoy {{customer.name}}, this is the ferry.',
  model: {
    provider: 'northwind',
    model: 'nw-4',
    temperature: 1.4,
    messages: [{ role: 'system', content: 'You sell ferry tickets.\nYou never promise good weather.' }],
    tools: [{ type: 'function', function: { name: 'find_crossing' } }],
  },
  voice: { provider: 'larynx', voiceId: 'pier' },
  maxDurationSeconds: 60_000,
  server: { url: 'http://ferry.example/hooks' },
};

type Scene = (dashboard: DashboardPage, examples: { meetingID: string; sessionID: string }) => Promise<void>;

/** Scenes of pages after an action, by the name of their pictures. */
export const scenes: Record<string, Scene> = {
  'overview-new': async dashboard => {
    await dashboard.visit('/');
    await dashboard.region('Getting started').waitFor();
  },
  'overview-live': async dashboard => {
    await dashboard.visit('/');
    await dashboard.click('Go live in this browser');
    await dashboard.showsMoreFrames('HLS player');
    await dashboard.follow('Overview');
    const picture = dashboard.page.getByRole('img', { name: 'Picture of Browser camera' });
    await picture.evaluate(image => (image as HTMLImageElement).decode());
  },
  'room-live': async (dashboard, { meetingID }) => {
    await dashboard.visit(`/rooms/${meetingID}`);
    await dashboard.click('Publish camera');
    await dashboard.row('Browser camera').getByText('active', { exact: true }).waitFor();
    await dashboard.region('Watch by WHEP').getByRole('button', { name: 'Watch', exact: true }).click();
    await dashboard.click('Broadcast and watch');
    await dashboard.showsMoreFrames('WHEP player');
    await dashboard.showsMoreFrames('HLS player');
    await dashboard.row('Browser camera').getByText('kbit/s').waitFor();
  },
  'session-hand-over': async (dashboard, { meetingID, sessionID }) => {
    await dashboard.visit(`/rooms/${meetingID}/sessions/${sessionID}`);
    await dashboard.click('Show commands with a new token');
    await dashboard.page.getByRole('tab', { name: 'FFmpeg' }).click();
    await dashboard.page.getByRole('region', { name: 'FFmpeg command' }).waitFor();
  },
  'session-shared': async dashboard => {
    await shareLink(dashboard);
    await dashboard.page.getByRole('region', { name: 'Embed snippet' }).waitFor();
  },
  'key-shown-once': async dashboard => {
    await dashboard.visit('/api-keys');
    await dashboard.click('Create production key');
    await dashboard.dialog('Your new key').waitFor();
  },
  'disposable-key-form': async dashboard => {
    await dashboard.visit('/api-keys');
    await dashboard.page.getByRole('tab', { name: 'Disposable keys' }).click();
    await dashboard.click('Create disposable key');
    await dashboard.dialog('Create disposable key').waitFor();
  },
  'agent-imported': async dashboard => {
    await dashboard.visit('/agents/import');
    await dashboard.field('Definition').fill(JSON.stringify(definition));
    await dashboard.click('Read definition');
    await dashboard.page.getByRole('status').waitFor();
  },
  'agent-not-importable': async dashboard => {
    await dashboard.visit('/agents/import');
    await dashboard.field('Definition').fill('{ "name": "Ferry Line",\n  "model": {');
    await dashboard.click('Read definition');
    await dashboard.page.getByRole('alert').waitFor();
  },
};
