import type { JsonObject } from '@parley/mcp'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'

import { hasOfficialSchemas, readOfficialSchema } from '../../../../test-support/official-schema.ts'
import { decodeMessage, type Request } from '../../src/rpc/message.ts'
import { clientCapabilities, serverCapabilities } from '../../src/schema/capabilities.ts'
import type { Problem } from '../../src/schema/check.ts'
import { completeResult } from '../../src/schema/completion.ts'
import { contentBlock } from '../../src/schema/content.ts'
import { elicitSchema } from '../../src/schema/input/elicit-schema.ts'
import { elicitParams, elicitResult } from '../../src/schema/input/elicitation.ts'
import { inputRequiredResult, listRootsResult } from '../../src/schema/input/input.ts'
import { createMessageParams, createMessageResult } from '../../src/schema/input/sampling.ts'
import {
  cancelledParams,
  discoverResult,
  emptyNotificationParams,
  emptyRequestParams,
  emptyResult,
} from '../../src/schema/lifecycle.ts'
import { loggingMessageParams } from '../../src/schema/logging.ts'
import { requestParams } from '../../src/schema/methods/request-params.ts'
import { listParams } from '../../src/schema/pagination.ts'
import { progressParams } from '../../src/schema/progress.ts'
import { getPromptResult, listPromptsResult } from '../../src/schema/prompts.ts'
import {
  listResourcesResult,
  listResourceTemplatesResult,
  readResourceResult,
  resource,
  resourceContents,
  resourceUpdatedParams,
} from '../../src/schema/resources.ts'
import { acknowledgedParams, listenParams } from '../../src/schema/subscriptions.ts'
import { callToolResult, listToolsResult, tool } from '../../src/schema/tools.ts'
import { readRequestMeta } from '../../src/server/calls/modern-caller.ts'
import { decodeWireError } from '../../src/wire/error-codes.ts'
import { examples } from './examples.ts'

type Check = (value: never) => Problem | undefined | void

const params: Record<string, Check> = {
  CallTool: requestParams['tools/call'],
  Complete: requestParams['completion/complete'],
  Discover: emptyRequestParams,
  GetPrompt: requestParams['prompts/get'],
  ListPrompts: listParams,
  ListResources: listParams,
  ListResourceTemplates: listParams,
  ListTools: listParams,
  ReadResource: requestParams['resources/read'],
  SubscriptionsListen: listenParams,
  Paginated: listParams,
}
const requestChecks: Record<string, Check> = {
  CreateMessage: createMessageParams,
  Elicit: elicitParams,
  ListRoots: () => undefined,
}
const results: Record<string, Check> = {
  CallTool: callToolResult,
  Complete: completeResult,
  CreateMessage: createMessageResult,
  Discover: discoverResult,
  Elicit: elicitResult,
  GetPrompt: getPromptResult,
  InputRequired: inputRequiredResult,
  ListPrompts: listPromptsResult,
  ListResources: listResourcesResult,
  ListResourceTemplates: listResourceTemplatesResult,
  ListRoots: listRootsResult,
  ListTools: listToolsResult,
  ReadResource: readResourceResult,
  SubscriptionsListen: emptyResult,
}
const notifications: Record<string, Check> = {
  Cancelled: cancelledParams,
  LoggingMessage: loggingMessageParams,
  Progress: progressParams,
  PromptListChanged: emptyNotificationParams,
  ResourceListChanged: emptyNotificationParams,
  ResourceUpdated: resourceUpdatedParams,
  SubscriptionsAcknowledged: acknowledgedParams,
  ToolListChanged: emptyNotificationParams,
}
const errors: Record<string, string> = {
  HeaderMismatchError: 'header_mismatch',
  InternalError: 'internal_error',
  InvalidParamsError: 'invalid_params',
  MethodNotFoundError: 'method_not_found',
  MissingRequiredClientCapabilityError: 'missing_client_capability',
  ParseError: 'parse_error',
  UnsupportedProtocolVersionError: 'unsupported_version',
}
const message = (content: object) => ({ messages: [{ role: 'user', content }], maxTokens: 1 })
const form = (a: object) => elicitSchema({ type: 'object', properties: { a } })
const parts: Record<string, Check> = {
  AudioContent: contentBlock,
  BlobResourceContents: resourceContents,
  BooleanSchema: form,
  ClientCapabilities: clientCapabilities,
  ElicitRequestFormParams: elicitParams,
  ElicitRequestURLParams: elicitParams,
  EmbeddedResource: contentBlock,
  ImageContent: contentBlock,
  InputRequests: (inputRequests) =>
    inputRequiredResult({ resultType: 'input_required', inputRequests }),
  InputResponses: (inputResponses) => requestParams['tools/call']({ name: 'x', inputResponses }),
  ModelPreferences: (modelPreferences) =>
    createMessageParams({ ...message({ type: 'text', text: '' }), modelPreferences }),
  NumberSchema: form,
  Resource: resource,
  ResourceLink: contentBlock,
  Root: (root) => listRootsResult({ roots: [root] }),
  SamplingMessage: (one) => createMessageParams({ messages: [one], maxTokens: 1 }),
  ServerCapabilities: serverCapabilities,
  StringSchema: form,
  TextContent: contentBlock,
  TextResourceContents: resourceContents,
  TitledMultiSelectEnumSchema: form,
  TitledSingleSelectEnumSchema: form,
  Tool: tool,
  ToolResultContent: (content) => createMessageParams(message(content)),
  ToolUseContent: (content) => createMessageParams(message(content)),
  UntitledMultiSelectEnumSchema: form,
  UntitledSingleSelectEnumSchema: form,
}

/** How an example of this definition is read. */
function checkOf(definition: string): Check {
  const part = parts[definition]
  if (part) return part
  if (definition in errors) return (value: object) => expectError(definition, value)
  const [, name = '', kind = ''] =
    /^(.*?)(RequestParams|Request|ResultResponse|Result|NotificationParams|Notification)$/.exec(
      definition,
    ) ?? []
  const asked = requestChecks[name]
  if (asked && kind === 'RequestParams') return asked
  if (asked && kind === 'Request') {
    return (value: { id?: unknown; params?: never }) =>
      inputRequiredOf(value) ?? asked(value.params as never)
  }
  const found = {
    ...(kind.startsWith('Request') && params),
    ...(kind.startsWith('Result') && results),
    ...(kind.startsWith('Notification') && notifications),
  }[name]
  if (found === undefined) throw new Error(`${definition} is not known here`)
  switch (kind) {
    case 'Request':
      return (value: never) => {
        const { params: own } = decoded(value, 'request') as Request
        readRequestMeta(own)
        return found(own as never)
      }
    case 'RequestParams':
      return (value: JsonObject) => {
        readRequestMeta(value)
        return found(value as never)
      }
    case 'Notification':
      return (value: never) => found((decoded(value, 'notification') as Request).params as never)
    case 'ResultResponse':
      return (value: never) => found((decoded(value, 'result') as { result: never }).result)
    default:
      return found
  }
}

function inputRequiredOf({ id: _, ...inputRequest }: { id?: unknown }): Problem | undefined {
  return inputRequiredResult({
    resultType: 'input_required',
    inputRequests: { question: inputRequest },
  })
}

function decoded(value: never, kind: string): unknown {
  const read = decodeMessage(JSON.stringify({ jsonrpc: '2.0', ...(value as object) }))
  expect(read).toMatchObject({ kind })
  return read
}

/** Some are whole responses, others but the error in one. */
function expectError(definition: string, value: object): void {
  const error = 'error' in value ? value.error : value
  expect(decodeWireError(error as never).code).toBe(errors[definition])
}

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
if (hasOfficialSchemas) ajv.addSchema(readOfficialSchema('2026-07-28'), 'official')

const all = Object.entries(examples).flatMap(([definition, values]) =>
  values.map((value, index) => [definition, index, value] as const),
)

describe('examples of 2026-07-28', () => {
  test('are there for what is read here', () => {
    const read = [
      ...Object.keys({ ...parts, ...errors }),
      ...Object.keys(params).map((name) => `${name}RequestParams`),
      ...Object.keys(requestChecks).map((name) => `${name}Request`),
      ...Object.keys(results).map((name) => `${name}Result`),
      ...Object.keys(notifications).map((name) => `${name}Notification`),
    ]
    expect(read.filter((definition) => !(definition in examples))).toEqual([])
  })

  test.skipIf(!hasOfficialSchemas).each(all)(
    '%s %i is one, by the official schema',
    (definition, _, value) => {
      // Lists take no parameters of their own: theirs are those of every page.
      const name = /^(List|Discover).*RequestParams$/.test(definition)
        ? 'PaginatedRequestParams'
        : definition
      const validate = ajv.getSchema(`official#/$defs/${name}`)
      expect(validate?.(value), JSON.stringify(validate?.errors)).toBe(true)
    },
  )

  test.each(all)(
    '%s %i is read as it is [N07-DISC-01, N07-MRTR-04, N07-MRTR-17, N07-ELI-02, N07-SAMP-01, N07-PRM-01]',
    (definition, _, value) => {
      expect(checkOf(definition)(value as never)).toBeUndefined()
    },
  )
})
