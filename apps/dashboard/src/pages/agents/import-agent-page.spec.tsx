/** @jest-environment jsdom */
import { fireEvent } from '@testing-library/react';
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
const todo = (tool: string) => expect.stringContaining(tool);

async function paste(text: string) {
  const dashboard = renderDashboard('/agents/import', service => service.onList('/v1/agents', 'agents', []));
  fireEvent.change(await screen.findByLabelText('Definition'), { target: { value: text } });
  await dashboard.user.click(screen.getByRole('button', { name: 'Read definition' }));
  return dashboard;
}

describe('the import of an agent', () => {
  it('has nothing to read at first', async () => {
    renderDashboard('/agents/import');
    expect(await screen.findByRole('button', { name: 'Read definition' })).toHaveProperty('disabled', true);
  });

  it('says where a text is not JSON, and selects the place', async () => {
    const { service, user } = await paste('{\n  "name": oops\n}');
    const alert = await screen.findByRole('alert');
    await user.click(within(alert).getByRole('button', { name: 'Show line 2, column 11' }));
    const area = screen.getByLabelText<HTMLTextAreaElement>('Definition');
    expect(document.activeElement).toBe(area);
    expect(area.value.slice(area.selectionStart, area.selectionEnd)).toBe('o');
    expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('shows the agent before anything is sent, and saves it with what is left to finish', async () => {
    const { service, user } = await paste(JSON.stringify(definition));
    expect((await screen.findByRole('status')).textContent).toBe('Recognised as an assistant of platform A.');
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
    expect(await screen.findByText('The agent was created.')).toBeTruthy();
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

  it('goes back to the text that was read', async () => {
    const text = JSON.stringify(definition);
    const { user } = await paste(text);
    await user.click(await screen.findByRole('button', { name: 'Start over' }));
    expect(screen.getByLabelText('Definition')).toHaveProperty('value', text);
  });

  it('reads a file that is chosen', async () => {
    const { user } = renderDashboard('/agents/import');
    await screen.findByLabelText('Definition');
    const file = new File([], 'agent.json', { type: 'application/json' });
    Object.assign(file, { text: () => Promise.resolve(JSON.stringify(definition)) });
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, file);
    expect((await screen.findByRole('status')).textContent).toBe('Recognised as an assistant of platform A.');
  });
});
