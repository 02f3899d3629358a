import { describe, expect, onTestFinished, test } from 'vitest'

import { documentOf } from '../registry-under-test.ts'
import { canOpen, servePage } from './served-page.ts'

const markup = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'

/** All that publishing lets through. */
const hostile = documentOf('com.example/hostile', '1.0.0', {
  title: `"><svg/onload=window.hacked=1>\u202Etxt.exe`,
  description: '<script>window.hacked=1</script>"><img src=x onerror=window.hacked=1>',
  icons: [{ src: 'https://tracker.invalid/pixel.png', mimeType: 'image/png' }],
  packages: [
    {
      registryType: 'npm',
      identifier: 'hostile',
      version: '1.0.0',
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      environmentVariables: [{ name: 'KEY', description: markup }],
    },
  ],
  _meta: {
    'io.modelcontextprotocol.registry/publisher-provided': {
      [markup]: markup,
      link: 'javascript:window.hacked=1',
    },
  },
})

describe.skipIf(!canOpen)('what strangers publish', () => {
  test('is text in every place: nothing runs, nothing is loaded from elsewhere', async () => {
    const served = await servePage([hostile])
    onTestFinished(() => served[Symbol.asyncDispose]())
    const page = await served.newPage()
    const result = page.getByRole('list', { name: 'Servers' }).getByRole('link')
    await result.getByText('<script>window.hacked=1</script>').waitFor()
    await result.getByText('‹U+202E›').waitFor()
    await result.click()
    await page
      .getByRole('region', { name: 'Install', exact: true })
      .getByText(markup)
      .first()
      .waitFor()
    await page.getByRole('region', { name: 'More', exact: true }).waitFor()
    await page.getByText('javascript:window.hacked=1').waitFor()

    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(await page.locator('a[href^="javascript" i]').count()).toBe(0)
    expect(await page.locator('main script, main img').count()).toBe(0)
    expect([...served.origins]).toEqual([served.url.origin])
    expect(served.complaints).toEqual([])
  })

  test('shows icons of publishers only where the operator allows it', async () => {
    const served = await servePage([hostile], {}, { icons: true })
    onTestFinished(() => served[Symbol.asyncDispose]())
    const page = await served.newPage()
    await page.route('https://tracker.invalid/**', (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="window.hacked=1"/>',
      }),
    )
    await page.reload()
    const icon = page.locator('main img.entry-icon')
    await icon.waitFor()
    const width = 'document.querySelector("main img.entry-icon")?.naturalWidth'
    await expect.poll(() => page.evaluate(width)).toBe(9)
    expect(await icon.getAttribute('referrerpolicy')).toBe('no-referrer')
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    await page.unroute('https://tracker.invalid/**')
    await page.reload() // nobody answers there: initials stand for it
    await page.locator('main .initials').waitFor()
    served.complaints.length = 0
  })

  test('makes no link of an address that is not http, and no page out of the search', async () => {
    const served = await servePage()
    onTestFinished(() => served[Symbol.asyncDispose]())
    const page = await served.newPage(`?q=${encodeURIComponent(markup)}`)
    await page.getByText('No server matches').waitFor()

    // A registry that mirrors others may hold what this one would refuse.
    const answer = {
      servers: [
        {
          server: {
            ...hostile,
            websiteUrl: 'javascript:window.hacked=1',
            repository: {
              url: 'data:text/html,<script>window.hacked=1</script>',
              source: 'github',
            },
            remotes: [{ type: 'sse', url: 'javascript:window.hacked=1' }, 7, null],
            packages: [null, { registryType: {}, transport: [] }],
          },
          _meta: { 'dev.parley.registry/flags': [markup, 5] },
        },
      ],
      metadata: { count: 1 },
    }
    await page.route('**/v0.1/servers/**', (route) => route.fulfill({ json: answer }))
    await page.goto(`${served.url.href}?server=com.example%2Fhostile`)
    await page
      .getByRole('region', { name: 'Publisher', exact: true })
      .getByText('javascript:')
      .waitFor()
    await page.getByText('Look twice').waitFor()

    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(await page.locator('main a[href^="javascript" i], main a[href^="data" i]').count()).toBe(
      0,
    )
  })
})
