#!/usr/bin/env node
/**
 * Fills the trace with 100,000 records, scrolls through it in Debian's Chromium, and prints the longest frame and the
 * memory of the page: `node packages/inspector/bench/trace-scroll.mjs` after `npm run build`. Asserts nothing.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { startInspector } from '@parley/inspector'
import { chromium } from 'playwright-core'

const pairs = Number(argv[2] ?? 50_000)
const server = fileURLToPath(new URL('../test/trace/fixtures/flood-server.mjs', import.meta.url))
const stateDirectory = await mkdtemp(join(tmpdir(), 'parley-scroll-'))
const inspector = await startInspector({
  noOpen: true,
  port: 0,
  stateDirectory,
  ...(env['INSPECTOR_PAGE'] && { pageFolder: env['INSPECTOR_PAGE'] }),
  servers: [{ name: 'flood', entry: { command: execPath, args: [server] }, connect: true }],
})
const browser = await chromium.launch({
  executablePath: env['PARLEY_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
  const session = await page.context().newCDPSession(page)
  await page.goto(inspector.url)
  await page.locator('.trace-row').first().waitFor()
  console.log(`page with an empty trace: ${await heap(session)} MiB`)

  await page.goto(`${page.url().replace(/#.*$/, '')}#/flood/tools/flood`)
  await page.getByRole('spinbutton', { name: 'count' }).fill(String(pairs))
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText(`pinged ${pairs} times`).first().waitFor({ timeout: 300_000 })
  await untilStill(page)
  const rows = await page.locator('.trace-figures dd').first().textContent()
  console.log(`page with ${rows} rows (${pairs * 2} records): ${await heap(session)} MiB`)

  for (const [name, step] of [
    ['slowly', 40],
    ['fast', 2000],
    ['in leaps', 100_000],
  ]) {
    const tasks = await traceTasks(session)
    const { longest, frames, over50 } = await scroll(page, step)
    const { busyMs, longestMs } = await tasks()
    console.log(`scrolling ${name} (${step} px a frame), ${frames} frames:`)
    console.log(`  longest frame ${longest.toFixed(1)} ms, ${over50} over 50 ms`)
    console.log(
      `  the page's own work: ${(busyMs / frames).toFixed(1)} ms a frame, longest task ${longestMs.toFixed(1)} ms`,
    )
  }
  const drawn = await page.locator('.trace-row').count()
  console.log(`rows in the document: ${drawn}; after scrolling: ${await heap(session)} MiB`)
} finally {
  await browser.close()
  await inspector.close()
  await rm(stateDirectory, { recursive: true, force: true })
}

/** Until no more records arrive. */
async function untilStill(page) {
  let before = ''
  for (let same = 0; same < 3;) {
    await page.waitForTimeout(500)
    const now = (await page.locator('.trace-figures').textContent()) ?? ''
    same = now === before ? same + 1 : 0
    before = now
  }
}

/** Scrolls a step each frame, back at the end, for 300 frames; the time between frames is what the user feels. */
function scroll(page, step) {
  return page.locator('.trace-scroll').evaluate(async (element, by) => {
    const times = []
    let direction = 1
    element.dispatchEvent(new WheelEvent('wheel', { bubbles: true }))
    await new Promise((done) => {
      const next = (time) => {
        times.push(time)
        if (times.length > 300) return done()
        const end = element.scrollHeight - element.clientHeight
        if (element.scrollTop >= end - 1) direction = -1
        else if (element.scrollTop <= 0) direction = 1
        element.scrollTop += by * direction
        requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
    })
    const lengths = times.slice(1).map((time, index) => time - times[index])
    return {
      frames: lengths.length,
      longest: Math.max(...lengths),
      over50: lengths.filter((length) => length > 50).length,
    }
  }, step)
}

/** What the page's main thread worked by the processor's clock, whatever else the machine did. */
async function traceTasks(session) {
  const events = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline'] },
  })
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
    await session.send('Tracing.end')
    await complete
    session.removeAllListeners('Tracing.dataCollected')
    const threads = events.filter(
      ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
    )
    const isMain = ({ pid, tid }) => threads.some((one) => one.pid === pid && one.tid === tid)
    const times = events
      .filter((event) => event.name === 'RunTask' && isMain(event))
      .map(({ tdur = 0 }) => tdur / 1000)
    return {
      busyMs: times.reduce((sum, ms) => sum + ms, 0),
      longestMs: times.reduce((most, ms) => Math.max(most, ms), 0),
    }
  }
}

async function heap(session) {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return (usedSize / 1024 / 1024).toFixed(1)
}
