#!/usr/bin/env node
/**
 * Everything a fresh clone needs: packages and a build. Does nothing when nothing is to be done, so every
 * command may begin with it. Uses only Node's own modules.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit, stdout, versions } from 'node:process'
import { pathToFileURL } from 'node:url'

import { runStep } from './run-step.mjs'
import { root } from './source-files.mjs'

/**
 * What npm wrote down when it last finished installing, against what the repository asks for. By content and
 * not by date: a checkout touches files it does not change.
 *
 * @param {string} wantedLock text of `package-lock.json`
 * @param {string | undefined} installedLock text of `node_modules/.package-lock.json`
 * @returns {boolean}
 */
export function isInstalled(wantedLock, installedLock) {
  if (installedLock === undefined) return false
  const installed = JSON.parse(installedLock).packages ?? {}
  return Object.entries(JSON.parse(wantedLock).packages ?? {}).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    const found = installed[path]
    if (found === undefined) return wanted.optional === true // built for another platform
    return wanted.link === true ? found.link === true : found.version === wanted.version
  })
}

/**
 * Shows that something is still being done: a line that counts the seconds in a terminal, else a line now and then.
 *
 * @param {string} what
 * @param {{ isTerminal: boolean, write(text: string): void }} output
 */
export function startProgress(what, { isTerminal, write }) {
  let seconds = 0
  const timer = setInterval(() => {
    seconds += 1
    if (isTerminal) write(`\r\u001B[Ksetup: ${what} … ${seconds} s`)
    else if (seconds % quietSeconds === 0) write(`setup: ${what}, ${seconds} s so far …\n`)
  }, 1_000)
  return {
    end() {
      clearInterval(timer)
      if (isTerminal && seconds > 0) write('\r\u001B[K')
    },
  }
}

/** Between two lines of a log. */
const quietSeconds = 10

/**
 * @param {string} what
 * @param {readonly [string, ...string[]]} command
 * @param {string} fix
 */
async function step(what, [command, ...args], fix) {
  console.log(`setup: ${what} …`)
  const progress = startProgress(what, {
    isTerminal: stdout.isTTY,
    write: (text) => stdout.write(text),
  })
  const { isOk, output, seconds } = await runStep(command, args)
  progress.end()
  if (isOk)
    return seconds > 2 ? console.log(`setup: ${what} took ${seconds.toFixed(1)} s`) : undefined
  console.error(firstLines(output.trimEnd(), 40))
  console.error(`setup: ${what} failed. ${fix}`)
  return exit(1)
}

/** @param {string} text @param {number} count */
function firstLines(text, count) {
  const lines = text.split('\n')
  if (lines.length <= count) return text
  return [...lines.slice(0, count), `… and ${lines.length - count} more lines`].join('\n')
}

async function main() {
  const [major = 0, minor = 0] = versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`setup: Node ${versions.node} is too old; install 20.19 or newer`)
    exit(1)
  }

  const marker = join(root, 'node_modules/.package-lock.json')
  const installed = existsSync(marker) ? readFileSync(marker, 'utf8') : undefined
  if (!isInstalled(readFileSync(join(root, 'package-lock.json'), 'utf8'), installed)) {
    await step(
      'installing packages (npm ci)',
      ['npm', 'ci', '--no-audit', '--no-fund'],
      'If it names the lock file, run npm install and commit package-lock.json; else check the network and npm config get registry.',
    )
  }
  await step(
    'building (npm run build)',
    ['node', 'scripts/build.mjs'],
    'Correct the type errors above. Tests of the sources run without a build: npx vitest run',
  )
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) await main()
