import { execPath } from 'node:process'

import { supportedRevisions, type Revision } from '@parley/mcp'
import { connect, type UrlEntry } from '@parley/mcp/client'
import type { Service } from '@parley/mcp/server'
import type { ProgramSurroundings } from '@parley/server-kit/program'
import { expect, test } from 'vitest'

import { describeCells } from './cells.ts'
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
type Route = (typeof routes)[number]

/** Reaches a program over every transport by our client and by an official one, by day in two revisions each. */
export function describeReachable(program: ReachableProgram): void {
  const { main, run, args = [], tools, call, answer } = program
  const entry = { command: execPath, args: [main, ...args] }

  async function serve(route: Route) {
    const lines: string[] = []
    const service = await run({
      args: [...args, '--transport', route, '--port', '0'],
      log: (line) => lines.push(line),
      ownsProcess: false,
    })
    const url = lines.join('\n').match(/\b(?:http|ws):\S+/)?.[0] ?? ''
    const target: UrlEntry = { type: route, url }
    return {
      target,
      async [Symbol.asyncDispose]() {
        await service?.drain({ deadlineMs: 0 })
      },
    }
  }

  for (const route of ['stdio', ...routes] as const) {
    // The old way over HTTP ended with the revisions that had a handshake.
    const eras = supportedRevisions.filter((era) => route !== 'sse' || era < '2026-07-28')
    describeCells(`our client over ${route}`, eras, (era) => reachByOurClient(route, era), {
      nameOf: (era) => `in ${era}`,
      axesOf: (era) => ({ era, handshake: String(era < '2026-07-28') }),
    })
  }

  function reachByOurClient(route: Route | 'stdio', protocolVersion: Revision): void {
    test(`${call[0]} answers`, async () => {
      await using service = route === 'stdio' ? undefined : await serve(route)
      await using client = await connect(service?.target ?? entry, { protocolVersion })

      const listed = await client.listTools().toArray()
      const result = await client.callTool(...call)

      expect(client.negotiated.revision).toBe(protocolVersion)
      expect(listed.map(({ name }) => name)).toEqual(tools)
      expect(textOf(result)).toContain(answer)
    })
  }

  const official = officialClients.flatMap(([name, open]) =>
    (['stdio', 'http'] as const).map((route) => ({ name, open, route })),
  )
  describeCells('an official client', official, reachByOfficialClient, {
    nameOf: ({ name, route }) => `${name} over ${route}`,
    axesOf: ({ name, route }) => ({ name, route }),
  })

  function reachByOfficialClient({ open, route }: (typeof official)[number]): void {
    test(`${call[0]} answers`, async () => {
      await using service = route === 'stdio' ? undefined : await serve(route)
      await using client = await open(service ? new URL(service.target.url) : entry)
      const [name, given] = call

      const listed = await client.listTools()
      const result = await client.callTool({ name, arguments: given })

      expect(listed.tools.map((tool) => tool.name)).toEqual(tools)
      expect(JSON.stringify(result)).toContain(JSON.stringify(answer).slice(1, -1))
    })
  }
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
