import { existsSync } from 'node:fs'

import { chromium, type Browser } from 'playwright-core'

const executablePath = '/usr/bin/chromium'

export const hasChromium = existsSync(executablePath)
export const installCommand = 'apt-get install -y chromium'

/** Debian's own Chromium, in a new and empty profile that is deleted when it is closed. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
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
