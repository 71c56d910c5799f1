/** @weight 0.5 for 5 s */
import type { Page } from 'playwright-core';
import { TestBrowser } from './harness/browser.js';
import { sharedStack, type SharedStack } from './harness/shared-stack.js';

interface PageAnswer {
  status?: number;
  reason?: string;
  keyType?: string;
  /** The page's view of an answer that it may not read. */
  blocked?: string;
}

/** Makes a room as a page's own script would. */
function createRoom(page: Page, gateway: string, credential: string): Promise<PageAnswer> {
  const ask = async ([url, authorization]: [string, string]): Promise<PageAnswer> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ action: 'create', userName: 'Ada' });
    try {
      const response = await fetch(url, { method: 'POST', headers, body });
      const answer = (await response.json()) as { reason?: string; room?: { keyType: string } };
      return {
        status: response.status,
        ...(answer.reason === undefined ? {} : { reason: answer.reason }),
        ...(answer.room ? { keyType: answer.room.keyType } : {}),
      };
    } catch (error) {
      return { blocked: String(error) };
    }
  };
  return page.evaluate(ask, [`${gateway}/v1/rooms`, `Bearer ${credential}`] as [string, string]);
}

describe('keys in pages of Chromium', () => {
  let stack: SharedStack;
  let browser: TestBrowser;
  let sandbox: string;
  let production: string;

  beforeAll(async () => {
    stack = await sharedStack();
    browser = await TestBrowser.open();
    sandbox = stack.api.credential;
    production = await issueProductionKey();
  });

  afterAll(async () => {
    await browser?.close();
  });

  async function issueProductionKey(): Promise<string> {
    const path = `/admin/v1/accounts/${stack.accountID}/keys`;
    const { key } = await stack.admin.expect(201, 'POST', path, { type: 'production' });
    return `${key.apiUserName}:${key.apiKey}`;
  }

  /** A page with the given address, whatever server sends it. */
  async function openAt(address: string): Promise<Page> {
    const page = await browser.openPage();
    await page.route(address, route => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto(address);
    return page;
  }

  it.each(['http://127.0.0.1:4999/', 'http://app.localhost:3000/', 'data:text/html,<!doctype html>'])(
    'accept a sandbox key and no production key on %s',
    async address => {
      const page = await openAt(address);
      expect(await createRoom(page, stack.gateway.url, sandbox)).toEqual({ status: 201, keyType: 'sandbox' });
      const refused = await createRoom(page, stack.gateway.url, production);
      expect(refused).toEqual({ blocked: expect.stringContaining('Failed to fetch') });
      await page.close();
    },
  );

  it('accept a production key once their domain is registered, over HTTPS alone', async () => {
    const secure = await openAt('https://app.localhost/');
    const plain = await openAt('http://app.localhost/');
    expect(await createRoom(secure, stack.gateway.url, production)).toHaveProperty('blocked');
    const registered = await stack.api.call('POST', '/v1/domains', { action: 'create', domain: 'app.localhost' });
    expect(registered.status).toBe(201);
    const taken = { status: 201, keyType: 'production' };
    expect(await createRoom(secure, stack.gateway.url, production)).toEqual(taken);
    expect(await createRoom(plain, stack.gateway.url, production)).toHaveProperty('blocked');
    await secure.close();
    await plain.close();
  });
});
