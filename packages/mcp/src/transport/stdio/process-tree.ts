/**
 * Ends a process with everything that it has started.
 *
 * Servers are often started through a shell or a package runner, so ending the child is not enough. On POSIX it signals process
 * groups, first with SIGTERM, then with SIGKILL; on Windows it ends the tree by force. A small watcher process does the same for
 * the children of a parent that was killed. `start-child.ts` starts the processes that are ended here.
 */
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'

import type { ChildDetails } from '../../rpc/errors/mcp-error.ts'
import { sleep, waitAtMost } from '../../rpc/signals.ts'
import { killWindowsTrees, killWindowsTreesNow } from '../system/windows-tree.ts'
import type { StderrRing } from './stderr-ring.ts'
import { startWindowsWatch } from './windows-death-watch.ts'

/**
 * Ends children whose parent was killed: no signal handler and no exit hook runs then, and a child that ignores the end of
 * its standard input would live on.
 */
interface DeathWatch extends Disposable {
  /** The process group of this child belongs to us. */
  add(pid: number): void
  /** It has gone. */
  remove(pid: number): void
}

/**
 * Starts a small process that holds a pipe from this one. When the pipe ends, whatever ended us, it ends the groups that it was
 * told of: SIGTERM first, SIGKILL after two seconds. On Windows it ends their trees, by force.
 */
function startDeathWatch(): DeathWatch {
  const watcher = process.platform === 'win32' ? startWindowsWatch() : startShell()
  if (watcher !== undefined) release(watcher)
  const send = (line: string): void => {
    const pipe = watcher?.stdin
    if (pipe?.writable) pipe.write(`${line}\n`)
  }

  return {
    add: (pid) => send(`+ ${pid}`),
    remove: (pid) => send(`- ${pid}`),
    [Symbol.dispose]() {
      send('end')
      watcher?.stdin?.end()
    },
  }
}

/** In a session of its own, so that what ends our group does not end it. */
function startShell(): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', script, 'parley-death-watch'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
  })
  return watcher
}

/** The watcher keeps nothing alive. */
function release(watcher: ChildProcess): void {
  watcher.on('error', () => undefined) // it cannot be started: signals and exit hooks still end the children
  watcher.stdin?.on('error', () => undefined)
  watcher.unref()
  const pipe = watcher.stdin as { unref?(): void } | null // a socket, unless it could not be started
  pipe?.unref?.()
}

const script = `
trap '' INT TERM HUP
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) rest=' '
       for each in $groups; do [ "$each" = "$group" ] || rest="$rest$each "; done
       groups=$rest ;;
    end) exit 0 ;;
  esac
done
for each in $groups; do kill -s TERM -- "-$each" 2>/dev/null; done
[ "$groups" = ' ' ] || sleep 2
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
`

/** How firmly a tree is asked to end. */
export type TreeSignal = 'SIGTERM' | 'SIGKILL'

/**
 * Signals a process and its descendants: its process group; on Windows its tree is ended by force. A descendant that made a group
 * of its own is out of reach on POSIX. False if there is nobody left.
 */
function signalTree(pid: number, signal: TreeSignal): boolean {
  if (process.platform !== 'win32') return signalGroup(pid, signal)
  killWindowsTrees([pid])
  return true
}

/** Whether a member of the group remains; on Windows there is no way to know once the leader has gone. */
function isTreeAlive(pid: number): boolean {
  return process.platform !== 'win32' && signalGroup(pid, 0)
}

/** Makes sure that the tree does not outlive this process, until the returned function is called. */
function ownTree(pid: number): () => void {
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
const fatalSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const // the last exists on Windows only

/** Nothing can be waited for at this point, so nobody is asked first. */
function killOwned(): void {
  if (process.platform === 'win32') return killWindowsTreesNow([...owned])
  for (const pid of owned) signalGroup(pid, 'SIGKILL')
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

/** How long each step of ending a child may take. */
export interface StopTimes {
  /** From closing its stdin to SIGTERM. */
  readonly stdinMs: number
  /** From SIGTERM to SIGKILL. */
  readonly termMs: number
}

/** The end of a child and of what it started. */
export interface ChildExit {
  /** When the child has exited and its stderr has been read. */
  readonly exited: Promise<ChildDetails>
  /** When nothing of its tree is left either. */
  readonly closed: Promise<void>
}

/**
 * Watches a child from its start. The child is the server, so what it leaves behind in its process group is ended
 * like itself: SIGTERM at once, SIGKILL if that does not help. Until then none of it outlives this process.
 */
export function watchExit(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  stderr: StderrRing,
  stop: StopTimes,
): ChildExit {
  const disown = ownTree(pid)
  const stderrEnded = new Promise<void>((resolve) => void child.stderr.once('close', resolve))
  const exit = new Promise<ChildDetails>((resolve) => {
    child.once('exit', (exitCode, exitSignal) => resolve({ exitCode, exitSignal }))
  })

  const closed = exit.then(() => sweep(pid, stop.termMs)).finally(disown)
  const exited = exit.then(async (details) => {
    await waitAtMost(lastWordsMs, stderrEnded)
    stderr.end()
    return { ...details, stderr: stderr.text() }
  })
  return { exited, closed }
}

/** Ends a child whose stdin has been closed: waits, asks, insists. */
export async function stopChild(
  pid: number,
  { closed }: ChildExit,
  stop: StopTimes,
): Promise<void> {
  if (await waitAtMost(stop.stdinMs, closed)) return
  // Windows has no way to ask a console program to end: waiting for it would only take time.
  if (process.platform !== 'win32') {
    signalTree(pid, 'SIGTERM')
    if (await waitAtMost(stop.termMs, closed)) return
  }
  signalTree(pid, 'SIGKILL')
  await waitAtMost(killMs, closed)
}

async function sweep(pid: number, termMs: number): Promise<void> {
  if (!isTreeAlive(pid)) return
  signalTree(pid, 'SIGTERM')
  for (let waitedMs = 0; waitedMs < termMs && isTreeAlive(pid); waitedMs += pollMs)
    await sleep(pollMs)
  // The number is still theirs: it is not given to a new process while the group has a member.
  if (isTreeAlive(pid)) signalTree(pid, 'SIGKILL')
}

/** A descendant that escaped may hold a stream open for ever. */
export const lastWordsMs = 500
/** The time after which a process that SIGKILL did not end is stuck in the kernel. */
const killMs = 5_000
const pollMs = 20
