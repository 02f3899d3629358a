import { spawn, spawnSync } from 'node:child_process'

import { startDeathWatch, type DeathWatch } from './death-watch.ts'

/** How firmly a tree is asked to end. */
export type TreeSignal = 'SIGTERM' | 'SIGKILL'

/**
 * Signals a process and its descendants: its process group, or on Windows its tree. A descendant that made a group
 * of its own is out of reach on POSIX. False if there is nobody left.
 */
export function signalTree(pid: number, signal: TreeSignal): boolean {
  if (process.platform !== 'win32') return signalGroup(pid, signal)
  const kill = spawn('taskkill', taskkillArgs(pid, signal), { stdio: 'ignore', windowsHide: true })
  kill.on('error', () => {}) // not there, or the tree has just ended: the caller waits for the exit in any case
  kill.unref()
  return true
}

/** Whether a member of the group remains; on Windows there is no way to know once the leader has gone. */
export function isTreeAlive(pid: number): boolean {
  return process.platform !== 'win32' && signalGroup(pid, 0)
}

/** Makes sure that the tree does not outlive this process, until the returned function is called. */
export function ownTree(pid: number): () => void {
  if (owned.size === 0) {
    process.on('exit', killOwned)
    // First, so that it counts those who listen once as well: they are gone as soon as they are called.
    for (const signal of fatalSignals) process.prependListener(signal, onFatalSignal)
  }
  owned.add(pid)
  deathWatch?.add(pid)
  return () => {
    if (!owned.delete(pid)) return
    deathWatch?.remove(pid)
    if (owned.size > 0) return
    process.off('exit', killOwned)
    for (const signal of fatalSignals) process.off(signal, onFatalSignal)
  }
}

const owned = new Set<number>()
let deathWatch: DeathWatch | undefined

/**
 * From now on children of this process are ended even if it is killed (`kill -9`), by a small process that notices.
 * For programs that start servers for others. Disposing stops it.
 */
export function guardChildren(): Disposable {
  const watch = (deathWatch ??= startDeathWatch())
  for (const pid of owned) watch.add(pid)
  return {
    [Symbol.dispose]() {
      if (deathWatch !== watch) return
      deathWatch = undefined
      watch[Symbol.dispose]()
    },
  }
}
const fatalSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Nothing can be waited for at this point, so nobody is asked first. */
function killOwned(): void {
  for (const pid of owned) {
    if (process.platform === 'win32') spawnSync('taskkill', taskkillArgs(pid, 'SIGKILL'))
    else signalGroup(pid, 'SIGKILL')
  }
}

/**
 * Our children have groups of their own, so they do not hear an interrupt from the terminal, and a process that dies
 * of a signal runs no 'exit' hook. If nobody else handles the signal it does what it would have done without us.
 */
function onFatalSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  killOwned()
  process.off(signal, onFatalSignal)
  process.kill(process.pid, signal)
}

function signalGroup(pid: number, signal: TreeSignal | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    // No such group; or (EPERM) one whose members are all somebody else's by now, which still is a group.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function taskkillArgs(pid: number, signal: TreeSignal): string[] {
  return ['/pid', String(pid), '/T', ...(signal === 'SIGKILL' ? ['/F'] : [])]
}
