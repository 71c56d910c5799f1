import { launchChromium } from '@rtms/testing';
import type { Browser } from 'playwright-core';
import { startTestGateway, type TestGateway } from '../../testing/start-test-gateway.js';

describe('the page of the API reference', () => {
  let gateway: TestGateway;
  let browser: Browser;

  beforeAll(async () => {
    gateway = await startTestGateway();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  it('shows the fields of a resource in Chromium without an error', async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('console', message => void (message.type() === 'error' && errors.push(message.text())));
    page.on('pageerror', error => void errors.push(error.message));
    page.on('requestfailed', request => void errors.push(request.url()));
    await page.goto(`${gateway.url}/docs#/Rooms/createRoom`);
    const operation = page.locator('#operations-Rooms-createRoom.is-open');
    await operation.locator('.opblock-section-request-body').waitFor();
    await operation.getByText('capacity', { exact: false }).first().waitFor();
    expect(await operation.textContent()).toContain('roomName');
    expect(await operation.textContent()).toContain('curl -X POST');
    expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(10);
    expect(errors).toEqual([]);
    await page.close();
  });
});
