import type { Consent, ConsentDecision, ProposedCall } from '@parley/host'
import { image, ToolError } from '@parley/mcp'
import { connect, type Client } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { z } from 'zod'

/** A server with a tool for each kind of result, connected in process. */
export interface Workshop extends AsyncDisposable {
  readonly client: Client
  /** Names of the tools that were called, in order. */
  readonly called: readonly string[]
  /** Resolves when the call of `wait` was cancelled. */
  readonly cancelled: Promise<void>
}

export async function openWorkshop(): Promise<Workshop> {
  const called: string[] = []
  let onCancelled: () => void = () => undefined
  const cancelled = new Promise<void>((resolve) => (onCancelled = resolve))
  const server = createServer({ name: 'workshop', version: '1.0.0' })

  const numbers = z.object({ a: z.number(), b: z.number() })
  const outputSchema = z.object({ sum: z.number() })
  server.tool(
    'add',
    { description: 'Adds\u202E two numbers', inputSchema: numbers, outputSchema },
    ({ a, b }) => {
      called.push('add')
      return { sum: a + b }
    },
  )
  server.tool('chart', { title: 'Draws a chart' }, () => {
    called.push('chart')
    return ['A chart:', image(Buffer.from('picture'), 'image/png')]
  })
  server.tool('fail', {}, () => {
    called.push('fail')
    throw new ToolError('The saw is blunt.')
  })
  server.tool('long', {}, () => 'x'.repeat(50_000))
  server.tool('wait', {}, async (_, { signal, progress }) => {
    called.push('wait')
    await progress({ progress: 1, total: 2, message: 'half' })
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    onCancelled()
  })

  const client = await connect(server)
  return {
    client,
    called,
    cancelled,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

/** Consent that remembers what it was asked. */
export interface WatchedConsent extends Consent {
  readonly asked: (readonly ProposedCall[])[]
  readonly outcomes: string[]
}

/** Allows what is not said to be denied. */
export function consentThat(deny: readonly string[] = []): WatchedConsent {
  const asked: (readonly ProposedCall[])[] = []
  const outcomes: string[] = []
  return {
    asked,
    outcomes,
    async decide(calls) {
      asked.push(calls)
      return calls.map(({ tool }): ConsentDecision =>
        deny.includes(tool.name)
          ? { decision: 'deny', rule: 'test', message: `${tool.name} is not allowed here` }
          : { decision: 'allow', rule: 'test' },
      )
    },
    async recordOutcome({ tool }, { outcome }) {
      outcomes.push(`${tool.name}: ${outcome}`)
    },
  }
}
