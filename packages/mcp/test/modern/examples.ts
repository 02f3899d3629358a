/**
 * Messages of revision 2026-07-28 as a peer of another make would write them, by the name of their official definition.
 * A test holds each against the official schema, so that none is an example of our own mistakes.
 */

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'lighthouse', version: '3.1.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
}
const bare = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const listened = { 'io.modelcontextprotocol/subscriptionId': 'ear-1' }
const text = { type: 'text', text: 'high water at 04:12' }
const cached = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' }
const annotations = {
  audience: ['user', 'assistant'],
  priority: 0.5,
  lastModified: '2026-01-02T03:04:05Z',
}
const icons = [{ src: 'https://tides.example/i.png', mimeType: 'image/png', sizes: ['48x48'] }]

const elicit = {
  mode: 'form',
  message: 'Which harbour?',
  requestedSchema: {
    type: 'object',
    properties: { harbour: { type: 'string', title: 'Harbour' }, deep: { type: 'boolean' } },
    required: ['harbour'],
  },
}
const visit = { mode: 'url', message: 'Pay the harbour dues', url: 'https://tides.example/pay' }
const sample = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Is it safe to sail?' } }],
  modelPreferences: { hints: [{ name: 'small' }], costPriority: 1, speedPriority: 0.5 },
  systemPrompt: 'You are a pilot.',
  maxTokens: 64,
  stopSequences: ['.'],
}
const inputRequests = {
  harbour: { method: 'elicitation/create', params: elicit },
  pilot: { method: 'sampling/createMessage', params: sample },
  charts: { method: 'roots/list' },
}
const sampled = { role: 'assistant', content: text, model: 'small-1', stopReason: 'endTurn' }
const elicited = { action: 'accept', content: { harbour: 'Leith', deep: true } }
const roots = { roots: [{ uri: 'file:///charts', name: 'Charts' }, { uri: 'file:///logs' }] }

const tool = {
  name: 'tide_at',
  title: 'Tide at',
  description: 'The tide at a harbour',
  icons,
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { harbour: { type: 'string' } },
    required: ['harbour'],
  },
  outputSchema: { type: 'object', properties: { metres: { type: 'number' } } },
  annotations: { title: 'Tide', readOnlyHint: true, openWorldHint: false },
}
const resource = {
  uri: 'tide://leith/today',
  name: 'today',
  title: 'Today',
  description: 'Tides of today',
  mimeType: 'text/plain',
  size: 512,
  annotations,
  icons,
}
const template = {
  uriTemplate: 'tide://{harbour}/{day}',
  name: 'tides',
  title: 'Tides',
  mimeType: 'text/plain',
}
const prompt = {
  name: 'passage',
  title: 'Passage plan',
  arguments: [{ name: 'from', title: 'From', description: 'Where it begins', required: true }],
}
const written = { uri: 'tide://leith/today', mimeType: 'text/plain', text: '04:12 5.1 m' }
const drawn = { uri: 'tide://leith/chart', mimeType: 'image/png', blob: 'iVBORw0KGgo=' }
const messages = [
  { role: 'user', content: text },
  { role: 'assistant', content: { type: 'resource', resource: written } },
]

const params = {
  CallTool: {
    name: 'tide_at',
    arguments: { harbour: 'Leith' },
    _meta: { ...meta, progressToken: 7 },
  },
  Complete: {
    ref: { type: 'ref/resource', uri: 'tide://{harbour}/{day}' },
    argument: { name: 'day', value: 'to' },
    context: { arguments: { harbour: 'Leith' } },
    _meta: meta,
  },
  Discover: { _meta: bare },
  GetPrompt: { name: 'passage', arguments: { from: 'Leith' }, _meta: meta },
  ListPrompts: { _meta: bare },
  ListResources: { cursor: 'page-2', _meta: meta },
  ListResourceTemplates: { _meta: meta },
  ListTools: { cursor: '', _meta: { ...bare, 'com.example/own': [1] } },
  ReadResource: { uri: 'tide://leith/today', _meta: meta },
  SubscriptionsListen: {
    notifications: { toolsListChanged: true, resourceSubscriptions: ['tide://leith/today'] },
    _meta: meta,
  },
}
const methods: Record<keyof typeof params, string> = {
  CallTool: 'tools/call',
  Complete: 'completion/complete',
  Discover: 'server/discover',
  GetPrompt: 'prompts/get',
  ListPrompts: 'prompts/list',
  ListResources: 'resources/list',
  ListResourceTemplates: 'resources/templates/list',
  ListTools: 'tools/list',
  ReadResource: 'resources/read',
  SubscriptionsListen: 'subscriptions/listen',
}
const results = {
  CallTool: {
    resultType: 'complete',
    content: [text, { type: 'resource_link', ...resource }, { type: 'resource', resource: drawn }],
    structuredContent: { metres: 5.1 },
  },
  Complete: { resultType: 'complete', completion: { values: ['today'], total: 2, hasMore: true } },
  Discover: {
    ...cached,
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, completions: {} },
    instructions: 'Ask for one harbour at a time.',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tides', version: '0.9.0', icons } },
  },
  GetPrompt: { resultType: 'complete', description: 'A plan', messages },
  ListPrompts: { ...cached, prompts: [prompt, { name: 'bare' }] },
  ListResources: { ...cached, resources: [resource], nextCursor: 'page-3' },
  ListResourceTemplates: { ...cached, resourceTemplates: [template] },
  ListTools: { ...cached, cacheScope: 'private', ttlMs: 0, tools: [tool] },
  ReadResource: { ...cached, contents: [written, drawn] },
  SubscriptionsListen: { resultType: 'complete', _meta: listened },
}
const notifications = {
  Cancelled: ['cancelled', { requestId: 'call-9', reason: 'the wind changed' }],
  LoggingMessage: ['message', { level: 'notice', logger: 'gauge', data: { metres: 5.1 } }],
  Progress: ['progress', { progressToken: 7, progress: 1, total: 3, message: 'reading gauges' }],
  PromptListChanged: ['prompts/list_changed', { _meta: listened }],
  ResourceListChanged: ['resources/list_changed', { _meta: listened }],
  ResourceUpdated: ['resources/updated', { uri: 'tide://leith/today', _meta: listened }],
  SubscriptionsAcknowledged: [
    'subscriptions/acknowledged',
    { notifications: { toolsListChanged: true }, _meta: listened },
  ],
  ToolListChanged: ['tools/list_changed', { _meta: listened }],
} as const

const failure = (code: number, message: string, data?: object) => ({
  jsonrpc: '2.0',
  id: 'call-9',
  error: { code, message, ...(data && { data }) },
})

/** Examples by definition. */
export const examples: Readonly<Record<string, readonly object[]>> = {
  ...named(params, 'RequestParams', (value) => [value]),
  ...named(params, 'Request', (value, name) => [
    { jsonrpc: '2.0', id: 4, method: methods[name as keyof typeof params], params: value },
  ]),
  ...named(results, 'Result', (value) => [value]),
  ...named(results, 'ResultResponse', (result) => [{ jsonrpc: '2.0', id: 'call-9', result }]),
  ...named(notifications, 'Notification', ([method, value]) => [
    { jsonrpc: '2.0', method: `notifications/${method}`, params: value },
  ]),
  PaginatedRequestParams: [{ cursor: 'page-2', _meta: meta }, { _meta: bare }],
  CancelledNotificationParams: [{ requestId: 3 }],
  LoggingMessageNotificationParams: [{ level: 'emergency', data: 'aground' }],
  ProgressNotificationParams: [{ progressToken: 'p', progress: 0.5 }],
  ResourceUpdatedNotificationParams: [{ uri: 'tide://leith/today', _meta: listened }],

  CreateMessageRequest: [inputRequests.pilot],
  CreateMessageRequestParams: [sample],
  CreateMessageResult: [
    sampled,
    { ...sampled, content: [{ type: 'tool_use', id: 't1', name: 'tide_at', input: {} }] },
  ],
  ElicitRequest: [inputRequests.harbour, { method: 'elicitation/create', params: visit }],
  ElicitRequestFormParams: [elicit],
  ElicitRequestURLParams: [visit],
  ElicitResult: [elicited, { action: 'decline' }, { action: 'cancel' }],
  ListRootsRequest: [inputRequests.charts],
  ListRootsResult: [roots],
  InputRequests: [inputRequests],
  InputRequiredResult: [
    { resultType: 'input_required', inputRequests: inputRequests, requestState: 'c2VhbGVk' },
    { resultType: 'input_required', requestState: 'c2VhbGVk' },
  ],
  InputResponses: [{ harbour: elicited, pilot: sampled, charts: roots }],

  HeaderMismatchError: [failure(-32020, 'Mcp-Name says "a", the body "b"')],
  MissingRequiredClientCapabilityError: [
    failure(-32021, 'needs elicitation', { requiredCapabilities: { elicitation: {} } }),
  ],
  UnsupportedProtocolVersionError: [
    failure(-32022, 'unsupported', { supported: ['2026-07-28'], requested: '2031-01-01' }),
  ],
  ParseError: [{ code: -32700, message: 'not JSON' }],
  MethodNotFoundError: [{ code: -32601, message: 'no such method' }],
  InvalidParamsError: [{ code: -32602, message: 'harbour is missing' }],
  InternalError: [{ code: -32603, message: 'the gauge is broken' }],

  AudioContent: [{ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav', annotations }],
  BlobResourceContents: [drawn],
  ClientCapabilities: [
    {
      roots: {},
      sampling: { tools: {} },
      elicitation: { form: {}, url: {} },
      extensions: { 'com.example/x': {} },
    },
  ],
  EmbeddedResource: [{ type: 'resource', resource: written, annotations }],
  ImageContent: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }],
  ModelPreferences: [{ hints: [{}, { name: 'large' }], intelligencePriority: 0 }],
  Resource: [resource, { uri: 'tide://x', name: 'x' }],
  ResourceLink: [{ type: 'resource_link', ...resource }],
  Root: [{ uri: 'file:///charts', name: 'Charts' }],
  SamplingMessage: [
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'tide_at', input: {} }] },
  ],
  ServerCapabilities: [
    { completions: {}, logging: {}, prompts: { listChanged: true }, resources: {}, tools: {} },
  ],
  TextContent: [text],
  TextResourceContents: [written],
  Tool: [tool, { name: 'bare', inputSchema: { type: 'object' } }],
  ToolResultContent: [
    { type: 'tool_result', toolUseId: 't1', content: [text], structuredContent: { metres: 5.1 } },
    { type: 'tool_result', toolUseId: 't1', content: [], isError: true },
  ],
  ToolUseContent: [{ type: 'tool_use', id: 't1', name: 'tide_at', input: { harbour: 'Leith' } }],

  BooleanSchema: [{ type: 'boolean', title: 'Deep water', default: false }],
  NumberSchema: [
    { type: 'number', minimum: 0, maximum: 9 },
    { type: 'integer', default: 3 },
  ],
  StringSchema: [
    { type: 'string', minLength: 1, maxLength: 9, format: 'email', default: 'a@b.example' },
  ],
  UntitledSingleSelectEnumSchema: [{ type: 'string', enum: ['ebb', 'flood'], default: 'ebb' }],
  TitledSingleSelectEnumSchema: [
    {
      type: 'string',
      oneOf: [
        { const: 'ebb', title: 'Going out' },
        { const: 'flood', title: 'Coming in' },
      ],
    },
  ],
  UntitledMultiSelectEnumSchema: [
    { type: 'array', items: { type: 'string', enum: ['ebb', 'flood'] }, minItems: 1, maxItems: 2 },
  ],
  TitledMultiSelectEnumSchema: [
    { type: 'array', items: { anyOf: [{ const: 'ebb', title: 'Going out' }] }, default: ['ebb'] },
  ],
}

function named<Value>(
  values: Readonly<Record<string, Value>>,
  kind: string,
  examplesOf: (value: Value, name: string) => object[],
): Record<string, object[]> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${name}${kind}`, examplesOf(value, name)]),
  )
}
