import { execPath } from 'node:process'

import { spokenRevisions } from '@parley/mcp'
import { connect, type UrlEntry } from '@parley/mcp/client'
import type { Service } from '@parley/mcp/server'
import type { ProgramSurroundings } from '@parley/server-kit/program'
import { describe, expect, test } from 'vitest'

import { officialClients } from './official-clients.ts'
import { textOf } from './text-of.ts'

/** One call that shows that a program does what it is for. */
export interface ReachableProgram {
  /** The file to start, as it was built. */
  readonly main: string
  /** Serves in this process. */
  readonly run: (surroundings: ProgramSurroundings) => Promise<Service | undefined>
  readonly args?: readonly string[] | undefined
  readonly tools: readonly string[]
  readonly call: readonly [name: string, args: Record<string, unknown>]
  /** A part of the text of the answer. */
  readonly answer: string
}

const routes = ['http', 'ws', 'sse'] as const

/** Reaches a program over every transport, in every revision, by ours and by the official clients. */
export function describeReachable(program: ReachableProgram): void {
  const { main, run, args = [], tools, call, answer } = program
  const entry = { command: execPath, args: [main, ...args] }

  async function serve(route: (typeof routes)[number]) {
    const lines: string[] = []
    const service = await run({
      args: [...args, '--transport', route, '--port', '0'],
      log: (line) => lines.push(line),
      ownProcess: false,
    })
    const url = lines.join('\n').match(/\b(?:http|ws):\S+/)?.[0] ?? ''
    return {
      url,
      async [Symbol.asyncDispose]() {
        await service?.drain({ deadlineMs: 0 })
      },
    }
  }

  describe.each(spokenRevisions)('in %s', (era) => {
    test('over stdio', async () => {
      await using client = await connect(entry, { era })

      const listed = await client.listTools().toArray()
      const result = await client.callTool(...call)

      expect(client.negotiated).toMatchObject({ revision: era, transport: 'stdio' })
      expect(listed.map(({ name }) => name)).toEqual(tools)
      expect(textOf(result)).toContain(answer)
    })

    // The old way over HTTP ended with the revisions that had a handshake.
    const open = routes.filter((route) => route !== 'sse' || era < '2026-07-28')
    test.each(open)('over %s', async (route) => {
      await using service = await serve(route)
      const target: UrlEntry = { type: route, url: service.url }
      await using client = await connect(target, { era })

      const result = await client.callTool(...call)

      expect(client.negotiated.revision).toBe(era)
      expect(textOf(result)).toContain(answer)
    })
  })

  describe.each(officialClients)('the official client, %s', (_, openClient) => {
    const [name, given] = call
    const shown = JSON.stringify(answer).slice(1, -1)

    test('over stdio', async () => {
      await using client = await openClient(entry)

      const listed = await client.listTools()
      const result = await client.callTool({ name, arguments: given })

      expect(listed.tools.map((tool) => tool.name)).toEqual(tools)
      expect(JSON.stringify(result)).toContain(shown)
    })

    test('over http', async () => {
      await using service = await serve('http')
      await using client = await openClient(new URL(service.url))

      const result = await client.callTool({ name, arguments: given })

      expect(JSON.stringify(result)).toContain(shown)
    })
  })
}

/** What a program says before it ends, when it is started with these arguments. */
export async function complaintOf(
  run: ReachableProgram['run'],
  args: readonly string[],
): Promise<string> {
  const lines: string[] = []
  const ends: number[] = []
  await run({ args, log: (line) => lines.push(line), exit: (status) => ends.push(status) })
  expect(ends).toEqual([1])
  return lines.join('\n')
}
