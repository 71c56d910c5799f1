import type { DashboardPage } from './dashboard-page.js';

/** The share link of a new broadcast from the camera. The camera continues. */
export async function shareLink(dashboard: DashboardPage): Promise<string> {
  await dashboard.visit('/');
  await dashboard.click('Go live in this browser');
  await dashboard.showsMoreFrames('HLS player');
  await dashboard.page.getByRole('link', { name: 'Browser camera', exact: true }).click();
  await dashboard.click('Create a share link');
  return dashboard.field('Share link').inputValue();
}
