import { loggingLevels, type LoggingLevel } from '@parley/mcp'
import { defineTool, type Feature, type Middleware, type RequestContext } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { FindSession } from '../session.ts'

/** Pretends that something is worth logging, for sessions that want it. */
export interface SimulatedLogging {
  readonly tool: Feature
  /** Accompanies the calls of a session that asked for it. */
  readonly duringCalls: Middleware<unknown, 'tools/call'>
}

/** Log messages belong to calls, so the toggle adds one to its own call and to each that follows in the session. */
export function createSimulatedLogging(sessionOf: FindSession): SimulatedLogging {
  return {
    tool: defineTool(
      'toggle-simulated-logging',
      {
        title: 'Toggle Simulated Logging',
        description:
          'Starts or stops log messages of random levels: one at once, then one with each tool call of this session.',
        inputSchema: z.object({}),
        annotations: toolHints('adds'),
        task: 'never',
      },
      (_, context) => {
        const session = sessionOf(context)
        session.isLogging = !session.isLogging
        if (!session.isLogging) return 'Stopped simulated logging for this session.'
        logSomething(context)
        return (
          'Started simulated, random-leveled logging for this session: one message with each tool call. ' +
          'Messages below the level the client has set are not sent.'
        )
      },
    ),
    async duringCalls({ params, context }, next) {
      if (params.name !== 'toggle-simulated-logging' && sessionOf(context).isLogging) {
        logSomething(context)
      }
      return next()
    },
  }
}

function logSomething({ log }: RequestContext): void {
  const level = randomLevel()
  log(level, `${level[0]?.toUpperCase()}${level.slice(1)}-level message`)
}

function randomLevel(): LoggingLevel {
  return loggingLevels[Math.floor(Math.random() * loggingLevels.length)] ?? 'info'
}
