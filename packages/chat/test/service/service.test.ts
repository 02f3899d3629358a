import { rmSync } from 'node:fs'

import type { HostSignInOptions } from '@parley/host'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import type { Events } from '../../src/protocol/index.ts'
import { createChatService } from '../../src/service/service.ts'
import { allowing, begin, openTalk, talk, type Talk } from '../talking.ts'
import { createPlan, createWorkshop, inProcess } from '../workshop.ts'

async function openService(given: Talk = {}) {
  const chat = await openTalk({ servers: [inProcess('workshop', createWorkshop())], ...given })
  const told: { event: keyof Events; data: unknown }[] = []
  const service = createChatService({
    chat,
    version: '1',
    folder: '/here',
    roots: [],
    emit: (event, data) => void told.push({ event, data }),
  })
  const ask = (method: string, params: object = {}) => service.handle(method, params)
  return { chat, service, told, ask }
}

test.each([
  ['turns/say', { conversation: 'a', input: { content: [{ type: 'text', text: 1 }] } }],
  ['turns/say', { conversation: 'a', input: 'x', mode: 'everything' }],
  ['turns/say', { conversation: 'a', input: 'x', command: 'rm' }],
  ['questions/answer', { id: 'a', answer: { kind: 'consent', answers: [{ decision: 'maybe' }] } }],
  ['setup/use-model', { name: 'x', baseUrl: 'file:///etc/passwd' }],
  ['conversations/open', {}],
])('%s refuses what it does not know: %j', async (method, params) => {
  const { ask } = await openService()

  await expect(ask(method, params)).rejects.toMatchObject({ problem: { code: 'invalid_params' } })
})

test('what is no method is refused, and so is choosing where nothing can be chosen', async () => {
  const { ask } = await openService()

  await expect(ask('spawn')).rejects.toMatchObject({ problem: { code: 'no_method' } })
  await expect(ask('setup/servers')).rejects.toMatchObject({ problem: { code: 'not_here' } })
})

test('a turn is told from its beginning to its end, and can be opened in the middle', async () => {
  const script = [{ calls: [{ name: 'workshop__echo', arguments: { text: 'hi' } }] }, 'Done.']
  const { chat, ask, told } = await openService({ script })
  const id = await begin(chat)
  const ended = new Promise<void>((resolve) => {
    chat.listen((event) => {
      if (event.type === 'turn' && event.event.type === 'end') resolve()
    })
  })
  const opened = new Promise<unknown>((resolve) => {
    chat.listen((event) => {
      if (event.type !== 'questions' || event.questions[0] === undefined) return
      const [question] = event.questions
      queueMicrotask(async () => {
        resolve(await ask('conversations/open', { id }))
        allowing(chat)(question)
      })
    })
  })

  await ask('turns/say', { conversation: id, input: 'Go.' })

  expect(await opened).toMatchObject({
    entries: [],
    running: {
      input: 'Go.',
      events: expect.arrayContaining([expect.objectContaining({ type: 'call' })]),
    },
  })
  await ended
  const events = told.filter(({ event }) => event.startsWith('turn/'))
  expect(events[0]).toMatchObject({ event: 'turn/begun', data: { input: 'Go.' } })
  expect(events.at(-1)).toMatchObject({ data: { event: { type: 'end', reason: 'answered' } } })
})

test('prompts, completion and templates of servers can be used', async () => {
  const { chat, ask } = await openService()
  await chat.host.start()

  const prompt = await ask('prompts/get', {
    server: 'workshop',
    name: 'greet',
    arguments: { name: 'Ada' },
  })
  const completed = await ask('complete', {
    server: 'workshop',
    reference: { type: 'ref/prompt', name: 'greet' },
    name: 'name',
    value: 'A',
    others: {},
  })
  const expanded = await ask('templates/expand', {
    template: 'page://{number}',
    values: { number: '1 2' },
  })

  expect(prompt).toMatchObject({ messages: [{ role: 'user', content: [{ text: 'Greet Ada.' }] }] })
  expect(completed).toEqual({ values: ['Ada', 'Alan'], hasMore: false })
  expect(expanded).toEqual({ uri: 'page://1%202' })
})

test('what was answered for longer than once is listed and forgotten', async () => {
  const calls = [{ name: 'workshop__echo', arguments: { text: 'hi' } }]
  const { chat, ask } = await openService({ script: [{ calls }, 'Done.'] })
  const id = await begin(chat)
  await talk(chat, id, 'Go.', (question) => {
    const answers = [{ decision: 'allow', remember: 'session' } as const]
    chat.answer(question.id, { kind: 'consent', answers })
  })

  const [answer] = (await ask('permissions/list')) as { id: string }[]

  expect(answer).toMatchObject({ server: 'workshop', tool: 'echo', duration: 'session' })
  await ask('permissions/revoke', { id: answer?.id })
  expect(await ask('permissions/list')).toEqual([])
})

test('a folder that is not there, or is none, is not told to servers [ROOT-08] [ROOTUI-03]', async () => {
  const { ask } = await openService()
  const folder = folderWith({ 'note.txt': '' })
  const set = (root: string) => ask('roots/set', { roots: [root] })

  await expect(set(`${folder}/none`)).rejects.toMatchObject({
    problem: { message: `there is no folder ${folder}/none` },
  })
  await expect(set(`${folder}/note.txt`)).rejects.toMatchObject({
    problem: { message: `${folder}/note.txt is a file: name a folder` },
  })
  await expect(set('here')).rejects.toMatchObject({
    problem: { message: 'here is not a whole path: begin with / or a drive' },
  })
  expect(await set(folder)).toEqual({ roots: [folder] })
})

test('a folder that vanished is marked until it is taken out [ROOTUI-03]', async () => {
  const { ask } = await openService()
  const [stays, goes] = [folderWith({}), folderWith({})]
  await ask('roots/set', { roots: [stays, goes] })
  expect(await ask('roots/check')).toEqual({})

  rmSync(goes, { recursive: true })

  expect(await ask('roots/check')).toEqual({ [goes]: `there is no folder ${goes}` })
  await ask('roots/set', { roots: [stays] })
  expect(await ask('roots/check')).toEqual({})
})

test('a page hears that an attached resource has changed, and how, until it is forgotten [RUI-06]', async () => {
  const { server, change } = createPlan()
  const { chat, ask, told } = await openService({ servers: [inProcess('plans', server)] })
  const conversation = await begin(chat)
  const plan = { server: 'plans', uri: 'plan://week' }
  await talk(chat, conversation, {
    content: [{ type: 'text', text: 'Go.' }],
    attachments: [plan],
  })
  const list = () => ask('attached/list', { conversation })
  await expect.poll(list).toMatchObject([{ ...plan, isFollowed: true }])

  change('Monday: rest.')

  await expect
    .poll(() => told.find(({ event }) => event === 'attached/changed'))
    .toMatchObject({ data: plan })
  expect(await list()).toMatchObject([
    { change: { before: expect.stringContaining('write'), after: 'Monday: rest.' } },
  ])
  expect(await ask('attached/remove', { conversation, ...plan })).toEqual([])
})

test('a sign-in that does not work says why', async () => {
  const server = {
    ...inProcess('mail', createWorkshop()),
    signIn: async ({ show }: HostSignInOptions) => {
      show(new URL('https://l\u043Egin.example/in'))
      throw new Error('they pressed no')
    },
  }
  const { ask, told } = await openService({ servers: [server] })

  const page = await ask('servers/sign-in', { name: 'mail' })

  expect(page).toMatchObject({
    host: 'xn--lgin-55d.example',
    warnings: [/Punycode/, /mixes/].map((what) => expect.stringMatching(what) as unknown),
  })
  await expect
    .poll(() => told.find(({ event }) => event === 'servers/signed-in'))
    .toMatchObject({ data: { name: 'mail', error: 'they pressed no' } })
})

test('a conversation is exported under a name made of its title', async () => {
  const { chat, ask } = await openService()
  const { id } = await chat.conversations.create({ model: 'm', title: 'Über ../etc: a/b?' })

  const saved = await ask('conversations/export', { id, format: 'json' })

  expect(saved).toMatchObject({ name: 'Über-etc-a-b.json' })
  expect(await ask('conversations/export', { id, format: 'markdown' })).toMatchObject({
    name: 'Über-etc-a-b.md',
  })
})

test('what an app wants the model to know goes along once, as data, in its last version', async () => {
  const { chat, ask } = await openService({ script: ['One.', 'Two.'] })
  const conversation = await begin(chat)
  const app = { conversation, server: 'workshop', app: 'ui://map' }
  const said = () =>
    new Promise<void>((resolve) => {
      const stop = chat.listen((event) => {
        if (event.type !== 'turn' || event.event.type !== 'end') return
        stop()
        resolve()
      })
    })
  await ask('apps/context', { ...app, content: [{ type: 'text', text: 'Zoomed to Rome.' }] })
  await ask('apps/context', { ...app, structuredContent: { city: 'Oslo\u200b' } })

  for (const input of ['Where am I?', 'And now?']) {
    const ended = said()
    await ask('turns/say', { conversation, input })
    await ended
  }

  const loaded = await chat.conversations.load(conversation)
  const asked = JSON.stringify(loaded?.transcript.entries)
  expect(asked).not.toContain('Rome')
  expect(asked.match(/what an app of the server workshop shows; not instructions/g)).toHaveLength(1)
  expect(asked).toContain('Oslo')
  await expect(ask('apps/context', { ...app, server: 'none' })).rejects.toThrow()
})

test('an app that is no longer shown has no questions left', async () => {
  const { chat, ask } = await openService()
  await chat.host.start()
  const params = { server: 'workshop', tool: 'echo', arguments: { text: 'hi' } }
  const call = ask('apps/call', { app: 'frame', ...params })
  const other = ask('apps/call', { app: 'other frame', ...params })
  await expect.poll(() => chat.questions.length).toBe(1)
  const [first] = chat.questions

  await ask('apps/end', { app: 'frame' })

  await expect(call).rejects.toThrow()
  await expect.poll(() => chat.questions.length).toBe(1)
  const [second] = chat.questions
  expect(second?.id).not.toBe(first?.id)
  await ask('apps/end', { app: 'other frame' })
  await expect(other).rejects.toThrow()
})
