#!/usr/bin/env node
/** `npm run docs` serves the documentation while it is written, `npm run docs:build` writes it as files. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { writeContent } from './content.mjs'

const site = fileURLToPath(new URL('.', import.meta.url))
install()
const { build, createServer } = await import('vitepress')
const pages = writeContent()
console.log(`${pages.size} pages`)

if (process.argv.includes('--build')) await build(site)
else {
  const portAt = process.argv.indexOf('--port')
  const port = portAt === -1 ? 5173 : Number(process.argv[portAt + 1])
  const server = await createServer(site, { port })
  await server.listen()
  server.printUrls()
}

/** What the site needs is apart from what everything else needs, and is installed when the site is first made. */
function install() {
  if (existsSync(join(site, 'node_modules/vitepress'))) return
  console.log('installing what the site needs (once)')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: site, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
