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

/**
 * What the site needs is apart from what everything else needs, and is installed when the site is first made. A mirror of
 * the registry that lacks builds for other systems refuses the lock file: then the newest versions that fit are taken.
 */
function install() {
  if (existsSync(join(site, 'node_modules/vitepress'))) return
  console.log('installing what the site needs (once)')
  if (npm('ci') === 0) return
  console.log('the lock file could not be used: installing without it')
  const status = npm('install', '--no-package-lock')
  if (status !== 0) process.exit(status)
}

/** @param {string[]} args */
function npm(...args) {
  const all = [...args, '--ignore-scripts']
  const isWindows = process.platform === 'win32' // npm is a script there
  return spawnSync('npm', all, { cwd: site, stdio: 'inherit', shell: isWindows }).status ?? 1
}
