import { createScriptedModel } from '@parley/host/models'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { call, inProcess, play, testHost } from '../playing.ts'

function many() {
  const server = createServer({ name: 'many', version: '1.0.0' })
  for (let at = 0; at < 5; at += 1) server.tool(`tool_${at}`, {}, () => `result ${at}`)
  return [inProcess('many', server)]
}

const namesOf = (tools: readonly { readonly name: string }[] = []) => tools.map(({ name }) => name)

test('one turn may use another model; it reads the same conversation, and the next turn has the usual one', async () => {
  const other = createScriptedModel(['From the other.'], { name: 'other', announcement: '' })
  const host = testHost(['First.', 'Third.'], many())
  const conversation = host.conversation()
  await play(conversation.turn('one'))

  const events = await play(conversation.turn('two', { model: other }))
  await play(conversation.turn('three'))

  expect(events.at(-1)).toMatchObject({ type: 'end', text: 'From the other.' })
  expect(other.requests[0]?.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
  ])
  expect(host.model.requests).toHaveLength(2)
  expect(host.model.requests[1]?.messages).toHaveLength(6)
})

test('one turn may have tools by search; the next has them all again', async () => {
  const host = testHost([call('find_tools', { query: 'tool_3' }), 'Found.', 'Usual.'], many())

  await play(host.turn('one', { context: { mode: 'search' } }))
  await play(host.turn('two'))

  expect(namesOf(host.model.requests[0]?.tools)).toEqual([
    'find_tools',
    'describe_tool',
    'call_tool',
  ])
  expect(namesOf(host.model.requests[2]?.tools)).toHaveLength(5)
  expect(host.meter().definitionsSent).toBe(host.meter().definitionsOfAll)
  expect(host.meter({ context: { mode: 'search' } }).definitionsSent).not.toBe(
    host.meter().definitionsSent,
  )
})

test('what a turn leaves out of its choice is as the host has it', async () => {
  const host = testHost(['Hello.'], many(), {
    context: { mode: 'search', pinned: [{ server: 'many', tool: 'tool_1' }] },
  })

  await play(host.turn('one', { context: { mode: undefined, share: 0.5 } }))

  expect(namesOf(host.model.requests[0]?.tools)).toContain('many__tool_1')
  expect(namesOf(host.model.requests[0]?.tools)).not.toContain('many__tool_2')
})
