/** A service, as far as the life of its process is concerned. */
export interface Served {
  drain(): Promise<unknown>
  readonly closed: Promise<void>
}

/** The life of this process, for something that is served in it. */
export interface ProcessLife {
  /** The process was told to end. */
  readonly isEnding: boolean
  /** Tells it to end, for example because its stdin has ended. */
  end(): void
}

/** Everything that is served in this process and has not closed. */
const serving = new Set<Served>()
let isEnding = false
let signals = 0

/**
 * Ties this process to what it serves: SIGTERM, SIGINT and the loss of the parent drain all that is served, a second signal
 * exits at once, and when all of it has closed the process exits. A service that closes before the process was told to end
 * ends nothing: the program goes on. None of this keeps the process alive. With `parentPollMs` 0 the parent does not matter:
 * a server on the network outlives the shell that started it.
 */
export function ownsProcess(served: Served, { parentPollMs = 5_000 } = {}): ProcessLife {
  if (serving.size === 0 && !isEnding) {
    for (const signal of endSignals()) process.on(signal, onSignal)
  }
  serving.add(served)
  const parent = parentPollMs > 0 ? watchParent(end, parentPollMs) : undefined
  if (isEnding) void served.drain()

  void served.closed.then(() => {
    clearInterval(parent)
    serving.delete(served)
    if (serving.size > 0) return
    if (isEnding) return exitSoon()
    for (const signal of endSignals()) process.off(signal, onSignal)
  })
  return {
    get isEnding() {
      return isEnding
    },
    end,
  }
}

/** The signals that tell a process to end. On Windows these include closing the console, after which some seconds are left, and Ctrl+Break. */
export function endSignals(platform = process.platform): readonly NodeJS.Signals[] {
  const common: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']
  return platform === 'win32' ? [...common, 'SIGHUP', 'SIGBREAK'] : common
}

function onSignal(_: NodeJS.Signals, number: number): void {
  signals += 1
  if (signals > 1) process.exit(128 + number)
  end()
}

function end(): void {
  isEnding = true
  for (const served of serving) void served.drain()
}

/** The program may still have something to close after `closed`; what it only forgot must not make an orphan. */
function exitSoon(): void {
  setTimeout(() => {
    if (serving.size === 0) process.exit()
  }, lastWorkMs).unref()
}

/** The backstop for an end of stdin that never comes because another process holds the pipe open. */
function watchParent(onClosed: () => void, pollMs: number): NodeJS.Timeout {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (isParent(parent)) return
    clearInterval(timer)
    onClosed()
  }, pollMs)
  return timer.unref()
}

function isParent(pid: number): boolean {
  if (process.platform !== 'win32') return process.ppid === pid
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const lastWorkMs = 500
