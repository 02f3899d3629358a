import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type {
  SamplingDecision,
  SamplingReview,
  SamplingSettings,
  ServerExchange,
  ServerQuestion,
} from '@parley/host'
import { createScriptedModel } from '@parley/host/models'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { call, consentBy, inProcess, of, play, testHost } from '../playing.ts'

function asking() {
  const server = createServer({ name: 'asking', version: '1.0.0' })
  server.tool('sum', {}, async (_, context) => {
    const { content, model } = await context.sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'Sum it up.' } }],
      systemPrompt: 'Be brief.',
      modelPreferences: { hints: [{ name: 'unknown' }, { name: 'small' }] },
      includeContext: 'allServers',
      maxTokens: 1_000_000,
    })
    const [block] = [content].flat()
    return `${model}: ${block?.type === 'text' ? block.text : ''}`
  })
  server.tool('form', {}, async (_, context) => {
    const answer = await context.elicit({
      message: 'Who are\u202E you?',
      requestedSchema: z.object({ name: z.string().min(2), api_key: z.string().optional() }),
    })
    return JSON.stringify(answer)
  })
  server.tool('link', {}, async (_, context) => {
    const { action } = await context.elicit({
      mode: 'url',
      message: 'Sign in',
      url: 'https://ex\u0430mple.com/in',
    })
    return action
  })
  return inProcess('asking', server)
}

function samplingHost(sampling: SamplingSettings) {
  const small = createScriptedModel(({ messages }) => `short: ${messages.length}`, {
    name: 'a/small',
    announcement: '',
  })
  const large = createScriptedModel(() => 'long', { name: 'a/large', announcement: '' })
  const host = testHost([call('asking__sum'), 'Done.'], [asking()], {
    sampling: { models: [large, small], ...sampling },
  })
  return { host, small, large }
}

function resultText(events: Awaited<ReturnType<typeof play>>): string {
  const [result] = of(events, 'result')
  return JSON.stringify(result?.content)
}

test('a request to the model is reviewed before and after, and answered by the model that fits [SUI-01] [SUI-02] [SUI-05] [SUI-08] [SUI-09] [SAMP-04] [SAMP-05] [SAMP-24]', async () => {
  const reviews: SamplingReview[] = []
  const { host, small } = samplingHost({
    review: async (review) => {
      reviews.push(review)
      return { decision: 'allow', systemPrompt: 'Be very brief.' }
    },
    reviewAnswer: async ({ text }) => ({ decision: 'release', text: `${text} (read)` }),
  })

  const events = await play(host.turn('Go.'))

  expect(resultText(events)).toContain('a/small: short: 2 (read)')
  expect(reviews).toMatchObject([
    {
      server: 'asking',
      model: 'a/small',
      why: 'its name has "small", which the server would like',
      models: ['a/large', 'a/small'],
      maxTokens: 4_096,
      request: { systemPrompt: 'Be brief.', maxTokens: 1_000_000 },
    },
  ])
  expect(small.requests[0]?.messages).toEqual([
    { role: 'system', text: 'Be very brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Sum it up.' }] },
  ])
  expect(small.requests[0]).toMatchObject({ tools: [], options: { maxTokens: 4_096 } })
  expect(of(events, 'notice')).toMatchObject([{ code: 'sampling', server: 'asking' }])
})

const rejections: readonly (readonly [string, SamplingSettings])[] = [
  ['nobody reviews', {}],
  ['the person refuses', { review: async () => ({ decision: 'deny' as const }) }],
  ['the server is switched off', { policy: () => 'off' as const }],
  [
    'the answer is withheld',
    {
      policy: () => 'ask' as const,
      review: async () => ({ decision: 'allow' as const }),
      reviewAnswer: async () => ({ decision: 'withhold' as const }),
    },
  ],
]

test.each(rejections)('a request is refused where %s [SUI-03] [SUI-06]', async (_, sampling) => {
  const { host } = samplingHost(sampling)

  const events = await play(host.turn('Go.'))

  expect(of(events, 'result')[0]).toMatchObject({ isError: true })
  expect(resultText(events)).not.toContain('short')
  expect(events.at(-1)).toMatchObject({ reason: 'answered' })
})

test('a trusted server is answered without review, another model may be chosen, and each has its rate [SUI-06] [SAMP-22]', async () => {
  const { host, small } = samplingHost({ policy: () => 'allow', perMinute: 1 })
  expect(resultText(await play(host.turn('Go.')))).toContain('a/small')

  const again = testHost([call('asking__sum'), call('asking__sum'), 'Done.'], [asking()], {
    sampling: { models: [small], perMinute: 1, review: async () => ({ decision: 'allow' }) },
  })
  const results = of(await play(again.turn('Go.')), 'result')
  expect(results.map(({ isError }) => isError)).toEqual([false, true])

  const chosen = samplingHost({ review: async () => ({ decision: 'allow', model: 'a/large' }) })
  expect(resultText(await play(chosen.host.turn('Go.')))).toContain('a/large: long')
})

test('what a person says about all requests of a server counts for the session, and is written down [SUI-06] [OBS-05]', async () => {
  const written: ServerExchange[] = []
  const consent = {
    ...consentBy(),
    recordExchange: async (exchange: ServerExchange) => void written.push(exchange),
  }
  const playWith = async (decision: SamplingDecision) => {
    let reviews = 0
    const host = testHost([call('asking__sum'), call('asking__sum'), 'Done.'], [asking()], {
      consent,
      sampling: {
        models: [createScriptedModel(() => 'short', { announcement: '' })],
        review: async () => {
          reviews += 1
          return decision
        },
        reviewAnswer: () => expect.fail('it was reviewed'),
      },
    })
    const results = of(await play(host.turn('Go.')), 'result')
    return { reviews, errors: results.map(({ isError }) => isError) }
  }

  const allowed = await playWith({ decision: 'allow', remember: 'session' })
  expect(allowed).toEqual({ reviews: 1, errors: [false, false] })
  expect(written.map(({ decision }) => decision)).toEqual(['allow', 'allow'])

  const refused = await playWith({ decision: 'deny', remember: 'session' })
  expect(refused).toEqual({ reviews: 1, errors: [true, true] })
  expect(written.at(-1)).toMatchObject({
    kind: 'sampling',
    server: 'asking',
    decision: 'deny',
    message: 'asking asked the model something, and requests of this server are switched off',
  })
})

test('what cannot be written to the audit is not given to a server [OBS-05]', async () => {
  const consent = {
    ...consentBy(),
    recordExchange: async () => {
      throw new Error('the disk is full')
    },
  }
  const asked = createScriptedModel(() => 'short', { announcement: '' })
  const sampling = { models: [asked], review: async () => ({ decision: 'allow' as const }) }
  const host = testHost([call('asking__sum'), 'Done.'], [asking()], { consent, sampling })

  const [result] = of(await play(host.turn('Go.')), 'result')

  expect(result).toMatchObject({ isError: true })
  expect(asked.requests).toEqual([])
})

function questionHost(tool: string, answer: object, more: object = {}) {
  const questions: ServerQuestion[] = []
  const ask = async (question: ServerQuestion) => {
    questions.push(question)
    return answer as { action: 'accept' }
  }
  const host = testHost([call(`asking__${tool}`), 'Done.'], [asking()], {
    elicitation: { ask, ...more },
  })
  return { host, questions }
}

test('a form reaches the person with its server and warnings, and each end is told apart [EUI-01] [EUI-02] [EUI-05]', async () => {
  const { host, questions } = questionHost('form', { action: 'accept', content: { name: 'Ada' } })
  const events = await play(host.turn('Go.'))
  expect(resultText(events)).toContain('Ada')
  expect(questions).toMatchObject([
    {
      server: 'asking',
      mode: 'form',
      message: 'Who are you?',
      schema: { type: 'object' },
      warnings: ['This seems to ask for a secret (api_key). Servers must not do that in a form.'],
    },
  ])

  for (const action of ['decline', 'cancel']) {
    const ended = await play(questionHost('form', { action }).host.turn('Go.'))
    expect(resultText(ended)).toContain(action)
  }
})

test('content that does not fit the form is not sent [EUI-03]', async () => {
  const { host } = questionHost('form', { action: 'accept', content: { name: 'A' } })

  const events = await play(host.turn('Go.'))

  expect(of(events, 'result')[0]).toMatchObject({ isError: true })
})

test('a link is shown with its host and warnings, and opened by nobody', async () => {
  const { host, questions } = questionHost('link', { action: 'accept' })

  const events = await play(host.turn('Go.'))

  expect(resultText(events)).toContain('accept')
  expect(questions).toMatchObject([
    {
      mode: 'url',
      host: 'xn--exmple-4nf.com',
      warnings: [expect.stringContaining('Punycode'), expect.stringContaining('mixes')],
    },
  ])
})

test('questions are declined for servers that may never ask, and beyond the rate [EUI-06]', async () => {
  const never = questionHost('form', { action: 'accept' }, { policy: () => 'never' })
  expect(resultText(await play(never.host.turn('Go.')))).toContain('decline')
  expect(never.questions).toEqual([])

  const questions: ServerQuestion[] = []
  const host = testHost([call('asking__form'), call('asking__form'), 'Done.'], [asking()], {
    elicitation: {
      perMinute: 1,
      ask: async (question) => {
        questions.push(question)
        return { action: 'cancel' }
      },
    },
  })
  const events = await play(host.turn('Go.'))
  expect(questions).toHaveLength(1)
  expect(of(events, 'notice')).toMatchObject([{ code: 'unanswered', server: 'asking' }])
})

test('a server whose questions are declined for the session asks nobody any more [EUI-06] [OBS-05]', async () => {
  const written: ServerExchange[] = []
  let count = 0
  const host = testHost([call('asking__form'), call('asking__link'), 'Done.'], [asking()], {
    consent: {
      ...consentBy(),
      recordExchange: async (exchange: ServerExchange) => void written.push(exchange),
    },
    elicitation: {
      ask: async () => {
        count += 1
        return { action: 'decline', remember: 'session' }
      },
    },
  })

  const results = of(await play(host.turn('Go.')), 'result')

  expect(count).toBe(1)
  expect(JSON.stringify(results.map(({ content }) => content))).toMatch(/decline.*decline/)
  expect(written).toEqual([
    {
      kind: 'elicitation',
      server: 'asking',
      decision: 'deny',
      message: 'asked to fill in a form: decline',
    },
  ])
})

test('folders and attached resources are written to the audit [OBS-05]', async () => {
  const written: ServerExchange[] = []
  const notes = createServer({ name: 'notes', version: '1.0.0' })
  notes.resource('memo://1', { name: 'one' }, () => 'Buy milk.')
  const host = testHost('Done.', [inProcess('notes', notes)], {
    roots: ['/srv/one'],
    consent: {
      ...consentBy(),
      recordExchange: async (exchange: ServerExchange) => void written.push(exchange),
    },
  })

  await play(
    host.turn({
      content: [{ type: 'text', text: 'Read it.' }],
      attachments: [{ server: 'notes', uri: 'memo://1' }],
    }),
  )
  await host.setRoots(['/srv/two'])

  expect(written.map(({ kind, message }) => [kind, message])).toEqual([
    ['roots', 'told of the folders /srv/one'],
    ['resource', 'memo://1 was attached by the person'],
    ['roots', 'told of the folders /srv/two'],
  ])
})

test('a form closes when the turn is stopped [EUI-07]', async () => {
  const stop = new AbortController()
  const closed: boolean[] = []
  const host = testHost([call('asking__form')], [asking()], {
    elicitation: {
      ask: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            closed.push(true)
            resolve({ action: 'cancel' })
          })
          stop.abort()
        }),
    },
  })

  const events = await play(host.turn('Go.', { signal: stop.signal }))

  expect(events.at(-1)).toMatchObject({ reason: 'cancelled' })
  await expect.poll(() => closed).toEqual([true])
})

test('servers are told of roots, and of new ones [ROOTUI-01] [ROOTUI-02]', async () => {
  const server = createServer({ name: 'where', version: '1.0.0' })
  server.tool('roots', {}, async (_, context) =>
    (await context.listRoots()).map(({ uri }) => uri).join(' '),
  )
  const own = { roots: ['/own'] }
  const host = testHost(
    [call('a__roots'), call('b__roots'), 'Done.', call('a__roots'), call('b__roots'), 'Done.'],
    [inProcess('a', server), inProcess('b', server, own)],
    { roots: ['/one'] },
  )

  const texts = (events: Awaited<ReturnType<typeof play>>) =>
    of(events, 'result').map(({ content }) => (content[0]?.type === 'text' ? content[0].text : ''))
  expect(texts(await play(host.turn('Go.')))).toEqual(['file:///one', 'file:///own'])
  await host.setRoots(['/two'])
  expect(texts(await play(host.turn('Go.')))).toEqual(['file:///two', 'file:///own'])
})

test('servers are told when a folder disappears or becomes a link elsewhere [ROOT-18]', async () => {
  const folder = folderWith({ 'one/a': '', 'two/a': '', 'keys/a': '' })
  const [one, two, keys] = [join(folder, 'one'), join(folder, 'two'), join(folder, 'keys')]
  const told: string[] = []
  const consent = {
    ...consentBy(),
    recordExchange: async ({ message }: ServerExchange) => void told.push(message),
  }
  const server = createServer({ name: 'where', version: '1.0.0' })
  server.tool('roots', {}, async (_, context) =>
    (await context.listRoots()).map(({ uri }) => uri).join(' '),
  )
  const host = testHost(['Done.'], [inProcess('where', server)], {
    consent,
    roots: [one, two, '/not/there'],
    excludedRoots: [keys],
  })
  await host.start()
  const isNotified = async (...roots: readonly string[]) => {
    const message = `told of the folders ${roots.join(', ')}`
    await expect.poll(() => told.at(-1), { interval: 100 }).toBe(message)
  }
  await host.setRoots([one, two, '/not/there']) // they have been looked at when it resolves
  await isNotified(one, two, '/not/there')
  const client = await host.connection('where').use(AbortSignal.timeout(30_000))

  rmSync(one, { recursive: true })
  await isNotified(two, '/not/there')
  rmSync(two, { recursive: true })
  symlinkSync(keys, two, 'junction')
  mkdirSync(one)

  await isNotified(one, '/not/there')
  expect(await client.callTool('roots', {})).toMatchObject({
    content: [{ text: [one, '/not/there'].map((path) => pathToFileURL(path).href).join(' ') }],
  })
})

test('folders with keys are never told to a server [ROOTUI-05]', async () => {
  const server = createServer({ name: 'where', version: '1.0.0' })
  server.tool('roots', {}, async (_, context) =>
    (await context.listRoots()).map(({ uri }) => uri).join(' '),
  )
  const roots = ['/work', '/keys', '/keys/inside', '/keys-not', join(homedir(), '.ssh', 'own')]
  const ask = async (excludedRoots?: readonly string[]) => {
    const host = testHost([call('where__roots'), 'Done.'], [inProcess('where', server)], {
      roots,
      excludedRoots,
    })
    return resultText(await play(host.turn('Go.')))
  }

  expect(await ask(['/keys', join(homedir(), '.ssh')])).toContain('"file:///work file:///keys-not"')
  expect(await ask()).not.toContain('.ssh')
})

const hinted = (...names: readonly string[]) => ({ hints: names.map((name) => ({ name })) })
const choices = [
  ['a hint that a name has', hinted('unknown', 'large'), 'a/large'],
  ['hints before equivalents', hinted('claude', 'large'), 'a/large'],
  ['an equivalent of a hint', hinted('claude-haiku'), 'a/small'],
  ['priorities where no hint fits', { ...hinted('nothing'), costPriority: 1 }, 'a/small'],
  ['intelligence', { intelligencePriority: 1 }, 'a/large'],
  ['the first without preferences', {}, 'a/large'],
] as const

test.each(choices)('a model is chosen by %s [SUI-04]', async (_, modelPreferences, expected) => {
  const server = createServer({ name: 'asking', version: '1.0.0' })
  server.tool('sum', {}, async (__, context) => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hm?' } }]
    return (await context.sample({ messages, maxTokens: 10, modelPreferences })).model
  })
  const large = {
    ...createScriptedModel(() => 'x', { name: 'a/large' }),
    ratings: { cost: 1, intelligence: 1 },
  }
  const small = {
    ...createScriptedModel(() => 'x', { name: 'a/small' }),
    ratings: { cost: 0, intelligence: 0 },
  }
  const equivalents = { claude: 'small' }
  const host = testHost([call('asking__sum'), 'Done.'], [inProcess('asking', server)], {
    sampling: { models: [large, small], equivalents, policy: () => 'allow' },
  })

  expect(resultText(await play(host.turn('Go.')))).toContain(expected)
})
