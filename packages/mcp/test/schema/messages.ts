import type { Problem } from '../../src/schema/check.ts'
import { completeResult } from '../../src/schema/completion.ts'
import { elicitParams, elicitResult } from '../../src/schema/input/elicitation.ts'
import { listRootsResult } from '../../src/schema/input/input.ts'
import { createMessageParams, createMessageResult } from '../../src/schema/input/sampling.ts'
import {
  cancelledParams,
  emptyNotificationParams,
  emptyRequestParams,
  emptyResult,
  initializeParams,
  initializeResult,
} from '../../src/schema/lifecycle.ts'
import { loggingMessageParams, setLevelParams } from '../../src/schema/logging.ts'
import { requestParams } from '../../src/schema/methods/request-params.ts'
import { listParams } from '../../src/schema/pagination.ts'
import { progressParams } from '../../src/schema/progress.ts'
import { getPromptResult, listPromptsResult } from '../../src/schema/prompts.ts'
import {
  listResourcesResult,
  listResourceTemplatesResult,
  readResourceResult,
  resourceUpdatedParams,
} from '../../src/schema/resources.ts'
import type { Revision } from '../../src/schema/revision.ts'
import { callToolResult, listToolsResult } from '../../src/schema/tools.ts'

/** One message and direction: its check, where other schemas define it, and legal examples. */
export interface MessageCase {
  readonly check: (value: unknown) => Problem | undefined
  /** Its definition in the official schema files. */
  readonly official: string
  /** Its name among the Zod schemas, where it has one. */
  readonly zod?: string
  /** Legal examples, by the first revision that defines all their fields. */
  readonly samples: { readonly [R in Revision]?: readonly unknown[] }
}

const meta = { 'com.example/trace': { id: 7 } }
const requestMeta = { ...meta, progressToken: 'token-1' }
const oldAnnotations = { audience: ['user', 'assistant'], priority: 0.5 }
const annotations = { ...oldAnnotations, lastModified: '2025-01-12T15:00:58Z' }
const icons = [
  {
    src: 'https://example.com/icon.png',
    mimeType: 'image/png',
    sizes: ['48x48', 'any'],
    theme: 'dark',
  },
]

const oldBlocks = [
  { type: 'text', text: 'hello', annotations: oldAnnotations },
  { type: 'image', data: 'aGk=', mimeType: 'image/png', annotations: oldAnnotations },
  { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'a' } },
  {
    type: 'resource',
    resource: { uri: 'file:///a.bin', blob: 'aGk=' },
    annotations: oldAnnotations,
  },
]
const audio = { type: 'audio', data: 'aGk=', mimeType: 'audio/wav', annotations: oldAnnotations }
const blocks = [
  { type: 'text', text: 'hello', annotations, _meta: meta },
  { type: 'image', data: 'aGk=', mimeType: 'image/png', _meta: meta },
  { ...audio, _meta: meta },
  { type: 'resource', resource: { uri: 'file:///a.txt', text: 'a', _meta: meta }, _meta: meta },
  {
    type: 'resource_link',
    uri: 'file:///a.txt',
    name: 'a',
    title: 'A',
    description: 'the letter',
    mimeType: 'text/plain',
    size: 3,
    annotations,
    _meta: meta,
  },
]
const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}
const hints = {
  title: 'Weather',
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
}
const resource = {
  uri: 'file:///a.txt',
  name: 'a',
  description: 'the letter',
  mimeType: 'text/plain',
  size: 3,
  annotations: oldAnnotations,
}
const template = {
  uriTemplate: 'file:///{path}',
  name: 'files',
  description: 'all files',
  mimeType: 'text/plain',
  annotations: oldAnnotations,
}
const prompt = {
  name: 'review',
  description: 'Reviews code',
  arguments: [{ name: 'code', description: 'what to review', required: true }],
}
const samplingParams = {
  messages: [
    { role: 'user', content: { type: 'text', text: 'hi', annotations: oldAnnotations } },
    { role: 'assistant', content: { type: 'image', data: 'aGk=', mimeType: 'image/png' } },
  ],
  maxTokens: 100,
  systemPrompt: 'Be brief.',
  temperature: 0.7,
  stopSequences: ['\n'],
  modelPreferences: {
    hints: [{ name: 'fast' }, {}],
    costPriority: 0,
    speedPriority: 1,
    intelligencePriority: 0.5,
  },
  includeContext: 'thisServer',
  metadata: { provider: { tier: 1 } },
}
const choices = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
]
const toolUse = {
  type: 'tool_use',
  id: 'use-1',
  name: 'weather',
  input: { city: 'Paris' },
  _meta: meta,
}
const toolResult = {
  type: 'tool_result',
  toolUseId: 'use-1',
  content: blocks,
  structuredContent: { degrees: 18 },
  isError: false,
  _meta: meta,
}

/** Every message of the revisions with `initialize`, by the name of its check. */
export const messages = {
  initializeParams: {
    check: initializeParams,
    official: 'InitializeRequest/properties/params',
    zod: 'InitializeRequestParamsSchema',
    samples: {
      '2024-11-05': [
        {
          protocolVersion: '2024-11-05',
          capabilities: {
            roots: { listChanged: true },
            sampling: {},
            experimental: { x: { on: true } },
          },
          clientInfo: { name: 'client', version: '1' },
        },
        { protocolVersion: '2099-01-01', capabilities: {}, clientInfo: { name: '', version: '' } },
      ],
      '2025-06-18': [
        {
          protocolVersion: '2025-06-18',
          capabilities: { elicitation: {} },
          clientInfo: { name: 'client', title: 'Client', version: '1' },
        },
      ],
      '2025-11-25': [
        {
          protocolVersion: '2025-11-25',
          capabilities: {
            elicitation: { form: {}, url: {} },
            sampling: { tools: {}, context: {} },
            tasks: { list: {}, requests: { sampling: { createMessage: {} } } },
          },
          clientInfo: {
            name: 'client',
            version: '1',
            description: 'a client',
            websiteUrl: 'https://example.com',
            icons,
          },
          _meta: requestMeta,
        },
      ],
      '2026-07-28': [
        {
          protocolVersion: '2026-07-28',
          capabilities: { extensions: { 'com.example/x': { on: true } } },
          clientInfo: { name: 'client', version: '1' },
        },
      ],
    },
  },
  initializeResult: {
    check: initializeResult,
    official: 'InitializeResult',
    zod: 'InitializeResultSchema',
    samples: {
      '2024-11-05': [
        {
          protocolVersion: '2024-11-05',
          capabilities: {
            tools: { listChanged: true },
            resources: { listChanged: false, subscribe: true },
            prompts: { listChanged: true },
            logging: {},
            experimental: { x: {} },
          },
          serverInfo: { name: 'server', version: '1' },
          instructions: 'Ask nicely.',
          _meta: meta,
        },
      ],
      '2025-11-25': [
        {
          protocolVersion: '2025-11-25',
          capabilities: { completions: {}, tasks: { requests: { tools: { call: {} } } } },
          serverInfo: { name: 'server', title: 'Server', version: '1', icons },
        },
      ],
    },
  },
  emptyRequestParams: {
    check: emptyRequestParams,
    official: 'PingRequest/properties/params',
    samples: { '2024-11-05': [{}, { _meta: { progressToken: 3 } }, { _meta: requestMeta }] },
  },
  emptyNotificationParams: {
    check: emptyNotificationParams,
    official: 'InitializedNotification/properties/params',
    samples: { '2024-11-05': [{}, { _meta: meta }] },
  },
  emptyResult: {
    check: emptyResult,
    official: 'EmptyResult',
    zod: 'ResultSchema',
    samples: { '2024-11-05': [{}, { _meta: meta }] },
  },
  listParams: {
    check: listParams,
    official: 'ListToolsRequest/properties/params',
    zod: 'PaginatedRequestParamsSchema',
    samples: {
      '2024-11-05': [{}, { cursor: 'page-2' }],
      '2025-11-25': [{ cursor: '', _meta: requestMeta }],
    },
  },
  listToolsResult: {
    check: listToolsResult,
    official: 'ListToolsResult',
    zod: 'ListToolsResultSchema',
    samples: {
      '2024-11-05': [
        {
          tools: [{ name: 'weather', description: 'Looks outside', inputSchema }],
          nextCursor: 'page-2',
        },
        { tools: [{ name: 'ping', inputSchema: { type: 'object' } }], _meta: meta },
      ],
      '2025-03-26': [{ tools: [{ name: 'weather', inputSchema, annotations: hints }] }],
      '2025-06-18': [
        {
          tools: [
            {
              name: 'weather',
              title: 'Weather',
              inputSchema,
              outputSchema: inputSchema,
              _meta: meta,
            },
          ],
        },
      ],
      '2025-11-25': [
        {
          tools: [
            {
              name: 'weather',
              inputSchema: {
                ...inputSchema,
                $schema: 'https://json-schema.org/draft/2020-12/schema',
              },
              outputSchema: { type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' },
              execution: { taskSupport: 'optional' },
              icons,
            },
          ],
        },
      ],
      '2026-07-28': [{ tools: [], ttlMs: 1000, cacheScope: 'private' }],
    },
  },
  callToolParams: {
    check: requestParams['tools/call'],
    official: 'CallToolRequest/properties/params',
    zod: 'CallToolRequestParamsSchema',
    samples: {
      '2024-11-05': [
        { name: 'weather', arguments: { city: 'Paris', days: [1, 2] } },
        { name: 'ping' },
      ],
      '2025-11-25': [{ name: 'weather', arguments: {}, task: { ttl: 60_000 }, _meta: requestMeta }],
    },
  },
  callToolResult: {
    check: callToolResult,
    official: 'CallToolResult',
    zod: 'CallToolResultSchema',
    samples: {
      '2024-11-05': [
        { content: oldBlocks, isError: false, _meta: meta },
        { content: [], isError: true },
      ],
      '2025-03-26': [{ content: [audio] }],
      '2025-06-18': [{ content: blocks, structuredContent: { degrees: 18 } }],
    },
  },
  listResourcesResult: {
    check: listResourcesResult,
    official: 'ListResourcesResult',
    zod: 'ListResourcesResultSchema',
    samples: {
      '2024-11-05': [
        { resources: [resource, { uri: 'x:y', name: '' }], nextCursor: 'page-2', _meta: meta },
      ],
      '2025-06-18': [{ resources: [{ ...resource, title: 'A', annotations, _meta: meta }] }],
      '2025-11-25': [{ resources: [{ ...resource, icons }] }],
    },
  },
  listResourceTemplatesResult: {
    check: listResourceTemplatesResult,
    official: 'ListResourceTemplatesResult',
    zod: 'ListResourceTemplatesResultSchema',
    samples: {
      '2024-11-05': [{ resourceTemplates: [template], nextCursor: 'page-2', _meta: meta }],
      '2025-06-18': [
        { resourceTemplates: [{ ...template, title: 'Files', annotations, _meta: meta }] },
      ],
      '2025-11-25': [{ resourceTemplates: [{ ...template, icons }] }],
    },
  },
  readResourceParams: {
    check: requestParams['resources/read'],
    official: 'ReadResourceRequest/properties/params',
    zod: 'ReadResourceRequestParamsSchema',
    samples: {
      '2024-11-05': [{ uri: 'file:///a.txt' }],
      '2025-11-25': [{ uri: 'file:///a.txt', _meta: requestMeta }],
    },
  },
  readResourceResult: {
    check: readResourceResult,
    official: 'ReadResourceResult',
    zod: 'ReadResourceResultSchema',
    samples: {
      '2024-11-05': [
        {
          contents: [
            { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'a' },
            { uri: 'file:///a.bin', mimeType: 'image/png', blob: 'aGk=' },
          ],
          _meta: meta,
        },
        { contents: [{ uri: 'file:///both', text: 'a', blob: 'aGk=' }] },
      ],
      '2025-06-18': [{ contents: [{ uri: 'file:///a.txt', text: 'a', _meta: meta }] }],
    },
  },
  subscribeParams: {
    check: requestParams['resources/subscribe'],
    official: 'SubscribeRequest/properties/params',
    zod: 'SubscribeRequestParamsSchema',
    samples: {
      '2024-11-05': [{ uri: 'file:///a.txt' }],
      '2025-11-25': [{ uri: 'file:///a.txt', _meta: requestMeta }],
    },
  },
  unsubscribeParams: {
    check: requestParams['resources/subscribe'],
    official: 'UnsubscribeRequest/properties/params',
    zod: 'UnsubscribeRequestParamsSchema',
    samples: {
      '2024-11-05': [{ uri: 'file:///a.txt' }],
      '2025-11-25': [{ uri: 'file:///a.txt', _meta: requestMeta }],
    },
  },
  resourceUpdatedParams: {
    check: resourceUpdatedParams,
    official: 'ResourceUpdatedNotification/properties/params',
    zod: 'ResourceUpdatedNotificationParamsSchema',
    samples: {
      '2024-11-05': [{ uri: 'file:///a.txt' }],
      '2025-11-25': [{ uri: 'file:///a.txt', _meta: meta }],
    },
  },
  listPromptsResult: {
    check: listPromptsResult,
    official: 'ListPromptsResult',
    zod: 'ListPromptsResultSchema',
    samples: {
      '2024-11-05': [{ prompts: [prompt, { name: 'plain' }], nextCursor: 'page-2', _meta: meta }],
      '2025-06-18': [
        {
          prompts: [
            {
              ...prompt,
              title: 'Review',
              arguments: [{ name: 'code', title: 'Code' }],
              _meta: meta,
            },
          ],
        },
      ],
      '2025-11-25': [{ prompts: [{ ...prompt, icons }] }],
    },
  },
  getPromptParams: {
    check: requestParams['prompts/get'],
    official: 'GetPromptRequest/properties/params',
    zod: 'GetPromptRequestParamsSchema',
    samples: {
      '2024-11-05': [{ name: 'review', arguments: { code: '1 + 1' } }, { name: 'plain' }],
      '2025-11-25': [{ name: 'review', _meta: requestMeta }],
    },
  },
  getPromptResult: {
    check: getPromptResult,
    official: 'GetPromptResult',
    zod: 'GetPromptResultSchema',
    samples: {
      '2024-11-05': [
        {
          description: 'Reviews code',
          messages: oldBlocks.map((content) => ({ role: 'user', content })),
          _meta: meta,
        },
      ],
      '2025-06-18': [{ messages: blocks.map((content) => ({ role: 'assistant', content })) }],
    },
  },
  completeParams: {
    check: requestParams['completion/complete'],
    official: 'CompleteRequest/properties/params',
    zod: 'CompleteRequestParamsSchema',
    samples: {
      '2024-11-05': [
        {
          ref: { type: 'ref/prompt', name: 'review' },
          argument: { name: 'language', value: 'py' },
        },
        {
          ref: { type: 'ref/resource', uri: 'file:///{path}' },
          argument: { name: 'path', value: '' },
        },
      ],
      '2025-06-18': [
        {
          ref: { type: 'ref/prompt', name: 'review', title: 'Review' },
          argument: { name: 'framework', value: 'fla' },
          context: { arguments: { language: 'python' } },
        },
      ],
      '2025-11-25': [
        {
          ref: { type: 'ref/prompt', name: 'review' },
          argument: { name: 'language', value: 'py' },
          context: {},
          _meta: requestMeta,
        },
      ],
    },
  },
  completeResult: {
    check: completeResult,
    official: 'CompleteResult',
    zod: 'CompleteResultSchema',
    samples: {
      '2024-11-05': [
        { completion: { values: ['python', 'pytorch'], total: 10, hasMore: true }, _meta: meta },
        { completion: { values: [] } },
      ],
    },
  },
  setLevelParams: {
    check: setLevelParams,
    official: 'SetLevelRequest/properties/params',
    zod: 'SetLevelRequestParamsSchema',
    samples: {
      '2024-11-05': [{ level: 'debug' }, { level: 'emergency' }],
      '2025-11-25': [{ level: 'notice', _meta: requestMeta }],
    },
  },
  loggingMessageParams: {
    check: loggingMessageParams,
    official: 'LoggingMessageNotification/properties/params',
    zod: 'LoggingMessageNotificationParamsSchema',
    samples: {
      '2024-11-05': [
        { level: 'error', logger: 'db', data: { code: 1 } },
        { level: 'info', data: null },
      ],
      '2025-11-25': [{ level: 'critical', data: 'words', _meta: meta }],
    },
  },
  progressParams: {
    check: progressParams,
    official: 'ProgressNotification/properties/params',
    zod: 'ProgressNotificationParamsSchema',
    samples: {
      '2024-11-05': [
        { progressToken: 'token-1', progress: 0.5, total: 1 },
        { progressToken: 7, progress: 3 },
      ],
      '2025-03-26': [{ progressToken: 7, progress: 3, message: 'half way' }],
      '2025-11-25': [{ progressToken: 7, progress: 3, _meta: meta }],
    },
  },
  cancelledParams: {
    check: cancelledParams,
    official: 'CancelledNotification/properties/params',
    zod: 'CancelledNotificationParamsSchema',
    samples: {
      '2024-11-05': [{ requestId: 'r-1', reason: 'no longer needed' }, { requestId: 12 }],
      '2025-11-25': [{ requestId: 12, _meta: meta }],
    },
  },
  listRootsResult: {
    check: listRootsResult,
    official: 'ListRootsResult',
    zod: 'ListRootsResultSchema',
    samples: {
      '2024-11-05': [
        { roots: [{ uri: 'file:///home', name: 'Home' }], _meta: meta },
        { roots: [] },
      ],
      '2025-06-18': [{ roots: [{ uri: 'file:///home', _meta: meta }] }],
    },
  },
  createMessageParams: {
    check: createMessageParams,
    official: 'CreateMessageRequest/properties/params',
    zod: 'CreateMessageRequestParamsSchema',
    samples: {
      '2024-11-05': [samplingParams, { messages: [], maxTokens: 1 }],
      '2025-03-26': [{ messages: [{ role: 'user', content: audio }], maxTokens: 1 }],
      '2025-11-25': [
        {
          messages: [
            { role: 'assistant', content: toolUse, _meta: meta },
            { role: 'user', content: [toolResult] },
            { role: 'user', content: [blocks[0], blocks[1], blocks[2]] },
          ],
          maxTokens: 1,
          tools: [{ name: 'weather', inputSchema }],
          toolChoice: { mode: 'required' },
          task: { ttl: 1 },
          _meta: requestMeta,
        },
      ],
    },
  },
  createMessageResult: {
    check: createMessageResult,
    official: 'CreateMessageResult',
    zod: 'CreateMessageResultWithToolsSchema',
    samples: {
      '2024-11-05': [
        {
          role: 'assistant',
          content: { type: 'text', text: 'hi' },
          model: 'some-model',
          stopReason: 'endTurn',
          _meta: meta,
        },
      ],
      '2025-03-26': [{ role: 'user', content: audio, model: '' }],
      '2025-11-25': [{ role: 'assistant', content: [toolUse, toolResult], model: 'm' }],
    },
  },
  elicitParams: {
    check: elicitParams,
    official: 'ElicitRequest/properties/params',
    zod: 'ElicitRequestParamsSchema',
    samples: {
      '2025-06-18': [
        {
          message: 'Who are you?',
          requestedSchema: {
            type: 'object',
            properties: {
              name: {
                type: 'string',
                title: 'Name',
                description: 'in full',
                minLength: 1,
                maxLength: 9,
              },
              mail: { type: 'string', format: 'email' },
              age: { type: 'integer', title: 'Age', minimum: 0, maximum: 150 },
              height: { type: 'number', description: 'in m', minimum: 0.5 },
              member: { type: 'boolean', title: 'Member', default: false },
              colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
            },
            required: ['name'],
          },
        },
        { message: '', requestedSchema: { type: 'object', properties: {} } },
        {
          message: 'A keyword 2025-06-18 does not know yet',
          requestedSchema: { type: 'object', properties: { age: { type: 'number', default: '' } } },
        },
      ],
      '2025-11-25': [
        {
          mode: 'form',
          message: 'Which?',
          requestedSchema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'object',
            properties: {
              name: { type: 'string', default: 'Ada' },
              age: { type: 'number', default: 1.5 },
              one: { type: 'string', title: 'One', enum: ['a'], default: 'a' },
              titled: { type: 'string', oneOf: choices, default: 'r' },
              many: {
                type: 'array',
                title: 'Many',
                description: 'any of',
                minItems: 1,
                maxItems: 2,
                items: { type: 'string', enum: ['a', 'b'] },
                default: ['a'],
              },
              manyTitled: { type: 'array', items: { anyOf: choices }, default: [] },
            },
          },
          _meta: requestMeta,
        },
        {
          mode: 'url',
          message: 'Sign in',
          url: 'https://example.com/sign-in',
          elicitationId: 'e-1',
          task: {},
          _meta: requestMeta,
        },
      ],
    },
  },
  elicitResult: {
    check: elicitResult,
    official: 'ElicitResult',
    zod: 'ElicitResultSchema',
    samples: {
      '2025-06-18': [
        { action: 'accept', content: { name: 'Ada', age: 36, member: true }, _meta: meta },
        { action: 'decline' },
        { action: 'cancel' },
      ],
      '2025-11-25': [{ action: 'accept', content: { many: ['a', 'b'] } }],
    },
  },
} satisfies Record<string, MessageCase>
