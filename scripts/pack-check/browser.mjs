/** A page made with Vite, in Chromium, under a policy that allows nothing but its own script and one server. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

import { chromium } from 'playwright-core'
import { build } from 'vite'

const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const html = `<!doctype html><html lang="en"><head><title>waiting</title></head><body>
<script type="module" src="/main.js"></script></body></html>`

const page = `
import { connect, toolOutput } from '@parley/mcp/client'

try {
  const client = await connect(decodeURIComponent(location.hash.slice(1)))
  document.title = toolOutput(await client.callTool('greet'))
} catch (error) {
  document.title = 'failed: ' + error.message
}
`

/** Serves the page at one port, and an MCP server at another; prints both addresses. */
const servers = `
import { createReadStream, existsSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { extname, join } from 'node:path'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'

let policy = ''
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const pages = createHttpServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  const file = join('page/dist', pathname === '/' ? 'index.html' : pathname)
  if (!existsSync(file)) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': types[extname(file)], 'content-security-policy': policy })
  createReadStream(file).pipe(response)
}).listen(0, '127.0.0.1', async () => {
  const origin = 'http://127.0.0.1:' + pages.address().port
  const server = createServer({ name: 'greeter', version: '1.0.0' })
  server.tool('greet', {}, () => 'Hello, page!')
  const service = await serveHttp(server, { port: 0, allowedOrigins: [origin] })
  const { origin: api } = new URL(service.url)
  policy = "default-src 'none'; script-src 'self'; connect-src " + api + "; base-uri 'none'; require-trusted-types-for 'script'"
  console.log(origin + '/#' + encodeURIComponent(service.url))
})
`

/** @type {import('./rows.mjs').Row} */
export const browser = {
  name: 'browser',
  needsProject: true,
  async start() {
    const executablePath = env['PARLEY_CHROMIUM'] ?? places.find((path) => existsSync(path))
    if (executablePath === undefined) {
      throw new Error('no Chromium found: install it, or name one in PARLEY_CHROMIUM')
    }
    return {
      HTTP: async (project) => {
        project.write('page/index.html', html)
        project.write('page/main.js', page)
        project.write('page-servers.js', servers)
        await buildPage(join(project.folder, 'page'))
        const title = await visit(project.folder, executablePath)
        if (title !== 'Hello, page!') throw new Error(`the page says: ${title}`)
      },
    }
  },
}

/** A warning of the bundler is a failure: the author of a page would see it too. @param {string} root */
async function buildPage(root) {
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        onLog(level, { message }) {
          if (level === 'warn') throw new Error(message)
        },
      },
    },
  })
}

/** Looked at from outside: the page's policy forbids code of ours in it. @param {import('playwright-core').Page} tab */
async function finalTitle(tab) {
  const until = Date.now() + 60_000
  let title = await tab.title()
  while (title === 'waiting' && Date.now() < until) {
    await setTimeout(50)
    title = await tab.title()
  }
  return title
}

/** @param {string} folder @param {string} executablePath */
async function visit(folder, executablePath) {
  const child = spawn(execPath, ['page-servers.js'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const shown = await chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  try {
    const [url] = await once(createInterface(child.stdout), 'line')
    const tab = await shown.newPage()
    /** @type {string[]} */
    const complaints = []
    tab.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await tab.goto(url)
    const title = await finalTitle(tab)
    const serious = complaints.filter((text) => !text.includes('favicon'))
    if (serious.length > 0) throw new Error(`the page complained: ${serious.join('\n')}`)
    return title
  } finally {
    await shown.close()
    child.kill()
  }
}
