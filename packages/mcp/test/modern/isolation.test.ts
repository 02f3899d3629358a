import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { tries } from '../../../../test-support/thorough.ts'
import { createSeededRandom } from '../../src/testing/faults.ts'
import { describeEntries } from '../support/http-endpoint.ts'
import { describeStandalone } from '../support/modern-client.ts'
import { openStandaloneEndpoint, type StandaloneEndpoint } from '../support/modern-http.ts'
import { as, nameGuard } from '../support/name-guard.ts'
import { accept, resolveAll, roundOf, type PreparedRequest } from '../support/rounds-driver.ts'

const capabilities = { elicitation: {} }
const text = z.object({ text: z.string() })

/** Asks twice, and tells all it knows about who it works for. */
function createFlow(began: (context: object) => void = () => undefined): Server {
  const server = createServer({ name: 'flows', version: '1', onError: () => undefined })
  const inputSchema = z.object({ flow: z.string() })
  server.tool('flow', { inputSchema }, async ({ flow }, context) => {
    began(context)
    const who = context.auth?.subject ?? ''
    const made = await context.once('made', () => `made for ${who} ${flow}`)
    const known: string[] = [made]
    for (let step = 1; step <= 2; step += 1) {
      const message = `${who} ${flow} ${step}`
      const answer = await context.elicit({ message, requestedSchema: text })
      known.push(answer.action === 'accept' ? answer.content.text : answer.action)
    }
    return [who, flow, ...known].join('; ')
  })
  return server
}

const answer = ({ params }: PreparedRequest) =>
  accept({ text: `answer to ${String(params['message'])}` })

interface Flow {
  readonly who: string
  readonly name: string
  round: number
  more: object
  last: unknown
}

describeEntries('many rounds of two principals over two services', (entry) => {
  test('never meet, in whatever order they come [N07-STATE-02, N07-MRTR-11, N07-MRTR-13]', async () => {
    const random = createSeededRandom(11)
    const options = { auth: nameGuard, secret: 'a secret that two share' }
    await using one = await openStandaloneEndpoint(entry, createFlow(), options)
    await using two = await openStandaloneEndpoint(entry, createFlow(), options)
    const flows = Array.from({ length: tries(340) }, (_, index): Flow => {
      const who = index % 2 === 0 ? 'ada' : 'bob'
      return { who, name: `flow ${index}`, round: 0, more: {}, last: undefined }
    })
    const open = [...flows]
    let rounds = 0

    async function go(flow: Flow): Promise<void> {
      const { who, name, more } = flow
      const endpoint = random() < 0.5 ? one : two
      const call = (caller: string) => callFlow(endpoint, caller, name, more)
      if (flow.round > 0 && random() < 0.1) {
        const stolen = await call(who === 'ada' ? 'bob' : 'ada')
        expect(stolen.error).toMatchObject({ code: -32602 })
      }
      const came = await call(who)
      rounds += 1
      if (came.result?.['resultType'] === 'complete') {
        flow.last = (came.result['content'] as [{ text: string }])[0].text
        open.splice(open.indexOf(flow), 1)
      } else {
        flow.round += 1
        flow.more = resolveAll(roundOf(came), answer)
      }
    }

    while (open.length > 0) {
      const some = new Set(
        Array.from({ length: 20 }, () => open[Math.floor(random() * open.length)]),
      )
      await Promise.all([...some].flatMap((flow) => (flow ? [go(flow)] : [])))
    }

    expect(rounds).toBe(flows.length * 3)
    for (const { who, name, last } of flows) {
      const answers = [1, 2].map((step) => `answer to ${who} ${name} ${step}`)
      expect(last).toBe([who, name, `made for ${who} ${name}`, ...answers].join('; '))
    }
    const nothing = { sessions: 0, streams: 0, inFlight: 0 }
    expect(one.service.health()).toMatchObject(nothing)
    expect(two.service.health()).toMatchObject(nothing)
  })
})

function callFlow(endpoint: StandaloneEndpoint, who: string, flow: string, more: object) {
  const params = { name: 'flow', arguments: { flow }, ...more }
  return endpoint.ask2026('tools/call', params, { capabilities, headers: as(who) })
}

describeStandalone('rounds that nobody comes back for', ({ open }) => {
  test('leave nothing behind [N07-MRTR-13]', async () => {
    const begun: WeakRef<object>[] = []
    const server = createFlow((context) => begun.push(new WeakRef(context)))
    const client = await open(server)

    for (let index = 0; index < tries(200); index += 1) {
      const params = { name: 'flow', arguments: { flow: 'x'.repeat(1_000) } }
      roundOf(await client.request('tools/call', params, { capabilities }))
    }
    await client.quiet()

    await expect.poll(() => countLeft(begun)).toBeLessThan(5) // the last may still be on the stack
    const report = await client.service.drain()
    expect(report).toEqual({ finished: 0, aborted: 0 })
  })
})

function countLeft(references: readonly WeakRef<object>[]): number {
  collectGarbage()
  return references.filter((reference) => reference.deref() !== undefined).length
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // there by that flag
