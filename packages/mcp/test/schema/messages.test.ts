import { describe, expect, test } from 'vitest'

import { both } from '../../src/schema/check-unions.ts'
import { describeProblem, type Problem } from '../../src/schema/check.ts'
import { completeResult } from '../../src/schema/completion.ts'
import { elicitParams, elicitResult } from '../../src/schema/input/elicitation.ts'
import { listRootsResult } from '../../src/schema/input/input.ts'
import { createMessageParams, createMessageResult } from '../../src/schema/input/sampling.ts'
import {
  cancelledParams,
  emptyResult,
  initializeParams,
  initializeResult,
} from '../../src/schema/lifecycle.ts'
import { loggingMessageParams, setLevelParams } from '../../src/schema/logging.ts'
import { requestParams } from '../../src/schema/methods/request-params.ts'
import { progressParams } from '../../src/schema/progress.ts'
import { getPromptResult, listPromptsResult } from '../../src/schema/prompts.ts'
import {
  listResourcesResult,
  listResourceTemplatesResult,
  readResourceResult,
  resourceUpdatedParams,
} from '../../src/schema/resources.ts'
import { callToolResult, listToolsResult, objectStructuredContent } from '../../src/schema/tools.ts'

type Test = (value: unknown) => Problem | undefined

const inputSchema = { type: 'object' }
const text = { type: 'text', text: 'hello' }

/** Each field of a message, left out, is missed by name. */
function expectRequired(check: Test, message: object): void {
  expect(fault(check, message)).toBeUndefined()
  for (const key of Object.keys(message)) {
    const { [key]: _, ...rest }: Record<string, unknown> = { ...message }
    expect(fault(check, rest)).toMatch(new RegExp(`^${key}\\b`))
  }
}

function fault(check: Test, value: unknown): string | undefined {
  const problem = check(value)
  return problem && describeProblem(problem)
}

/** The fault of one content block inside a tool's answer. */
function blockFault(block: unknown): string | undefined {
  return fault(callToolResult, { content: [block] })
}

describe('lifecycle', () => {
  const clientInfo = { name: 'client', version: '1' }

  test('initialize says version, capabilities and client; its result names the server [SCH-04]', () => {
    expectRequired(initializeParams, { protocolVersion: 'x', capabilities: {}, clientInfo })
    expectRequired(initializeResult, {
      protocolVersion: 'x',
      capabilities: {},
      serverInfo: clientInfo,
    })
  })

  test('an implementation has name and version [SCH-03] [SCH-01]', () => {
    const message = { protocolVersion: 'x', capabilities: {} }

    expect(fault(initializeParams, { ...message, clientInfo: { name: 'a' } })).toBe(
      'clientInfo.version: a string',
    )
    expect(fault(initializeParams, { ...message, clientInfo: { version: '1' } })).toBe(
      'clientInfo.name: a string',
    )
    expect(fault(initializeParams, { ...message, clientInfo: { ...clientInfo, title: 1 } })).toBe(
      'clientInfo.title: a string',
    )
  })

  test('an empty result is an object that may say more [SCH-32]', () => {
    expect(emptyResult({})).toBeUndefined()
    expect(emptyResult({ more: 1, _meta: { 'com.example/x': 1 } })).toBeUndefined()
    expect(fault(emptyResult, { _meta: 1 })).toBe('_meta: an object')
    expect(fault(emptyResult, [])).toBe('an object')
  })
})

describe('content', () => {
  test('is told apart by its type [SCH-05]', () => {
    const types = '"text" or "image" or "audio" or "resource_link" or "resource"'

    expect(blockFault({ type: 'video', data: '' })).toBe(`content.0.type: ${types}`)
    expect(blockFault({ text: 'hello' })).toBe(`content.0.type: ${types}`)
    expect(blockFault('hello')).toBe('content.0: an object')
  })

  test('has the fields of its type [SCH-06]', () => {
    expect(blockFault({ type: 'text' })).toBe('content.0.text: a string')
    for (const type of ['image', 'audio']) {
      expect(blockFault({ type, data: 'aGk=', mimeType: 'x/y' })).toBeUndefined()
      expect(blockFault({ type, mimeType: 'x/y' })).toBe('content.0.data: a string')
      expect(blockFault({ type, data: 'aGk=' })).toBe('content.0.mimeType: a string')
    }
  })

  test('may be a link, which is a resource with a type [SCH-07]', () => {
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' }

    expect(blockFault(link)).toBeUndefined()
    expect(blockFault({ ...link, name: undefined })).toBe('content.0.name: a string')
    expect(blockFault({ ...link, uri: undefined })).toBe('content.0.uri: a string')
    expect(blockFault({ ...link, size: 'big' })).toBe('content.0.size: an integer')
  })

  test('may embed a resource, annotated on the block [SCH-08] [DEC-08]', () => {
    const resource = { uri: 'file:///a', text: 'a' }

    expect(blockFault({ type: 'resource', resource, annotations: { priority: 1 } })).toBeUndefined()
    expect(blockFault({ type: 'resource', resource, annotations: { priority: 2 } })).toBe(
      'content.0.annotations.priority: a number from 0 to 1',
    )
    expect(
      blockFault({ type: 'resource', resource: { ...resource, annotations: 1 } }),
    ).toBeUndefined()
    expect(blockFault({ type: 'resource' })).toBe('content.0.resource: an object')
  })

  test('names the field at fault, however deep', () => {
    const resource = { uri: 'file:///a', text: 5 }
    const content = [text, text, text, text, { type: 'resource', resource }]

    expect(fault(callToolResult, { content })).toBe('content.4.resource.text: a string')
  })

  test('takes annotations of an audience, a priority and a time [SCH-12]', () => {
    const annotated = (annotations: unknown) => blockFault({ ...text, annotations })

    expect(annotated({})).toBeUndefined()
    expect(
      annotated({ audience: ['user', 'assistant'], priority: 0, lastModified: 'x' }),
    ).toBeUndefined()
    expect(annotated({ audience: ['model'] })).toMatch('audience.0: "user" or "assistant"')
    expect(annotated({ priority: 1.1 })).toMatch('priority: a number from 0 to 1')
    expect(annotated({ lastModified: 1 })).toMatch('lastModified: a string')
  })

  test.each([
    text,
    { type: 'image', data: '', mimeType: '' },
    { type: 'audio', data: '', mimeType: '' },
  ])('carries _meta: $type [META-10]', (block) => {
    expect(blockFault({ ...block, _meta: { 'com.example/x': [1] } })).toBeUndefined()
    expect(blockFault({ ...block, _meta: [] })).toBe('content.0._meta: an object')
  })
})

describe('tools', () => {
  const listed = (tool: unknown) => fault(listToolsResult, { tools: [tool] })

  test('a tool has a name and an input schema whose root is an object [SCH-13] [SCH-01]', () => {
    expect(listed({ name: 'a', inputSchema })).toBeUndefined()
    expect(listed({ inputSchema })).toBe('tools.0.name: a string')
    expect(listed({ name: 'a' })).toBe('tools.0.inputSchema: an object')
    expect(listed({ name: 'a', inputSchema: null })).toBe('tools.0.inputSchema: an object')
    expect(listed({ name: 'a', inputSchema: {} })).toBe('tools.0.inputSchema.type: "object"')
    expect(listed({ name: 'a', inputSchema, outputSchema: true })).toBe(
      'tools.0.outputSchema: an object',
    )
  })

  test('its annotations are hints [SCH-14]', () => {
    const flags = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']

    expect(listed({ name: 'a', inputSchema, annotations: {} })).toBeUndefined()
    for (const flag of flags) {
      expect(listed({ name: 'a', inputSchema, annotations: { [flag]: true } })).toBeUndefined()
      expect(listed({ name: 'a', inputSchema, annotations: { [flag]: 'yes' } })).toBe(
        `tools.0.annotations.${flag}: a boolean`,
      )
    }
    expect(listed({ name: 'a', inputSchema, annotations: { title: 1 } })).toBe(
      'tools.0.annotations.title: a string',
    )
  })

  test('a call names a tool and may give arguments', () => {
    expectRequired(requestParams['tools/call'], { name: 'a' })
    expect(requestParams['tools/call']({ name: 'a', arguments: {} })).toBeUndefined()
    expect(fault(requestParams['tools/call'], { name: 'a', arguments: [] })).toBe(
      'arguments: an object',
    )
  })

  test('a result has content, and until 2025-11-25 an object for structure [SCH-15]', () => {
    const legacy = both(callToolResult, objectStructuredContent)

    expectRequired(callToolResult, { content: [] })
    expect(legacy({ content: [], structuredContent: {} })).toBeUndefined()
    for (const structuredContent of [[], 'x', 1, null]) {
      expect(fault(legacy, { content: [], structuredContent })).toBe('structuredContent: an object')
    }
  })
})

describe('resources', () => {
  test('a resource has uri and name, and its size is an integer [SCH-10] [SCH-01]', () => {
    const listed = (resource: unknown) => fault(listResourcesResult, { resources: [resource] })

    expect(listed({ uri: 'x:y', name: 'a', size: 3 })).toBeUndefined()
    expect(listed({ name: 'a' })).toBe('resources.0.uri: a string')
    expect(listed({ uri: 'x:y' })).toBe('resources.0.name: a string')
    expect(listed({ uri: 'x:y', name: 'a', size: 1.5 })).toBe('resources.0.size: an integer')
  })

  test('a template has uriTemplate and name, and no size [SCH-11] [SCH-01]', () => {
    const listed = (template: unknown) =>
      fault(listResourceTemplatesResult, { resourceTemplates: [template] })

    expect(listed({ uriTemplate: 'x:{y}', name: 'a', size: 'unknown here' })).toBeUndefined()
    expect(listed({ name: 'a' })).toBe('resourceTemplates.0.uriTemplate: a string')
    expect(listed({ uriTemplate: 'x:{y}' })).toBe('resourceTemplates.0.name: a string')
  })

  test('contents have a uri, and text or a blob [SCH-09] [DEC-09]', () => {
    const read = (contents: unknown) => fault(readResourceResult, { contents: [contents] })

    expect(read({ uri: 'x:y', text: '' })).toBeUndefined()
    expect(read({ uri: 'x:y', blob: '', name: 1, title: 1 })).toBeUndefined()
    expect(read({ text: '' })).toBe('contents.0.uri: a string')
    expect(read({ uri: 'x:y' })).toBe('contents.0: an object with text or blob')
    expect(read({ uri: 'x:y', blob: 5 })).toBe('contents.0.blob: a string')
  })

  test.each([
    requestParams['resources/read'],
    requestParams['resources/subscribe'],
    resourceUpdatedParams,
  ])('a request or notification about one names it [SCH-33]', (check) => {
    expectRequired(check, { uri: 'x:y' })
  })
})

describe('prompts', () => {
  test('a prompt and its arguments have names [SCH-01]', () => {
    const listed = (prompt: unknown) => fault(listPromptsResult, { prompts: [prompt] })

    expect(listed({ name: 'a', arguments: [{ name: 'b', required: true }] })).toBeUndefined()
    expect(listed({})).toBe('prompts.0.name: a string')
    expect(listed({ name: 'a', arguments: [{}] })).toBe('prompts.0.arguments.0.name: a string')
  })

  test('arguments are strings, and the result has messages [SCH-22]', () => {
    expectRequired(requestParams['prompts/get'], { name: 'a' })
    expectRequired(getPromptResult, { messages: [] })
    expect(requestParams['prompts/get']({ name: 'a', arguments: { b: 'c' } })).toBeUndefined()
    expect(fault(requestParams['prompts/get'], { name: 'a', arguments: { b: 1 } })).toBe(
      'arguments.b: a string',
    )
    expect(fault(requestParams['prompts/get'], { name: 'a', arguments: ['c'] })).toBe(
      'arguments: an object',
    )
    expect(fault(getPromptResult, { messages: [{ role: 'system', content: text }] })).toBe(
      'messages.0.role: "user" or "assistant"',
    )
  })
})

describe('completion', () => {
  const ref = { type: 'ref/prompt', name: 'a' }
  const argument = { name: 'b', value: '' }

  test('asks about an argument of something, with the others as strings [SCH-20]', () => {
    expectRequired(requestParams['completion/complete'], { ref, argument })
    expect(fault(requestParams['completion/complete'], { ref, argument: { name: 'b' } })).toBe(
      'argument.value: a string',
    )
    expect(fault(requestParams['completion/complete'], { ref, argument: { value: '' } })).toBe(
      'argument.name: a string',
    )
    expect(requestParams['completion/complete']({ ref, argument, context: {} })).toBeUndefined()
    expect(
      requestParams['completion/complete']({ ref, argument, context: { arguments: { c: 'd' } } }),
    ).toBeUndefined()
    expect(
      fault(requestParams['completion/complete'], {
        ref,
        argument,
        context: { arguments: { c: 1 } },
      }),
    ).toBe('context.arguments.c: a string')
  })

  test('is of a prompt or of a resource [SCH-21] [DEC-20]', () => {
    expect(
      requestParams['completion/complete']({ ref: { ...ref, title: 'A' }, argument }),
    ).toBeUndefined()
    for (const uri of ['file:///a', 'file:///{path}']) {
      expect(
        requestParams['completion/complete']({ ref: { type: 'ref/resource', uri }, argument }),
      ).toBeUndefined()
    }
    expect(
      fault(requestParams['completion/complete'], {
        ref: { type: 'ref/tool', name: 'a' },
        argument,
      }),
    ).toBe('ref.type: "ref/prompt" or "ref/resource"')
  })

  test('answers with values and perhaps a whole number of them [SCH-20]', () => {
    expectRequired(completeResult, { completion: { values: [] } })
    expect(fault(completeResult, { completion: {} })).toBe('completion.values: an array')
    expect(fault(completeResult, { completion: { values: [], total: 0.5 } })).toBe(
      'completion.total: an integer',
    )
  })
})

describe('notifications', () => {
  test('progress has a token and a number [SCH-17]', () => {
    expectRequired(progressParams, { progressToken: 'a', progress: 0.5 })
  })

  test('a cancellation names its request [SCH-18]', () => {
    expectRequired(cancelledParams, { requestId: 1 })
    expect(fault(cancelledParams, { requestId: 1, reason: 2 })).toBe('reason: a string')
  })

  test('tokens and ids are strings or integers [SCH-25] [DEC-04]', () => {
    for (const id of ['', 'a', 0, -1, 12]) {
      expect(progressParams({ progressToken: id, progress: 1 })).toBeUndefined()
      expect(cancelledParams({ requestId: id })).toBeUndefined()
    }
    for (const id of [1.5, null, true, [1], {}]) {
      expect(fault(progressParams, { progressToken: id, progress: 1 })).toBe(
        'progressToken: a string or an integer',
      )
      expect(fault(cancelledParams, { requestId: id })).toBe('requestId: a string or an integer')
      expect(fault(requestParams['tools/call'], { name: 'a', _meta: { progressToken: id } })).toBe(
        '_meta.progressToken: a string or an integer',
      )
    }
  })

  test('a log message has a level and data of any kind [SCH-19]', () => {
    expectRequired(loggingMessageParams, { level: 'info', data: null })
    expectRequired(setLevelParams, { level: 'emergency' })
    for (const level of ['INFO', 'warn', 'trace', 3]) {
      expect(fault(setLevelParams, { level })).toMatch('level: "debug" or "info" or')
    }
  })
})

describe('what a server asks', () => {
  test('roots are file URIs [SCH-16]', () => {
    expectRequired(listRootsResult, { roots: [] })
    expect(listRootsResult({ roots: [{ uri: 'file:///a', name: 'A', _meta: {} }] })).toBeUndefined()
    expect(fault(listRootsResult, { roots: [{}] })).toBe('roots.0.uri: a file:// URI')
    expect(fault(listRootsResult, { roots: [{ uri: 'https://a' }] })).toBe(
      'roots.0.uri: a file:// URI',
    )
  })

  test('sampling has messages and a whole number of tokens [SCH-23]', () => {
    const message = { role: 'user', content: text }

    expectRequired(createMessageParams, { messages: [message], maxTokens: 1 })
    expectRequired(createMessageResult, { ...message, model: 'm' })
    expect(fault(createMessageParams, { messages: [], maxTokens: 1.5 })).toBe(
      'maxTokens: an integer',
    )
    expect(
      createMessageParams({
        messages: [],
        maxTokens: 1,
        modelPreferences: { hints: [{ name: 'a' }, { mine: 1 }] },
      }),
    ).toBeUndefined()
  })

  test('sampling takes text, images and sounds, one or many, and no resources [SCH-05]', () => {
    const ask = (content: unknown) =>
      fault(createMessageParams, { messages: [{ role: 'user', content }], maxTokens: 1 })

    expect(ask(text)).toBeUndefined()
    expect(ask([text, { type: 'audio', data: '', mimeType: '' }])).toBeUndefined()
    expect(ask({ type: 'resource', resource: { uri: 'x:y', text: '' } })).toMatch(
      'content.type: "text"',
    )
    expect(ask('a bare string')).toBe('messages.0.content: an object')
  })

  test('a form has a message and a flat object of fields [SCH-24] [ELIC-06] [ELIC-07]', () => {
    const ask = (requestedSchema: unknown) => fault(elicitParams, { message: '', requestedSchema })
    const fields = '"string" or "number" or "integer" or "boolean" or "array"'

    expectRequired(elicitParams, {
      message: '',
      requestedSchema: { type: 'object', properties: {} },
    })
    expect(ask({ properties: {} })).toBe('requestedSchema.type: "object"')
    expect(ask({ type: 'object' })).toBe('requestedSchema.properties: an object')
    expect(ask({ type: 'object', properties: { a: { type: 'object', properties: {} } } })).toBe(
      `requestedSchema.properties.a.type: ${fields}`,
    )
    expect(
      ask({ type: 'object', properties: { a: { type: 'array', items: { type: 'number' } } } }),
    ).toBe('requestedSchema.properties.a.items: an object with enum or anyOf')
    expect(ask({ type: 'object', properties: {}, required: [1] })).toBe(
      'requestedSchema.required.0: a string',
    )
  })

  test.each([
    [
      'ELIC-08',
      { type: 'string', minLength: 1, format: 'email' },
      { type: 'string', format: 'ipv4' },
    ],
    ['ELIC-08', { type: 'string', maxLength: 9, default: 'a' }, { type: 'string', maxLength: '9' }],
    ['ELIC-09', { type: 'integer', minimum: 0 }, { type: 'number', maximum: '9' }],
    ['ELIC-10', { type: 'boolean', default: true }, { type: 'boolean', default: 'true' }],
    ['ELIC-11', { type: 'string', enum: ['a'], enumNames: ['A'] }, { type: 'string', enum: [1] }],
    [
      'N11-ELI-07',
      { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      { type: 'string', oneOf: [{ const: 'a' }] },
    ],
    [
      'N11-ELI-07',
      { type: 'array', items: { type: 'string', enum: ['a'] }, default: ['a'] },
      { type: 'array', items: { type: 'string', enum: ['a'] }, default: 'a' },
    ],
    [
      'N11-ELI-07',
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
      { type: 'array', items: { anyOf: ['a'] } },
    ],
  ])('a form takes the fields that have a place in it [%s]', (_, good, bad) => {
    const ask = (field: unknown) =>
      fault(elicitParams, {
        message: '',
        requestedSchema: { type: 'object', properties: { field } },
      })

    expect(ask(good)).toBeUndefined()
    expect(ask(bad)).toMatch('requestedSchema.properties.field.')
  })

  test('a link has a url, and no other mode is known', () => {
    expect(elicitParams({ mode: 'url', message: '', url: 'https://a' })).toBeUndefined()
    expect(fault(elicitParams, { mode: 'url', message: '' })).toBe('url: a string')
    expect(fault(elicitParams, { mode: 'url', url: 'https://a' })).toBe('message: a string')
    expect(fault(elicitParams, { mode: 'voice', message: '' })).toBe('mode: "form" or "url"')
  })

  test('an answer says what the user did, in values a form can hold [ELIC-12] [ELIC-13] [DEC-06]', () => {
    expectRequired(elicitResult, { action: 'decline' })
    expect(
      elicitResult({ action: 'accept', content: { a: 'b', c: 1.5, d: true, e: ['f'] } }),
    ).toBeUndefined()
    expect(fault(elicitResult, { action: 'reject' })).toBe(
      'action: "accept" or "decline" or "cancel"',
    )
    expect(fault(elicitResult, { action: 'accept', content: { a: {} } })).toMatch(
      'content.a: a string',
    )
    expect(fault(elicitResult, { action: 'accept', content: { a: [1] } })).toBe(
      'content.a.0: a string',
    )
  })
})
