/** Everything that could be left behind. */
export function heldBy(connections) {
  globalThis.gc()
  globalThis.gc()
  const counts = { TCPSocketWrap: 0, ProcessWrap: 0, PipeWrap: 0, Timeout: 0 }
  for (const name of process.getActiveResourcesInfo()) if (name in counts) counts[name] += 1
  return {
    connections,
    sockets: counts.TCPSocketWrap,
    children: counts.ProcessWrap,
    pipes: counts.PipeWrap,
    timers: counts.Timeout,
    heapBytes: process.memoryUsage().heapUsed,
  }
}
