import { execPath } from 'node:process'

import { spokenRevisions } from '@parley/mcp'
import { connect, type UrlEntry } from '@parley/mcp/client'
import type { Service } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { openOfficialClientV1 } from '../../../mcp/test/interop/official-client-v1.ts'
import { openOfficialClientV2 } from '../../../mcp/test/interop/official-client-v2.ts'
import type { ProgramSurroundings } from '../../src/program/run-server.ts'
import { textOf } from '../text-of.ts'

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

  describe.each([
    ['v1', openOfficialClientV1],
    ['v2 by handshake', openOfficialClientV2('legacy')],
    ['v2 in its newest revision', openOfficialClientV2('auto')],
  ])('the official client, %s', (_, openClient) => {
    test('over stdio', async () => {
      await using client = await openClient(entry)

      const listed = await client.listTools()
      const result = await client.callTool(...call)

      expect(listed.map(({ name }) => name)).toEqual(tools)
      expect(JSON.stringify(result.content)).toContain(JSON.stringify(answer).slice(1, -1))
    })

    test('over http', async () => {
      await using service = await serve('http')
      const channel = 'streamableHttp'
      await using client = await openClient({ url: new URL(service.url), channel })

      const result = await client.callTool(...call)

      expect(JSON.stringify(result.content)).toContain(JSON.stringify(answer).slice(1, -1))
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
