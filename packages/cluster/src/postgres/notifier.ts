import type { PostgresQueries } from './postgres-queries.ts'

/** Sends hints, those of one moment in one statement: each `NOTIFY` that commits waits for all others of the server. */
export interface Notifier {
  send(channel: string, text: string): void
  /** Resolves when nothing is under way. */
  flushed(): Promise<void>
}

const maxPending = 1_000
/** PostgreSQL takes fewer than 8,000 bytes. */
const maxPayload = 7_900

const notify = `SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS hint (channel, payload)`

export function createNotifier({ rows }: PostgresQueries): Notifier {
  let channels: string[] = []
  let payloads: string[] = []
  let sending: Promise<void> | undefined

  async function sendPending(): Promise<void> {
    await Promise.resolve() // others of this moment come along
    while (channels.length > 0) {
      const values = [channels, payloads]
      channels = []
      payloads = []
      await rows(notify, values).catch(() => undefined)
    }
    sending = undefined
  }

  return {
    send(channel, text) {
      // Base64, because a payload is in the encoding of the database, and cannot contain U+0000.
      const payload = Buffer.from(text).toString('base64')
      // A hint may be lost.
      if (payload.length > maxPayload || channels.length >= maxPending) return
      channels.push(channel)
      payloads.push(payload)
      sending ??= sendPending()
    },
    flushed: async () => sending,
  }
}
