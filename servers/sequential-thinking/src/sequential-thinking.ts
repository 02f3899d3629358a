import { createServer, type IncomingRequest, type Server } from '@parley/mcp/server'
import { createPerSession } from '@parley/server-kit/program'

import { createHistory, type History, type HistoryLimits } from './history.ts'
import { historyResource } from './resource.ts'
import type { Thought } from './thought.ts'
import { getThoughts } from './tools/get-thoughts.ts'
import { reset } from './tools/reset.ts'
import { sequentialThinking } from './tools/sequential-thinking.ts'

/** Tools that the reference server does not have. */
export const extras = ['reset', 'get_thoughts'] as const
export type Extra = (typeof extras)[number]

/** How the server is set up. */
export interface SequentialThinkingOptions extends HistoryLimits {
  /** @defaultValue none */
  readonly enable?: readonly Extra[] | undefined
  /** Hears every thought. @defaultValue nobody does */
  readonly onThought?: ((thought: Thought) => void) | undefined
}

/** The history a request goes on with. */
export type FindHistory = (request: HistoryRequest) => History
export type HistoryRequest = Pick<IncomingRequest, 'client' | 'revision' | 'auth' | 'meta'>

/** In `_meta` of a request: which of several histories of one caller it means, where there are no sessions. */
export const handleKey = 'parley/thinking-session'

const maxHandle = 200
const maxHistories = 32

/** Thinking in steps that can be revised and branched, by the tool of the reference server. */
export function createSequentialThinkingServer(options: SequentialThinkingOptions = {}): Server {
  const { enable = [], onThought = () => undefined } = options
  const historyOf: FindHistory = createPerSession<History, HistoryRequest>({
    create: () => createHistory(options),
    handleOf: ({ meta }) => handleOf(meta[handleKey]),
    maxCallers: maxHistories,
  })
  const server: Server = createServer({
    name: 'sequential-thinking-server',
    title: 'Sequential Thinking',
    version: '0.1.0',
    description: 'Thinking in steps that can be revised and branched',
  })
  server.add(sequentialThinking(historyOf, onThought), historyResource(historyOf))
  if (enable.includes('reset')) server.add(reset(historyOf))
  if (enable.includes('get_thoughts')) server.add(getThoughts(historyOf))
  return server
}

function handleOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, maxHandle) : undefined
}
