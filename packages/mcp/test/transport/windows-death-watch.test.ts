import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

import { expect, onTestFinished, test } from 'vitest'

import { endSignals } from '../../src/transport/stdio/own-process.ts'
import {
  watchScript,
  windowsCommands,
  type WatchCommands,
} from '../../src/transport/stdio/windows-death-watch.ts'

/** A process that does nothing, until it is ended. */
function startSleeper(): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The watcher, with a list of processes made up and numbers that are real. */
function startWatcher(list: readonly (readonly (number | undefined)[])[]): ChildProcess {
  const file = join(mkdtempSync(join(tmpdir(), 'watch-')), 'list.js')
  const lines = list.map((parts) => parts.join(' ')).join('\\r\\n')
  const rows = JSON.stringify(list.map((parts) => parts.map(String)))
  writeFileSync(
    file,
    `module.exports = ${rows}
    if (require.main === module) console.log('Number Parent Start\\r\\n${lines}')`,
  )
  // Understands the arguments of taskkill, which are those that ship.
  const script = join(file, '..', 'kill.js')
  writeFileSync(
    script,
    `const args = process.argv.slice(2)
    const list = require(${JSON.stringify(file)})
    const isTree = args.includes('/T')
    for (let at = 0; at < args.length; at += 1) {
      if (args[at] !== '/PID') continue
      const pids = [args[at + 1], ...(isTree ? list.filter(([, parent]) => parent === args[at + 1]).map(([pid]) => pid) : [])]
      for (const pid of pids) try { process.kill(pid, 'SIGKILL') } catch {}
    }`,
  )
  const { kill, killFlag } = windowsCommands()
  const commands: WatchCommands = {
    lists: [[join(file, 'missing')], [process.execPath, file]],
    kill: [process.execPath, script, ...kill.slice(1)],
    killFlag,
  }
  return spawn(process.execPath, ['-e', watchScript, JSON.stringify(commands)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
}

test('ends what a killed program left behind, and nothing that only has a number of before', async () => {
  const child = startSleeper()
  const grandchild = startSleeper()
  const elder = startSleeper()
  const senior = startSleeper()
  const stranger = startSleeper()
  const [closed, disowned, now] = [2 ** 22 + 1, 2 ** 22 + 2, Date.now()]
  const watcher = startWatcher([
    [child.pid, closed, now],
    [grandchild.pid, child.pid, now + 10],
    [elder.pid, closed, now - 60_000], // of another process that had this number
    [senior.pid, child.pid, now - 60_000], // the same, for a number that a child has now
    [stranger.pid, disowned, now],
  ])
  const ended = [child, grandchild].map((one) => once(one, 'exit'))

  watcher.stdin?.end(`+ ${closed}\n+ ${disowned}\n- ${disowned}\n`)
  await once(watcher, 'exit')
  await Promise.all(ended)

  expect([child.signalCode, grandchild.signalCode]).toEqual(['SIGKILL', 'SIGKILL'])
  for (const one of [elder, senior, stranger]) expect(process.kill(one.pid ?? 0, 0)).toBe(true)
})

test('a program that ends by itself ends the watcher, which touches nothing', async () => {
  const child = startSleeper()
  const closed = 2 ** 22 + 1
  const watcher = startWatcher([[child.pid, closed, Date.now()]])

  watcher.stdin?.end(`+ ${closed}\nend\n`)
  await once(watcher, 'exit')

  expect(process.kill(child.pid ?? 0, 0)).toBe(true)
})

test('closing the console and Ctrl+Break end a server on Windows as SIGTERM does', () => {
  expect(endSignals('win32')).toEqual(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'])
  expect(endSignals('linux')).toEqual(['SIGTERM', 'SIGINT'])
})
