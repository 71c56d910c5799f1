import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';

export interface SignIn {
  email: string;
  password: string;
}

/** A signed-in page of the dashboard, operated by visible texts and roles. */
export class DashboardPage {
  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    private readonly address: string,
  ) {
    page.on('console', message => {
      if (message.type() === 'error') this.consoleErrors.push(message.text());
    });
    page.on('pageerror', error => void this.consoleErrors.push(error.message));
  }

  /** Errors on the console, and uncaught ones. */
  readonly consoleErrors: string[] = [];

  /** As shown last. */
  colorScheme: 'light' | 'dark' = 'light';

  /** Opens the sign-in page in its own browser profile. */
  static async open(browser: Browser, gatewayUrl: string, options: BrowserContextOptions = {}): Promise<DashboardPage> {
    const context = await browser.newContext(options);
    const dashboard = new DashboardPage(await context.newPage(), context, `${gatewayUrl}/dashboard`);
    await dashboard.page.goto(dashboard.address);
    return dashboard;
  }

  async signIn({ email, password }: SignIn): Promise<void> {
    await this.field('Email').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.click('Sign in');
  }

  /** The session is over from then on. */
  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: /: your account$/ }).click();
    await this.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await this.heading('Sign in to the dashboard').waitFor();
  }

  /** By a link of the navigation, without a reload. */
  async follow(title: string): Promise<void> {
    await this.navigation().getByRole('link', { name: title, exact: true }).click();
    await this.heading(title).waitFor();
  }

  /** By its address. */
  async visit(path: string): Promise<void> {
    await this.page.goto(`${this.address}${path === '/' ? '' : path}`);
    const shown = this.page.getByRole('heading', { level: 1 }).waitFor();
    await shown.catch(async (error: unknown) => {
      const text = await this.page.locator('body').innerText({ timeout: 1_000 });
      throw new Error(`${path} has no heading but shows: ${text || 'nothing'}`, { cause: error });
    });
  }

  /** Resolves once the page has no open request. */
  async untilLoaded(): Promise<void> {
    const waiting = this.page.locator('[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root');
    await waiting.first().waitFor({ state: 'detached' });
  }

  /**
   * In a size and a scheme, by default the one shown last, once all animations have ended. The browser draws a page again even for the size
   * that it has.
   */
  async show(size: { width: number; height: number }, colorScheme = this.colorScheme): Promise<void> {
    const now = this.page.viewportSize();
    if (now?.width !== size.width || now.height !== size.height) await this.page.setViewportSize(size);
    if (this.colorScheme !== colorScheme) await this.page.emulateMedia({ colorScheme });
    this.colorScheme = colorScheme;
    await this.page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
    await this.page.evaluate(endTransitions);
  }

  /** The links to all pages. Long tables have navigations of their own, such as "Pages of Rooms". */
  navigation(): Locator {
    return this.page.getByRole('navigation', { name: 'Pages', exact: true });
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { name, level: 1, exact: true });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  field(name: string): Locator {
    return this.page.getByRole('textbox', { name, exact: true });
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name, exact: true });
  }

  /** Presses a dialog's button and waits until the dialog has closed. */
  async answer(dialog: string, button: string): Promise<void> {
    await this.dialog(dialog).getByRole('button', { name: button, exact: true }).click();
    await this.dialog(dialog).waitFor({ state: 'detached' });
  }

  region(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  /** A row of a table, by a text that is in it. */
  row(text: string): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  click(button: string): Promise<void> {
    return this.button(button).click();
  }

  /** Number of pictures that a video has shown since its start. */
  framesOf(video: string): Promise<number> {
    return this.page
      .getByLabel(video, { exact: true })
      .evaluate(element => (element as HTMLVideoElement).getVideoPlaybackQuality().totalVideoFrames);
  }

  /** Whether a video shows no picture while another, running one shows ten. */
  async standsStill(video: string, other: string): Promise<boolean> {
    const before = await this.framesOf(video);
    await this.showsMoreFrames(other);
    return (await this.framesOf(video)) === before;
  }

  /** Resolves once a video has shown this many more pictures than now. */
  async showsMoreFrames(video: string, count = 10): Promise<void> {
    await this.page.getByLabel(video, { exact: true }).evaluate(async (element, more) => {
      const player = element as HTMLVideoElement;
      for (let shown = 0; shown < more; shown++) {
        await new Promise(resolve => player.requestVideoFrameCallback(resolve));
      }
    }, count);
  }

  /** Resolves once a field has the value. */
  async shows(field: string, value: string): Promise<void> {
    const input = await this.field(field).elementHandle();
    await this.page.waitForFunction(([element, wanted]) => (element as HTMLInputElement).value === wanted, [
      input,
      value,
    ] as const);
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** An endless animation cannot be finished. */
function endTransitions(): Promise<void> {
  return new Promise(resolve =>
    requestAnimationFrame(() => {
      for (const animation of document.getAnimations()) {
        if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
      }
      requestAnimationFrame(() => resolve());
    }),
  );
}
