/**
 * @jest-environment jsdom
 * @seconds 4
 */
import { importAgent } from '@rtms/agent-import';
import { fireEvent } from '@testing-library/react';
import { FakeWorker } from '../../testing/fake-worker.js';
import { samples, shapes } from './definition-samples.js';
import { refusal, renderDashboard, screen, within } from '../../testing/render-dashboard.js';

const definition = {
  id: 'a7c1',
  name: 'Harbour Desk',
  firstMessage: 'Good day.',
  firstMessageMode: 'assistant-speaks-first',
  model: {
    provider: 'northwind',
    model: 'nw-4',
    temperature: 0.4,
    messages: [{ role: 'system', content: 'You answer for the harbour office.' }],
    tools: ['find_berth', 'find_tide'].map(name => ({ type: 'function', function: { name } })),
  },
  voice: { provider: 'larynx', voiceId: 'marina' },
};
const fieldOf = (value: unknown, name: string) => (value as Record<string, unknown>)[name];
const todo = (tool: string) => expect.stringContaining(tool);

async function paste(text: string) {
  const dashboard = renderDashboard('/agents/import', service => service.onList('/v1/agents', 'agents', []));
  fireEvent.change(await screen.findByLabelText('Definition'), { target: { value: text } });
  await dashboard.user.click(screen.getByRole('button', { name: 'Read definition' }));
  return dashboard;
}

describe('the import of an agent', () => {
  beforeEach(() => FakeWorker.install(text => importAgent(String(text))));

  it('cannot read an empty text', async () => {
    renderDashboard('/agents/import');
    expect(await screen.findByRole('button', { name: 'Read definition' })).toHaveProperty('disabled', true);
  });

  it.each(Object.keys(samples) as (keyof typeof samples)[])(
    'fills in a sample of the shape of platform %s, which it then recognises',
    async platform => {
      const { user } = renderDashboard('/agents/import');
      const { title, fields } = shapes[platform];
      await user.click(await screen.findByRole('button', { name: `Sample: ${title}` }));
      await user.click(screen.getByRole('button', { name: 'Read definition' }));
      const recognised = await screen.findByRole('status');
      expect(recognised.textContent).toBe(`Recognised: ${title} (platform ${platform}), by fields such as ${fields}.`);
      expect(screen.getByText('0 of 1 done')).toBeTruthy();
      const named = fields.split(', ').map(path => path.split('.').reduce<unknown>(fieldOf, samples[platform]));
      expect(named).not.toContain(undefined);
    },
  );

  it('shows the place of a JSON error, and selects it', async () => {
    const { service, user } = await paste('{\n  "name": oops\n}');
    const alert = await screen.findByRole('alert');
    await user.click(within(alert).getByRole('button', { name: 'Show line 2, column 11' }));
    const area = screen.getByLabelText<HTMLTextAreaElement>('Definition');
    expect(document.activeElement).toBe(area);
    expect(area.value.slice(area.selectionStart, area.selectionEnd)).toBe('o');
    expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
    expect(FakeWorker.started).toHaveLength(1);
  });

  it('shows the agent before it sends anything, and saves it with the items left to finish', async () => {
    const { service, user } = await paste(JSON.stringify(definition));
    expect((await screen.findByRole('status')).textContent).toContain('One assistant object (platform A)');
    expect(service.requests.map(({ path }) => path)).toEqual(['/dashboard/api/session']);
    const name = screen.getByLabelText(/^Name/);
    expect(name).toHaveProperty('value', 'Harbour Desk');
    expect(screen.getByText('0 of 2 done')).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: /find_berth/ }));
    expect(screen.getByText('1 of 2 done')).toBeTruthy();
    await user.clear(name);
    await user.type(name, 'Berths');
    service.on('POST /v1/agents', { agent: {} });
    await user.click(screen.getByRole('button', { name: 'Save agent' }));
    expect(await screen.findByText('The agent was added.')).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard/agents');
    expect(service.bodiesTo('POST /v1/agents')).toEqual([
      expect.objectContaining({ action: 'create', name: 'Berths', temperature: 0.4, todo: [todo('find_tide')] }),
    ]);
  });

  it('keeps the agent when the service refuses it', async () => {
    const { service, user } = await paste(JSON.stringify(definition));
    service.on('POST /v1/agents', () => refusal(409, 'name_taken', 'An agent has this name.'));
    await user.click(await screen.findByRole('button', { name: 'Save agent' }));
    expect((await screen.findByRole('alert')).textContent).toBe('An agent has this name.');
    expect(screen.getByLabelText(/^Name/)).toHaveProperty('value', 'Harbour Desk');
  });

  it('returns to the text of the definition', async () => {
    const text = JSON.stringify(definition);
    const { user } = await paste(text);
    await user.click(await screen.findByRole('button', { name: 'Start over' }));
    expect(screen.getByLabelText('Definition')).toHaveProperty('value', text);
  });

  it('reads a chosen file', async () => {
    const { user } = renderDashboard('/agents/import');
    await screen.findByLabelText('Definition');
    const file = new File([], 'agent.json', { type: 'application/json' });
    Object.assign(file, { text: () => Promise.resolve(JSON.stringify(definition)) });
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, file);
    expect((await screen.findByRole('status')).textContent).toContain('(platform A)');
  });

  it('stops reading when the user asks for it, and keeps the text', async () => {
    FakeWorker.install();
    const { user } = await paste('{}');
    await user.click(await screen.findByRole('button', { name: 'Stop' }));
    expect(await screen.findByRole('button', { name: 'Read definition' })).toBeTruthy();
    expect(screen.getByLabelText('Definition')).toHaveProperty('value', '{}');
    expect(FakeWorker.started.map(({ isTerminated }) => isTerminated)).toEqual([true]);
  });

  it('stops reading when the user leaves the page', async () => {
    FakeWorker.install();
    const { user } = await paste('{}');
    await screen.findByRole('button', { name: 'Stop' });
    await user.click(document.querySelector<HTMLAnchorElement>('a[href="/dashboard/agents"]')!);
    await screen.findByText('No agents yet');
    expect(FakeWorker.started.map(({ isTerminated }) => isTerminated)).toEqual([true]);
  });

  it('says that the browser could not run the reader', async () => {
    FakeWorker.install();
    await paste('{}');
    FakeWorker.started[0]!.fail();
    expect((await screen.findByRole('alert')).textContent).toContain('Reload the page');
  });

  it('refuses a file that is larger than any definition', async () => {
    const { user } = renderDashboard('/agents/import');
    await screen.findByLabelText('Definition');
    const file = Object.assign(new File([], 'big.json'), { text: () => Promise.reject(new Error('read')) });
    Object.defineProperty(file, 'size', { value: 1_500_001 });
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, file);
    expect((await screen.findByRole('alert')).textContent).toContain('at most 500,000 characters');
  });

  const all = 'The whole definition was imported.';
  const { tools: _, ...model } = definition.model;
  const whole = { ...definition, model, maxDurationSeconds: 600 };

  it('says that the whole definition was imported', async () => {
    await paste(JSON.stringify(whole));
    expect(await screen.findByText(all)).toBeTruthy();
    expect(screen.getByText('There is nothing to note.')).toBeTruthy();
  });

  it('names the parts that were not imported, and makes no other claim', async () => {
    await paste(JSON.stringify({ ...whole, backgroundSound: 'office', silenceTimeoutSeconds: 20 }));
    expect(await screen.findByText('Not taken over: backgroundSound, silenceTimeoutSeconds.')).toBeTruthy();
    expect(screen.queryByText(all)).toBeNull();
    expect(screen.getByText(/^Nothing is left to finish by hand/)).toBeTruthy();
  });
});
