/** @jest-environment jsdom */
import type { FakeService } from '../testing/fake-service.js';
import { owner, renderDashboard, screen } from '../testing/render-dashboard.js';

describe('a page of records that nothing uses', () => {
  it.each([
    ['/agents', '/v1/agents', 'agents', 'It does not run them.'],
    ['/ai-credentials', '/v1/aicredentials', 'aiCredentials', 'It does not call AI providers yet.'],
    ['/translation', '/v1/translationconfigs', 'translationConfigs', 'It translates nothing and writes no notes.'],
    ['/sip', '/v1/sipconfigs', 'sipConfigs', 'It neither answers nor places calls.'],
  ] as const)('%s says so', async (page, path, many, consequence) => {
    const answer = (service: FakeService) => {
      // The form of a SIP number offers agents.
      for (const [list, name] of [
        ['/v1/agents', 'agents'],
        [path, many],
      ] as const)
        service.onList(list, name, []);
    };
    renderDashboard(page, answer, owner);
    const notice = await screen.findByRole('note', { name: 'Stored only' });
    expect(notice.textContent).toContain(consequence);
  });
});
