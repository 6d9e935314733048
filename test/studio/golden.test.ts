/**
 * Ten pages as pictures, compared with those in test/studio/golden: what no assertion names, as a box that is too narrow or a colour that is
 * gone, is seen. Pictures depend on the browser and its fonts, so another version is skipped, by name. UPDATE=1 makes them again: look at each.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browser, noBrowser, openTab, idle, type Tab } from './browser.ts';
import { type Console, openConsole } from './console.ts';
import { makeStory } from './story.ts';

const FOLDER = join(import.meta.dirname, 'golden');
const MADE_BY = join(FOLDER, 'made-by.txt');
const BYTES_MAX = 40 * 1024;
/** Share of pixels that may differ: edges of letters. */
const DIFFERENT_MAX = 0.002;
/** Of a channel, of 255: two steps. */
const CHANNEL_MAX = 34;

const made = existsSync(MADE_BY) ? readFileSync(MADE_BY, 'utf8').trim() : '';
const renew = process.env['UPDATE'] === '1';

/** The browser and the font of sans-serif: both make the picture. */
async function maker(): Promise<string> {
  let font = 'unknown fonts';
  try {
    font = execFileSync('fc-match', ['sans-serif'], { encoding: 'utf8' }).trim();
  } catch {
    // No fontconfig: another machine than that of the pictures.
  }
  return `Chromium ${(await browser()).version()}, ${font}`;
}

const here = noBrowser ? '' : await maker();
const skipped = noBrowser || (!renew && here !== made);
if (!noBrowser && skipped)
  console.warn(`SKIPPED: the pictures in test/studio/golden were made by ${made}, and this is ${here}: pages are not compared as pictures`);

const PAGES: readonly (readonly [name: string, hash: string, until: string])[] = [
  ['reviews', '#/reviews', '.review-card'],
  ['review', '#/review/tidy-customers', '.verdict'],
  ['worlds', '#/worlds', '.row-line:not(.row-head)'],
  ['world', '#/world/spring-prices', '.line.head'],
  ['merge', '#/merge/spring-prices', '.conflict'],
  ['tables', '#/tables', 'table.list td.num .num'],
  ['table', '#/table/main/orders', '.grid-line:not(.grid-head)'],
  ['policies', '#/status?tab=policies', '.card'],
  ['history', '#/history', '.event'],
  ['agents', '#/agents', 'table.list'],
];

let opened: Console;
let tab: Tab;
beforeAll(async () => {
  if (skipped) return;
  opened = await openConsole();
  await makeStory(opened);
  tab = await openTab(opened, { width: 900, height: 620 });
  if (renew) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(MADE_BY, `${here}\n`);
  }
});
afterAll(async () => {
  await tab?.close();
  await opened?.close();
});

/** What differs from run to run: times, ids, hashes, the place of the slider. */
const UNSTEADY = 'time, .id, .seal, .event .when, .moment, code';

test.skipIf(skipped).each(PAGES)('%s looks as it did', async (name, hash, until) => {
  const { page } = tab;
  await tab.go(hash);
  await page.locator(until).first().waitFor();
  await idle(page);
  await page.evaluate(
    `document.querySelectorAll(${JSON.stringify(UNSTEADY)}).forEach((each) => (each.style.visibility = 'hidden')); document.activeElement?.blur()`,
  );
  const picture = await small(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  const path = join(FOLDER, `${name}.png`);
  if (renew) {
    expect(picture.length).toBeLessThanOrEqual(BYTES_MAX);
    writeFileSync(path, picture);
    return;
  }
  const share = await different(readFileSync(path), picture);
  if (share > DIFFERENT_MAX) writeFileSync(join(opened.folder, `${name}.png`), picture);
  expect(share).toBeLessThanOrEqual(DIFFERENT_MAX);
});

test.skipIf(skipped)('a picture with one button less is another one', async () => {
  const { page } = tab;
  await tab.go('#/reviews');
  await page.locator('.review-card').first().waitFor();
  const whole = await small(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  await page.evaluate("document.querySelector('.review-card').style.visibility = 'hidden'");
  expect(await different(whole, await small(await page.screenshot({ animations: 'disabled', caret: 'hide' })))).toBeGreaterThan(DIFFERENT_MAX);
});

const READ = `const read = async (text) => {
  const picture = await createImageBitmap(await (await fetch('data:image/png;base64,' + text)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, picture.width, picture.height);
};`;

/** Half as wide and high, in 16 steps of each colour: what is kept in the repository. */
async function small(picture: Buffer): Promise<Buffer> {
  const text = await inBlank<string>(`
    const full = await read('${picture.toString('base64')}');
    const [width, height] = [full.width >> 1, full.height >> 1];
    const from = new OffscreenCanvas(full.width, full.height);
    from.getContext('2d').putImageData(full, 0, 0);
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(from, 0, 0, width, height);
    const image = context.getImageData(0, 0, width, height);
    for (let i = 0; i < image.data.length; i++) if (i % 4 !== 3) image.data[i] = Math.round(image.data[i] / 17) * 17;
    context.putImageData(image, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));`);
  return Buffer.from(text, 'base64');
}

/** Share of pixels of which a channel differs; 1 for pictures of other sizes. */
async function different(a: Buffer, b: Buffer): Promise<number> {
  return inBlank<number>(`
    const [a, b] = await Promise.all([read('${a.toString('base64')}'), read('${b.toString('base64')}')]);
    if (a.width !== b.width || a.height !== b.height) return 1;
    let count = 0;
    for (let i = 0; i < a.data.length; i += 4)
      if ([0, 1, 2].some((c) => Math.abs(a.data[i + c] - b.data[i + c]) > ${CHANNEL_MAX})) count++;
    return count / (a.data.length / 4);`);
}

/** The browser reads and draws the pictures, on a page without a policy. */
async function inBlank<T>(script: string): Promise<T> {
  const blank = await (await browser()).newPage();
  try {
    return await blank.evaluate<T>(`(async () => { ${READ} ${script} })()`);
  } finally {
    await blank.close();
  }
}
