import { expect, test } from 'vitest'

import { createChatMetrics } from '../../src/core/metrics.ts'
import { allowing, begin, openTalk, talk } from '../talking.ts'
import { createWorkshop, inProcess } from '../workshop.ts'

test('calls and prompts are counted by server and outcome, for OpenTelemetry [OBS-10]', async () => {
  const script = [
    { calls: [{ name: 'workshop__echo', arguments: { text: 'a' } }] },
    { calls: [{ name: 'workshop__echo', arguments: { wrong: 1 } }] },
    'Done.',
  ]
  const chat = await openTalk({ script, servers: [inProcess('workshop', createWorkshop())] })
  using metrics = createChatMetrics(chat)
  const id = await begin(chat)

  await talk(chat, id, 'Go.', allowing(chat))
  metrics.countPrompt('workshop', 'greet')

  const points = pointsOf(metrics.read())
  expect(points['parley.tool.calls']).toMatchObject([
    { server: 'workshop', tool: 'echo', outcome: 'ok', asInt: '1' },
    { server: 'workshop', tool: 'echo', asInt: '1' },
  ])
  expect(points['parley.prompt.uses']).toMatchObject([
    { server: 'workshop', prompt: 'greet', asInt: '1' },
  ])
})

test('names that servers make up without end are counted together [OBS-10]', async () => {
  const chat = await openTalk()
  using metrics = createChatMetrics(chat)

  for (let count = 0; count < 1_200; count += 1) metrics.countPrompt('s', String(count))

  const uses = pointsOf(metrics.read())['parley.prompt.uses'] ?? []
  expect(uses).toHaveLength(1_001)
  expect(uses.at(-1)).toMatchObject({ server: '(others)', asInt: '200' })
})

interface Metric {
  readonly name: string
  readonly sum: {
    readonly dataPoints: readonly {
      readonly attributes: readonly {
        readonly key: string
        readonly value: { readonly stringValue: string }
      }[]
      readonly asInt?: string
    }[]
  }
}

function pointsOf(read: object): { readonly [name: string]: readonly object[] } {
  const { resourceMetrics } = read as {
    resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[]
  } // what it promises
  const metrics = resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? []
  return Object.fromEntries(
    metrics.map(({ name, sum }) => [
      name,
      sum.dataPoints.map(({ attributes, asInt }) => ({
        ...Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue])),
        asInt,
      })),
    ]),
  )
}
