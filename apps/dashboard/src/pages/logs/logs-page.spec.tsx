/** @jest-environment jsdom */
import { renderDashboard, screen, type FakeService } from '../../testing/render-dashboard.js';

const recording = {
  ...{ logID: 'log_1', meetingID: 'room_1', state: 'ready', startedAt: '2026-01-01T00:00:00.000Z' },
  ...{ durationSeconds: 62, sizeBytes: 1_540, width: null, height: null, endReason: 'requested' },
};

function withLog(service: FakeService): void {
  service.on('GET /v1/room/logs', ({ query }: { query: Record<string, string> }) => ({
    body: { data: query['kind'] === 'recording' ? [recording] : [] },
  }));
}

describe('the logs', () => {
  it('open at the log of the address, and say why a recording ended', async () => {
    renderDashboard('/logs?kind=recording', withLog);
    expect(await screen.findByText('It was ended on request.')).toBeTruthy();
    expect(screen.getByRole('tab', { name: 'Recordings' }).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByText('1:02')).toBeTruthy();
  });

  it('write the chosen log into the address', async () => {
    const { user } = renderDashboard('/logs', withLog);
    await user.click(await screen.findByRole('tab', { name: 'Messages' }));
    expect(await screen.findByText('No messages in the log')).toBeTruthy();
    expect(window.location.search).toBe('?kind=message');
  });
});
