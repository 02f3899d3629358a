import { createRecorder, type TraceRecorder } from '@parley/foundation/trace'
import type { HostServer } from '@parley/host'

/** What crossed the connections of a chat, and servers that are recorded. */
export interface ServerTrace {
  readonly recorder: TraceRecorder
  /** The same server; what crosses its connection is recorded under its name. */
  traced(server: HostServer): HostServer
}

/** The newest messages, in memory. */
export function traceServers(): ServerTrace {
  const recorder = createRecorder({ records: 20_000, bytes: 32 * 1024 * 1024 })
  return {
    recorder,
    traced(server) {
      const tap = recorder.tap(server.name)
      const { onMessage, onStderr, onStatus } = server.connect ?? {}
      return {
        ...server,
        connect: {
          ...server.connect,
          onMessage(frame) {
            tap.onMessage(frame)
            onMessage?.(frame)
          },
          onStderr(line) {
            tap.onStderr(line)
            onStderr?.(line)
          },
          onStatus(status, previous) {
            tap.onStatus(status, previous)
            onStatus?.(status, previous)
          },
        },
      }
    },
  }
}
