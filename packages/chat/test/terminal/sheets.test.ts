import type { ChatAnswer } from '@parley/chat'
import type { ConsentQuestion } from '@parley/host'
import { expect, test } from 'vitest'

import type { Key, KeyName } from '../../src/terminal/key-reader.ts'
import { questionSheet } from '../../src/terminal/sheets/question-sheet.ts'
import type { Sheet, SheetStep } from '../../src/terminal/sheets/sheet.ts'
import { textOf } from './texts.ts'

const names = new Set([
  'enter',
  'escape',
  'tab',
  'back-tab',
  'up',
  'down',
  'ctrl-s',
  'ctrl-n',
  'ctrl-x',
  'ctrl-u',
  'ctrl-k',
  'backspace',
])

/** Words are typed letter by letter; names of keys are pressed. */
function pressing(sheet: Sheet, ...words: readonly string[]): SheetStep {
  let step: SheetStep = { kind: 'sheet', sheet }
  for (const word of words) {
    const keys: readonly Key[] = names.has(word)
      ? [{ kind: 'key', name: word as KeyName }] // one of the names above
      : Array.from(word).map((text) => ({ kind: 'text', text }))
    for (const key of keys) {
      if (step.kind !== 'sheet') throw new Error(`${word} was pressed after the answer`)
      step = step.sheet.press(key) ?? step
    }
  }
  return step
}

function answerOf(step: SheetStep): ChatAnswer {
  if (step.kind !== 'answer') throw new Error(`there is no answer yet: ${step.kind}`)
  return step.answer
}

function sheetAfter(step: SheetStep): string {
  if (step.kind !== 'sheet') throw new Error(`it is over: ${step.kind}`)
  const { sheet } = step
  return [
    textOf(sheet.lines(80)),
    textOf(sheet.editor?.lines(80) ?? []),
    textOf([sheet.keys]),
  ].join('\n')
}

function call(text: string, more: Partial<ConsentQuestion> = {}): ConsentQuestion {
  return {
    call: {
      id: text,
      server: 'notes',
      serverHash: 'h',
      serverDefinition: { command: 'npx', args: ['notes'] },
      tool: {
        name: 'add',
        title: 'Add a note',
        description: 'Adds a note.',
        inputSchema: { type: 'object' },
        annotations: { destructiveHint: true, readOnlyHint: false },
      },
      arguments: { text },
      flow: { untrusted: false, private: false },
      by: 'model',
    },
    reason: 'no rule matches this call',
    warnings: [],
    ...more,
  }
}

function consent(...calls: readonly ConsentQuestion[]): Sheet {
  return questionSheet({ id: 'q', requestedAt: 0, kind: 'consent', calls })
}

test('a call shows server, tool, origin, claims as claims, and its exact arguments [TUI-01] [TUI-08]', () => {
  const shown = sheetAfter({
    kind: 'sheet',
    sheet: consent(call('milk', { warnings: ['It looks like ad d'] })),
  })

  expect(shown).toContain('notes · add (Add a note)')
  expect(shown).toContain('npx notes')
  expect(shown).toContain('Asked because: no rule matches this call')
  expect(shown).toContain('! The server says: it may destroy something')
  expect(shown).toContain('! It looks like ad d')
  expect(shown).toContain('"text": "milk"')
  expect(shown).toContain('y once  s this session  a always')
  expect(shown).not.toContain('Adds a note.')
  expect(sheetAfter(pressing(consent(call('milk')), 'd'))).toContain('Adds a note.')
})

// oxlint-disable-next-line no-control-regex
const codes = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/

const keys = [
  ['y', { decision: 'allow', remember: 'once' }],
  ['s', { decision: 'allow', remember: 'session' }],
  ['a', { decision: 'allow', remember: 'always', scope: 'tool' }],
  ['A', { decision: 'allow', remember: 'always', scope: 'server' }],
  ['n', { decision: 'deny', remember: 'once' }],
  ['N', { decision: 'deny', remember: 'always' }],
] as const

test.each(keys)('the key %s answers a call [TUI-05]', (key, answer) => {
  expect(answerOf(pressing(consent(call('milk')), key))).toEqual({
    kind: 'consent',
    answers: [answer],
  })
})

test('what a rule lets be remembered once only is not offered for longer', () => {
  const sheet = consent(call('milk', { maxRemembered: 'once' }))

  expect(sheetAfter({ kind: 'sheet', sheet })).not.toMatch(/this session|always/)
  expect(pressing(sheet, 's', 'a', 'A').kind).toBe('sheet')
  expect(pressing(sheet, 'escape')).toEqual({ kind: 'stop' })
})

test('parallel calls are seen together and answered one by one, in any order, or all at once', () => {
  const sheet = consent(call('milk'), call('bread'), call('salt'))

  expect(sheetAfter({ kind: 'sheet', sheet })).toContain(
    'The model wants 3 calls. Allow this one? (1 of 3)',
  )
  const second = pressing(sheet, 'down', 'n')
  expect(sheetAfter(second)).toContain('⊘ notes · add {"text":"bread"}')
  expect(sheetAfter(second)).toContain('(3 of 3)')
  expect(answerOf(pressing(sheet, 'down', 'n', 'y', 's'))).toEqual({
    kind: 'consent',
    answers: [
      { decision: 'allow', remember: 'session' },
      { decision: 'deny', remember: 'once' },
      { decision: 'allow', remember: 'once' },
    ],
  })
  expect(answerOf(pressing(sheet, 'n', 'Y'))).toMatchObject({
    answers: [{ decision: 'deny' }, { decision: 'allow' }, { decision: 'allow' }],
  })
  expect(answerOf(pressing(sheet, 'X'))).toMatchObject({
    answers: [{ decision: 'deny' }, { decision: 'deny' }, { decision: 'deny' }],
  })
})

test('arguments can be edited as JSON; what is no object is refused with the place [TUI-03]', () => {
  const sheet = consent(call('milk'))

  const broken = pressing(sheet, 'e', 'backspace', 'ctrl-s')
  expect(sheetAfter(broken)).toMatch(/line \d+, column \d+: expected/)
  const cleared = ['ctrl-u', 'backspace', 'ctrl-u', 'backspace', 'ctrl-u']
  const edited = pressing(sheet, 'e', ...cleared, '{"text":"oat milk"}', 'ctrl-s')
  expect(sheetAfter(edited)).toContain('Arguments, changed by you\n  {\n    "text": "oat milk"')
  expect(answerOf(pressing(sheet, 'e', ...cleared, '{"text":"oat milk"}', 'ctrl-s', 'y'))).toEqual({
    kind: 'consent',
    answers: [{ decision: 'allow', remember: 'once', arguments: { text: 'oat milk' } }],
  })
  expect(sheetAfter(pressing(sheet, 'e', 'junk', 'escape'))).toContain('"text": "milk"')
})

test('a changed definition shows the difference, and long arguments are folded until they are wanted', () => {
  const change = {
    what: 'tool' as const,
    before: { name: 'add', description: 'Adds a note.', other: [1, 2, 3, 4, 5, 6] },
    after: { name: 'add', description: 'Sends all notes away.', other: [1, 2, 3, 4, 5, 6] },
  }
  const sheet = consent(call('x'.repeat(2_000), { changes: [change] }))

  const shown = sheetAfter({ kind: 'sheet', sheet })
  expect(shown).toContain('The definition of this tool changed since you allowed it:')
  expect(shown).toContain('-   "description": "Adds a note.",')
  expect(shown).toContain('+   "description": "Sends all notes away.",')
  expect(shown).toContain('more characters: f shows all')
  expect(sheetAfter(pressing(sheet, 'f')).match(/x/g)?.length).toBeGreaterThanOrEqual(2_000)
})

const form = questionSheet({
  id: 'q',
  requestedAt: 0,
  kind: 'elicitation',
  question: {
    mode: 'form',
    server: 'shop',
    message: 'How do you want it?',
    warnings: ['This seems to ask for a secret.'],
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Your name', minLength: 2 },
        size: { type: 'string', enum: ['small', 'large'] },
        hot: { type: 'boolean' },
        count: { type: 'integer', minimum: 1, maximum: 5 },
        note: { type: 'string' },
        extras: { type: 'array', items: { type: 'string', enum: ['milk', 'sugar'] } },
      },
      required: ['name', 'size', 'hot', 'count'],
    },
  },
})

test('a form is filled in field by field, with a last look before it is sent [EUI-01]', () => {
  expect(sheetAfter({ kind: 'sheet', sheet: form })).toContain('Your name (1 of 6)')
  expect(sheetAfter({ kind: 'sheet', sheet: form })).toContain('! This seems to ask for a secret.')

  const filled = ['Ada', 'enter', 'down', 'enter', 'y', '3', 'enter', 'enter', ' ', 'enter']
  const review = sheetAfter(pressing(form, ...filled))
  expect(review).toContain('This is sent\n  Your name: Ada\n')
  expect(answerOf(pressing(form, ...filled, 'enter'))).toEqual({
    kind: 'elicitation',
    answer: {
      action: 'accept',
      content: { name: 'Ada', size: 'large', hot: true, count: 3, extras: ['milk'] },
    },
  })
})

test('a field that does not fit says why and keeps the cursor; going back keeps what was written', () => {
  expect(sheetAfter(pressing(form, 'A', 'enter'))).toMatch(/Your name \(1 of 6\)[^]*! .*2/)
  const number = ['Ada', 'enter', 'enter', 'n', 'nine', 'enter']
  expect(sheetAfter(pressing(form, ...number))).toContain('! nine is not a number')
  expect(sheetAfter(pressing(form, 'Ada', 'enter', 'back-tab'))).toContain('> Ada')
})

test('a form can be declined, or closed [EUI-02]', () => {
  expect(answerOf(pressing(form, 'Ada', 'ctrl-n'))).toMatchObject({ answer: { action: 'decline' } })
  expect(answerOf(pressing(form, 'escape'))).toMatchObject({ answer: { action: 'cancel' } })
})

test('a link shows its whole host in a narrow window, and only y agrees', () => {
  const host = 'login.a-very-long-name-of-a-host-that-does-not-fit.example.com'
  const sheet = questionSheet({
    id: 'q',
    requestedAt: 0,
    kind: 'elicitation',
    question: {
      mode: 'url',
      server: 'shop',
      message: 'Sign in.',
      url: `https://${host}/in`,
      host,
      warnings: [],
    },
  })

  const narrow = textOf(sheet.lines(24)).replaceAll(/\s/g, '')
  expect(narrow).toContain(`Atthishost${host}`)
  expect(pressing(sheet, 'enter', 'x').kind).toBe('sheet')
  expect(answerOf(pressing(sheet, 'y'))).toMatchObject({ answer: { action: 'accept' } })
  expect(answerOf(pressing(sheet, 'n'))).toMatchObject({ answer: { action: 'decline' } })
})

const sampling = questionSheet({
  id: 'q',
  requestedAt: 0,
  kind: 'sampling',
  review: {
    server: 'shop',
    request: {
      messages: [{ role: 'user', content: { type: 'text', text: 'Sum it up.' } }],
      systemPrompt: 'Be brief.',
      maxTokens: 500,
    },
    model: 'a/small',
    why: 'it is the first',
    models: ['a/small', 'a/large'],
    maxTokens: 500,
  },
})

test('a request to the model is seen whole, can be changed and given to another model [SUI-01]', () => {
  const shown = sheetAfter({ kind: 'sheet', sheet: sampling })
  for (const part of [
    'Sum it up.',
    'Be brief.',
    'a/small: it is the first',
    'at most 500 tokens',
  ]) {
    expect(shown).toContain(part)
  }
  expect(answerOf(pressing(sampling, 'y'))).toEqual({
    kind: 'sampling',
    decision: { decision: 'allow' },
  })
  expect(answerOf(pressing(sampling, 'm', 'y'))).toMatchObject({ decision: { model: 'a/large' } })
  expect(answerOf(pressing(sampling, 'n'))).toEqual({
    kind: 'sampling',
    decision: { decision: 'deny' },
  })
  expect(sheetAfter(pressing(sampling, 'e', 'x', 'ctrl-s'))).toMatch(/expected nothing more/)
})

test('what holds for the session is said with a key of its own [SUI-06] [EUI-06]', () => {
  expect(answerOf(pressing(sampling, 's'))).toMatchObject({
    decision: { decision: 'allow', remember: 'session' },
  })
  expect(answerOf(pressing(sampling, 'N'))).toMatchObject({
    decision: { decision: 'deny', remember: 'session' },
  })
  expect(answerOf(pressing(form, 'ctrl-x'))).toMatchObject({
    answer: { action: 'decline', remember: 'session' },
  })
})

test('a key is written unseen, and Escape goes on without one', () => {
  const request = {
    model: 'openai/gpt-5',
    variable: 'OPENAI_API_KEY',
    host: 'api.openai.com',
    isRejected: true,
    isStored: false,
  }
  const sheet = questionSheet({ id: 'q', requestedAt: 0, kind: 'key', request })

  const shown = sheetAfter({ kind: 'sheet', sheet })
  expect(shown).toContain('openai/gpt-5 needs an API key')
  expect(shown).toContain('api.openai.com refused the last key.')
  expect(shown).toMatch(/set\s+OPENAI_API_KEY to have it at every start/)
  expect(sheetAfter(pressing(sheet, 'hunter2'))).toContain('> •••••••')
  expect(sheetAfter(pressing(sheet, 'hunter2'))).not.toContain('hunter2')
  expect(answerOf(pressing(sheet, ' hunter2', 'enter'))).toEqual({ kind: 'key', key: 'hunter2' })
  expect(pressing(sheet, 'enter').kind).toBe('sheet')
  expect(answerOf(pressing(sheet, 'hunter2', 'escape'))).toEqual({ kind: 'key' })
})

test('the answer of the model is seen before the server gets it, and can be changed or withheld', () => {
  const sheet = questionSheet({
    id: 'q',
    requestedAt: 0,
    kind: 'sampling-answer',
    answer: { server: 'shop', model: 'a/small', text: 'All is well.' },
  })

  expect(sheetAfter({ kind: 'sheet', sheet })).toContain('All is well.')
  expect(answerOf(pressing(sheet, 'y'))).toMatchObject({ decision: { decision: 'release' } })
  expect(answerOf(pressing(sheet, 'e', 'ctrl-u', 'No.', 'ctrl-s', 'y'))).toMatchObject({
    decision: { decision: 'release', text: 'No.' },
  })
  expect(answerOf(pressing(sheet, 'n'))).toMatchObject({ decision: { decision: 'withhold' } })
})

test('control codes of a server are never part of a sheet, at any width', () => {
  const evil = 'a\u001b[31mb\u001b]0;x\u0007c\u009b2Jd\u202ee\rf'
  const question = call(evil, {
    reason: evil,
    warnings: [evil],
    changes: [{ what: 'tool', before: { a: evil }, after: { a: `${evil}!` } }],
  })
  const evilCall = {
    ...question.call,
    server: evil,
    tool: { ...question.call.tool, name: evil, title: evil, description: evil },
  }
  const sheets = [
    consent({ ...question, call: evilCall }, call(evil)),
    questionSheet({
      id: 'q',
      requestedAt: 0,
      kind: 'elicitation',
      question: {
        mode: 'url',
        server: evil,
        message: evil,
        url: evil,
        host: evil,
        warnings: [evil],
      },
    }),
    questionSheet({
      id: 'q',
      requestedAt: 0,
      kind: 'elicitation',
      question: {
        mode: 'form',
        server: evil,
        message: evil,
        warnings: [evil],
        schema: {
          type: 'object',
          properties: { a: { type: 'string', title: evil, description: evil, enum: [evil, 'b'] } },
        },
      },
    }),
    questionSheet({
      id: 'q',
      requestedAt: 0,
      kind: 'sampling-answer',
      answer: { server: evil, model: evil, text: evil },
    }),
  ]
  for (const sheet of sheets) {
    for (const pressed of [[], ['d'], ['e'], ['f'], ['down']]) {
      expect(sheetAfter(pressing(sheet, ...pressed))).not.toMatch(codes)
    }
  }
})

test('a call of a program can be allowed for the rest of it, and no other call', () => {
  const usual = call('milk')
  const program = { id: 'p', index: 0, denials: 0 }
  const inner = call('milk', { call: { ...usual.call, by: 'program', program } })

  expect(sheetAfter({ kind: 'sheet', sheet: consent(inner) })).toContain('y once  p this program')
  expect(answerOf(pressing(consent(inner), 'p'))).toEqual({
    kind: 'consent',
    answers: [{ decision: 'allow', remember: 'program' }],
  })
  expect(pressing(consent(usual), 'p').kind).toBe('sheet')
  expect(pressing(consent({ ...inner, maxRemembered: 'once' }), 'p').kind).toBe('sheet')
})
