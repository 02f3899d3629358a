import { spawn, type ChildProcess } from 'node:child_process'
import { win32 } from 'node:path'
import process from 'node:process'

import { systemProgram } from '../system/programs.ts'

/**
 * The watching process of Windows. When its parent is killed, Node's job object ends the parent's direct children, which with
 * `npx` are a `cmd.exe` alone; what those started goes on, without a parent. Windows still tells the number of the parent it
 * had, so the watcher lists all processes and ends the descendants of the roots it was told of.
 *
 * A number may have been given to another process since. So a child counts only if it started after its root was reported and
 * before the watcher noticed the end, and a grandchild only if it started after its parent.
 */

/** How processes are listed (number, parent's number, start in milliseconds, one process a line) and ended. */
export interface WatchCommands {
  /** Tried in turn until one lists something. */
  readonly lists: readonly (readonly string[])[]
  /** Gets the numbers of the processes as further arguments. */
  readonly kill: readonly string[]
  /** Before each number. */
  readonly killFlag?: string | undefined
}

/** Starts the watcher, outside of the job that ends with this process. Undefined where Node cannot be started once more. */
export function startWindowsWatch(
  commands: WatchCommands = windowsCommands(),
): ChildProcess | undefined {
  const { execPath, env, versions } = process
  const isNode = /^(?:node|bun)(?:\.exe)?$/i.test(win32.basename(execPath))
  // A program with Node in it would start itself again, and again; Electron can be asked for its Node.
  if (!isNode && versions['electron'] === undefined) return undefined
  const watcher = spawn(execPath, ['-e', watchScript, JSON.stringify(commands)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
    cwd: win32.dirname(systemProgram('cmd', env)),
    env: { SystemRoot: env['SystemRoot'], ELECTRON_RUN_AS_NODE: '1' },
  })
  return watcher
}

/** The commands of Windows. */
export function windowsCommands(): WatchCommands {
  const system = win32.dirname(systemProgram('cmd'))
  const query =
    'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) ' +
    '$(([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds())" }'
  const shell = win32.join(system, 'WindowsPowerShell', 'v1.0', 'powershell.exe')
  return {
    lists: [[shell, '-NoProfile', '-NonInteractive', '-Command', query]],
    // Without `/T`, which follows numbers alone: the list is complete, and of processes that started in the right order.
    kill: [systemProgram('taskkill'), '/F'],
    killFlag: '/PID',
  }
}

/** Reads `+ number`, `- number` and `end`, as the shell of other systems does. */
export const watchScript = `
const { spawnSync } = require('node:child_process')
const { lists, kill, killFlag } = JSON.parse(process.argv[1])
const roots = new Map()
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const [sign, pid] = line.split(' ')
  if (sign === '+') roots.set(pid, Date.now())
  if (sign === '-') roots.delete(pid)
  if (sign === 'end') process.exit(0)
}).on('close', () => {
  const endedAt = Date.now()
  if (roots.size === 0) return
  let all = []
  for (const [file, ...args] of lists) {
    const { stdout } = spawnSync(file, args, { encoding: 'utf8', windowsHide: true, timeout: 30000 })
    all = String(stdout ?? '').split('\\n').map((line) => line.trim().split(/\\s+/))
      .filter((parts) => parts.length === 3 && parts.every((part) => /^\\d+$/.test(part)))
    if (all.length > 0) break
  }
  const found = new Map()
  for (const [pid, , started] of all) {
    const reportedAt = roots.get(pid)
    if (reportedAt !== undefined && Number(started) <= reportedAt + 1000) found.set(pid, Number(started))
  }
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const [pid, parent, text] of all) {
      const started = Number(text)
      const reportedAt = roots.get(parent)
      const isOfRoot = reportedAt !== undefined && started >= reportedAt - 5000 && started <= endedAt + 1000
      const isDeeper = found.has(parent) && started >= found.get(parent)
      if (!found.has(pid) && pid !== String(process.pid) && (isOfRoot || isDeeper)) found.set(pid, started)
    }
  }
  if (found.size === 0) return
  const [file, ...args] = kill
  spawnSync(file, [...args, ...[...found.keys()].flatMap((pid) => killFlag ? [killFlag, pid] : [pid])], { windowsHide: true })
})
`
