import type { Channel, ChannelParts } from './channel.ts'
import type { Outgoing } from './outgoing.ts'
import type { SseOptions } from './sse-channel.ts'

/** HTTP+SSE, by what is loaded when a server turns out to know nothing newer; messages wait meanwhile. */
export function sseChannelLater(parts: ChannelParts, options: SseOptions = {}): Channel {
  const waiting: Outgoing[] = []
  let channel: Channel | undefined
  let isClosed = false
  const loading = load().catch((error: unknown) => parts.delivery.end(error))

  async function load(): Promise<void> {
    const { createSseChannel } = await import('./sse-channel.ts')
    if (isClosed) return
    channel = createSseChannel(parts, options)
    for (const outgoing of waiting) void channel.send(outgoing)
  }

  return {
    kind: 'sse',
    send(outgoing) {
      if (channel) return channel.send(outgoing)
      waiting.push(outgoing)
      return undefined
    },
    async close() {
      isClosed = true
      await loading
      await channel?.close()
    },
  }
}
