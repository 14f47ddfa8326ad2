/** Debian's chromium, driven by playwright-core, which brings no browser of its own. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const { BELFRY_CHROMIUM, PATH = '' } = process.env;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = BELFRY_CHROMIUM ? [BELFRY_CHROMIUM] : NAMES.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
const executable = PLACES.find((place) => existsSync(place));

export function launch() {
  if (!executable) {
    throw new Error(`The browser tests need chromium, and ${BELFRY_CHROMIUM ? `there is none at ${BELFRY_CHROMIUM} (BELFRY_CHROMIUM)` : 'none is on the PATH'}. Install it ("apt-get install chromium") or name it by BELFRY_CHROMIUM.`);
  }
  return chromium.launch({
    executablePath: executable,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}
