/** @weight 0.75 for 40 s */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patienceMs, sharedChromium, waitFor } from '@rtms/testing';
import type { Browser, Request } from 'playwright-core';
import type { DashboardUsers } from './harness/account.js';
import { ApiClient } from './harness/api-client.js';
import { DashboardPage } from './harness/dashboard-page.js';
import { endRunning, picturesOf } from './harness/live-pictures.js';
import { sharedStack, type SharedStack } from './harness/shared-stack.js';

const secret = 'sk-7f3Kq9Zt2LmX8vB4nC6wR1yD5hG0jS';

const assistant = {
  name: 'Ferry Line',
  firstMessage: 'Ahoy {{customer.name}}, this is the ferry.',
  model: {
    provider: 'northwind',
    model: 'nw-4',
    temperature: 0.3,
    messages: [{ role: 'system', content: 'You sell ferry tickets.' }],
    tools: [{ type: 'function', function: { name: 'find_crossing' } }],
  },
  voice: { provider: 'larynx', voiceId: 'pier' },
  maxDurationSeconds: 600,
  server: { url: 'https://ferry.example/hooks', secret },
};

const agentWithLlm = {
  agent: {
    agent_id: 'agent_7',
    agent_name: 'Flower Shop',
    voice_id: 'larynx-rose',
    language: 'en-US',
    max_call_duration_ms: 900_000,
    response_engine: { type: 'llm', llm_id: 'llm_7' },
  },
  llm: {
    llm_id: 'llm_7',
    model: 'nw-4',
    general_prompt: 'You take orders for {{shop}}.',
    begin_message: 'Good day!',
    default_dynamic_variables: { shop: 'The Vase' },
    general_tools: [{ type: 'custom', name: 'place_order', api_key: secret }],
  },
};

describe('the dashboard in Chromium', () => {
  let stack: SharedStack;
  let users: DashboardUsers;
  let browser: Browser;
  let owner: DashboardPage;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([sharedStack(), sharedChromium()]);
    users = await stack.makeUsers();
    owner = await DashboardPage.open(browser, stack.gateway.url);
  });

  afterAll(async () => {
    await browser?.close();
  });

  /** The page's text about the minutes of the last day. */
  async function participantMinutes(): Promise<number> {
    const sums = await owner.region('Minutes').getByText('Participant minutes: ').innerText();
    return Number(/Participant minutes: ([\d.]+)/.exec(sums)?.[1]);
  }

  it('refuses a wrong password and admits the owner', async () => {
    await owner.signIn({ email: users.email, password: 'not the password at all' });
    await owner.page.getByRole('alert').waitFor();
    await owner.signIn(users);
    await owner.heading('Overview').waitFor();
    await owner.untilLoaded();
    expect(await participantMinutes()).toBe(0);
    const cookies = await owner.context.cookies();
    expect(cookies).toContainEqual(expect.objectContaining({ name: 'rtms_session', httpOnly: true, sameSite: 'Lax' }));
    expect(cookies).toContainEqual(
      expect.objectContaining({ name: 'rtms_devices', httpOnly: true, sameSite: 'Strict' }),
    );
  });

  it('goes live by one click, with a WHEP and an HLS picture', async () => {
    await owner.region('Getting started').getByRole('img', { name: 'To do' }).first().waitFor();
    await owner.click('Go live in this browser');
    await owner.showsMoreFrames('WHEP player');
    await owner.showsMoreFrames('HLS player');
  });

  it('keeps publishing on other pages, and shows the picture of the camera', async () => {
    await owner.follow('Overview');
    const live = owner.region('Live now');
    const picture = live.getByRole('img', { name: 'Picture of Browser camera' });
    await picture.waitFor();
    const sizeOf = () =>
      picture.evaluate(image => {
        const { naturalWidth, naturalHeight } = image as HTMLImageElement;
        return [naturalWidth, naturalHeight];
      });
    await waitFor(async () => (await sizeOf())[0] !== 0, { what: 'the picture' });
    // 16:9 or 4:3: the pages of a Chromium share the camera, and the first page that opens it decides on its shape.
    expect([
      [320, 180],
      [240, 180],
    ]).toContainEqual(await sizeOf());
    await live.getByText('HLS', { exact: true }).waitFor();
    await owner.region('Getting started').waitFor({ state: 'detached' });
    await owner.showsMoreFrames('Your camera');
    await owner.click('Stop publishing');
    await live.getByText('Nothing is live').waitFor();
  });

  it('shows a new key once', async () => {
    await owner.follow('API keys');
    await owner.click('Create production key');
    const told = owner.dialog('Your new key');
    const credential = await told
      .getByRole('textbox', { name: 'Both, for the Authorization header', exact: true })
      .inputValue();
    const key = await told.getByRole('textbox', { name: 'API key', exact: true }).inputValue();
    expect(credential.endsWith(`:${key}`)).toBe(true);
    expect((await new ApiClient(stack.gateway.url, credential).call('GET', '/v1/rooms')).status).toBe(200);

    await told.getByRole('button', { name: 'Done' }).click();
    await told.waitFor({ state: 'detached' });
    await owner.button('Rotate production key').waitFor();
    expect(await owner.page.content()).not.toContain(key);
    await owner.page.reload();
    await owner.button('Rotate production key').waitFor();
    expect(await owner.page.content()).not.toContain(key);
    const stored = await owner.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(stored).not.toContain(key);
  });

  it('takes a camera from a new room to a WHEP and an HLS player on one page', async () => {
    await owner.follow('Rooms');
    await owner.click('Create room');
    const form = owner.dialog('Create room');
    await form.getByRole('textbox', { name: 'Host name' }).fill('Ada');
    await form.getByRole('textbox', { name: 'Room name' }).fill('Harbour');
    await form.getByRole('button', { name: 'Create room' }).click();
    await owner.heading('Harbour').waitFor();

    await owner.click('Publish camera');
    await owner.row('Browser camera').getByText('active', { exact: true }).waitFor();
    await owner.region('Watch by WHEP').getByRole('button', { name: 'Watch', exact: true }).click();
    await owner.click('Broadcast and watch');
    await owner.showsMoreFrames('WHEP player');
    await owner.showsMoreFrames('HLS player');
    // It continues beside HLS.
    await owner.showsMoreFrames('WHEP player');
    await owner.row('Browser camera').getByText('kbit/s').waitFor();
  });

  /** Actions in the camera's row. */
  async function choose(action: string): Promise<void> {
    await owner.click('Actions: Browser camera');
    await owner.page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  it('pauses and resumes the camera for its viewers', async () => {
    await choose('Pause Browser camera');
    const isStill = () => owner.standsStill('WHEP player', 'Your camera');
    await waitFor(isStill, { what: 'the picture to stand still' });
    await choose('Resume Browser camera');
    await owner.showsMoreFrames('WHEP player');
  });

  it('records the camera to a file that can be downloaded', async () => {
    await choose('Record Browser camera');
    const recordings = owner.region('Recordings');
    await recordings.getByText('recording', { exact: true }).waitFor();
    await recordings.getByRole('button', { name: /^Stop rec_/ }).click();
    await recordings.getByText('ready', { exact: true }).waitFor();
    const coming = owner.page.waitForEvent('download');
    await recordings.getByRole('button', { name: /^Download rec_/ }).click();
    const folder = await mkdtemp(join(tmpdir(), 'rtms-download-'));
    await (await coming).saveAs(join(folder, 'recording.mp4'));
    expect((await stat(join(folder, 'recording.mp4'))).size).toBeGreaterThan(1_000);
    await rm(folder, { recursive: true });

    await owner.follow('Overview');
    const isUsed = async () => (await participantMinutes()) > 0;
    await waitFor(isUsed, { everyMs: 500, what: 'minutes to be used' });
  });

  it('shows at each picture that the service ended it, and why', async () => {
    await owner.page.getByRole('link', { name: 'Your camera', exact: true }).click();
    await owner.region('Watch by WHEP').getByRole('button', { name: 'Watch', exact: true }).click();
    await owner.click('Broadcast and watch');
    const meetingID = new URL(owner.page.url()).pathname.split('/').at(-1) ?? '';
    for (const { panel, ...media } of picturesOf(meetingID)) {
      await owner.region(panel).getByText('Live', { exact: true }).waitFor();
      await endRunning(stack.api, media);
      await owner.region(panel).getByRole('status').getByText('It was ended on request.').waitFor();
      expect(await owner.region(panel).getByText('Live', { exact: true }).count()).toBe(0);
    }
  });

  it('offers to reload for a newer media node, and reaches the node after the reload', async () => {
    const document = (url: URL) => url.pathname.startsWith('/dashboard/rooms');
    await owner.page.route(document, async route => {
      const response = await route.fetch({ timeout: patienceMs });
      const policy = response.headers()['content-security-policy'] ?? '';
      const headers = { ...response.headers(), 'content-security-policy': policy.replaceAll(/ http:[^ ;]+/g, '') };
      await route.fulfill({ response, headers });
    });
    await owner.visit(`/rooms/${await stack.api.createRoom()}`);
    await owner.click('Publish camera');
    const told = owner.page.getByRole('alert').filter({ hasText: 'A new media node started' });
    await told.waitFor();
    await owner.page.unroute(document);
    await told.getByRole('button', { name: 'Reload' }).click();
    await told.waitFor({ state: 'detached' });
    await owner.click('Publish camera');
    await owner.row('Browser camera').getByText('active', { exact: true }).waitFor();
    expect(await told.count()).toBe(0);
    // A camera that publishes sends requests, which the next test would see.
    await owner.click('Stop publishing');
    await owner.follow('Overview');
  });

  it.each([
    ['A', assistant, 'Ferry Line', 'You sell ferry tickets.', 'find_crossing'],
    ['B', agentWithLlm, 'Flower Shop', 'You take orders for The Vase.', 'place_order'],
  ])('imports a definition of platform %s, of which nothing leaves the page before Save', async (...definition) => {
    const [platform, pasted, name, instructions, tool] = definition;
    await owner.follow('Agents');
    await owner.page.getByRole('link', { name: 'Import' }).click();
    await owner.heading('Import an agent').waitFor();
    await owner.untilLoaded();
    // The importer's worker starts with the page: the page's content policy allows it, and reading fetches nothing.
    await waitFor(async () => owner.page.workers().some(worker => worker.url().includes('/dashboard/assets/')), {
      what: 'the importer’s worker',
    });

    const sent: Request[] = [];
    owner.page.on('request', request => sent.push(request));
    await owner.field('Definition').fill(JSON.stringify(pasted));
    await owner.click('Read definition');
    await owner.page.getByRole('status').getByText(`platform ${platform}`).waitFor();
    await owner.shows('Name', name);
    await owner.shows('Instructions', instructions);
    await owner.field('Role').fill('Sales');
    const toFinish = owner.region('Finish by hand').getByRole('checkbox');
    await toFinish.first().waitFor();
    const count = await toFinish.count();
    await owner.page.getByText(`0 of ${count} done`).waitFor();
    await owner.region('Finish by hand').getByRole('checkbox', { name: tool }).check();
    await owner.page.getByText(`1 of ${count} done`).waitFor();
    // The stream of changes may begin again at any time; it carries nothing.
    const others = sent.filter(request => !request.url().endsWith('/dashboard/api/events'));
    expect(others.map(request => `${request.method()} ${request.url()}`)).toEqual([]);

    await owner.click('Save agent');
    await owner.heading('Agents').waitFor();
    await owner.row(name).getByText('Sales').waitFor();
    const [saved, ...more] = sent.filter(request => request.method() !== 'GET');
    expect([saved?.method(), saved?.url(), more]).toEqual(['POST', `${stack.gateway.url}/v1/agents`, []]);
    expect(saved?.postDataJSON()).toMatchObject({ action: 'create', name, instructions, role: 'Sales' });
    expect(saved?.postDataJSON().todo).toHaveLength(count - 1);
    expect(sent.map(request => request.postData() ?? '').join()).not.toContain(secret);
  });
});
