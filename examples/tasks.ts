/** Tasks: work that outlives its request, followed, resumed and cancelled. */

import type { Client } from '@parley/mcp/client'
import { createServer, type Server } from '@parley/mcp/server'
import { resumeTask, serverTasks, startTool } from '@parley/mcp/tasks'
import { z } from 'zod'

/** A handler that takes its time says how far it is, and ends when nobody wants its result any more. */
export function createBakery(minutePerStepMs = 60_000): Server {
  const server = createServer({
    name: 'bakery',
    version: '1.0.0',
    extensions: [serverTasks({ ttlMs: 24 * 3_600_000, pollIntervalMs: minutePerStepMs })],
  })

  server.tool(
    'bake',
    {
      description: 'Bakes bread, which takes hours',
      inputSchema: z.object({ loaves: z.int().positive() }),
      task: 'required',
    },
    async ({ loaves }, { progress, signal }) => {
      const steps = ['kneading', 'rising', 'baking']
      for (const [index, message] of steps.entries()) {
        await progress({ progress: index + 1, total: steps.length, message })
        await wait(minutePerStepMs, signal)
      }
      return `${loaves} loaves of bread`
    },
  )
  return server
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason)
      },
      { once: true },
    )
  })
}

/** Begins, and gives what is needed to come back for it: an id, to be kept anywhere. */
export async function orderBread(client: Client, loaves: number): Promise<string> {
  const started = await startTool(client, 'bake', { loaves })
  if (started.kind === 'result') throw new Error('bread that is done at once is none')
  return started.task.taskId
}

/** Shows every state the order goes through, then the bread. */
export async function fetchBread(
  client: Client,
  taskId: string,
  show: (line: string) => void,
): Promise<void> {
  const order = resumeTask(client, taskId)
  for await (const { status, statusMessage } of order) show(statusMessage ?? status)
  const { content } = await order.result()
  for (const block of content) if (block.type === 'text') show(block.text)
}

/** Asks for the end; whoever waits for the order is told. */
export async function cancelOrder(client: Client, taskId: string): Promise<void> {
  await resumeTask(client, taskId).cancel()
}
