/** @jest-environment jsdom */
import { administrator, renderDashboard, screen, waitFor, within } from '../../testing/render-dashboard.js';

describe('the page of the nodes', () => {
  const node = (nodeID: string, draining = false) => {
    return {
      nodeID,
      role: 'sfu',
      draining,
      drainSeconds: 1_800,
      load: 9,
      capacity: 10,
      publicUrl: `http://${nodeID}.example`,
      version: '0.2.0',
      isOutdated: false,
    };
  };
  const work = { rooms: 4, sessions: 3, members: 0, viewers: 1, relayedViewers: 2, broadcasts: 2, recordings: 1 };
  const show = (...nodes: ReturnType<typeof node>[]) =>
    renderDashboard(
      '/nodes',
      service => {
        service.on('GET /admin/v1/nodes', { nodes });
        for (const { nodeID } of nodes) service.on(`GET /admin/v1/nodes/${nodeID}/work`, { work });
      },
      administrator,
    );

  it('drains a node after a confirmation, and ends the drain', async () => {
    const { service, user } = show(node('sfu-1'), node('sfu-2'));
    const answer = (draining: boolean) => () => {
      service.on('GET /admin/v1/nodes', { nodes: [node('sfu-1', draining), node('sfu-2')] });
      return { body: {} };
    };
    service
      .on('POST /admin/v1/nodes/sfu-1/drain', answer(true))
      .on('POST /admin/v1/nodes/sfu-1/undrain', answer(false));
    await user.click(await screen.findByRole('button', { name: 'Drain sfu-1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Drain sfu-1?' }));
    const now =
      /3 live sessions in 4 rooms, 1 viewer and 0 members\. It serves 2 viewers of other nodes.*at most 30 minutes the others move too/;
    expect(await dialog.findByText(now)).toBeTruthy();
    expect(dialog.queryByText(/last/)).toBeNull();
    expect(service.to('POST /admin/v1/nodes/sfu-1/drain')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Drain' }));
    expect(service.bodiesTo('POST /admin/v1/nodes/sfu-1/drain')).toEqual([{}]);
    await user.click(await screen.findByRole('button', { name: 'Let sfu-1 take work again' }));
    expect(await screen.findByRole('button', { name: 'Drain sfu-1' })).toBeTruthy();
  });

  it.each([
    ['the only node', [node('sfu-1')]],
    [
      'the only node that does not drain',
      [node('sfu-1'), node('sfu-2', true), { ...node('tr-1'), role: 'transcoder' }],
    ],
  ])('drains the last node only after a second confirmation: %s', async (_, nodes) => {
    const { service, user } = show(...nodes);
    service.on('POST /admin/v1/nodes/sfu-1/drain', { node: node('sfu-1', true) });
    await user.click(await screen.findByRole('button', { name: 'Drain sfu-1' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/^sfu-1 is the last SFU that takes work\..*503/)).toBeTruthy();
    expect(await dialog.findByText(/live after 30 minutes end/)).toBeTruthy();
    const confirm = dialog.getByRole('button', { name: 'Drain the last node' });
    expect(confirm).toHaveProperty('disabled', true);
    await user.click(dialog.getByRole('checkbox', { name: 'Drain although no other SFU takes work' }));
    await user.click(confirm);
    await waitFor(() => expect(service.bodiesTo('POST /admin/v1/nodes/sfu-1/drain')).toEqual([{ force: true }]));
  });

  it('marks nodes that are older than the gateway', async () => {
    show(node('sfu-1'), { ...node('sfu-2'), version: '0.1.9', isOutdated: true });
    expect(await screen.findByText('0.1.9')).toBeTruthy();
    expect(screen.getAllByText('Older than the gateway')).toHaveLength(1);
    expect(screen.getByText('0.2.0')).toBeTruthy();
  });

  it('says what happens to the jobs of a transcoder', async () => {
    const transcoder = (nodeID: string) => ({ ...node(nodeID), role: 'transcoder' });
    const { user } = show(transcoder('tr-1'), transcoder('tr-2'));
    await user.click(await screen.findByRole('button', { name: 'Drain tr-1' }));
    expect(await screen.findByText(/2 broadcasts and 1 recording\. Broadcasts move/)).toBeTruthy();
  });
});
