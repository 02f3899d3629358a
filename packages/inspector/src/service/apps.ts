import type { TraceRecorder, TraceTap } from '@parley/foundation/trace'
import type { JsonObject } from '@parley/mcp'
import { readApp } from '@parley/mcp/apps'
import type { Client } from '@parley/mcp/client'
import { BoundedMap } from '@parley/mcp/internal'

import { lintApp } from '../lint/lint-app.ts'
import type { Handlers } from './handlers.ts'

export interface AppsContext {
  readonly recorder: TraceRecorder
  readonly clientOf: (server: string) => Client
}

/** Apps that are shown at once, over all pages. The oldest is forgotten. */
const maxShown = 64

/** Apps of servers: their pages, and what they say while they are shown. */
export function createApps({
  recorder,
  clientOf,
}: AppsContext): Handlers<'apps/read' | 'apps/trace'> {
  /** By frame, since each counts the ids of its requests by itself. */
  const taps = new BoundedMap<string, TraceTap>(maxShown)

  function tapOf(frame: string, server: string): TraceTap {
    const tap = taps.get(frame) ?? recorder.tap(server)
    taps.set(frame, tap)
    return tap
  }

  return {
    async 'apps/read'({ server, uri }) {
      const page = await readApp(clientOf(server), uri, { fresh: true })
      return { page, findings: lintApp(page) }
    },
    'apps/trace'({ server, frame, app, direction, message }) {
      clientOf(server)
      tapOf(frame, server).onMessage({
        direction,
        message: message as JsonObject, // came as JSON
        bytes: JSON.stringify(message).length,
        at: Date.now(),
        stream: `app ${app}`,
      })
      return {}
    },
  }
}
