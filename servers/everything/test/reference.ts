/** Recorded from release 2026.8.31 of the reference server over stdio. */

import type { Listed } from './listed.ts'

export const referenceTools = [
  {
    name: 'echo',
    title: 'Echo Tool',
    inputSchema: {
      type: 'object',
      properties: {
        message: {
          type: 'string',
        },
      },
      required: ['message'],
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'get-annotated-message',
    title: 'Get Annotated Message Tool',
    inputSchema: {
      type: 'object',
      properties: {
        messageType: {
          type: 'string',
          enum: ['error', 'success', 'debug'],
        },
        includeImage: {
          default: false,
          type: 'boolean',
        },
      },
      required: ['messageType'],
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'get-env',
    title: 'Print Environment Tool',
    inputSchema: {
      type: 'object',
      properties: {},
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'get-resource-links',
    title: 'Get Resource Links Tool',
    inputSchema: {
      type: 'object',
      properties: {
        count: {
          default: 3,
          type: 'number',
          minimum: 1,
          maximum: 10,
        },
      },
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'get-resource-reference',
    title: 'Get Resource Reference Tool',
    inputSchema: {
      type: 'object',
      properties: {
        resourceType: {
          default: 'Text',
          type: 'string',
          enum: ['Text', 'Blob'],
        },
        resourceId: {
          default: 1,
          type: 'number',
        },
      },
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'get-structured-content',
    title: 'Get Structured Content Tool',
    inputSchema: {
      type: 'object',
      properties: {
        location: {
          type: 'string',
          enum: ['New York', 'Chicago', 'Los Angeles'],
        },
      },
      required: ['location'],
    },
    outputSchema: {
      type: 'object',
      properties: {
        temperature: {
          type: 'number',
        },
        conditions: {
          type: 'string',
        },
        humidity: {
          type: 'number',
        },
      },
      required: ['temperature', 'conditions', 'humidity'],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'get-sum',
    title: 'Get Sum Tool',
    inputSchema: {
      type: 'object',
      properties: {
        a: {
          type: 'number',
        },
        b: {
          type: 'number',
        },
      },
      required: ['a', 'b'],
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'get-tiny-image',
    title: 'Get Tiny Image Tool',
    inputSchema: {
      type: 'object',
      properties: {},
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'gzip-file-as-resource',
    title: 'GZip File as Resource Tool',
    inputSchema: {
      type: 'object',
      properties: {
        name: {
          default: 'README.md.gz',
          type: 'string',
        },
        data: {
          default:
            'https://raw.githubusercontent.com/modelcontextprotocol/servers/refs/heads/main/README.md',
          type: 'string',
          format: 'uri',
        },
        outputType: {
          default: 'resourceLink',
          type: 'string',
          enum: ['resourceLink', 'resource'],
        },
      },
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'toggle-simulated-logging',
    title: 'Toggle Simulated Logging',
    inputSchema: {
      type: 'object',
      properties: {},
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'toggle-subscriber-updates',
    title: 'Toggle Subscriber Updates',
    inputSchema: {
      type: 'object',
      properties: {},
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'trigger-long-running-operation',
    title: 'Trigger Long Running Operation Tool',
    inputSchema: {
      type: 'object',
      properties: {
        duration: {
          default: 10,
          type: 'number',
        },
        steps: {
          default: 5,
          type: 'number',
        },
      },
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'get-roots-list',
    title: 'Get Roots List Tool',
    inputSchema: {
      type: 'object',
      properties: {},
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'trigger-elicitation-request',
    title: 'Trigger Elicitation Request Tool',
    inputSchema: {
      type: 'object',
      properties: {},
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'trigger-url-elicitation',
    title: 'Trigger URL Elicitation Tool',
    inputSchema: {
      type: 'object',
      properties: {
        url: {
          type: 'string',
          format: 'uri',
        },
        message: {
          default: 'Please open the link to complete this action.',
          type: 'string',
        },
        elicitationId: {
          type: 'string',
        },
        errorPath: {
          default: false,
          type: 'boolean',
        },
      },
      required: ['url'],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'trigger-sampling-request',
    title: 'Trigger Sampling Request Tool',
    inputSchema: {
      type: 'object',
      properties: {
        prompt: {
          type: 'string',
        },
        maxTokens: {
          default: 100,
          type: 'number',
        },
      },
      required: ['prompt'],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'simulate-research-query',
    title: 'Simulate Research Query',
    inputSchema: {
      type: 'object',
      properties: {
        topic: {
          type: 'string',
        },
        ambiguous: {
          default: false,
          type: 'boolean',
        },
      },
      required: ['topic'],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
    execution: { taskSupport: 'required' },
  },
  {
    name: 'trigger-sampling-request-async',
    title: 'Trigger Async Sampling Request Tool',
    inputSchema: {
      type: 'object',
      properties: {
        prompt: {
          type: 'string',
        },
        maxTokens: {
          default: 100,
          type: 'number',
        },
      },
      required: ['prompt'],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
    execution: { taskSupport: 'forbidden' },
  },
  {
    name: 'trigger-elicitation-request-async',
    title: 'Trigger Async Elicitation Request Tool',
    inputSchema: {
      type: 'object',
      properties: {},
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
    execution: { taskSupport: 'forbidden' },
  },
]

const capabilities = {
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
}

export const referencePrompts = [
  {
    name: 'simple-prompt',
    title: 'Simple Prompt',
  },
  {
    name: 'args-prompt',
    title: 'Arguments Prompt',
    arguments: [
      {
        name: 'city',
        required: true,
      },
      {
        name: 'state',
        required: false,
      },
    ],
  },
  {
    name: 'completable-prompt',
    title: 'Team Management',
    arguments: [
      {
        name: 'department',
        required: true,
      },
      {
        name: 'name',
        required: true,
      },
    ],
  },
  {
    name: 'resource-prompt',
    title: 'Resource Prompt',
    arguments: [
      {
        name: 'resourceType',
        required: true,
      },
      {
        name: 'resourceId',
        required: true,
      },
    ],
  },
]

export const referenceResources = [
  {
    name: 'architecture.md',
    uri: 'demo://resource/static/document/architecture.md',
    mimeType: 'text/markdown',
  },
  {
    name: 'extension.md',
    uri: 'demo://resource/static/document/extension.md',
    mimeType: 'text/markdown',
  },
  {
    name: 'features.md',
    uri: 'demo://resource/static/document/features.md',
    mimeType: 'text/markdown',
  },
  {
    name: 'how-it-works.md',
    uri: 'demo://resource/static/document/how-it-works.md',
    mimeType: 'text/markdown',
  },
  {
    name: 'instructions.md',
    uri: 'demo://resource/static/document/instructions.md',
    mimeType: 'text/markdown',
  },
  {
    name: 'startup.md',
    uri: 'demo://resource/static/document/startup.md',
    mimeType: 'text/markdown',
  },
  {
    name: 'structure.md',
    uri: 'demo://resource/static/document/structure.md',
    mimeType: 'text/markdown',
  },
]

export const referenceTemplates = [
  {
    name: 'Dynamic Text Resource',
    uriTemplate: 'demo://resource/dynamic/text/{resourceId}',
    mimeType: 'text/plain',
  },
  {
    name: 'Dynamic Blob Resource',
    uriTemplate: 'demo://resource/dynamic/blob/{resourceId}',
    mimeType: 'application/octet-stream',
  },
]

/** What the reference lists, without descriptions. */
export const reference: Listed = {
  server: {
    protocolVersion: '2025-11-25',
    capabilities,
    serverInfo: {
      name: 'mcp-servers/everything',
      title: 'Everything Reference Server',
      version: '2.0.0',
    },
  },
  tools: referenceTools,
  prompts: referencePrompts,
  resources: referenceResources,
  templates: referenceTemplates,
}
