import type { Server } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { openCluster, type HttpCluster } from '../support/http-cluster.ts'
import { openOfficialClientV1 } from './official-client-v1.ts'
import { openOfficialClientV2 } from './official-client-v2.ts'
import type { HttpTarget } from './programs.ts'

const contestants = [
  ['1', openOfficialClientV1],
  ['2', openOfficialClientV2('legacy')],
  ['2, looking for the newest revision', openOfficialClientV2('auto')],
] as const

function addQuestions({ server }: { readonly server: Server }, place: string): void {
  const requestedSchema = z.object({ name: z.string() })
  server.tool('elicit', {}, async (_, context) => {
    const answer = await context.elicit({ message: 'Who?', requestedSchema })
    return `${place}: ${answer.action === 'accept' ? answer.content.name : 'nobody'}`
  })
  server.tool('sample', {}, async (_, context) => {
    const content = { type: 'text', text: 'Why?' } as const
    const messages = [{ role: 'user', content }] as const
    const thought = await context.sample({ messages, maxTokens: 10 })
    return `${place}: ${JSON.stringify(thought.content)}`
  })
}

/** Sends every request to the other process than the one before. */
function spread({ a, b }: HttpCluster): HttpTarget {
  let turn = 0
  return {
    channel: 'streamableHttp',
    url: new URL(`http://127.0.0.1:${a.port}/mcp`),
    fetch(input, init) {
      turn += 1
      const url = new URL(input instanceof Request ? input.url : input)
      url.port = String((turn % 2 === 0 ? a : b).port)
      return fetch(url, init)
    },
  }
}

describe.each(contestants)('the official client of generation %s', (_, open) => {
  test('is asked by one process and answers to another', async () => {
    await using cluster = await openCluster('near')
    addQuestions(cluster.servers.a, 'a')
    addQuestions(cluster.servers.b, 'b')
    await using client = await open(spread(cluster))
    const texts: string[] = []

    for (const tool of ['elicit', 'sample', 'roots', 'sample', 'elicit', 'roots', 'elicit']) {
      texts.push(JSON.stringify((await client.callTool(tool)).content))
    }

    const expected = ['Ada', 'Forty-two.', '"1"', 'Forty-two.', 'Ada', '"1"', 'Ada']
    expect(texts).toEqual(expected.map((text) => expect.stringContaining(text) as string))
  })
})
