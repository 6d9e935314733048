/**
 * Debian's Chromium, driven by playwright-core. Without it the tests that need it are skipped, by name. It is started once for all files
 * of a process, and ends with the process: a start takes two seconds of a core.
 */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Console } from './console.ts';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const found = PATHS.find((path) => existsSync(path));

/** For `test.skipIf`. */
export const noBrowser = found === undefined;
if (noBrowser) console.warn(`SKIPPED: there is no Chromium at ${PATHS.join(' or ')}: the pages of the web console are not tested (apt-get install chromium)`);

/** Tabs share a process: one of its own costs each half a second of a core, and compiles the page's scripts again. */
const ONE_RENDERER = ['--disable-site-isolation-trials', '--renderer-process-limit=1'];

let running: Promise<Browser> | null = null;

export function browser(): Promise<Browser> {
  return (running ??= chromium.launch({
    executablePath: found!,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb', ...ONE_RENDERER],
  }));
}

export async function closeBrowser(): Promise<void> {
  const open = running;
  running = null;
  await (await open)?.close();
}

export interface Tab {
  readonly page: Page;
  /** Errors of scripts, refusals of the content policy, and requests to anywhere else. */
  readonly faults: string[];
  /** Goes to a page, and waits until it has what it asked for. */
  go(hash: string): Promise<void>;
  close(): Promise<void>;
}

export interface TabOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
}

/** Opens the printed link, as its holder does. */
export async function openTab({ studio }: Pick<Console, 'studio'>, { width = 1280, height = 860, theme = 'light' }: TabOptions = {}): Promise<Tab> {
  const context: BrowserContext = await (await browser()).newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    // A refused operation is shown by the page, and noted by the browser.
    if (message.type() === 'error' && !/status of (400|401|403|404|409)/.test(message.text()))
      faults.push(`console: ${message.text()} ${message.location().url}:${message.location().lineNumber}:${message.location().columnNumber}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(studio.origin)) faults.push(`asked ${request.url()}`);
  });
  await page.goto(studio.link);
  await page.locator('.frame, .door').first().waitFor();
  return {
    page,
    faults,
    go: async (hash) => {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await idle(page);
    },
    close: () => context.close(),
  };
}

/** No request is running, and nothing that waits for one. */
export async function idle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
}
