/** Keeps the process alive while a promise is awaited and no channel is open: the clock's timers do not. */
export async function keepProcessAlive<T>(waiting: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 2 ** 30)
  try {
    return await waiting
  } finally {
    clearInterval(timer)
  }
}
