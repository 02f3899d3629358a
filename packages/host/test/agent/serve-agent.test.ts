import {
  Client as OfficialClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { createConsent, readRules, type ConsentRules } from '@parley/host'
import {
  createHostAgent,
  serveAgent,
  type HostAgent,
  type HostAgentOptions,
} from '@parley/host/agent'
import { createScriptedModel, type ScriptedTurn } from '@parley/host/models'
import { toolOutput } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import { clientTasks, startTool } from '@parley/mcp/tasks'
import { createTestClient } from '@parley/mcp/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

import { call, inProcess } from '../playing.ts'

const revisions = ['2025-11-25', '2026-07-28'] as const
const description = 'Keeps your shopping list.'
const about = { name: 'shopper', version: '1.0.0', description, tasks: { pollIntervalMs: 10 } }

/** A list that the agent writes to, and what it has heard. */
function createList() {
  const received: string[] = []
  const aborted: string[] = []
  const list = createServer({ name: 'list', version: '1.0.0' })
  list.tool('add', { inputSchema: z.object({ item: z.string() }) }, ({ item }) => {
    received.push(item)
    return `${item} is on the list`
  })
  list.tool('ask', {}, async (_, { elicit }) => {
    const requestedSchema = z.object({ shop: z.string() })
    const answer = await elicit({ message: 'Which shop?', requestedSchema })
    return answer.action === 'accept' ? answer.content.shop : answer.action
  })
  list.tool('wait', {}, async (_, { signal, progress }) => {
    await progress({ progress: 1, message: 'queueing' })
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    aborted.push('wait')
    return 'never'
  })
  return { list, heard: received, aborted }
}

/** An agent of the host's engine with a script for a model. */
function createShopper(
  script: readonly ScriptedTurn[],
  list: Server,
  rules?: ConsentRules,
  more: Partial<HostAgentOptions> = {},
): Server {
  const audit = { append: async () => ({ written: true, seq: 1, hash: '' }) as const }
  const agent = createHostAgent({
    servers: [inProcess('list', list)],
    model: createScriptedModel(script, { announcement: '' }),
    timeouts: { startMs: 30_000 },
    consent: (ask) => createConsent({ rules, audit, ask }),
    ...more,
  })
  return serveAgent(agent, about)
}

function rulesThatAllow(tool: string): ConsentRules {
  const read = readRules({ rules: [{ server: 'list', tool, decision: 'allow' }] })
  if (!read.ok) throw new Error(JSON.stringify(read))
  return read.rules
}

async function open(server: Server, options: Parameters<typeof createTestClient>[1]) {
  const client = await createTestClient(server, { extensions: [clientTasks()], ...options })
  onTestFinished(() => client.close())
  return client
}

const addMilk = [call('list__add', { item: 'milk' }), 'Milk is on your list.']

describe.each(revisions)('an agent behind a tool, for a client of %s', (revision) => {
  test('works as a task, asks before it calls, and tells what it does [HOST-16]', async () => {
    const { list, heard } = createList()
    const questions: string[] = []
    const client = await open(createShopper(addMilk, list), {
      revision,
      elicit: ({ message }) => {
        questions.push(message)
        expect(heard).toEqual([])
        return { action: 'accept', content: { answer: 'Allow it once' } }
      },
    })

    const started = await startTool(client, 'shopper', { prompt: 'Add milk.' })
    if (started.kind !== 'task') throw new Error('it was answered at once')
    const states: string[] = []
    for await (const { status, statusMessage } of started.task) states.push(statusMessage ?? status)
    const result = await started.task.result()

    expect(toolOutput(result)).toBe('Milk is on your list.')
    expect(questions).toEqual([expect.stringContaining('May the agent call add of list?')])
    expect(questions[0]).toContain('"item": "milk"')
    expect(states).toContain('calls add of list')
    expect(heard).toEqual(['milk'])
  })

  test.each([
    ['is told no', { action: 'accept', content: { answer: 'Do not allow it' } }],
    ['is not answered', { action: 'cancel' }],
  ] as const)('calls nothing when it %s', async (_, answer) => {
    const { list, heard } = createList()
    const client = await open(createShopper(addMilk, list), { revision, elicit: () => answer })

    await client.callTool('shopper', { prompt: 'Add milk.' })

    expect(heard).toEqual([])
  })

  test('asks once about a tool that is allowed until the work is done', async () => {
    const { list, heard } = createList()
    const script = [
      call('list__add', { item: 'milk' }),
      call('list__add', { item: 'bread' }),
      'Both are on your list.',
    ]
    let asked = 0
    const client = await open(createShopper(script, list), {
      revision,
      elicit: () => {
        asked += 1
        return { action: 'accept', content: { answer: 'Allow this tool until the work is done' } }
      },
    })

    await client.callTool('shopper', { prompt: 'Add milk and bread.' })

    expect([asked, heard]).toEqual([1, ['milk', 'bread']])
  })

  test('calls nothing that needs an answer when nobody can be asked', async () => {
    const { list, heard } = createList()
    const client = await open(createShopper(addMilk, list), { revision })

    const result = await client.callTool('shopper', { prompt: 'Add milk.' })

    expect(heard).toEqual([])
    expect(result.isError).toBe(true)
  })

  test('calls what rules allow without asking', async () => {
    const { list, heard } = createList()
    const rules = rulesThatAllow('add')
    const client = await open(createShopper(addMilk, list, rules), { revision })

    await client.callTool('shopper', { prompt: 'Add milk.' })

    expect(heard).toEqual(['milk'])
  })

  test('passes questions of its servers on, with the name of who asks', async () => {
    const { list } = createList()
    const messages: string[] = []
    const rules = rulesThatAllow('*')
    const script: ScriptedTurn[] = [
      call('list__ask'),
      ({ messages: seen }) => JSON.stringify(seen.at(-1)),
    ]
    const client = await open(createShopper(script, list, rules), {
      revision,
      elicit: ({ message }) => {
        messages.push(message)
        return { action: 'accept', content: { shop: 'the corner shop' } }
      },
    })

    const result = await client.callTool('shopper', { prompt: 'Go shopping.' })

    expect(messages).toEqual(['list asks: Which shop?'])
    expect(toolOutput(result)).toContain('the corner shop')
  })

  test('stops when its task is cancelled, and cancels what it has called', async () => {
    const { list, aborted } = createList()
    const rules = rulesThatAllow('*')
    const client = await open(createShopper([call('list__wait'), 'Done.'], list, rules), {
      revision,
    })

    const started = await startTool(client, 'shopper', { prompt: 'Wait.' })
    if (started.kind !== 'task') throw new Error('it was answered at once')
    for await (const { statusMessage } of started.task) {
      if (statusMessage === 'wait of list: queueing') await started.task.cancel()
    }

    await expect(started.task.result()).rejects.toMatchObject({ code: 'task_ended' })
    await expect.poll(() => aborted).toEqual(['wait'])
  })

  test('says why it has no answer', async () => {
    const { list } = createList()
    const client = await open(createShopper([], list), { revision })

    const result = await client.callTool('shopper', { prompt: 'Add milk.' })

    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toContain('The agent has no answer')
  })
})

describe('an agent of your own', () => {
  test('has nobody to ask where a question would start it again', async () => {
    let asked = 0
    const agent: HostAgent = async ({ elicit }) => (elicit === undefined ? 'nobody' : 'somebody')
    const client = await createTestClient(serveAgent(agent, about), {
      revision: '2026-07-28',
      elicit: () => {
        asked += 1
        return { action: 'decline' }
      },
    })
    onTestFinished(() => client.close())

    expect(toolOutput(await client.callTool('shopper', { prompt: 'Who is there?' }))).toBe('nobody')
    expect(asked).toBe(0)
  })

  test('is not started twice for a caller with too many tasks', async () => {
    let starts = 0
    const agent: HostAgent = async ({ elicit, prompt, signal }) => {
      starts += 1
      if (prompt === 'wait')
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await elicit?.({ message: 'Sure?', requestedSchema: z.object({ sure: z.boolean() }) })
      return 'done'
    }
    const tasks = { pollIntervalMs: 10, maxPerPrincipal: 1, inlineMs: 0 }
    const client = await open(serveAgent(agent, { ...about, tasks }), {
      revision: '2026-07-28',
      elicit: () => ({ action: 'accept', content: { sure: true } }),
    })
    const waiting = await startTool(client, 'shopper', { prompt: 'wait' })

    const result = await client.callTool('shopper', { prompt: 'ask' })

    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toContain('too many running tasks')
    expect(starts).toBe(2)
    if (waiting.kind === 'task') await waiting.task.cancel()
  })

  test("works for the official SDK's client, which waits for the call", async () => {
    const { list, heard } = createList()
    const service = await serveHttp(createShopper(addMilk, list), { port: 0, ownsProcess: false })
    onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
    const info = { name: 'official', version: '1.0.0' }
    const client = new OfficialClient(info, { capabilities: { elicitation: {} } })
    onTestFinished(() => client.close())
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { answer: 'Allow it once' },
    }))
    await client.connect(new StreamableHTTPClientTransport(service.url))
    const told: (string | undefined)[] = []

    const onprogress = ({ message }: { message?: string | undefined }): void =>
      void told.push(message)
    const params = { name: 'shopper', arguments: { prompt: 'Add milk.' } }
    const result = await client.callTool(params, { onprogress })

    expect(JSON.stringify(result.content)).toContain('Milk is on your list.')
    expect(told).toContain('calls add of list')
    expect(heard).toEqual(['milk'])
  })
})
