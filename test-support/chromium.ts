import { existsSync } from 'node:fs'
import { env, platform } from 'node:process'

import { chromium, type Browser } from 'playwright-core'

/** Where Chromium, Chrome and Edge are installed on each system. The shell has no windows and needs less of everything. */
const usualPlaces: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/snap/bin/chromium',
    '/usr/bin/google-chrome',
    '/usr/bin/microsoft-edge',
  ],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].flatMap((folder) =>
    folder === undefined
      ? []
      : [
          `${folder}\\Chromium\\Application\\chrome.exe`,
          `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
          `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`,
        ],
  ),
}

/** The browser that `PARLEY_CHROMIUM` names, else the first one found. */
export const chromiumPath =
  env['PARLEY_CHROMIUM'] ?? usualPlaces[platform]?.find((path) => existsSync(path))

export const hasChromium = chromiumPath !== undefined && existsSync(chromiumPath)
export const installCommand =
  platform === 'linux'
    ? 'apt-get install -y chromium-headless-shell'
    : 'install Chrome, or set PARLEY_CHROMIUM to the path of a Chromium'

/** In a new and empty profile that is deleted when the browser is closed. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
