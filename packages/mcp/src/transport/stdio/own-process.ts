/** What is served, as far as the life of its process is concerned. */
export interface Served {
  drain(): Promise<unknown>
  readonly closed: Promise<void>
}

/**
 * Ties this process to what it serves: SIGTERM, SIGINT and the loss of the parent drain it, a second signal exits at
 * once, and when nothing is served any more the process exits. None of this keeps the process alive. With `parentPollMs`
 * 0 the parent does not matter: a server on the network outlives the shell that started it.
 */
export function ownProcess(served: Served, { parentPollMs = 5_000 } = {}): void {
  let signals = 0
  function onSignal(_: NodeJS.Signals, number: number): void {
    signals += 1
    if (signals > 1) process.exit(128 + number)
    void served.drain()
  }
  const parent = parentPollMs > 0 ? watchParent(() => void served.drain(), parentPollMs) : undefined
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)

  void served.closed.then(() => {
    clearInterval(parent)
    // Who waits for `closed` may still have something to close; what is only forgotten must not make an orphan.
    setTimeout(() => process.exit(), lastWorkMs).unref()
  })
}

/** The backstop for an end of stdin that never comes because another process holds the pipe open. */
function watchParent(onGone: () => void, pollMs: number): NodeJS.Timeout {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (isParent(parent)) return
    clearInterval(timer)
    onGone()
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
