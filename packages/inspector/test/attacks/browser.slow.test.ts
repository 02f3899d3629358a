import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startInspector } from '@parley/inspector'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'

import { hasChromium, openChromium } from '../../../../test-support/chromium.ts'
import { foreignCommand } from '../service/everything.ts'

/** The smallest page that enters as ours does. */
const script = `
const secret = /secret=(.+)$/.exec(location.hash)?.[1]
history.replaceState(null, '', location.pathname)
const post = (path, body, key) => fetch(path, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-parley': key },
  body: JSON.stringify(body),
})
const { key } = await (await post('api/enter', { secret }, '1')).json()
localStorage.setItem('key', key)
const { ticket } = await (await post('api/ticket', {}, key)).json()
const socket = new WebSocket('ws://' + location.host + '/api/channel', ['parley.inspector.1', 'ticket.' + ticket])
socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: 'state/get', params: {} }))
socket.onmessage = ({ data }) => {
  if (JSON.parse(data).id === 1) document.title = 'entered'
}
`

/** An inspector, a page of it that has entered, and a page of somebody else on another port of the same machine. */
async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'page-'))
  await writeFile(join(folder, 'main.js'), script)
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><title>page</title><script type="module" src="main.js"></script><script>document.title = "inline"</script>',
  )
  const inspector = await startInspector({
    port: 0,
    noOpen: true,
    stateDirectory: await mkdtemp(join(tmpdir(), 'inspector-')),
    pageFolder: folder,
    servers: [{ name: 'a', entry: foreignCommand }],
  })
  const cookies: string[] = []
  const elsewhere = createServer((request, response) => {
    cookies.push(request.headers.cookie ?? '')
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>elsewhere</title>')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => elsewhere.once('listening', resolve))
  const { port } = elsewhere.address() as AddressInfo
  const browser = await openChromium()
  const context = await browser.newContext()
  onTestFinished(async () => {
    await browser.close()
    elsewhere.close()
    await inspector.close()
  })
  const own = await context.newPage()
  await own.goto(inspector.url)
  await expect.poll(() => own.title()).toBe('entered')
  const foreign = await context.newPage()
  await foreign.goto(`http://127.0.0.1:${port}/`)
  return { inspector, own, foreign, cookies, base: `http://127.0.0.1:${inspector.port}` }
}

/** Runs in the page; this file knows no browser. */
function tryFetch(page: Page, url: string, init: { readonly [name: string]: unknown }) {
  return page.evaluate<string>(`
    fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(
      (response) => response.type + ' ' + response.status,
      () => 'failed',
    )`)
}

test.skipIf(!hasChromium)('our page enters, and runs nothing that is written into it', async () => {
  const { own } = await open()

  expect(await own.title()).toBe('entered')
  expect(own.url()).not.toContain('secret')
})

test.skipIf(!hasChromium)(
  'a page on another port gets nowhere, though its browser sends our cookie',
  async () => {
    const { foreign, base, cookies } = await open()
    const json = { 'content-type': 'application/json', 'x-parley': '1' }

    // The cookie does travel: ports are one site. That is why it is worth nothing alone.
    expect(cookies.at(-1)).toContain('parley-inspector-')
    const asked = await tryFetch(foreign, `${base}/api/ticket`, {
      method: 'POST',
      headers: json,
      body: '{}',
      credentials: 'include',
    })
    const simple = await tryFetch(foreign, `${base}/api/ticket`, {
      method: 'POST',
      mode: 'no-cors',
      headers: { 'content-type': 'text/plain' },
      body: '{}',
      credentials: 'include',
    })
    const read = await tryFetch(foreign, `${base}/api/session`, { credentials: 'include' })

    expect([asked, simple, read]).toEqual([
      'failed',
      expect.stringMatching(/failed|opaque 0/),
      'failed',
    ])
  },
)

test.skipIf(!hasChromium)('neither by a form, a WebSocket, a frame nor a script', async () => {
  const { foreign, base } = await open()

  const socket = await foreign.evaluate(`
    new Promise((resolve) => {
      const opened = new WebSocket('${base.replace('http', 'ws')}/api/channel', ['parley.inspector.1', 'ticket.guess'])
      opened.addEventListener('open', () => resolve('open'))
      opened.addEventListener('error', () => resolve('refused'))
    })`)
  const loaded = await foreign.evaluate(`
    new Promise((resolve) => {
      const element = document.createElement('script')
      element.addEventListener('load', () => resolve('loaded'))
      element.addEventListener('error', () => resolve('refused'))
      element.src = '${base}/main.js'
      document.head.append(element)
    })`)
  const framed = await foreign.evaluate(`
    new Promise((resolve) => {
      const frame = document.createElement('iframe')
      frame.addEventListener('load', () => resolve(frame.contentDocument === null))
      frame.src = '${base}/'
      document.body.append(frame)
    })`)
  const frames = foreign.frames().map((frame) => frame.url())
  await foreign.evaluate(`
    const form = document.createElement('form')
    form.method = 'post'
    form.action = '${base}/api/ticket'
    document.body.append(form)
    form.submit()`)
  await foreign.waitForURL(`${base}/api/ticket`)

  expect([socket, loaded]).toEqual(['refused', 'refused'])
  expect(framed).toBe(true)
  expect(frames).not.toContain(`${base}/`)
  expect(await foreign.textContent('body')).toContain('error')
})
