// Preloaded into every measured process: answers how much CPU time and memory it uses. The channel keeps nothing alive.
if (process.send) {
  process.on('message', async (message) => {
    if (message === 'cpu') process.send({ cpu: process.cpuUsage() })
    if (message === 'memory') process.send({ memory: await measureMemory() })
  })
  process.channel.unref()
}

/** What is left when the garbage is gone; a few turns, since finalizers free what the next collection finds. */
async function measureMemory() {
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heapBytes: heapUsed + external, residentBytes: rss }
}
