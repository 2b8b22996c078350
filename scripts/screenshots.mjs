// Makes the pictures of docs/screenshots, from the example catalog and the built command: `npm run screenshots`.
// Needs /usr/bin/chromium. With Inter and Liberation (Debian: fonts-inter, fonts-liberation) they look as they do now.
import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { relics, world } from './screenshot-example.mjs';

const root = resolve(import.meta.dirname, '..');
const cli = join(root, 'dist/cli.js');
const user = { username: 'designer', password: 'let-me-in' };
const wide = { viewport: { width: 1280, height: 960 } };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };

const folder = await mkdtemp(join(tmpdir(), 'trove-screenshots-'));
const env = { ...process.env, STAGING_USERNAME: user.username, STAGING_PASSWORD: user.password };
// It is always the same morning.
const clock = `globalThis.Date = class extends Date {
  constructor(...given) { super(...(given.length > 0 ? given : [globalThis.Date.now()])); }
  static now() { return 1772438400000; }
};`;
const inTheMorning = ['--import', `data:text/javascript,${encodeURIComponent(clock)}`, cli];
const node = (args) => execFileSync(process.execPath, args, { cwd: folder, env, stdio: 'pipe' });
const trove = (...args) => node([cli, ...args]);
const write = (path, text) => writeFile(join(folder, path), text);
const service = await startService();
try {
  await cp(join(root, 'catalog'), join(folder, 'catalog'), {
    recursive: true,
    filter: (path) => !path.includes('.trove'),
  });
  await edit('environments/staging.yaml', 'https://staging.game.example/api', service.url);
  trove('apply', '-e', 'staging', '--yes', '--new-environment');
  trove('apply', '--yes');
  await changeCatalog();
  await plan();
  await takePictures();
} finally {
  service.child.kill();
  await rm(folder, { recursive: true });
}

/** What a person does who looks for something: types it, opens it, and goes on to where it is. */
function filtered(words, section, row) {
  return async (page) => {
    await page.locator('#q').fill(words);
    if (row) await page.getByText(row).click();
    await page.evaluate((id) => document.getElementById(id).scrollIntoView(), section);
  };
}

async function startService() {
  await write('world.json', JSON.stringify(world(user)));
  const options = ['--db', 'service.db', '--world', 'world.json', '--port', '0'];
  const child = spawn(process.execPath, [...inTheMorning, 'serve', ...options], { cwd: folder });
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url) return { child, url };
  }
  throw new Error('The service did not start.');
}

async function edit(path, from, to) {
  const file = `catalog/${path}`;
  const text = await readFile(join(folder, file), 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
  await write(file, text.replace(from, to));
}

/** An update of every kind of field, options that can't be changed, a file that is gone and one that is new. */
async function changeCatalog() {
  await edit('classifiers.yaml', 'Storm, dropRateMultiplier: 0.85', 'Storm, dropRateMultiplier: 0.9');
  await edit('classifiers.yaml', 'Hands, dropRateMultiplier: 1', 'Hands, dropRateMultiplier: 0.8');
  const blades = 'items/weapons/blades.yaml';
  await edit(blades, 'rollNumerator: 120', 'rollNumerator: 95');
  await edit(
    blades,
    'name: Iron Sword\n    rollNumerator: 90',
    'name: Emberfall Sword\n    rollNumerator: 75',
  );
  await edit(blades, 'iron-sword.png', 'emberfall-sword.png');
  await edit(blades, 'source: [monster, vendor]', 'rarity: uncommon, source: [monster, boss]');
  await edit(blades, 'damage: { min: 4, max: 8 }', 'damage: { min: 5, max: 9.5 }');
  await edit(blades, 'rollNumerator: 70', 'rollNumerator: 60');
  await edit('items/jewellery.yaml', 'rollNumerator: 28', 'rollNumerator: 36');
  await rm(join(folder, 'catalog/items/seasonal.yaml'));
  await write('catalog/items/relics.yaml', relics);
}

function plan() {
  try {
    node([...inTheMorning, 'plan', '--format', 'html=plan.html']);
  } catch (failed) {
    // Something is blocked, and is meant to be.
    if (failed.status !== 3) throw failed;
  }
}

async function takePictures() {
  // What the reader's system gives for these names differs; here it is the same everywhere.
  const alias = ([name, font]) =>
    `<alias binding="same"><family>${name}</family><prefer><family>${font}</family></prefer></alias>`;
  const fonts = [
    ['ui-sans-serif', 'Inter'],
    ['ui-serif', 'Liberation Serif'],
    ['ui-monospace', 'Liberation Mono'],
  ];
  await write(
    'fonts.conf',
    `<fontconfig><include>/etc/fonts/fonts.conf</include>${fonts.map(alias).join('')}</fontconfig>`,
  );
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--headless', '--disable-gpu'],
    env: { ...env, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  });
  const picture = async (name, url, options, prepare = async () => {}) => {
    const context = await browser.newContext({ httpCredentials: user, reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    await page.goto(url);
    await prepare(page);
    await page.screenshot({ path: join(root, 'docs/screenshots', name) });
    await context.close();
  };
  const file = pathToFileURL(join(folder, 'plan.html')).href;
  const team = new URL('/', service.url).href;
  const dark = { ...wide, colorScheme: 'dark' };
  await picture('plan-light.png', file, wide);
  await picture('plan-dark.png', `${file}#pictures`, dark);
  await picture(
    'plan-phone.png',
    `${file}#update`,
    phone,
    filtered('emberfall', 'update', 'item.iron-sword'),
  );
  await picture('page-light.png', team, wide);
  await picture('page-dark.png', `${team}#spaces`, dark);
  await picture('page-phone.png', team, phone, filtered('epic boss', 'items'));
  await browser.close();
}
