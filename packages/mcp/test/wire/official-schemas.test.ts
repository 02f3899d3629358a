import * as zodSchemas from '@modelcontextprotocol/core'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, expect, test } from 'vitest'

import { hasOfficialSchemas, readOfficialSchema } from '../../../../test-support/official-schema.ts'
import { describeMatrix } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import { recordSession, type Recorded } from '../support/record-session.ts'

/** The official name of each message; a request's result is named alike unless it is empty. */
const requests: Record<string, string> = {
  ping: 'Ping',
  initialize: 'Initialize',
  'completion/complete': 'Complete',
  'logging/setLevel': 'SetLevel',
  'prompts/get': 'GetPrompt',
  'prompts/list': 'ListPrompts',
  'resources/list': 'ListResources',
  'resources/templates/list': 'ListResourceTemplates',
  'resources/read': 'ReadResource',
  'resources/subscribe': 'Subscribe',
  'resources/unsubscribe': 'Unsubscribe',
  'tools/call': 'CallTool',
  'tools/list': 'ListTools',
  'sampling/createMessage': 'CreateMessage',
  'roots/list': 'ListRoots',
  'elicitation/create': 'Elicit',
}
const withoutResult = ['Ping', 'SetLevel', 'Subscribe', 'Unsubscribe']
const notifications: Record<string, string> = {
  'notifications/cancelled': 'Cancelled',
  'notifications/progress': 'Progress',
  'notifications/initialized': 'Initialized',
  'notifications/roots/list_changed': 'RootsListChanged',
  'notifications/message': 'LoggingMessage',
  'notifications/resources/updated': 'ResourceUpdated',
  'notifications/resources/list_changed': 'ResourceListChanged',
  'notifications/tools/list_changed': 'ToolListChanged',
  'notifications/prompts/list_changed': 'PromptListChanged',
}

/** Something to hold against an official definition. */
interface Case {
  readonly definition: string
  readonly value: unknown
}
type Validate = (item: Case) => string | undefined

describeMatrix('every message of a whole session', ({ revision, connect }) => {
  let recorded: readonly Recorded[] = []
  beforeAll(async () => {
    recorded = await recordSession(connect)
  })

  test('is one of those its sender may send, and each of them is there [SCH-28..31, R0326S-08, R1105B-10]', () => {
    const hasElicitation = revision >= '2025-06-18'
    const fromServer = ['sampling/createMessage', 'roots/list']
    const elicitation = hasElicitation ? ['elicitation/create'] : []
    const asked = Object.keys(requests).filter((method) => !method.includes('elicit'))
    const clientRequests = asked.filter((method) => !fromServer.includes(method))

    expect(methods(recorded, 'client', true)).toEqual([...clientRequests, unknownMethod].toSorted())
    // Our server has no reason to ping.
    expect(methods(recorded, 'server', true)).toEqual([...fromServer, ...elicitation].toSorted())
    expect(methods(recorded, 'client', false)).toEqual([
      'notifications/cancelled',
      'notifications/initialized',
      'notifications/roots/list_changed',
    ])
    expect(methods(recorded, 'server', false)).toEqual([
      ...(hasElicitation ? ['notifications/cancelled'] : []),
      'notifications/message',
      'notifications/progress',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ])
  })

  test('fits the Zod schemas of the official SDK [SCH-26, SCH-32, R1105B-02]', () => {
    expect(problems(casesOf(recorded), zodValidate)).toEqual([])
  })

  test.skipIf(!hasOfficialSchemas)('fits the official schema of its revision', () => {
    expect(problems(casesOf(recorded), officialValidate(revision))).toEqual([])
  })
})

const unknownMethod = 'com.example/none'

function methods(
  recorded: readonly Recorded[],
  from: Recorded['from'],
  isRequest: boolean,
): readonly string[] {
  const sent = recorded.flatMap(({ from: sender, message: { id, method } }) =>
    sender === from && method !== undefined && (id !== undefined) === isRequest ? [method] : [],
  )
  return [...new Set(sent)].toSorted()
}

/** Each message as an envelope and as what it means. */
function casesOf(recorded: readonly Recorded[]): readonly Case[] {
  const asked = new Map<string, string>()
  return recorded.flatMap(({ from, message }): readonly Case[] => {
    const { id, method, result, error } = message
    if (method !== undefined && id !== undefined) {
      asked.set(`${from} ${id}`, method)
      const name = requests[method]
      const own = name === undefined ? [] : [{ definition: `${name}Request`, value: message }]
      return [{ definition: 'JSONRPCRequest', value: message }, ...own]
    }
    if (method !== undefined) {
      return [
        { definition: 'JSONRPCNotification', value: message },
        { definition: `${notifications[method]}Notification`, value: message },
      ]
    }
    if (error !== undefined) return [{ definition: 'JSONRPCError', value: message }]
    const name = requests[askedBy(asked, from, message)] ?? 'Unknown'
    const definition = withoutResult.includes(name) ? 'EmptyResult' : `${name}Result`
    return [
      { definition: 'JSONRPCResponse', value: message },
      { definition, value: result },
    ]
  })
}

function askedBy(asked: Map<string, string>, from: Recorded['from'], { id }: Raw): string {
  return asked.get(`${from === 'client' ? 'server' : 'client'} ${id}`) ?? ''
}

function problems(cases: readonly Case[], validate: Validate): readonly string[] {
  expect(cases.length).toBeGreaterThan(100)
  return cases.flatMap((item) => {
    const problem = validate(item)
    return problem === undefined
      ? []
      : [`${item.definition}: ${problem} in ${JSON.stringify(item.value)}`]
  })
}

const zodNames: Record<string, string> = {
  JSONRPCError: 'JSONRPCErrorResponseSchema',
  JSONRPCResponse: 'JSONRPCResultResponseSchema',
}

function zodValidate({ definition, value }: Case): string | undefined {
  const name = zodNames[definition] ?? `${definition}Schema`
  const schema = (zodSchemas as Readonly<Record<string, unknown>>)[name] as
    | { safeParse(value: unknown): { success: boolean; error?: Error } } // every Zod schema has it
    | undefined
  if (schema === undefined) return `no schema ${name}`
  const { success, error } = schema.safeParse(value)
  return success ? undefined : error?.message
}

/** Two shapes since 2025-11-25, one of which had another name. */
const newerNames: Record<string, string> = {
  JSONRPCError: 'JSONRPCErrorResponse',
  JSONRPCResponse: 'JSONRPCResultResponse',
}

function officialValidate(revision: string): Validate {
  const schema = readOfficialSchema(revision)
  const isNewer = schema.$defs !== undefined // 2020-12 instead of draft-07 from 2025-11-25 on
  const ajv = new (isNewer ? Ajv2020 : Ajv)({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(schema, revision)
  return ({ definition, value }) => {
    const name = (isNewer && newerNames[definition]) || definition
    const validate = ajv.getSchema(`${revision}#/${isNewer ? '$defs' : 'definitions'}/${name}`)
    if (validate === undefined) return 'no such definition'
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }
}
