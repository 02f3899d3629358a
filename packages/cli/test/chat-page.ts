import { expect } from 'vitest'

import { enterPage, type Page } from './dev/page.ts'
import { run } from './run.ts'

/** Runs `parley chat` until the page is done with it. */
export async function withChat(
  flags: readonly string[],
  options: { readonly cwd: string; readonly env: { readonly [name: string]: string } },
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const controller = new AbortController()
  let notify: (url: string) => void = () => {}
  const url = new Promise<string>((resolve) => (notify = resolve))
  const running = run(['chat', '--no-open', '--port', '0', '--json', ...flags], {
    ...options,
    signal: controller.signal,
    onStdout: (text) => notify((JSON.parse(text) as { url: string }).url), // the one line it prints
  })
  const ended = running.then(({ stderr }) => Promise.reject(new Error(stderr)))
  try {
    await Promise.race([
      url.then(async (link) => {
        using page = await enterPage(link, 'parley.chat.1')
        await work(page)
      }),
      ended,
    ])
  } finally {
    controller.abort(new Error('enough'))
    await running
  }
}

/** Asks until the answer is so. */
export async function until(page: Page, isSo: (state: string) => boolean): Promise<void> {
  await expect.poll(async () => isSo(JSON.stringify(await page.ask('state/get', {})))).toBe(true)
}
