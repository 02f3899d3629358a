import { spawn, type ChildProcess } from 'node:child_process'
import process from 'node:process'

/**
 * Ends what is left when its standard input ends, which is when the process that started it is gone, in whatever way. Those that
 * ended by themselves are struck off, so that nobody else is hit who has their number by now.
 */
const watchdogScript = `
trap '' INT TERM HUP
pids=' '
while read -r what pid; do
  case $what in
    add) pids="$pids$pid " ;;
    drop) pids="\${pids%% $pid *} \${pids#* $pid }" ;;
  esac
done
for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
`

let watchdog: ChildProcess | undefined
/** All that run, for an orderly end; there is one listener however many there are. */
const running = new Set<ChildProcess>()

/** A process does not outlive the one that started it, even if that is killed. */
export function endTogether(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  if (running.size === 0) process.once('exit', endAll)
  running.add(child)
  notifyWatchdog(`add ${pid}`)
  child.once('exit', () => {
    running.delete(child)
    if (running.size === 0) process.off('exit', endAll)
    notifyWatchdog(`drop ${pid}`)
  })
}

function endAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** It keeps nobody alive. Where there is no shell, only an orderly end is followed. */
function notifyWatchdog(line: string): void {
  if (process.platform === 'win32') return
  if (watchdog === undefined) {
    watchdog = spawn('/bin/sh', ['-c', watchdogScript], { stdio: ['pipe', 'ignore', 'ignore'] })
    watchdog.on('error', () => undefined)
    watchdog.stdin?.on('error', () => undefined)
    watchdog.unref()
    const { stdin } = watchdog
    if (stdin && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  }
  watchdog.stdin?.write(`${line}\n`)
}
