/**
 * @jest-environment jsdom
 * @seconds 5
 */
import { refusal, renderDashboard, screen, waitFor, within, type FakeService } from '../../testing/render-dashboard.js';

const domainNumber = (number: number) => ({
  domainID: `d${number}`,
  domain: `app${number}.example.com`,
  enabled: true,
  createdAt: '2026-01-01T00:00:00.000Z',
});
const domain = domainNumber(1);

const withDomains =
  (...domains: object[]) =>
  (service: FakeService) =>
    void service.onList('/v1/domains', 'domains', domains).on('POST /v1/domains', { success: true, domain });

/** Opens the form of a new domain and types into it. */
async function add(user: ReturnType<typeof renderDashboard>['user'], text: string) {
  await user.click(await screen.findByRole('button', { name: 'Add domain' }));
  const form = within(await screen.findByRole('dialog'));
  if (text !== '') await user.type(form.getByLabelText('Domain'), text);
  await user.click(form.getByRole('button', { name: 'Save' }));
  return form;
}

describe('the list of domains', () => {
  it('shows that it loads, then its rows', async () => {
    let answer = (): void => undefined;
    const waits = new Promise<void>(resolve => (answer = resolve));
    renderDashboard('/domains', service =>
      service.on('GET /v1/domains', async () => {
        await waits;
        return { body: { domains: [domain], total: 1, startIndex: 0, pageSize: 20 } };
      }),
    );
    const table = await screen.findByRole('table', { name: 'Domains' });
    expect(within(table).getByRole('progressbar', { name: 'Loading' })).toBeTruthy();
    answer();
    expect(await within(table).findByText('app1.example.com')).toBeTruthy();
    expect(within(table).queryByRole('progressbar')).toBeNull();
  });

  it('says that there are none', async () => {
    renderDashboard('/domains', withDomains());
    expect(await screen.findByText('No domains yet')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('shows a failure, and loads again on request', async () => {
    const { service, user } = renderDashboard('/domains', service =>
      service.on('GET /v1/domains', () => refusal(403, 'not_permitted', 'The role may not list domains.')),
    );
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The role may not list domains.');
    withDomains(domain)(service);
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('app1.example.com')).toBeTruthy();
  });

  it('retries after a failure of the service, but not after a refusal', async () => {
    const failures = [503, 503];
    const { service } = renderDashboard('/domains', service =>
      service.on('GET /v1/domains', () => refusal(failures.shift() ?? 403, 'any', 'Not now.')),
    );
    await screen.findByRole('alert');
    expect(service.to('GET /v1/domains')).toHaveLength(3);
  });

  it('goes through its pages', async () => {
    const all = Array.from({ length: 45 }, (_, index) => domainNumber(index + 1));
    const { user } = renderDashboard('/domains', withDomains(...all));
    await screen.findByText('1–20 of 45');
    expect(screen.getByRole('button', { name: 'Previous page' })).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('21–40 of 45');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('41–45 of 45');
    expect(screen.getByText('app45.example.com')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true);
  });

  it('shows the last page when the rows of its own page are deleted', async () => {
    const all = Array.from({ length: 21 }, (_, index) => domainNumber(index + 1));
    const { service, user } = renderDashboard('/domains', withDomains(...all));
    await screen.findByText('1–20 of 21');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('21–21 of 21');
    service.on('POST /v1/domains', () => {
      withDomains(...all.slice(0, 20))(service);
      return { body: { success: true } };
    });
    await user.click(screen.getByRole('button', { name: 'Delete app21.example.com' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('app1.example.com')).toBeTruthy();
  });
});

describe('the form of a domain', () => {
  it.each([
    ['', 'Enter a host name.'],
    ['https://app.example.com/', 'Enter the host name alone, without https://, a path or a port.'],
  ])('reports the problem of "%s", and sends nothing', async (text, message) => {
    const { service, user } = renderDashboard('/domains', withDomains());
    const form = await add(user, text);
    expect(await form.findByText(message)).toBeTruthy();
    expect(service.to('POST /v1/domains')).toEqual([]);
  });

  it('creates the domain, closes and shows it', async () => {
    const { service, user } = renderDashboard('/domains', withDomains());
    await screen.findByText('No domains yet');
    service.on('POST /v1/domains', () => {
      withDomains(domain)(service);
      return { status: 201, body: { success: true, domain } };
    });
    await add(user, 'app1.example.com');
    expect(await screen.findByRole('cell', { name: 'app1.example.com' })).toBeTruthy();
    expect(service.bodiesTo('POST /v1/domains')).toEqual([
      { action: 'create', domain: 'app1.example.com', enabled: true },
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByText('The domain was added.')).toBeTruthy();
  });

  it('keeps its values when the service refuses them, and shows the reason', async () => {
    const { service, user } = renderDashboard('/domains', withDomains());
    service.on('POST /v1/domains', () => refusal(409, 'name_taken', 'The domain is registered.'));
    const form = await add(user, 'taken.example.com');
    expect((await form.findByRole('alert')).textContent).toBe('The domain is registered.');
    expect(form.getByLabelText('Domain')).toHaveProperty('value', 'taken.example.com');
  });

  it('changes the domain of its row, and gives the focus back', async () => {
    const { service, user } = renderDashboard('/domains', withDomains(domain, domainNumber(2)));
    const opener = await screen.findByRole('button', { name: 'Change app2.example.com' });
    await user.click(opener);
    const form = within(await screen.findByRole('dialog'));
    expect(form.getByLabelText('Domain')).toHaveProperty('value', 'app2.example.com');
    await user.click(form.getByRole('switch', { name: /^Enabled/ }));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.bodiesTo('POST /v1/domains')).toEqual([
      { action: 'update', domainID: 'd2', domain: 'app2.example.com', enabled: false },
    ]);
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });
});

describe('deleting a domain', () => {
  const openQuestion = async () => {
    const dashboard = renderDashboard('/domains', withDomains(domain));
    await dashboard.user.click(await screen.findByRole('button', { name: 'Delete app1.example.com' }));
    const question = within(await screen.findByRole('dialog', { name: 'Delete this domain?' }));
    return { ...dashboard, question };
  };

  it('asks first, and does nothing when the user cancels', async () => {
    const { service, user, question } = await openQuestion();
    expect(question.getByText(/Browsers on app1\.example\.com/)).toBeTruthy();
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.to('POST /v1/domains')).toEqual([]);
  });

  it('deletes the domain after a confirmation, and refetches the list', async () => {
    const { service, user, question } = await openQuestion();
    service.on('POST /v1/domains', () => {
      withDomains()(service);
      return { body: { success: true } };
    });
    await user.click(question.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('No domains yet')).toBeTruthy();
    expect(service.bodiesTo('POST /v1/domains')).toEqual([{ action: 'delete', domainID: 'd1' }]);
    expect(await screen.findByText('The domain was deleted.')).toBeTruthy();
  });

  it('shows the reason of a failure, and keeps the row', async () => {
    const { service, user, question } = await openQuestion();
    service.on('POST /v1/domains', () => refusal(409, 'in_use', 'A key needs this domain.'));
    await user.click(question.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('A key needs this domain.')).toBeTruthy();
    expect(screen.getByText('app1.example.com')).toBeTruthy();
  });
});
