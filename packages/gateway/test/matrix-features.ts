import type { Client, ConnectOptions } from '@parley/mcp/client'
import { clientTasks, startTool } from '@parley/mcp/tasks'

import { textOf } from './running.ts'

/** One thing that must pass, and the revisions that have it. */
export interface Feature {
  readonly name: string
  readonly since?: string
  /** It needs a stream that can be cut and taken up again. */
  readonly needsCut?: true
  /** Whether it passes; what is thrown is a failure too. */
  readonly try: (client: Client, between: Between) => Promise<boolean>
}

/** What is between the client and the server. */
export interface Between {
  /** Breaks every connection whose streams can be taken up again; absent if there is none. */
  readonly cut: (() => void) | undefined
}

/** A client that can be asked everything. */
export const asked: ConnectOptions = {
  cache: false,
  reconnect: false,
  extensions: [clientTasks()],
  elicit: () => ({ action: 'accept', content: { city: 'Oslo' } }),
  sample: () => ({ role: 'assistant', content: { type: 'text', text: 'Hello!' }, model: 'mine' }),
  onError: () => undefined,
  onDeprecated: () => undefined,
}

export const features: readonly Feature[] = [
  { name: 'call', try: async (client) => textOf(await client.callTool('echo')) === 'echoed' },
  {
    name: 'progress',
    async try(client) {
      const told: number[] = []
      await client.callTool('steps', {}, { onProgress: ({ progress }) => told.push(progress) })
      return told.join() === '1,2'
    },
  },
  {
    name: 'cancel',
    async try(client) {
      const controller = new AbortController()
      const { signal } = controller
      const onProgress = (): void => controller.abort(new Error('enough'))
      await client.callTool('wait', {}, { signal, onProgress }).catch(() => undefined)
      return until(async () => textOf(await client.callTool('aborted')) !== '0')
    },
  },
  {
    name: 'sampling',
    try: async (client) => textOf(await client.callTool('sample')).includes('Hello!'),
  },
  {
    name: 'elicitation',
    since: '2025-06-18',
    try: async (client) => textOf(await client.callTool('ask')).includes('Oslo'),
  },
  {
    name: 'subscription',
    async try(client) {
      const subscription = await client.listen({ resourceSubscriptions: ['note://one'] })
      let isNotified = false
      void (async () => {
        for await (const { type } of subscription) isNotified ||= type === 'resource'
      })().catch(() => undefined)
      const hasHeard = await until(async () => {
        await client.callTool('touch')
        return isNotified
      })
      await subscription[Symbol.asyncDispose]()
      return hasHeard
    },
  },
  {
    name: 'resume',
    needsCut: true,
    async try(client, { cut }) {
      const told: number[] = []
      const onProgress = ({ progress }: { readonly progress: number }): void => {
        if (told.push(progress) === 2) cut?.()
      }
      const result = await client.callTool('count', {}, { onProgress })
      return told.join() === '1,2,3,4,5' && textOf(result) === 'counted'
    },
  },
  {
    name: 'task',
    since: '2025-11-25',
    async try(client) {
      const started = await startTool(client, 'render', {})
      return started.kind === 'task' && textOf(await started.task.result()) === 'rendered'
    },
  },
]

async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (await isSo()) return true
    await new Promise((resolve) => void setTimeout(resolve, 20))
  }
  return false
}
