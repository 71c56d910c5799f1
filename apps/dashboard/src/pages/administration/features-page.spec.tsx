/** @jest-environment jsdom */
import { administrator, renderDashboard, screen, waitFor, within } from '../../testing/render-dashboard.js';

const switches = { whip: true, whep: true, hls: false };

describe('the page of the platform’s features', () => {
  it('asks before a change, and says how many live sessions it leaves alone', async () => {
    const { service, user } = renderDashboard(
      '/features',
      each =>
        each
          .on('GET /admin/v1/features', { features: switches })
          .on('GET /admin/v1/features/use', { use: { ...switches, whip: 12 } })
          .on('PUT /admin/v1/features', { features: { ...switches, whip: false } }),
      administrator,
    );
    await user.click(await screen.findByLabelText(/^WHIP ingest/));
    const dialog = within(await screen.findByRole('dialog', { name: 'Disable WHIP ingest?' }));
    expect(
      await dialog.findByText(/^12 live sessions on the platform now: they continue\..*refuses new ones/),
    ).toBeTruthy();
    expect(service.to('PUT /admin/v1/features')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Disable' }));
    await waitFor(() =>
      expect(service.bodiesTo('PUT /admin/v1/features')).toEqual([{ feature: 'whip', enabled: false }]),
    );
  });
});
