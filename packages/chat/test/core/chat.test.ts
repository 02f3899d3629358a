import { createScriptedModel, type ScriptedTurn } from '@parley/host/models'
import { expect, test } from 'vitest'

import { allowing, begin, openTalk, inputRequestOf, talk } from '../talking.ts'
import { createWorkshop, inProcess } from '../workshop.ts'

function workshop(more?: Parameters<typeof createWorkshop>[0]) {
  return inProcess('workshop', createWorkshop(more))
}

test('a turn asks before it calls, and is there after a restart', async () => {
  const script = [{ calls: [{ name: 'workshop__echo', arguments: { text: 'hi' } }] }, 'It said hi.']
  const chat = await openTalk({ script, servers: [workshop()] })
  const id = await begin(chat)

  const events = await talk(chat, id, 'Say hi.', (question) => {
    expect(question).toMatchObject({ kind: 'consent', conversation: id })
    expect(chat.questions).toHaveLength(1)
    allowing(chat)(question)
  })

  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'answered', text: 'It said hi.' })
  expect(events.find(({ type }) => type === 'result')).toMatchObject({ isError: false })
  expect(chat.questions).toEqual([])
  await chat[Symbol.asyncDispose]()
  const again = await openTalk({ folder: chat.folder })
  expect(await again.conversations.list()).toMatchObject([{ id, title: 'Say hi.', turns: 1 }])
})

test('the model names a conversation where it is asked to; a title of the person stays', async () => {
  const asked: string[] = []
  const script: ScriptedTurn = ({ messages }) => {
    const [first] = messages
    if (first?.role !== 'system' || !first.text.startsWith('Write a title')) return 'It is sunny.'
    asked.push(JSON.stringify(messages.at(-1)))
    return '"Weather in Oslo."\n'
  }
  const chat = await openTalk({ script, titles: 'model' })
  const named = new Promise<void>((resolve) => {
    chat.listen((told) => {
      if (told.type !== 'conversations' || 'removed' in told.changed) return
      if (told.changed.title === 'Weather in Oslo') resolve()
    })
  })

  const id = await begin(chat)
  await talk(chat, id, 'Will it rain in Oslo, or is it going to be sunny?')
  await named
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('Will it rain in Oslo')
  expect(asked[0]).toContain('It is sunny.')

  await chat.conversations.change(id, { title: 'Mine' })
  await talk(chat, id, 'And in Bergen?')
  chat.titles = 'words'
  const other = await begin(chat)
  await talk(chat, other, `${'word '.repeat(15)}longer than that, so it is cut`)
  const list = await chat.conversations.list()
  expect(list.map(({ title }) => title).toSorted()).toEqual([
    'Mine',
    `${'word '.repeat(15).trim()}…`,
  ])
  expect(asked).toHaveLength(1)
})

test('who comes late sees all of a running turn, and the text as one piece', async () => {
  let resume = (): void => {}
  const paused = new Promise<void>((resolve) => (resume = resolve))
  const chat = await openTalk({
    script: { text: ['One, ', 'two, ', 'three.'], pauseUntil: paused },
  })
  const id = await begin(chat)
  const received = new Promise<void>((resolve) => {
    chat.listen((told) => {
      if (told.type === 'turn' && told.event.type === 'text') resolve()
    })
  })

  const turn = talk(chat, id, 'Count.')
  await received

  expect(chat.running(id)).toEqual([{ type: 'text', text: 'One, ' }])
  expect(chat.turnOf(id)).toMatchObject({ input: 'Count.' })
  expect(chat.busy).toEqual([id])
  resume()
  await turn
  expect(chat.running(id)).toBeUndefined()
})

test('a conversation has one turn at a time, and the next may begin when the end is told', async () => {
  const chat = await openTalk({ script: () => 'Hello.' })
  const id = await begin(chat)
  let isRejected = false
  const second = new Promise<void>((resolve) => {
    let ends = 0
    chat.listen((told) => {
      if (told.type !== 'turn' || told.event.type !== 'end') return
      ends += 1
      if (ends === 1) chat.say(id, 'Again.')
      else resolve()
    })
  })

  chat.say(id, 'Hello?')
  try {
    chat.say(id, 'Too early.')
  } catch (error) {
    isRejected = String(error).includes('a turn is running in this conversation')
  }
  await second

  expect(isRejected).toBe(true)
  expect(await chat.conversations.list()).toMatchObject([{ turns: 2 }])
})

test('stopping ends the call and withdraws what is asked', async () => {
  const script = [{ calls: [{ name: 'workshop__echo', arguments: { text: 'hi' } }] }, 'Never.']
  const chat = await openTalk({ script, servers: [workshop()] })
  const id = await begin(chat)

  const events = await talk(chat, id, 'Say hi.', () => chat.stop(id))

  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'cancelled' })
  expect(events.some((event) => event.type === 'result' && event.wasCalled)).toBe(false)
  expect(chat.questions).toEqual([])
})

test('questions of a server belong to the conversation that calls it, each is answered once', async () => {
  const script = [
    { calls: [{ name: 'workshop__form' }] },
    { calls: [{ name: 'workshop__sum' }] },
    'Sampled.',
    'Done.',
  ]
  const chat = await openTalk({ script, servers: [workshop()] })
  const id = await begin(chat)
  const kinds: string[] = []

  const events = await talk(chat, id, 'Go.', (question) => {
    kinds.push(question.kind)
    expect(question.conversation).toBe(id)
    allowing(chat)(question)
    if (question.kind === 'elicitation') {
      const answer = {
        kind: 'elicitation',
        answer: { action: 'accept', content: { name: 'Ada' } },
      } as const
      expect(chat.answer(question.id, { kind: 'consent', answers: [] })).toBe(false)
      expect(chat.answer(question.id, answer)).toBe(true)
      expect(chat.answer(question.id, answer)).toBe(false)
    }
    if (question.kind === 'sampling') {
      chat.answer(question.id, { kind: 'sampling', decision: { decision: 'allow' } })
    }
    if (question.kind === 'sampling-answer') {
      const decision = { decision: 'release', text: 'as I say' } as const
      chat.answer(question.id, { kind: 'sampling-answer', decision })
    }
  })

  expect(kinds).toEqual(['consent', 'elicitation', 'consent', 'sampling', 'sampling-answer'])
  const results = JSON.stringify(events.filter(({ type }) => type === 'result'))
  expect(results).toContain('Ada')
  expect(results).toContain('The model said: as I say')
})

test('a tool that is named with @ is told to the model [TUI-18]', async () => {
  const model = createScriptedModel(() => 'Hello.', { announcement: '' })
  const chat = await openTalk({ models: [model], servers: [workshop()] })
  const id = await begin(chat)
  await chat.host.start()

  await talk(chat, id, 'Use @workshop__echo, not @nobody or mail@workshop__echo.')

  const last = JSON.stringify(model.requests.at(-1)?.messages.at(-1))
  expect(last).toContain('The person named this tool, to be used for it: workshop__echo)')
  expect(last).not.toContain('it: nobody')
})

test('a conversation keeps its model, and the next one begins with the one that was added last', async () => {
  const one = createScriptedModel(() => 'I am one.', { name: 'one', announcement: '' })
  const two = createScriptedModel(() => 'I am two.', { name: 'two', announcement: '' })
  const chat = await openTalk({ models: [one] })
  const id = await begin(chat)

  chat.addModel(two)
  const first = await talk(chat, id, 'Who?')
  await chat.conversations.change(id, { model: 'two' })
  const second = await talk(chat, id, 'Who?')

  expect(chat.models).toEqual(['two', 'one'])
  expect([first.at(-1), second.at(-1)]).toMatchObject([
    { text: 'I am one.' },
    { text: 'I am two.' },
  ])
})

test('removing a conversation ends its turn and is told', async () => {
  const script = [{ calls: [{ name: 'workshop__echo', arguments: { text: 'hi' } }] }, 'Never.']
  const chat = await openTalk({ script, servers: [workshop()] })
  const id = await begin(chat)
  const removed: string[] = []
  chat.listen((told) => {
    if (told.type === 'conversations' && 'removed' in told.changed)
      removed.push(told.changed.removed)
  })

  const turn = talk(chat, id, 'Say hi.')
  await inputRequestOf(chat, 'consent')
  await chat.conversations.remove(id)

  expect((await turn).at(-1)).toMatchObject({ reason: 'cancelled' })
  expect(removed).toEqual([id])
  expect(await chat.conversations.list()).toEqual([])
})

test('closing stores what was said, and nobody can be asked any more', async () => {
  const script = [
    { text: 'I call.', calls: [{ name: 'workshop__echo', arguments: { text: 'hi' } }] },
    'x',
  ]
  const chat = await openTalk({ script, servers: [workshop()] })
  const id = await begin(chat)
  const turn = talk(chat, id, 'Say hi.')
  await inputRequestOf(chat, 'consent')

  await chat[Symbol.asyncDispose]()

  expect((await turn).at(-1)).toMatchObject({ reason: 'cancelled' })
  expect(() => chat.say(id, 'Again.')).toThrow('the chat is closing')
  const again = await openTalk({ folder: chat.folder })
  const kept = await again.conversations.load(id)
  expect(JSON.stringify(kept?.transcript.entries)).toContain('I call.')
})

test('an unknown conversation is a turn that failed', async () => {
  const chat = await openTalk()

  const events = await talk(chat, 'nobody', 'Hello?')

  const message = 'there is no conversation "nobody"'
  expect(events).toMatchObject([{ type: 'end', reason: 'model-error', message }])
})
